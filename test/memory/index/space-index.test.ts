import { type IndexedPattern, SpaceIndex } from '@memory/memory/index/space-index'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../../engine/naive.ts'
import { compareShard } from './brute-force.ts'

const dimensions = [1, 3, 8] as const

type Change =
  | { kind: 'put'; idx: number; dimensions: number; seed: number; expiresAt: number | null }
  | { kind: 'remove'; idx: number }
  | { kind: 'pass'; time: number }

const someIdx = fc.integer({ min: 0, max: 25 })
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({
        kind: fc.constant('put' as const),
        idx: someIdx,
        dimensions: fc.constantFrom(...dimensions),
        seed: fc.integer({ min: 0, max: 5 }),
        expiresAt: fc.option(fc.integer({ min: 0, max: 100 })),
      }),
      weight: 5,
    },
    { arbitrary: fc.record({ kind: fc.constant('remove' as const), idx: someIdx }), weight: 2 },
    {
      arbitrary: fc.record({ kind: fc.constant('pass' as const), time: fc.integer({ min: 0, max: 15 }) }),
      weight: 2,
    },
  ),
  { maxLength: 120, size: 'max' },
)

describe('SpaceIndex', () => {
  it('holds what a map of the same stores, updates, removals and expiries holds, for each key length', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const index = new SpaceIndex(0)
        const model = new Map<number, IndexedPattern>()
        let now = 0
        for (const change of all) {
          if (change.kind === 'put') {
            const key = randomVector(randomFrom(change.seed), change.dimensions, true)
            const expiresAt = change.expiresAt === null ? null : new Date(change.expiresAt)
            const pattern = {
              idx: change.idx,
              key,
              isText: change.idx % 2 === 0,
              expiresAt,
              sourceDim: null,
              tier: 'hot' as const,
            }
            index.put([pattern])
            model.set(change.idx, pattern)
          } else if (change.kind === 'remove') {
            index.remove([change.idx])
            model.delete(change.idx)
          } else {
            now += change.time
          }
          // Every use of a space expires it first.
          index.expire(new Date(now))
          for (const { idx, expiresAt } of [...model.values()]) {
            if (expiresAt !== null && expiresAt.getTime() <= now) model.delete(idx)
          }
          expect(index.size).toBe(model.size)
          expect(index.end).toBe(Math.max(-1, ...model.keys()) + 1)
        }
        for (const length of dimensions) {
          const ofLength = new Map([...model].filter(([, { key }]) => key.length === length))
          const query = randomVector(randomFrom(99), length, false)
          const { found, expected } = compareShard(index.shard(length), ofLength, query)
          expect(found).toEqual(expected)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('forgets the old expiry of a pattern that is stored again without one', () => {
    const index = new SpaceIndex(0)
    const key = Float32Array.of(1)
    index.put([{ idx: 0, key, isText: true, sourceDim: null, expiresAt: new Date(10), tier: 'hot' }])
    index.put([{ idx: 0, key, isText: true, sourceDim: null, expiresAt: null, tier: 'hot' }])
    index.expire(new Date(1_000))
    expect(index.size).toBe(1)
  })

  it('tells which patterns were put or removed since', () => {
    const index = new SpaceIndex(0)
    const pattern = (idx: number): IndexedPattern => ({
      idx,
      key: Float32Array.of(1),
      isText: true,
      sourceDim: null,
      expiresAt: null,
      tier: 'hot',
    })
    index.put([0, 1, 2, 3].map(pattern))
    const before = index.changes
    expect([0, 1, 2, 3].filter((idx) => index.isChanged(idx, before))).toEqual([])
    index.put([pattern(1)])
    index.remove([2])
    index.put([pattern(100)])
    expect([0, 1, 2, 3, 100, 500].filter((idx) => index.isChanged(idx, before))).toEqual([1, 2, 100])
  })

  it('counts the memory of what expires', () => {
    const bytes = [null, new Date(1)].map((expiresAt) => {
      const index = new SpaceIndex(0)
      const key = Float32Array.of(1)
      const patterns = Array.from({ length: 1_000 }, (_, idx) => ({
        idx,
        key,
        isText: true,
        sourceDim: null,
        expiresAt,
      }))
      index.put(patterns.map((pattern) => ({ ...pattern, tier: 'hot' as const })))
      return index.bytes
    }) as [number, number]
    expect(bytes[1] - bytes[0]).toBeGreaterThanOrEqual(20 * 1_000)
  })

  it('counts the memory of every key length', () => {
    const index = new SpaceIndex(0)
    const none = index.bytes
    index.put([
      {
        idx: 0,
        key: new Float32Array(4).fill(1),
        isText: true,
        sourceDim: null,
        expiresAt: null,
        tier: 'hot',
      },
    ])
    const one = index.bytes
    index.put([
      {
        idx: 1,
        key: new Float32Array(400).fill(1),
        isText: false,
        sourceDim: null,
        expiresAt: null,
        tier: 'hot',
      },
    ])
    expect(one).toBeGreaterThan(none + 4 * 4)
    expect(index.bytes).toBeGreaterThan(one + 4 * 400)
  })
})
