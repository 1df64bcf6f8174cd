import { purgeSessions } from '@memory/identity/accounts/sessions'
import { notifyOfExpiringKeys } from '@memory/identity/keys/notify-expiring'
import { purgeKeys } from '@memory/identity/keys/service'
import { purgeInvitations } from '@memory/identity/organizations/invitations'
import { rollUpUsage } from '@memory/identity/usage/keep-usage'
import { systemClock } from '@memory/shared/platform/clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { isReadKnown, rowsRead } from '../support/rows-read.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { asOwner } from './open-database.ts'

const many = 5_000
/** When nothing has been done yet. */
const later = '2100-01-01T00:00:00Z'

let server: TestServer
let ada: User
let webhookId: string

beforeAll(async () => {
  server = await startServer()
  ada = await newUser(server)
  webhookId = (await ada.post('/v1/webhooks', { url: 'https://1.1.1.1/hook' })).body.id
})

afterAll(() => server.close())

/** What an organization keeps much of: where a page of it is, what it is kept in, and how much is counted for a page. */
const lists: Record<string, { path: () => string; table: string; counted: number }> = {
  notifications: { path: () => '/v1/notifications?per_page=20', table: 'notifications', counted: many },
  'unread notifications': {
    path: () => '/v1/notifications?per_page=20&unread_only=true',
    table: 'notifications',
    counted: many,
  },
  deliveries: {
    path: () => `/v1/webhooks/${webhookId}/deliveries?limit=20`,
    table: 'webhook_deliveries',
    counted: 0,
  },
  'audit log': { path: () => '/v1/security/audit-log?limit=20', table: 'audit_log', counted: 0 },
  'audit log since a time': {
    path: () => `/v1/security/audit-log?limit=20&since=${later}`,
    table: 'audit_log',
    counted: 0,
  },
  'audit log until a time': {
    path: () => '/v1/security/audit-log?limit=20&until=2026-01-01T00:00:00Z',
    table: 'audit_log',
    counted: 0,
  },
  receipts: { path: () => '/v1/memory/receipts?limit=20', table: 'receipts', counted: 0 },
}

async function fill({ organizationId, userId }: User): Promise<void> {
  const { body } = await ada.get('/v1/memory/receipts')
  expect(body.receipts).toEqual([])
  const { body: stored } = await ada.post('/v1/memory/store', { key: [1], value: [1] })
  const { receipt } = (await ada.post('/v1/memory/patterns/delete', { pattern_ids: [stored.pattern_id] }))
    .body
  await asOwner(server.context.database.queries, async (trx) => {
    await sql`insert into app.notifications (organization_id, type, data)
      select ${organizationId}, 'payment_failed', '{}' from generate_series(1, ${many}::int)`.execute(trx)
    await sql`insert into app.webhook_deliveries (organization_id, webhook_id, event_id, event_type, body, status)
      select ${organizationId}, ${webhookId}, gen_random_uuid(), 'billing.payment_failed', '{}', 'delivered'
        from generate_series(1, ${many}::int)`.execute(trx)
    await sql`insert into app.audit_log (action, success, organization_id, user_id, actor, actor_id)
      select 'memory_forgotten', true, ${organizationId}, ${userId}, 'user', ${userId}::uuid
        from generate_series(1, ${many}::int)`.execute(trx)
    // Of the same space, and of another organization.
    await sql`insert into app.receipts (id, organization_id, space_id, receipt)
      select gen_random_uuid(), case when i % 2 = 0 then r.organization_id else gen_random_uuid() end, r.space_id, r.receipt
        from app.receipts r, generate_series(1, ${2 * many}::int) i where r.receipt = ${receipt}`.execute(trx)
  })
}

async function readOf(table: string): Promise<number> {
  return (await rowsRead(server.context.database.queries)).get(table) ?? Number.NaN
}

