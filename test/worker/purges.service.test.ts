import { purgeExports } from '@memory/identity/accounts/exports'
import { purgeKeys } from '@memory/identity/keys/service'
import { purgeDeliveries } from '@memory/identity/webhooks/deliveries'
import {
  enterPatterns,
  eraseExpired,
  purgeIdempotencyKeys,
  purgeTombstones,
  purgeTraces,
  purgeVersions,
} from '@memory/memory/housekeeping'
import { purgeNotifications } from '@memory/shared/notifications/service'
import type { Queries } from '@memory/shared/platform/database/database'
import { largeRowsAtOnce, rowsAtOnce } from '@memory/shared/platform/database/purge'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSpace } from '../memory/space.ts'
import { asOwner } from '../platform/open-database.ts'
import { newUser, type User } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withLockedSpace, withShortStatements } from '../support/triggers.ts'

let server: TestServer
let queries: Queries
let ada: User
let client: ConformingClient
let spaceId: string
let webhookId: string

beforeAll(async () => {
  server = await startServer()
  queries = server.context.database.queries
  ada = await newUser(server)
  client = await newConformingClient(server, { organizationId: ada.organizationId })
  await client.store(['a note'])
  spaceId = (await getSpace(server, ada)).id
  webhookId = (await ada.post('/v1/webhooks', { url: 'https://1.1.1.1/' })).body.id
})

afterAll(() => server.close())

const change = (statement: RawBuilder<unknown>) => asOwner(queries, (trx) => statement.execute(trx))

const count = async (table: string, condition: RawBuilder<unknown>) => {
  const { rows } = await asOwner(queries, (trx) =>
    sql<{
      n: number
    }>`select count(*)::int as n from ${sql.table(`app.${table}`)} where ${condition}`.execute(trx),
  )
  return rows[0]?.n
}

const numbers = (most: number) => sql`generate_series(1, ${most + 1}::int) as n`

/** A table, what deletes its old rows and how many at once, and what adds one more of them. */
interface Purged {
  purge: (queries: Queries) => Promise<void>
  most: number
  add: (most: number) => RawBuilder<unknown>
  /** Condition: a row is one of them. */
  added: RawBuilder<unknown>
}

const purged: Record<string, Purged> = {
  idempotency_keys: {
    purge: purgeIdempotencyKeys,
    most: largeRowsAtOnce,
    add: (most) => sql`insert into app.idempotency_keys
        (space_id, route, key, body_hash, status, response, claimed_until, created_at)
      select ${spaceId}::uuid, 'route', n::text, '', 200, '{}', now(), now() - interval '25 hours' from ${numbers(most)}`,
    added: sql`route = 'route'`,
  },
  pattern_versions: {
    purge: purgeVersions,
    most: largeRowsAtOnce,
    add: (
      most,
    ) => sql`insert into app.pattern_versions (space_id, idx, revision, changed_at, change, replaced_at)
      select ${spaceId}::uuid, 0, n, now(), 'created', now() - interval '366 days' from ${numbers(most)}`,
    added: sql`change = 'created'`,
  },
  actor_traces: {
    purge: purgeTraces,
    most: rowsAtOnce,
    add: (most) => sql`insert into app.actor_traces (space_id, actor, trace, patterns, at)
      select ${spaceId}::uuid, int4send(n), '{}', '{}', now() - interval '1 day' from ${numbers(most)}`,
    added: sql`trace = '{}'`,
  },
  pattern_tombstones: {
    purge: purgeTombstones,
    most: rowsAtOnce,
    add: (most) => sql`insert into app.pattern_tombstones (space_id, version, idx, deleted_at)
      select ${spaceId}::uuid, 1, n, now() - interval '2 hours' from ${numbers(most)}`,
    added: sql`version = 1`,
  },
  notifications: {
    purge: purgeNotifications,
    most: rowsAtOnce,
    add: (most) => sql`insert into app.notifications (organization_id, type, data, created_at)
      select ${ada.organizationId}::uuid, 'old', '{}', now() - interval '181 days' from ${numbers(most)}`,
    added: sql`type = 'old'`,
  },
  webhook_deliveries: {
    purge: purgeDeliveries,
    most: largeRowsAtOnce,
    add: (most) => sql`with added as (
        insert into app.webhook_deliveries (organization_id, webhook_id, event_id, event_type, body, status, created_at)
          select ${ada.organizationId}::uuid, ${webhookId}::uuid, gen_random_uuid(), 'old', '{}', 'delivered',
              now() - interval '31 days' from ${numbers(most)}
          returning *
      ) insert into app.webhook_attempts
          (organization_id, webhook_id, delivery_id, attempted_at, duration_ms, response_status)
        select organization_id, webhook_id, id, now(), 1, 200 from added`,
    added: sql`event_type = 'old'`,
  },
  api_keys: {
    purge: purgeKeys,
    most: rowsAtOnce,
    add: (most) => sql`insert into app.api_keys
        (organization_id, created_by, name, environment, key_prefix, last_four, key_hash, revoked_at)
      select ${ada.organizationId}::uuid, ${ada.userId}::uuid, 'old', 'live', '', '', int4send(n), now() - interval '91 days'
        from ${numbers(most)}`,
    added: sql`name = 'old'`,
  },
  exports: {
    purge: purgeExports,
    most: 100,
    add: (most) => sql`insert into app.exports (user_id, status, expires_at)
      select ${ada.userId}::uuid, 'failed', now() - interval '1 day' from ${numbers(most)}`,
    added: sql`status = 'failed'`,
  },
}

