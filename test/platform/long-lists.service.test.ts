import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { isReadKnown, rowsRead } from '../support/rows-read.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { asOwner } from './open-database.ts'

const many = 5_000

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
