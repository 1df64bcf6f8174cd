import {
  blockMost,
  mayShareBlock,
  type OneSearch,
  oneAtATime,
  settleEach,
} from '@memory/api/pool/search-block'
import type { Shard } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import { describe, expect, it } from 'vitest'

const shard = newShard(2, null)
const search = { k: 10, minScore: -1, textOnly: false }
const one: OneSearch = { shard, query: Float32Array.of(1, 0), search }

/** A shard of which nothing but its measures is asked. */
const sized = (scannedRows: number, dimensions: number) => ({ scannedRows, dimensions }) as Shard

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
    expect(await settleEach([1, 2, 4], work)).toEqual(
      [1, 0.5, 0.25].map((value) => ({ status: 'fulfilled', value })),
    )
    expect(calls).toEqual([[1, 2, 4]])
    expect(await settleEach([1, 0, 4], work)).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { message: 'zero' } },
      { status: 'fulfilled', value: 0.25 },
    ])
    expect(await settleEach([0], work)).toMatchObject([{ status: 'rejected' }])
    expect(await settleEach([], work)).toEqual([])
  })
})