it.each(Object.entries(purged))(
  '%s that are old are all deleted in one run, also where they are more than one statement can delete in time',
  async (table, { purge, most, add, added }) => {
    await change(add(most))
    expect(await count(table, added)).toBe(most + 1)
    await withShortStatements(queries, { table, change: 'delete', most }, () => purge(queries))
    expect(await count(table, added)).toBe(0)
  },
)

describe('a space at which a chore fails', () => {
  const ofNewest = (spaceId: string) =>
    sql`where space_id = ${spaceId}::uuid and idx = (select max(idx) from app.patterns where space_id = ${spaceId}::uuid)`
  /** A chore, what gives it something to do in a space, and in which rows of which table that shows. */
  type Chore = [
    (queries: Queries) => Promise<unknown>,
    (spaceId: string) => RawBuilder<unknown>,
    string,
    RawBuilder<unknown>,
  ]
  const chores: Record<string, Chore> = {
    purgeTombstones: [
      purgeTombstones,
      (spaceId) => sql`insert into app.pattern_tombstones (space_id, version, idx, deleted_at)
        values (${spaceId}, 1, 1, now() - interval '2 hours') on conflict do nothing`,
      'pattern_tombstones',
      sql`deleted_at < now() - interval '1 hour'`,
    ],
    eraseExpired: [
      eraseExpired,
      (spaceId) => sql`update app.patterns set expires_at = now() ${ofNewest(spaceId)}`,
      'patterns',
      sql`expires_at < now()`,
    ],
    enterPatterns: [
      enterPatterns,
      (spaceId) => sql`update app.patterns set enters_at = now(), valid_from = now() ${ofNewest(spaceId)}`,
      'patterns',
      sql`enters_at < now()`,
    ],
  }

  it.each(Object.keys(chores))('does not stop %s at those behind it', async (name) => {
    const [chore, makeDue, table, isDue] = chores[name] as Chore
    const clients = [await newConformingClient(server), await newConformingClient(server)]
    const spaces = await Promise.all(clients.map(async (each) => (await getSpace(server, each)).id))
    // Whichever comes first: each of them fails once.
    for (const failing of spaces) {
      for (const each of clients) await each.store(['a note'])
      for (const id of spaces) await change(makeDue(id))
      await withLockedSpace(queries, failing, () => expect(chore(queries)).rejects.toThrow(failing))
      for (const id of spaces) {
        expect(await count(table, sql`space_id = ${id} and ${isDue}`)).toBe(id === failing ? 1 : 0)
      }
      await chore(queries)
      expect(await count(table, isDue)).toBe(0)
    }
  })
})
