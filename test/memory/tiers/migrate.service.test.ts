import type { Tier } from '@memory/engine/tiers'
import * as store from '@memory/memory/store'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { migrateTiers } from '@memory/memory/tiers/migrate-tiers'
import { findCounters, listTierStates, moveTiers } from '@memory/memory/tiers/tier-store'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, openTestDatabase, withFailures } from '../../platform/open-database.ts'
import { TestClock } from '../../support/server.ts'
import { day, newSpace, readRows, readTiers, setTiers } from './space.ts'

let database: Database
let queries: Queries

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
})

afterAll(() => database.close())

const inDays = (days: number) => new Date(Date.now() + days * day)
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** Looks at every pattern of a space, however many runs that takes. */
async function migrateAll(spaceId: string, now: Date): Promise<{ moved: number; runs: number }> {
  let moved = 0
  let runs = 0
  let next: number | undefined = 0
  while (next !== undefined) {
    const run = await migrateTiers(queries, spaceId, now, next)
    moved += run.moved
    next = run.next
    runs++
  }
  return { moved, runs }
}

describe('migrateTiers', () => {
  it.each<[number, Tier]>([
    [6.9, 'hot'],
    [7.1, 'warm'],
    [30, 'warm'],
    [31, 'cold'],
  ])('takes what was stored %d days ago and never asked for to %s', async (days, tier) => {
    const spaceId = await newSpace(queries, times(3, {}))
    await migrateTiers(queries, spaceId, inDays(days))
    expect(await readTiers(queries, spaceId)).toEqual(times(3, tier))
  })

  it('goes by the accesses too: each one lasts a week more', async () => {
    const spaceId = await newSpace(queries, times(3, {}))
    const clock = new TestClock()
    const accesses = new AccessLog(queries, clock)
    clock.advance(6 * day)
    accesses.record(spaceId, [1, 2])
    accesses.record(spaceId, [2])
    await accesses.flush()
    // a: 0.5^(12.6/7) = 0.29; 0.29 + 0.5^(6.6/7) = 0.81; 1.33
    await migrateTiers(queries, spaceId, inDays(12.6))
    expect(await readTiers(queries, spaceId)).toEqual(['warm', 'hot', 'hot'])
    // 0.11; 0.32; 0.52
    await migrateTiers(queries, spaceId, inDays(22))
    expect(await readTiers(queries, spaceId)).toEqual(['warm', 'warm', 'hot'])
  })

  it('never takes a protected pattern to cold, and brings back one that was protected when it was there', async () => {
    const spaceId = await newSpace(queries, [{ protected: true }, {}, { protected: true }, {}])
    await setTiers(queries, spaceId, ['hot', 'hot', 'cold', 'cold'])
    expect(await migrateTiers(queries, spaceId, inDays(400))).toEqual({ moved: 3, next: undefined })
    expect(await readTiers(queries, spaceId)).toEqual(['warm', 'cold', 'warm', 'cold'])
    expect(await findCounters(queries, spaceId)).toMatchObject({ promotions: 1, demotions: 2 })
  })

  it('done again changes nothing, not even the version', async () => {
    const spaceId = await newSpace(queries, times(3, {}))
    const now = inDays(8)
    expect((await migrateTiers(queries, spaceId, now)).moved).toBe(3)
    const [rows, version] = [await readRows(queries, spaceId), await store.getVersion(queries, spaceId)]
    expect(await migrateTiers(queries, spaceId, now)).toEqual({ moved: 0, next: undefined })
    expect(await readRows(queries, spaceId)).toEqual(rows)
    expect(await store.getVersion(queries, spaceId)).toBe(version)
    expect(await findCounters(queries, spaceId)).toMatchObject({ promotions: 0, demotions: 3 })
  })

  it('of an empty space does nothing', async () => {
    const { spaceId } = await newOrganization(queries)
    expect(await migrateTiers(queries, spaceId, inDays(99))).toEqual({ moved: 0, next: undefined })
  })

  it('raises the version once a step, and other processes hear of what moved and of nothing else', async () => {
    const spaceId = await newSpace(queries, times(4, {}))
    await setTiers(queries, spaceId, ['warm', 'hot', 'cold', 'hot'])
    const before = await store.getVersion(queries, spaceId)
    await migrateTiers(queries, spaceId, inDays(8))
    const changes = await store.listChanges(queries, spaceId, before)
    expect(changes.version).toBe(before + 1)
    expect(changes.stored.map(({ idx, tier }) => [idx, tier]).toSorted()).toEqual([
      [1, 'warm'],
      [3, 'warm'],
    ])
    expect(changes.removed).toEqual([])
    const page = await store.loadPage(queries, spaceId, -1, 10)
    expect(page.map(({ tier }) => tier)).toEqual(['warm', 'warm', 'cold', 'warm'])
  })

  it('touches one space alone', async () => {
    const [one, other] = [await newSpace(queries, [{}]), await newSpace(queries, [{}])]
    await migrateTiers(queries, one, inDays(8))
    expect([await readTiers(queries, one), await readTiers(queries, other)]).toEqual([['warm'], ['hot']])
    expect(await findCounters(queries, other)).toBeUndefined()
  })

  describe('of a large space', () => {
    const size = 10_500
    let spaceId: string

    beforeAll(async () => {
      spaceId = await newSpace(queries, times(size, { text: null, textHash: null }))
    })

    it('stops at its bound, and the next run goes on from there', async () => {
      const first = await migrateTiers(queries, spaceId, inDays(8))
      expect(first).toEqual({ moved: 10_000, next: 10_000 })
      const tiers = await readTiers(queries, spaceId)
      expect(tiers.slice(0, 10_000).every((tier) => tier === 'warm')).toBe(true)
      expect(tiers.slice(10_000).every((tier) => tier === 'hot')).toBe(true)
      expect(await migrateTiers(queries, spaceId, inDays(8), first.next)).toEqual({
        moved: 500,
        next: undefined,
      })
    })

    it('cut off midway and started anew moves every pattern once', async () => {
      const before = await findCounters(queries, spaceId)
      const failing = withFailures(queries)
      failing.failing = 'migrate_tiers'
      await expect(migrateTiers(failing.queries, spaceId, inDays(40))).rejects.toThrow(
        'Connection terminated',
      )
      await migrateTiers(queries, spaceId, inDays(40), 7_000)
      expect(await migrateAll(spaceId, inDays(40))).toEqual({ moved: 7_000, runs: 2 })
      expect(await readTiers(queries, spaceId)).toEqual(times(size, 'cold'))
      expect(await findCounters(queries, spaceId)).toMatchObject({
        demotions: (before?.demotions ?? 0) + size,
      })
    })
  })
})

