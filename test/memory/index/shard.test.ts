import { kernels } from '@memory/engine/kernels/kernels'
import { bitsOf } from '@memory/memory/index/bits'
import { JavascriptShard } from '@memory/memory/index/javascript-shard'
import { searchShard } from '@memory/memory/index/search-shard'
import type { SearchTarget, Shard } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector, type Scored } from '../../engine/naive.ts'
import { bruteForce, compareShard, type Held, searchAll } from './brute-force.ts'

const newVector = (seed: number, dimensions: number) =>
  randomVector(randomFrom(seed), dimensions, seed % 2 === 0)

/** A pattern is a text or not for as long as it lives. */
const isText = (idx: number) => idx % 3 !== 0

type Change = { kind: 'put'; idx: number; seed: number } | { kind: 'remove'; idx: number } | { kind: 'take' }

const someIdx = fc.integer({ min: 0, max: 30 })
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    // Few vectors: a pattern is often stored again unchanged.
    {
      arbitrary: fc.record({
        kind: fc.constant('put' as const),
        idx: someIdx,
        seed: fc.integer({ min: 0, max: 5 }),
      }),
      weight: 5,
    },
    { arbitrary: fc.record({ kind: fc.constant('remove' as const), idx: someIdx }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('take' as const) }), weight: 1 },
  ),
  { maxLength: 150, size: 'max' },
)

/** A matrix that a search holds, what it found when it was taken, and the patterns changed since. */
interface Taken {
  target: SearchTarget
  contents: Scored[]
  changed: Set<number>
}

const makers: [string, (dimensions: number) => Shard][] = [
  ['JavaScript', (dimensions) => new JavascriptShard(dimensions)],
  // Without the addon this is one in JavaScript again.
  ['the preferred one', (dimensions) => newShard(dimensions, null)],
]