describe.runIf(isReadKnown)('a page of a long list', () => {
  beforeAll(() => fill(ada))

  describe.each(['without statistics', 'with statistics'])('%s', (which) => {
    beforeAll(async () => {
      if (which === 'with statistics') await server.context.database.upkeep?.keep(0)
    })

    it.each(Object.entries(lists))('of %s is read without the rest', async (_, { path, table, counted }) => {
      expect((await ada.get(path())).status).toBe(200)
      const before = await readOf(table)
      expect((await ada.get(path())).status).toBe(200)
      expect((await readOf(table)) - before).toBeLessThan(counted + 200)
    })
  })
})

const kept = 1_000
/** What is looked for again and again in each table, and how many rows there are when it was done. */
const chores = {
  // The user's own is there too.
  sessions: { work: () => purgeSessions(queries()), left: kept + 1 },
  mfa_challenges: { work: () => purgeSessions(queries()), left: kept },
  invitations: { work: () => purgeInvitations(queries()), left: kept },
  // One that was revoked and one that has expired go; one that expires soon is told of.
  api_keys: {
    work: async () => {
      await purgeKeys(queries())
      await notifyOfExpiringKeys(queries())
    },
    left: kept + 1,
  },
  query_counts: { work: () => rollUpUsage({ queries: queries(), clock: systemClock }), left: kept },
  subject_queries: { work: () => rollUpUsage({ queries: queries(), clock: systemClock }), left: kept },
}
const queries = () => server.context.database.queries

/** Rows that stay, and a few that don't. */
async function fillChores({ organizationId, userId }: User): Promise<void> {
  // Days until something is over, or since it was.
  const days = sql`(select 365 + i as n from generate_series(1, ${kept}::int) i union all values (-100), (-200)) as d`
  const until = sql`now() + make_interval(days => d.n)`
  const hash = sql`sha256(gen_random_uuid()::text::bytea)`
  const key = sql`${organizationId}::uuid, ${userId}::uuid, 'a', 'live', 'a', 'a', ${hash}`
  await asOwner(queries(), async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from app.spaces where organization_id = ${organizationId} limit 1`.execute(trx)
    const spaceId = rows[0]?.id
    for (const statement of [
      sql`insert into app.sessions (user_id, expires_at) select ${userId}, ${until} from ${days}`,
      sql`insert into app.sessions (user_id, expires_at, revoked_at)
        values (${userId}, now() + interval '1 day', now() - interval '31 days')`,
      sql`insert into app.mfa_challenges (user_id, token_hash, expires_at) select ${userId}, ${hash}, ${until} from ${days}`,
      sql`insert into app.invitations (organization_id, email, role, token_hash, invited_by, expires_at)
        select ${organizationId}, d.n || '@example.com', 'member', ${hash}, ${userId}, ${until} from ${days}`,
      sql`insert into app.api_keys (organization_id, created_by, name, environment, key_prefix, last_four, key_hash, expires_at)
        select ${key}, ${until} from ${days} union all select ${key}, now() + interval '1 day'`,
      sql`insert into app.api_keys (organization_id, created_by, name, environment, key_prefix, last_four, key_hash, revoked_at)
        values (${key}, now() - interval '91 days')`,
      sql`insert into app.query_counts select ${spaceId}, current_date - 1 + d.n, 1 from ${days}`,
      sql`insert into app.subject_queries select ${spaceId}, d.n::text, current_date + d.n, 1, 1 from ${days}`,
    ])
      await statement.execute(trx)
  })
}

describe.runIf(isReadKnown)('what is over', () => {
  beforeAll(async () => {
    await fillChores(ada)
    await asOwner(queries(), (trx) => sql`analyze`.execute(trx))
  })

  it.each(Object.entries(chores))(
    'of %s is found without reading the rest',
    async (table, { work, left }) => {
      const before = await readOf(table)
      await work()
      expect((await readOf(table)) - before).toBeLessThan(100)
      const count = sql<{ n: number }>`select count(*)::int as n from app.${sql.id(table)}`
      expect((await asOwner(queries(), (trx) => count.execute(trx))).rows[0]?.n).toBe(left)
    },
  )
})
