import { rollUpUsage } from '@memory/identity/usage/keep-usage'
import { takeSnapshots } from '@memory/identity/usage/retention-store'
import type { Database } from '@memory/shared/platform/database/database'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, newOrganization, openTestDatabase } from '../platform/open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const clock = { now: () => new Date('2026-11-22T10:20:30Z') }

/** A space with a row for each hour of so many days up to a fortnight ago: its number is what it says. */
async function newSpaceOfDays(days: number): Promise<string> {
  const { spaceId } = await newOrganization(database.queries)
  await asOwner(database.queries, async (trx) => {
    await sql`
      insert into app.usage_calls
        select ${spaceId}, timestamptz '2026-11-08 00:00+00' - make_interval(hours => n), ${spaceId}::uuid,
               n, 1, 0, 0, 0, 0, 2 * n
          from generate_series(1, ${24 * days}::int) as n`.execute(trx)
    await sql`
      insert into app.usage_snapshots
        select ${spaceId}, timestamptz '2026-11-08 00:00+00' - make_interval(hours => n), n, n
          from generate_series(1, ${24 * days}::int) as n`.execute(trx)
  })
  return spaceId
}

async function look(spaceId: string) {
  const { rows } = await asOwner(database.queries, (trx) =>
    sql<Record<string, number>>`
      select count(*)::int as rows, count(distinct date_bin('1 day', at, '1970-01-01 00:00+00'))::int as days,
             sum(stores)::int as stores, sum(retrieves)::int as retrieves, sum(queries)::int as queries
        from app.usage_calls where space_id = ${spaceId}`.execute(trx),
  )
  const { rows: snapshots } = await asOwner(database.queries, (trx) =>
    sql<{ patterns: number }>`
      select patterns::int as patterns from app.usage_snapshots where space_id = ${spaceId} order by at desc`.execute(
      trx,
    ),
  )
  return { ...rows[0], patterns: snapshots.map(({ patterns }) => patterns) }
}

describe('noting what spaces hold', () => {
  it('takes so many spaces at once, and notes each that has changed', async () => {
    const { queries } = database
    const spaces = await Promise.all(
      Array.from({ length: 3 }, async () => (await newOrganization(queries)).spaceId),
    )
    await asOwner(queries, (trx) =>
      sql`update app.spaces set patterns_used = 7 where id = any (${spaces})`.execute(trx),
    )
    let statements = 0
    const transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
      if (JSON.stringify(node).includes('usage_snapshots')) statements++
      return node
    }
    const plugin: KyselyPlugin = { transformQuery, transformResult: async ({ result }) => result }
    await takeSnapshots(queries.withPlugin(plugin), clock.now(), 2)
    // Each organization has two spaces, of which one has changed; a last look finds no more.
    expect(statements).toBe(4)
    for (const spaceId of spaces) expect((await look(spaceId)).patterns).toEqual([7])
  })
})

describe('rolling up', () => {
  it('keeps sums and the last of each day over more rows than a statement takes, in several processes at once', async () => {
    const days = 300
    const spaces = [await newSpaceOfDays(days), await newSpaceOfDays(days)]
    const hours = 24 * days
    const sum = (hours * (hours + 1)) / 2
    await Promise.all(Array.from({ length: 3 }, () => rollUpUsage({ queries: database.queries, clock })))
    for (const spaceId of spaces) {
      expect(await look(spaceId)).toEqual({
        rows: days,
        days,
        stores: sum,
        retrieves: hours,
        queries: 2 * sum,
        // The last hour of a day is the first to be met on the way back.
        patterns: Array.from({ length: days }, (_, day) => 24 * day + 1),
      })
    }
  })

  it('leaves other days and other spaces alone', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const at = ['2026-11-14 05:00+00', '2026-11-14 23:00+00', '2026-11-22 10:00+00']
    await asOwner(database.queries, (trx) =>
      sql`insert into app.usage_calls
        select ${spaceId}, at, ${spaceId}::uuid, 1, 0, 0, 0, 0, 0, 0 from unnest(${at}::timestamptz[]) as at`.execute(
        trx,
      ),
    )
    await rollUpUsage({ queries: database.queries, clock })
    expect(await look(spaceId)).toMatchObject({ rows: 3, stores: 3 })
  })
})
