import { createKey } from '@memory/shared/keys/service'
import * as store from '@memory/shared/memory/store'
import { recordAccesses } from '@memory/shared/memory/tier-store'
import {
  asTask,
  asTenant,
  type Database,
  type Queries,
  type Task,
} from '@memory/shared/platform/database/database'
import { claim } from '@memory/shared/platform/idempotency'
import { append } from '@memory/shared/platform/outbox/outbox'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { asOwner, type NewOrganization, newOrganization, openTestDatabase } from './open-database.ts'

let database: Database
let queries: Queries
let tables: string[]
let ada: NewOrganization
let ben: NewOrganization

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
  ada = await newFilledOrganization()
  ben = await newFilledOrganization()
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
      where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and relrowsecurity order by 1`.execute(
    queries,
  )
  tables = rows.map(({ name }) => name)
})

afterAll(() => database.close())

const day = 86_400_000

/** An organization with a row in every tenant table, and what housekeeping looks for: expired and old rows. */
async function newFilledOrganization(): Promise<NewOrganization> {
  const organization = await newOrganization(queries)
  const { organizationId, spaceId } = organization
  await createKey(queries, organizationId, { name: 'a', environment: 'live', scopes: null, expiresAt: null })
  const pattern = (expiresAt: Date | null): store.NewPattern => newPattern({ expiresAt })
  const patterns = [pattern(null), pattern(new Date(Date.now() - day)), pattern(null)]
  await store.insertPatterns(queries, spaceId, -1, 'test', patterns)
  await recordAccesses(queries, spaceId, new Map([[0, 1]]), new Date())
  await store.removePatterns(queries, spaceId, { indexes: [2], textOnly: false, dryRun: false })
  for (const key of ['new', 'old']) {
    await claim(queries, { spaceId, route: 'a', key, bodyHash: Buffer.from('b') })
  }
  await asTenant(queries, organization, async (trx) => {
    const limit = { spaceId, used: 1, limit: 1 }
    await append(trx, organizationId, 'memory.pattern_limit_reached', limit)
    await sql`update app.idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`.execute(
      trx,
    )
    await sql`insert into app.query_counts (space_id, day, used) values (${spaceId}, now(), 1)`.execute(trx)
  })
  return organization
}

/** Rows that a statement sees of each table. */
async function countRows(runner: Queries): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await sql<{
      rows: number
    }>`select count(*)::int as rows from app.${sql.id(table)}`.execute(runner)
    counts[table] = rows[0]?.rows ?? Number.NaN
  }
  return counts
}

const nothing = () => Object.fromEntries(tables.map((table) => [table, 0]))

/** What one filled organization has. */
const filled = {
  api_keys: 1,
  idempotency_keys: 2,
  organizations: 1,
  outbox: 1,
  pattern_accesses: 1,
  pattern_tombstones: 1,
  patterns: 2,
  query_counts: 1,
  spaces: 2,
  tier_counters: 1,
}

describe('row level security', () => {
  it('I3 shows no row and raises no error without a tenant, with an empty one and with an unknown one', async () => {
    const both = Object.fromEntries(Object.entries(filled).map(([table, count]) => [table, 2 * count]))
    expect(await asOwner(queries, countRows)).toEqual(both)
    expect(await countRows(queries)).toEqual(nothing())
    expect(await asTenant(queries, {}, countRows)).toEqual(nothing())
    const unknown = '00000000-0000-4000-8000-00000000dead'
    expect(await asTenant(queries, { organizationId: unknown, spaceId: unknown }, countRows)).toEqual(
      nothing(),
    )
  })

  it('I3 shows a tenant its own rows and no others', async () => {
    // Events leave through the relay only.
    expect(await asTenant(queries, ada, countRows)).toEqual({ ...filled, outbox: 0 })
    const inOrganization = { ...nothing(), organizations: 1, spaces: 2, api_keys: 1 }
    expect(await asTenant(queries, { organizationId: ada.organizationId }, countRows)).toEqual(inOrganization)
  })

  it.each([
    [
      'patterns',
      (to: NewOrganization) =>
        sql`insert into app.patterns (space_id, idx, id, key, version) values (${to.spaceId}, 99, 'pat_x', '[1]', 1)`,
    ],
    [
      'pattern_accesses',
      (to: NewOrganization) =>
        sql`insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
          values (${to.spaceId}, 1, 1, now(), 1, now())`,
    ],
    [
      'pattern_tombstones',
      (to: NewOrganization) =>
        sql`insert into app.pattern_tombstones (space_id, version, idx) values (${to.spaceId}, 99, 99)`,
    ],
    [
      'spaces',
      (to: NewOrganization) =>
        sql`insert into app.spaces (organization_id, environment) values (${to.organizationId}, 'live')`,
    ],
    [
      'organizations',
      () =>
        sql`insert into app.organizations (id, name, plan) values (gen_random_uuid(), 'theirs', 'enterprise')`,
    ],
    [
      'api_keys',
      (to: NewOrganization) =>
        sql`insert into app.api_keys (organization_id, name, environment, key_prefix, last_four, key_hash)
          values (${to.organizationId}, 'x', 'live', 'x', 'x', '\\x00')`,
    ],
    [
      'outbox',
      (to: NewOrganization) =>
        sql`insert into app.outbox (organization_id, type, payload) values (${to.organizationId}, 'x', '{}')`,
    ],
    [
      'idempotency_keys',
      (to: NewOrganization) =>
        sql`insert into app.idempotency_keys (space_id, route, key, body_hash, claimed_until)
          values (${to.spaceId}, 'x', 'x', '', now())`,
    ],
    [
      'query_counts',
      (to: NewOrganization) =>
        sql`insert into app.query_counts (space_id, day, used) values (${to.spaceId}, '2020-01-01', 0)`,
    ],
    [
      'tier_counters',
      (to: NewOrganization) => sql`insert into app.tier_counters (space_id) values (${to.spaceId})`,
    ],
  ])('I1 refuses to insert a row of another tenant into %s', async (table, insert) => {
    expect(tables).toContain(table)
    const refused = { code: '42501', message: expect.stringContaining('row-level security') }
    await expect(asTenant(queries, ben, (trx) => insert(ada).execute(trx))).rejects.toMatchObject(refused)
    await expect(insert(ada).execute(queries)).rejects.toMatchObject(refused)
  })

  it('I1 every table with row level security has its insert tried above', () => {
    expect(tables).toEqual(Object.keys(filled))
  })

  it('I3 lets an update or a delete without a condition touch none of another tenant’s rows', async () => {
    const before = await asOwner(queries, countRows)
    await asTenant(queries, ben, async (trx) => {
      await sql`update app.patterns set text = 'mine'`.execute(trx)
      await sql`update app.spaces set version = version + 1`.execute(trx)
      await sql`update app.api_keys set revoked_at = now()`.execute(trx)
      await sql`update app.organizations set name = 'mine'`.execute(trx)
      await sql`delete from app.idempotency_keys`.execute(trx)
      await sql`delete from app.pattern_tombstones`.execute(trx)
      await sql`delete from app.patterns`.execute(trx)
      await sql`delete from app.outbox`.execute(trx)
    })
    const after = await asOwner(queries, countRows)
    const lost = Object.keys(before).filter((table) => before[table] !== after[table])
    expect(lost).toEqual(['idempotency_keys', 'pattern_accesses', 'pattern_tombstones', 'patterns'])
    expect(await asTenant(queries, ada, countRows)).toEqual({ ...filled, outbox: 0 })
    const { rows } = await asTenant(queries, ada, (trx) =>
      sql`select o.name, k.revoked_at from app.organizations o, app.api_keys k`.execute(trx),
    )
    expect(rows).toEqual([{ name: 'Test', revoked_at: null }])
    ben = await newFilledOrganization()
  })

  it('I1 does not let a row be handed to another tenant', async () => {
    const moved = asTenant(queries, ben, (trx) =>
      sql`update app.patterns set space_id = ${ada.spaceId}`.execute(trx),
    )
    await expect(moved).rejects.toMatchObject({ code: '42501' })
  })
})

describe('housekeeping tasks', () => {
  const seen: Record<Task, (counts: Record<string, number>) => Record<string, number>> = {
    'relay-outbox': ({ outbox }) => ({ outbox: outbox as number }),
    'erase-expired-patterns': () => ({ patterns: expired }),
    'purge-tombstones': ({ pattern_tombstones, spaces }) => ({
      pattern_tombstones: pattern_tombstones as number,
      spaces: spaces as number,
    }),
    'purge-idempotency-keys': () => ({ idempotency_keys: old }),
  }
  let expired = 0
  let old = 0

  it.each(Object.keys(seen) as Task[])(
    'I3 %s sees what its policies name, across tenants, and nothing else',
    async (task) => {
      const all = await asOwner(queries, countRows)
      ;({ expired, old } = await asOwner(queries, async (trx) => {
        const { rows } = await sql<{ expired: number; old: number }>`select
        (select count(*)::int from app.patterns where expires_at <= now()) as expired,
        (select count(*)::int from app.idempotency_keys where created_at < now() - interval '24 hours') as old`.execute(
          trx,
        )
        return rows[0] as { expired: number; old: number }
      }))
      expect(expired).toBeGreaterThanOrEqual(2)
      expect(old).toBeGreaterThanOrEqual(2)
      expect(await asTask(queries, task, countRows)).toEqual({ ...nothing(), ...seen[task](all) })
    },
  )

  it('I3 a task that no policy names sees nothing', async () => {
    expect(await asTask(queries, 'read-everything' as Task, countRows)).toEqual(nothing())
  })

  it('I3 erase-expired-patterns only finds: it can neither change nor delete', async () => {
    const touched = await asTask(queries, 'erase-expired-patterns', async (trx) => {
      const updated = await sql`update app.patterns set text = 'x'`.execute(trx)
      const deleted = await sql`delete from app.patterns`.execute(trx)
      return [updated.numAffectedRows, deleted.numAffectedRows]
    })
    expect(touched).toEqual([0n, 0n])
  })

  it('I3 a task’s sight ends with its transaction', async () => {
    await asTask(queries, 'relay-outbox', countRows)
    expect(await countRows(queries)).toEqual(nothing())
  })
})
