import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchShard } from '@memory/memory/index/search-shard'
import type { Shard } from '@memory/memory/index/shard'
import { shardsPersist } from '@memory/memory/index/shards'
import { Snapshots } from '@memory/memory/index/snapshots'
import { SpaceCache } from '@memory/memory/index/space-cache'
import { type IndexedPattern, SpaceIndex } from '@memory/memory/index/space-index'
import * as store from '@memory/memory/store'
import { rescore } from '@memory/memory/vectors/rescore'
import { systemClock } from '@memory/shared/platform/clock'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byScoreThenLabel, naiveCosine, randomFrom, randomVector } from '../../engine/naive.ts'
import { newOrganization, openTestDatabase } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'

const dimensions = 128
const k = 10

const indexed = (idx: number, key: Float32Array): IndexedPattern => ({
  idx,
  key,
  isText: true,
  sourceDim: null,
  expiresAt: null,
  tier: 'hot',
})

/** Vectors around a few others, as embeddings lie. */
function clustered(seed: number, count: number): Float32Array[] {
  const random = randomFrom(seed)
  const centres = Array.from({ length: 20 }, () => randomVector(random, dimensions, false))
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * centres.length)] as Float32Array
    return centre.map((value) => value + random() - 0.5)
  })
}

describe('the memory of an index', () => {
  it('is what its shards hold and eight bytes for each idx, with some room', () => {
    const put = fc.record({ idx: fc.nat({ max: 20_000 }), length: fc.constantFrom(2, 64) })
    fc.assert(
      fc.property(fc.array(put), fc.array(fc.nat({ max: 20_000 })), (puts, removals) => {
        const index = new SpaceIndex(0)
        for (const { idx, length } of puts) {
          index.put([indexed(idx, randomVector(randomFrom(idx), length, false))])
        }
        index.remove(removals)
        const shards = [2, 64].map((length) => index.shard(length)?.bytes ?? 0)
        const places = index.bytes - shards.reduce((sum, bytes) => sum + bytes, 0)
        const last = puts.reduce((greatest, { idx }) => Math.max(greatest, idx), 0)
        expect(places).toBeGreaterThanOrEqual(8 * (last + 1))
        expect(places).toBeLessThanOrEqual(8 * Math.max(64, Math.ceil(1.5 * (last + 1))))
      }),
      { numRuns: 30 },
    )
  })

  it.runIf(shardsPersist)(
    'falls where patterns are held in smaller tiers, and stays at the smallest asked for',
    () => {
      const index = new SpaceIndex(0)
      index.put(clustered(1, 1_000).map((key, idx) => indexed(idx, key)))
      const bytes = [index.bytes]
      for (const tier of ['warm', 'cold', 'warm'] as const) {
        index.limitTo(tier)
        bytes.push(index.bytes)
      }
      const [hot, warm, cold, again] = bytes as [number, number, number, number]
      expect(warm).toBeLessThan(0.4 * hot)
      expect(cold).toBeLessThan(0.3 * warm)
      expect(again).toBe(cold)
      expect(index.limit).toBe('cold')
      index.put(clustered(2, 1_000).map((key, idx) => indexed(1_000 + idx, key)))
      expect(index.bytes).toBeLessThan(3 * cold)
      expect(index.size).toBe(2_000)
    },
  )
})

