import { JavascriptShard } from '@memory/memory/index/javascript-shard'
import type { Shard } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import { findShardKeys } from '@memory/memory/patterns/key-lookup'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { openTestDatabase } from '../platform/open-database.ts'
import { newSpace } from './tiers/space.ts'

const dimensions = 4
const random = randomFrom(3)
const keys = Array.from({ length: 12 }, () => randomVector(random, dimensions, false))
const row = (idx: number) => ({ idx, key: keys[idx] as Float32Array, isText: true })

function fill(shard: Shard): Shard {
  shard.put([0, 1, 2, 3].map((idx) => ({ ...row(idx), tier: 'hot' as const })))
  shard.put([4, 5].map((idx) => ({ ...row(idx), tier: 'warm' as const })))
  shard.put([6, 7].map((idx) => ({ ...row(idx), tier: 'cold' as const })))
  shard.remove([2])
  return shard
}

describe.each<[string, () => Shard]>([
  ['JavaScript', () => new JavascriptShard(dimensions)],
  // Without the addon this is one in JavaScript again.
  ['the preferred one', () => newShard(dimensions, null)],
])('keys of a shard in %s', (_, make) => {
  let database: Database
  let spaceId: string
  let statements = 0
  let queries: Queries

  beforeAll(async () => {
    database = await openTestDatabase()
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    queries = database.queries.withPlugin(counter)
    spaceId = await newSpace(
      database.queries,
      keys.map((key) => ({ key })),
    )
  })

  afterAll(() => database.close())

  it('are given where they are held as float32, in the order asked for', () => {
    const shard = fill(make())
    const { values, held } = shard.keys(Int32Array.of(3, 2, 99, 0, 3))
    expect([...held]).toEqual([1, 0, 0, 1, 1])
    const [none, zeros] = [undefined, new Float32Array(dimensions)]
    for (const [at, idx] of [3, none, none, 0, 3].entries()) {
      expect(values.slice(at * dimensions, (at + 1) * dimensions)).toEqual(idx === none ? zeros : keys[idx])
    }
    // In JavaScript every tier is held as float32.
    const isHeld = shard.target.kind === 'matrix' ? 1 : 0
    expect([...shard.keys(Int32Array.of(4, 6)).held]).toEqual([isHeld, isHeld])
    expect(shard.keys(new Int32Array(0)).values).toHaveLength(0)
  })

  it('are completed from the database in one round trip, or none', async () => {
    const shard = fill(make())
    statements = 0
    const hot = await findShardKeys(queries, spaceId, shard, Int32Array.of(1, 0))
    expect(hot).toEqual(new Map([1, 0].map((idx) => [idx, keys[idx]])))
    expect(statements).toBe(0)
    const all = await findShardKeys(queries, spaceId, shard, Int32Array.of(5, 1, 7, 11, 99))
    expect([...all.keys()].sort((a, b) => a - b)).toEqual([1, 5, 7, 11])
    for (const [idx, key] of all) expect(key).toEqual(keys[idx])
    expect(statements).toBe(1)
  })

  it('are left out where they have another length by now', async () => {
    const other = newShard(dimensions + 1, null)
    expect(await findShardKeys(queries, spaceId, other, Int32Array.of(1, 2))).toEqual(new Map())
  })
})