describe('moveTiers', () => {
  it('leaves alone what another has moved, deleted or protected meanwhile', async () => {
    const spaceId = await newSpace(queries, [{}, {}, { protected: true }, {}])
    await setTiers(queries, spaceId, ['warm', 'hot', 'hot', 'hot'])
    await store.removePatterns(queries, spaceId, { indexes: [1], textOnly: false, dryRun: false })
    const before = await store.getVersion(queries, spaceId)
    const toCold = [0, 1, 2].map((idx) => ({ idx, from: 'hot' as const, to: 'cold' as const }))
    expect(await moveTiers(queries, spaceId, toCold)).toBe(0)
    expect(await store.getVersion(queries, spaceId)).toBe(before)
    expect(await readTiers(queries, spaceId)).toEqual(['warm', 'hot', 'hot'])
  })

  it('by two at once moves each pattern once', async () => {
    const spaceId = await newSpace(queries, times(50, {}))
    const moves = Array.from({ length: 50 }, (_, idx) => ({ idx, from: 'hot' as const, to: 'warm' as const }))
    const moved = await Promise.all([
      moveTiers(queries, spaceId, moves),
      moveTiers(queries, spaceId, moves.toReversed()),
    ])
    expect(moved.toSorted((a, b) => a - b)).toEqual([0, 50])
    expect(await findCounters(queries, spaceId)).toMatchObject({ demotions: 50 })
  })
})

