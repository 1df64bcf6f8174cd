import {
  blockMost,
  blockNumbersMax,
  mayShareBlock,
  modeOf,
  oneAtATime,
  outcomesOf,
  sliceNumbersMax,
  slicesOf,
  smallAloneLexical,
  smallAloneNumbers,
  smallNumbers,
  smallTexts,
  type VectorSearch,
} from '@memory/api/pool/scheduler'
import type { Shard } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const shard = newShard(2, null)
const search = { k: 10, minScore: -1, textOnly: false }
const one: VectorSearch = { shard, query: Float32Array.of(1, 0), search }

/** A shard of which nothing but its measures is asked. */
const sized = (scannedRows: number, dimensions: number) =>
  ({ scannedRows, dimensions, target: { kind: 'native' } }) as Shard

describe('modeOf', () => {
  const native = { isNative: true }
  const inJavascript = { isNative: false }

  it('gathers vector searches until the turn ends, but those that share no block', () => {
    const modeAt = (numbers: number) => modeOf({ kind: 'vector', numbers, ...native })
    expect([0, smallNumbers, blockNumbersMax / 2].map(modeAt)).toEqual(['turnEnd', 'turnEnd', 'turnEnd'])
    expect([blockNumbersMax / 2 + 1, blockNumbersMax + 1].map(modeAt)).toEqual(['libuv', 'pool'])
  })

  it.each([
    ['one', { inTurn: 1, numbers: smallAloneNumbers }, 0, 'main'],
    ['one that is more', { inTurn: 1, numbers: smallAloneNumbers + 1 }, 0, 'libuv'],
    ['one, others being in threads', { inTurn: 1, numbers: smallNumbers + 1 }, 1, 'libuv'],
    ['a small one, others being in threads', { inTurn: 1, numbers: smallNumbers }, 1, 'main'],
    ['several', { inTurn: 2, numbers: smallNumbers }, 0, 'main'],
    ['several that are more', { inTurn: 2, numbers: smallNumbers + 1 }, 0, 'libuv'],
  ] as const)('has at the end of a turn vector searches run: %s', (_name, work, underWay, mode) => {
    expect(modeOf({ kind: 'vectors', ...work, ...native }, underWay)).toBe(mode)
    const without = mode === 'libuv' ? 'pool' : mode
    expect(modeOf({ kind: 'vectors', ...work, ...inJavascript }, underWay)).toBe(without)
  })

  it('has long blocks, and those of JavaScript, run in the pool', () => {
    expect(modeOf({ kind: 'block', numbers: blockNumbersMax, ...native })).toBe('libuv')
    expect(modeOf({ kind: 'block', numbers: blockNumbersMax + 1, ...native })).toBe('pool')
    expect(modeOf({ kind: 'block', numbers: 1, ...inJavascript })).toBe('pool')
  })

  it('has lexical searches run where they are little to do or nothing is gained elsewhere', () => {
    const small = { kind: 'lexical', texts: smallTexts, queryChars: 1_000_000 } as const
    expect(modeOf({ ...small, ...native }, 3)).toBe('main')
    const queryChars = Math.floor(smallAloneLexical / (smallTexts + 1))
    const large = { kind: 'lexical', texts: smallTexts + 1, queryChars } as const
    expect(modeOf({ ...large, ...native })).toBe('turnEnd')
    expect(modeOf({ ...large, ...native }, 1)).toBe('pool')
    expect(modeOf({ ...large, queryChars: queryChars + 1, ...native })).toBe('pool')
    expect(modeOf({ ...large, queryChars: 1_000_000, ...inJavascript }, 1)).toBe('main')
  })

  it('has few texts scored at once, and those of JavaScript', () => {
    const scored = (texts: number, isNative: boolean) => modeOf({ kind: 'lexicalScores', texts, isNative })
    expect([scored(1_000, true), scored(1_001, true), scored(1_001, false)]).toEqual(['main', 'pool', 'main'])
  })

  it('has what takes long, or is waited for by nobody, come after what is light', () => {
    expect(modeOf({ kind: 'encode', chars: 2_000 })).toBe('pool')
    expect(modeOf({ kind: 'encode', chars: 2_001 })).toBe('poolHeavy')
    expect(modeOf({ kind: 'relax' })).toBe('poolHeavy')
    expect(modeOf({ kind: 'measure' })).toBe('poolHeavy')
  })
})

describe('a block of searches', () => {
  it('takes searches that differ in their vectors alone', () => {
    expect(mayShareBlock(one, { shard, query: Float32Array.of(0, 1), search: { ...search } })).toBe(true)
    const allowed = Uint8Array.of(1)
    const restricted = { ...one, search: { ...search, allowed } }
    expect(mayShareBlock(restricted, { ...one, search: { ...search, allowed } })).toBe(true)
    for (const other of [
      { ...one, shard: newShard(2, null) },
      { ...one, query: Float32Array.of(1, 0, 0) },
      { ...one, search: { ...search, k: 11 } },
      { ...one, search: { ...search, minScore: 0 } },
      { ...one, search: { ...search, textOnly: true } },
      { ...one, search: { ...search, allowed: Uint8Array.of(1) } },
    ]) {
      expect(mayShareBlock(one, other)).toBe(false)
      expect(mayShareBlock(other, one)).toBe(false)
    }
  })

  it('is the smaller the larger the shard is, and never empty', () => {
    const most = (size: number) => blockMost({ ...one, shard: sized(size, 384) })
    const sizes = [0, 1, 1_000, 10_000, 20_000, 100_000, 10_000_000].map(most)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(sizes[0]).toBe(32)
    expect(most(10_000)).toBe(16)
    expect(sizes.at(-1)).toBe(1)
  })

  it('is waited for where it may be of several searches, which are of all patterns', () => {
    const [small, large] = [sized(10_000, 384), sized(100_000, 384)]
    expect(oneAtATime({ ...one, shard: small })).toBe(small)
    expect(oneAtATime({ ...one, shard: large })).toBeUndefined()
    const restricted = { ...search, allowed: Uint8Array.of(1) }
    expect(oneAtATime({ ...one, shard: small, search: restricted })).toBeUndefined()
  })

  it('is done at once, and one by one only where that fails', async () => {
    const calls: number[][] = []
    const work = async (items: readonly number[]) => {
      calls.push([...items])
      if (items.includes(0)) throw new Error('zero')
      return items.map((item) => 1 / item)
    }
    expect(await outcomesOf([1, 2, 4], work)).toEqual(
      [1, 0.5, 0.25].map((value) => ({ status: 'fulfilled', value })),
    )
    expect(calls).toEqual([[1, 2, 4]])
    expect(await outcomesOf([1, 0, 4], work)).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { message: 'zero' } },
      { status: 'fulfilled', value: 0.25 },
    ])
    expect(await outcomesOf([0], work)).toMatchObject([{ status: 'rejected' }])
    expect(await outcomesOf([], work)).toEqual([])
  })
})

describe('slicesOf', () => {
  it('keeps all in their order, and no slice of several is longer than a slice may be', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 2 * sliceNumbersMax }), { maxLength: 40 })
    fc.assert(
      fc.property(lengths, (each) => {
        const iterations = each.map((length, at) => ({ at, values: { length } as Float32Array }))
        const slices = [...slicesOf(iterations)]
        expect(slices.flat()).toEqual(iterations)
        for (const slice of slices) {
          const numbers = slice.reduce((sum, { values }) => sum + values.length, 0)
          expect(slice.length === 1 || (slice.length > 0 && numbers <= sliceNumbersMax)).toBe(true)
        }
      }),
    )
  })
})