describe.each(makers)('a shard in %s', (_, make) => {
  it('finds what a map of the same changes holds, and what searches took earlier stays as it was', () => {
    fc.assert(
      fc.property(changes, fc.constantFrom(1, 3, 4, 9), (all, dimensions) => {
        const shard = make(dimensions)
        const model = new Map<number, Held>()
        const query = newVector(77, dimensions)
        const taken: Taken[] = []
        for (const change of all) {
          if (change.kind === 'take') {
            const { target } = shard
            // A native shard's target always stands for its present state.
            if (target.kind === 'native') continue
            taken.push({ target, contents: bruteForce(model, query), changed: new Set() })
            continue
          }
          const { idx } = change
          if (change.kind === 'put') {
            const key = newVector(change.seed, dimensions)
            shard.put([{ idx: idx, key: key, isText: isText(idx), tier: 'hot' }])
            model.set(idx, { key, isText: isText(idx) })
          } else {
            shard.remove([idx])
            model.delete(idx)
          }
          for (const { changed } of taken) changed.add(idx)
        }
        const { found, expected } = compareShard(shard, model, query)
        expect(found).toEqual(expected)
        for (const { target, contents, changed } of taken) {
          const seen = searchAll(target, query)
          // Nothing that was not there, and all of what nobody touched since.
          expect(contents).toEqual(expect.arrayContaining(seen))
          expect(seen).toEqual(expect.arrayContaining(contents.filter(({ label }) => !changed.has(label))))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('shows a replaced pattern to a new search once, with its new vector', () => {
    const shard = make(2)
    shard.put([{ idx: 5, key: Float32Array.of(1, 0), isText: true, tier: 'hot' }])
    shard.put([{ idx: 5, key: Float32Array.of(0, 1), isText: true, tier: 'hot' }])
    expect(searchAll(shard.target, Float32Array.of(0, 1))).toEqual([{ label: 5, score: 1 }])
    expect(shard.size).toBe(1)
  })

  it('replaces a pattern by one of the other kind that has the same key', () => {
    const shard = make(2)
    const key = Float32Array.of(1, 2)
    shard.put([{ idx: 5, key: key, isText: true, tier: 'hot' }])
    shard.put([{ idx: 5, key: key, isText: false, tier: 'hot' }])
    const { found, expected } = compareShard(shard, new Map([[5, { key, isText: false }]]), key)
    expect(found).toEqual(expected)
  })

  it('lets in the patterns named alone, whatever is stored, deleted and moved before the search runs', () => {
    fc.assert(
      fc.property(changes, changes, fc.uniqueArray(someIdx), (before, after, named) => {
        const shard = make(3)
        const model = new Map<number, Held>()
        apply(before)
        const allowed = bitsOf(named)
        apply(after)
        const query = newVector(9, 3)
        const expected = [...model].filter(([idx]) => named.includes(idx))
        expect(searchAll(shard.target, query, { allowed })).toEqual(bruteForce(expected, query))

        function apply(all: readonly Change[]): void {
          for (const change of all) {
            if (change.kind === 'put') {
              const key = newVector(change.seed, 3)
              shard.put([{ idx: change.idx, key, isText: true, tier: 'hot' }])
              model.set(change.idx, { key, isText: true })
            } else if (change.kind === 'remove') {
              shard.remove([change.idx])
              model.delete(change.idx)
            }
          }
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe.skipIf(kernels.name !== 'native')('a large native shard', () => {
  it('says that searches look at fewer patterns once it is arranged, and at all that came since', async () => {
    const shard = newShard(64, null)
    const row = (idx: number) => ({ idx, key: newVector(idx + 1, 64), isText: false, tier: 'hot' as const })
    shard.put(Array.from({ length: 20_000 }, (_, idx) => row(idx)))
    expect(shard.scannedRows).toBe(20_000)
    await shard.arrange?.()
    const arranged = shard.scannedRows
    expect(arranged).toBeLessThan(10_000)
    shard.put([row(20_000), row(20_001)])
    expect(shard.scannedRows).toBe(arranged + 2)
    // Keys that lie anywhere are in no clusters that would leave others out, which searches find out.
    const search = { k: 10, minScore: -1, textOnly: false }
    for (let n = 0; n < 40; n++) searchShard(shard.target, newVector(30_000 + n, 64), search)
    expect(shard.scannedRows).toBeGreaterThan(15_000)
    expect(shard.scannedRows).toBeLessThanOrEqual(20_002)
  })
})

describe('JavascriptShard', () => {
  it('leaves a pattern that is replaced in the searches that are under way', () => {
    const shard = new JavascriptShard(2)
    shard.put([{ idx: 5, key: Float32Array.of(1, 0), isText: true, tier: 'hot' }])
    const before = shard.target
    shard.put([{ idx: 5, key: Float32Array.of(0, 1), isText: true, tier: 'hot' }])
    expect(searchAll(before, Float32Array.of(1, 0))).toEqual([{ label: 5, score: 1 }])
    expect(searchAll(shard.target, Float32Array.of(0, 1))).toEqual([{ label: 5, score: 1 }])
  })

  it('compacts after many deletes without growing, and a search under way keeps what it saw', () => {
    const dimensions = 4
    const shard = new JavascriptShard(dimensions)
    const model = new Map<number, Held>()
    for (let idx = 0; idx < 4_000; idx++) {
      const key = newVector(idx, dimensions)
      shard.put([{ idx: idx, key: key, isText: true, tier: 'hot' }])
      model.set(idx, { key, isText: true })
    }
    const before = shard.target
    const bytes = shard.bytes
    const query = newVector(-3, dimensions)
    const seenBefore = searchAll(before, query)
    for (let idx = 0; idx < 3_000; idx++) {
      shard.remove([idx])
      model.delete(idx)
    }
    const after = shard.matrix()
    expect(after.count).toBeLessThan(2_500)
    expect(shard.bytes).toBeLessThanOrEqual(bytes)
    const { found, expected } = compareShard(shard, model, query)
    expect(found).toEqual(expected)
    const seen = new Map(searchAll(before, query).map(({ label, score }) => [label, score]))
    for (const { label, score } of seenBefore) {
      expect(label < 3_000 ? [score, undefined] : [score], `pattern ${label}`).toContain(seen.get(label))
    }
    // Rows freed by compaction take new patterns.
    for (let idx = 4_000; idx < 5_500; idx++)
      shard.put([{ idx: idx, key: newVector(idx, dimensions), isText: true, tier: 'hot' }])
    expect(shard.size).toBe(2_500)
    expect(shard.bytes).toBeLessThanOrEqual(bytes)
  })

  it('lies in memory that threads share', () => {
    const shard = new JavascriptShard(3)
    shard.put([{ idx: 0, key: Float32Array.of(1, 2, 3), isText: true, tier: 'hot' }])
    const { values, inverseNorms, labels, flags } = shard.matrix()
    for (const array of [values, inverseNorms, labels, flags, bitsOf([0])]) {
      expect(array.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })
})
