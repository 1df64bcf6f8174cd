import { randomUUID } from 'node:crypto'
import * as memory from '@memory/memory/store'
import { asTenant, type Database, type Trx } from '@memory/shared/platform/database/database'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { newOrganization, openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

/** A row that refers to one pattern, or to two of which `from` is the first. */
const references: Record<string, (from: number, to: number) => RawBuilder<unknown>> = {
  pattern_accesses: (from) => sql`
    insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
      select app.current_space(), ${from}, 1, now(), 1, now()`,
  pattern_versions: (from) => sql`
    insert into app.pattern_versions (space_id, idx, revision, changed_at, change)
      select app.current_space(), ${from}, 9, now(), 'created'`,
  passages: (from) => sql`
    insert into app.passages (space_id, idx, n, first_character, end_character, key)
      select app.current_space(), ${from}, 0, 0, 1, '[1]'`,
  associations: (from, to) => sql`
    insert into app.associations (space_id, a, b, weight, at, engine_version)
      select app.current_space(), ${from}, ${to}, 1, now(), 1`,
  transitions: (from, to) => sql`
    insert into app.transitions (space_id, source, target, count, at, engine_version)
      select app.current_space(), ${from}, ${to}, 1, now(), 1`,
  pair_trials: (from, to) => sql`
    insert into app.pair_trials (space_id, a, b, valid, invalid, coherence, priority, tried_at)
      select app.current_space(), ${from}, ${to}, 1, 0, 1, 1, now()`,
  compositions: (from, to) => sql`
    insert into app.compositions (space_id, a, b, key, strength, created_at)
      select app.current_space(), ${from}, ${to}, '[1]', 1, now()`,
  conflicts: (from, to) => sql`
    insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
      select app.current_space(), ${from}, ${to}, ${randomUUID()}, 'near_duplicate', 1, now()`,
}

const tables = Object.keys(references)

/** A space with three patterns. */
async function newSpace(): Promise<string> {
  const { spaceId } = await newOrganization(database.queries)
  const patterns = [0, 1, 2].map((n) => newPattern({ key: Float32Array.of(1, n) }))
  await memory.insertPatterns(database.queries, spaceId, -1, 'test', patterns)
  return spaceId
}

const refer = (trx: Trx, table: string, from: number, to: number) =>
  references[table]?.(from, to).execute(trx)

const removeFirst = (trx: Trx) => sql`delete from app.patterns where idx = 0`.execute(trx)

async function countRows(spaceId: string, table: string): Promise<number> {
  const { rows } = await asTenant(database.queries, { spaceId }, (trx) =>
    sql<{ n: number }>`select count(*)::int as n from ${sql.table(`app.${table}`)}`.execute(trx),
  )
  return rows[0]?.n ?? Number.NaN
}

it('are all that there are: each table with numbers of patterns has its trigger', async () => {
  const { rows } = await sql<{ name: string; has_trigger: boolean }>`
    select c.relname::text as name,
        exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'patterns_required') as has_trigger
      from pg_class c
      where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and c.relname not in ('patterns', 'pattern_tombstones')
        and exists (select from pg_attribute s where s.attrelid = c.oid and s.attname = 'space_id' and not s.attisdropped)
        and exists (select from pg_attribute n where n.attrelid = c.oid and n.attname in ('idx', 'a', 'b', 'source', 'target')
          and n.atttypid = 'integer'::regtype and not n.attisdropped)
      order by c.relname`.execute(database.queries)
  expect(rows).toEqual(tables.toSorted().map((name) => ({ name, has_trigger: true })))
})

it.each(tables)(
  'of %s go with either pattern that they refer to, however it is deleted, and no others',
  async (table) => {
    const spaceId = await newSpace()
    await asTenant(database.queries, { spaceId }, async (trx) => {
      await refer(trx, table, 0, 1)
      await refer(trx, table, 1, 2)
    })
    await asTenant(database.queries, { spaceId }, removeFirst)
    expect(await countRows(spaceId, table)).toBe(1)
    await asTenant(database.queries, { spaceId }, (trx) =>
      sql`delete from app.patterns where idx <> 0`.execute(trx),
    )
    expect(await countRows(spaceId, table)).toBe(0)
  },
)

it.each(tables)('of %s are refused where a pattern is not there', async (table) => {
  const spaceId = await newSpace()
  const missing = asTenant(
    database.queries,
    { spaceId },
    (trx) => refer(trx, table, 3, 4) ?? Promise.reject(),
  )
  await expect(missing).rejects.toMatchObject({ code: '23503' })
  const ofAnother = await newSpace()
  await asTenant(database.queries, { spaceId: ofAnother }, (trx) =>
    sql`delete from app.patterns`.execute(trx),
  )
  const gone = asTenant(
    database.queries,
    { spaceId: ofAnother },
    (trx) => refer(trx, table, 0, 1) ?? Promise.reject(),
  )
  await expect(gone).rejects.toMatchObject({ code: '23503' })
})

// The embedded database does one transaction after the other.
it.skipIf(process.env.TEST_DATABASE_URL === undefined).each(tables)(
  'of %s that are added while a pattern is deleted are refused, or go with it',
  async (table) => {
    const adding = Promise.withResolvers<void>()
    const [first, second] = [await newSpace(), await newSpace()]
    const late = await asTenant(database.queries, { spaceId: first }, async (trx) => {
      await removeFirst(trx)
      // It waits for what is deleted here.
      const late = asTenant(
        database.queries,
        { spaceId: first },
        (other) => refer(other, table, 0, 1) ?? Promise.reject(),
      )
      await waitForLock()
      return { late: late.catch((error) => error) }
    })
    expect(await late.late).toMatchObject({ code: '23503' })
    expect(await countRows(first, table)).toBe(0)

    const referred = Promise.withResolvers<void>()
    const added = asTenant(database.queries, { spaceId: second }, async (trx) => {
      await refer(trx, table, 0, 1)
      referred.resolve()
      await adding.promise
    })
    await referred.promise
    const removed = asTenant(database.queries, { spaceId: second }, removeFirst)
    await waitForLock()
    adding.resolve()
    await Promise.all([added, removed])
    expect(await countRows(second, table)).toBe(0)
  },
)

/** Until a statement waits for another's. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`.execute(database.queries)
    if (rows.length > 0) return
  }
}

/** An update of each row of a table; passages are never updated. */
const updates: Record<string, string> = {
  ...{ pattern_accesses: 'access_count = 2', pattern_versions: 'redacted_at = now()' },
  ...{ associations: 'weight = 0.5', transitions: 'count = 2' },
  ...{ pair_trials: 'coherence = 0.5', compositions: 'strength = 0.5', conflicts: 'similarity = 0.5' },
}

it.skipIf(process.env.TEST_DATABASE_URL === undefined).each(Object.entries(updates))(
  'of %s that are updated while a pattern is deleted go with it',
  async (table, change) => {
    const spaceId = await newSpace()
    await asTenant(database.queries, { spaceId }, async (trx) => {
      await refer(trx, table, 0, 1)
      await refer(trx, table, 1, 2)
    })
    const deleted = await asTenant(database.queries, { spaceId }, async (trx) => {
      await sql`update ${sql.table(`app.${table}`)} set ${sql.raw(change)}`.execute(trx)
      // It waits for the row, which is elsewhere then.
      const deleted = asTenant(database.queries, { spaceId }, removeFirst)
      await waitForLock()
      return { deleted }
    })
    await deleted.deleted
    expect(await countRows(spaceId, table)).toBe(1)
  },
)