describe.runIf(shardsPersist)('the budget', () => {
  let database: Database
  let bytesOf: Record<'warm' | 'hot' | 'cold', number>
  const folder = mkdtempSync(join(tmpdir(), 'memory-budget-'))
  const keys = clustered(1, 6_000)
  let spaceId: string
  let warnings: string[] = []
  let pages = 0

  async function storeKeys(
    space: string,
    some: Float32Array[],
  ): Promise<{ version: number; firstIdx: number }> {
    const patterns = some.map((key) => newPattern({ key }))
    return store.insertPatterns(database.queries, space, -1, 'test', patterns)
  }

  function newSpaces(budgetBytes: number, withFiles = false): SpaceCache {
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('app.load_patterns')) pages++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    warnings = []
    pages = 0
    return new SpaceCache({
      queries: database.queries.withPlugin(counter),
      budgetBytes,
      snapshots: withFiles ? new Snapshots(join(folder, 'index')) : undefined,
      clock: systemClock,
      log: createLog('warn', { write: (line) => void warnings.push(JSON.parse(line).msg) }),
    })
  }

  beforeAll(async () => {
    database = await openTestDatabase()
    spaceId = (await newOrganization(database.queries)).spaceId
    await storeKeys(spaceId, keys)
    const bytesIn = (tier: 'hot' | 'warm' | 'cold') => {
      const index = new SpaceIndex(0)
      index.limitTo(tier)
      index.put(keys.map((key, idx) => indexed(idx, key)))
      return index.bytes
    }
    bytesOf = { hot: bytesIn('hot'), warm: bytesIn('warm'), cold: bytesIn('cold') }
  })

  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Share of the true k nearest that are found, and whether all scores found are cosines. */
  async function search(index: SpaceIndex): Promise<{ recall: number; exact: boolean }> {
    const shard = index.shard(dimensions) as Shard
    let same = 0
    let exact = true
    const queries = clustered(1, 6_000 + 20).slice(-20)
    for (const query of queries) {
      const found = searchShard(shard.target, query, { k, minScore: -1, textOnly: false })
      const [hits] = await rescore(database.queries, spaceId, shard, [query], [found], { k, minScore: -1 })
      const truth = keys
        .map((key, label) => ({ label, score: naiveCosine(query, key) }))
        .sort(byScoreThenLabel)
        .slice(0, k)
        .map(({ label }) => label)
      hits?.labels.forEach((label, i) => {
        same += Number(truth.includes(label))
        const cosine = naiveCosine(query, keys[label] as Float32Array)
        exact &&= Math.abs(cosine - (hits.scores[i] as number)) < 1e-6
      })
    }
    return { recall: same / (k * queries.length), exact }
  }

  it.each([
    ['hot', 1.3],
    ['warm', 1.3],
    ['cold', 1.3],
  ] as const)(
    'holds a space in the tier it has room for (%s), finds the same, and says the same scores',
    async (tier, room) => {
      const spaces = newSpaces(room * bytesOf[tier])
      const index = await spaces.get(spaceId, 1)
      expect(index.limit).toBe(tier)
      expect(index.size).toBe(keys.length)
      expect(spaces.size).toBe(index.bytes)
      expect(spaces.size).toBeLessThanOrEqual(room * bytesOf[tier])
      const { recall, exact } = await search(index)
      expect(exact).toBe(true)
      expect(recall).toBeGreaterThanOrEqual(tier === 'cold' ? 0.98 : 1)
      expect(warnings).toEqual([])
    },
  )

  it('holds a space that even so is too large, and says so', async () => {
    const spaces = newSpaces(0.5 * bytesOf.cold)
    const index = await spaces.get(spaceId, 1)
    expect(index.limit).toBe('cold')
    expect((await search(index)).exact).toBe(true)
    expect(warnings).toEqual(['one space is larger than MEMORY_INDEX_BUDGET; raise it'])
  })

  it('drops other spaces before it takes any of its keys from one', async () => {
    const others = await Promise.all(
      [1, 2].map(async () => (await newOrganization(database.queries)).spaceId),
    )
    for (const other of others) await storeKeys(other, keys.slice(0, 1_000))
    const spaces = newSpaces(1.05 * bytesOf.hot)
    for (const other of others) await spaces.get(other, 1)
    expect(spaces.count).toBe(2)
    const index = await spaces.get(spaceId, 1)
    expect(index.limit).toBe('hot')
    expect(spaces.count).toBe(1)
    expect(spaces.size).toBe(index.bytes)
  })

  it('holds a space that grows beyond it, by its own stores or those of others', async () => {
    for (const isOwn of [true, false]) {
      const space = (await newOrganization(database.queries)).spaceId
      const { version } = await storeKeys(space, keys.slice(0, 1_000))
      const spaces = newSpaces(0.6 * bytesOf.hot)
      expect((await spaces.get(space, version)).limit).toBe('hot')
      const grown = await storeKeys(space, keys.slice(1_000))
      if (isOwn) {
        const stored = keys.slice(1_000).map((key, i) => indexed(grown.firstIdx + i, key))
        spaces.committed(space, grown.version, { stored })
      }
      const index = await spaces.get(space, grown.version)
      expect([index.limit, index.size]).toEqual(['warm', keys.length])
      expect(spaces.size).toBeLessThanOrEqual(0.6 * bytesOf.hot)
    }
  })

  it('is met by what is loaded from files, and a raised one by what the database has', async () => {
    const spaces = newSpaces(1.3 * bytesOf.warm, true)
    expect((await spaces.get(spaceId, 1)).limit).toBe('warm')
    await spaces.save()
    const restarted = newSpaces(1.3 * bytesOf.warm, true)
    const index = await restarted.get(spaceId, 1)
    expect([index.limit, pages]).toEqual(['warm', 0])
    expect(await search(index)).toEqual({ recall: 1, exact: true })
    const raised = newSpaces(2 * bytesOf.hot, true)
    expect((await raised.get(spaceId, 1)).limit).toBe('hot')
    expect(pages).toBeGreaterThan(0)
    await raised.save()
    const lowered = newSpaces(1.3 * bytesOf.cold, true)
    expect((await lowered.get(spaceId, 1)).limit).toBe('cold')
    expect(pages).toBe(0)
  })

  it('counts a pattern whose tier is cold in the database as cold', async () => {
    const space = (await newOrganization(database.queries)).spaceId
    await storeKeys(space, keys.slice(0, 1_000))
    const all = newSpaces(1e9)
    const before = (await all.get(space, 1)).bytes
    await sql`select app.migrate_tiers(${space}, ${keys.slice(0, 1_000).map((_, i) => i)}::int[],
      array_fill('hot'::text, array[1000]), array_fill('cold'::text, array[1000]))`.execute(database.queries)
    expect((await all.get(space, 2)).bytes).toBeLessThan(0.3 * before)
  })
})