describe('an access', () => {
  it.each<[string, Tier, number, number, Tier]>([
    ['at rank 1', 'cold', 0, 60, 'warm'],
    ['at rank 3', 'cold', 2, 60, 'warm'],
    ['at rank 4', 'cold', 3, 60, 'cold'],
    ['at rank 1', 'warm', 0, 8, 'warm'],
    ['at rank 1', 'warm', 0, 6, 'hot'],
    ['at rank 3', 'warm', 2, 6, 'hot'],
    ['at rank 4', 'warm', 3, 6, 'warm'],
    ['at rank 1', 'hot', 0, 60, 'hot'],
  ])(
    '%s of a %s pattern (rank %d + 1, stored %d days ago) leaves it %s',
    async (_, tier, rank, days, expected) => {
      const spaceId = await newSpace(queries, times(5, {}))
      await setTiers(queries, spaceId, ['hot', 'hot', 'hot', 'hot', tier])
      const clock = new TestClock()
      const accesses = new AccessLog(queries, clock)
      clock.advance(days * day)
      accesses.record(spaceId, [0, 1, 2, 3].toSpliced(rank, 0, 4))
      await accesses.flush()
      expect((await readTiers(queries, spaceId))[4]).toBe(expected)
      const moves = expected === tier ? 0 : 1
      expect(await findCounters(queries, spaceId)).toMatchObject({ promotions: moves, demotions: 0 })
    },
  )

  it('counts for the promotion of the one after it within the same second, in any rank', async () => {
    const answers = [0, 1, 2].map((idx) => [idx])
    for (const [first, tier] of [
      [[0, 1, 2, 3], 'hot'],
      [[3], 'hot'],
      [[0], 'warm'],
    ] as const) {
      const spaceId = await newSpace(queries, times(4, {}))
      await setTiers(queries, spaceId, ['hot', 'hot', 'hot', 'warm'])
      const clock = new TestClock()
      const accesses = new AccessLog(queries, clock)
      clock.advance(20 * day)
      for (const answer of [first, ...answers, [3]]) accesses.record(spaceId, answer)
      await accesses.flush()
      expect((await readTiers(queries, spaceId))[3], `after ${first}`).toBe(tier)
    }
  })

  it('that could not be written promotes with the next try, as if it had come in order', async () => {
    const spaceId = await newSpace(queries, times(4, {}))
    await setTiers(queries, spaceId, ['hot', 'hot', 'cold', 'warm'])
    const failing = withFailures(queries)
    const clock = new TestClock()
    const accesses = new AccessLog(failing.queries, clock)
    clock.advance(20 * day)
    accesses.record(spaceId, [2, 3])
    failing.failing = 'record_accesses'
    await expect(accesses.flush()).rejects.toThrow('Connection terminated')
    accesses.record(spaceId, [3])
    failing.failing = undefined
    await accesses.flush()
    expect(await readTiers(queries, spaceId)).toEqual(['hot', 'hot', 'warm', 'hot'])
    expect(await findCounters(queries, spaceId)).toEqual(
      expect.objectContaining({ cold_hits: 1, warm_hits: 2, promotions: 2 }),
    )
  })

  it('is counted once when its promotion fails, which comes with the next access', async () => {
    const spaceId = await newSpace(queries, [{}])
    await setTiers(queries, spaceId, ['cold'])
    const failing = withFailures(queries)
    const accesses = new AccessLog(failing.queries, new TestClock())
    accesses.record(spaceId, [0])
    failing.failing = 'migrate_tiers'
    await expect(accesses.flush()).rejects.toThrow('Connection terminated')
    failing.failing = undefined
    await accesses.flush()
    expect(await readTiers(queries, spaceId)).toEqual(['cold'])
    expect(await findCounters(queries, spaceId)).toMatchObject({ cold_hits: 1 })
    accesses.record(spaceId, [0])
    await accesses.flush()
    expect(await readTiers(queries, spaceId)).toEqual(['warm'])
    expect(await findCounters(queries, spaceId)).toMatchObject({ cold_hits: 2, promotions: 1 })
  })

  it('of a pattern that is deleted by then is not counted', async () => {
    const spaceId = await newSpace(queries, times(2, {}))
    const accesses = new AccessLog(queries, new TestClock())
    accesses.record(spaceId, [0, 1])
    await store.removePatterns(queries, spaceId, { indexes: [0], textOnly: false, dryRun: false })
    await accesses.flush()
    expect(await findCounters(queries, spaceId)).toMatchObject({ hot_hits: 1 })
  })

  it('of something stored decades ago scores as one', async () => {
    const spaceId = await newSpace(queries, [{}])
    const clock = new TestClock()
    const accesses = new AccessLog(queries, clock)
    clock.advance(36_500 * day)
    accesses.record(spaceId, [0])
    await accesses.flush()
    expect((await readRows(queries, spaceId))[0]?.score).toBe(1)
    await migrateTiers(queries, spaceId, clock.now())
    expect(await readTiers(queries, spaceId)).toEqual(['hot'])
  })
})

it('what is cold is not read for migration, unless it is protected', async () => {
  const spaceId = await newSpace(queries, [{}, {}, { protected: true }, { protected: true }])
  await setTiers(queries, spaceId, ['cold', 'warm', 'cold', 'hot'])
  const states = await listTierStates(queries, spaceId, 0, 10)
  expect(states.map(({ idx }) => idx).toSorted()).toEqual([1, 2, 3])
  expect((await listTierStates(queries, spaceId, 2, 1)).map(({ idx }) => idx)).toEqual([2])
})
