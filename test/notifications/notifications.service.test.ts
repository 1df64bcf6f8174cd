import { notifyOfExpiringKeys } from '@memory/identity/keys/notify-expiring'
import {
  notificationTypeOf,
  notificationTypes,
  notifiedEvents,
  wordNotification,
} from '@memory/shared/catalogue/notifications'
import { notify } from '@memory/shared/notifications/notify'
import { purgeNotifications } from '@memory/shared/notifications/service'
import { asTenant } from '@memory/shared/platform/database/database'
import { rowsAtOnce } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, invitationToken, outboxOf, setPatternsUsed, setPlan } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withShortStatements } from '../support/triggers.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Notification {
  id: string
  type: string
  severity: string
  title: string
  message: string
  read: boolean
  created_at: string
  action_url: string | null
}

type Owner = Pick<User, 'organizationId' | 'get'>

const listOf = async (owner: Owner): Promise<Notification[]> =>
  (await owner.get('/v1/notifications')).body.data

const typesOf = async (owner: Owner) => (await listOf(owner)).map(({ type }) => type)

/** Tells of so many failed payments, one after the other. */
async function tellTimes({ organizationId }: Owner, count: number): Promise<void> {
  await asTenant(server.context.database.queries, { organizationId }, async (trx) => {
    for (let i = 0; i < count; i++) {
      await notify(trx, organizationId, 'billing.payment_failed', { webhookId: `msg_${i}` })
    }
  })
}

describe('the list', () => {
  it('is empty at first', async () => {
    const ada = await newUser(server)
    expect((await ada.get('/v1/notifications')).body).toEqual({
      data: [],
      unread_count: 0,
      pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 },
    })
  })

  it('goes newest first, page by page, the same for keys and members', async () => {
    const ada = await newUser(server)
    await tellTimes(ada, 45)
    const key = await newConformingClient(server, ada)
    const pages = [1, 2, 3, 4].map((page) => key.get(`/v1/notifications?page=${page}`))
    const bodies = (await Promise.all(pages)).map(({ body }) => body)
    expect(bodies.map(({ data }) => data.length)).toEqual([20, 20, 5, 0])
    expect(bodies[2].pagination).toEqual({ page: 3, per_page: 20, total: 45, total_pages: 3 })
    const all = bodies.flatMap(({ data }) => data as Notification[])
    expect(new Set(all.map(({ id }) => id)).size).toBe(45)
    const own = (await ada.get('/v1/notifications?per_page=100')).body
    expect(own.data).toEqual(all)
    expect(own.unread_count).toBe(45)
    const times = all.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(all[0]).toMatchObject({ read: false, id: expect.stringMatching(/^notif_[0-9a-f]{32}$/) })
  })

  it('marks as read and deletes, as the contract has it', async () => {
    const ada = await newUser(server)
    await tellTimes(ada, 4)
    const [a, b] = await listOf(ada)
    const first = await ada.patch(`/v1/notifications/${a?.id}/read`)
    expect(first.body).toEqual({ id: a?.id, read: true, read_at: expect.any(String) })
    server.clock.advance(1_000)
    expect((await ada.patch(`/v1/notifications/${a?.id}/read`)).body).toEqual(first.body)
    const unread = (await ada.get('/v1/notifications?unread_only=true')).body
    expect(unread).toMatchObject({ unread_count: 3, pagination: { total: 3, total_pages: 1 } })
    expect(unread.data).toHaveLength(3)
    expect((await ada.delete('/v1/notifications/read')).body).toEqual({ deleted: 1, preserved_unread: 3 })
    expect((await ada.delete(`/v1/notifications/${b?.id}`)).body).toEqual({ deleted: true, id: b?.id })
    expect(await ada.delete(`/v1/notifications/${b?.id}`)).toMatchObject({
      status: 404,
      body: { detail: 'Notification not found' },
    })
    expect((await ada.patch(`/v1/notifications/${a?.id}/read`)).status).toBe(404)
    expect((await ada.post('/v1/notifications/read-all')).body).toMatchObject({ marked_read: 2 })
    expect((await ada.post('/v1/notifications/read-all')).body).toMatchObject({ marked_read: 0 })
    expect((await ada.delete('/v1/notifications/read')).body).toEqual({ deleted: 2, preserved_unread: 0 })
    expect(await listOf(ada)).toEqual([])
  })

  it('knows no notification by what can be no id', async () => {
    const ada = await newUser(server)
    for (const id of ['notif_%00', '%00', 'notif_1', "'%20or%20true"]) {
      expect((await ada.delete(`/v1/notifications/${id}`)).status, id).toBe(404)
      expect((await ada.patch(`/v1/notifications/${id}/read`)).status, id).toBe(404)
    }
  })

  it('takes scopes of keys and bounds of pages', async () => {
    const reader = await newConformingClient(server, { scopes: ['notifications:read'] })
    const writer = await newConformingClient(server, { scopes: ['notifications:write'] })
    expect((await reader.get('/v1/notifications')).status).toBe(200)
    expect((await writer.get('/v1/notifications')).status).toBe(403)
    for (const [method, path] of [
      ['POST', '/v1/notifications/read-all'],
      ['DELETE', '/v1/notifications/read'],
      ['DELETE', '/v1/notifications/none'],
      ['PATCH', '/v1/notifications/none/read'],
    ] as const) {
      expect((await reader.request(method, path)).body.detail).toBe(
        'Insufficient scope: notifications:write required',
      )
      expect([200, 404]).toContain((await writer.request(method, path)).status)
    }
    for (const query of ['per_page=101', 'per_page=0', 'page=0', 'unread_only=maybe']) {
      expect((await reader.get(`/v1/notifications?${query}`)).status, query).toBe(422)
    }
  })

  it('reads and deletes all at once, also where they are more than one statement can change in time', async () => {
    const ada = await newUser(server)
    const { queries } = server.context.database
    const count = rowsAtOnce + 1
    await asTenant(queries, ada, (trx) =>
      sql`insert into app.notifications (organization_id, type, data)
        select ${ada.organizationId}::uuid, 'billing.payment_failed', '{}' from generate_series(1, ${count}::int)`.execute(
        trx,
      ),
    )
    const within = <T>(change: 'update' | 'delete', work: () => Promise<T>) =>
      withShortStatements(queries, { table: 'notifications', change, most: rowsAtOnce }, work)
    const read = await within('update', () => ada.post('/v1/notifications/read-all'))
    expect(read).toMatchObject({ status: 200, body: { marked_read: count } })
    await tellTimes(ada, 1)
    const deleted = await within('delete', () => ada.delete('/v1/notifications/read'))
    expect(deleted).toMatchObject({ status: 200, body: { deleted: count, preserved_unread: 1 } })
  })

  it('forgets after 180 days', async () => {
    const ada = await newUser(server)
    const { queries } = server.context.database
    await tellTimes(ada, 2)
    const [kept, old] = await listOf(ada)
    await asTenant(queries, ada, (trx) =>
      sql`update app.notifications set created_at = now() - interval '181 days' where id = ${old?.id}`.execute(
        trx,
      ),
    )
    await purgeNotifications(queries)
    expect((await listOf(ada)).map(({ id }) => id)).toEqual([kept?.id])
  })
})

describe('what is told of', () => {
  it('pattern limits, once for each crossing of 80% and of 100%', async () => {
    const ada = await newUser(server)
    const store = () => ada.post('/v1/memory/text/store', { text: 'a note' })
    await setPatternsUsed(server, ada, 3_999)
    expect((await store()).status).toBe(200)
    expect(await typesOf(ada)).toEqual([])
    await store()
    expect(await listOf(ada)).toMatchObject([
      {
        type: 'pattern_limit_warning',
        severity: 'warning',
        message: expect.stringContaining('the live space: 4,001 of 5,000.'),
        details: { patterns_used: 4_001, patterns_limit: 5_000 },
      },
    ])
    await store()
    expect(await typesOf(ada)).toHaveLength(1)
    await setPatternsUsed(server, ada, 4_999)
    await store()
    expect(await typesOf(ada)).toEqual(['pattern_limit_reached', 'pattern_limit_warning'])
    expect((await store()).status).toBe(429)
    expect(await typesOf(ada)).toHaveLength(2)
    // Room was made, and taken again.
    await setPatternsUsed(server, ada, 4_000)
    await store()
    expect(await typesOf(ada)).toEqual([
      'pattern_limit_warning',
      'pattern_limit_reached',
      'pattern_limit_warning',
    ])
    const events = await outboxOf(server, ada, 'memory.pattern_limit_reached')
    expect(events).toMatchObject([{ payload: { used: 5_000, limit: 5_000 } }])
  })

  it('a pattern limit that is crossed again and again, 60 times an hour', async () => {
    const ada = await newUser(server)
    for (let i = 0; i < 65; i++) {
      await setPatternsUsed(server, ada, 4_000)
      await setPatternsUsed(server, ada, 4_001)
    }
    expect((await ada.get('/v1/notifications')).body.pagination.total).toBe(60)
  })

  it('pattern limits of the test space, which has those of Free, and of no plan without limits', async () => {
    const ada = await newUser(server)
    await setPlan(server, ada, 'enterprise')
    await setPatternsUsed(server, ada, 4_000, 'test')
    await setPatternsUsed(server, ada, 5_000_000, 'live')
    await ada.post('/v1/memory/text/store', { text: 'a' })
    await ada.post('/v1/memory/text/store', { text: 'a' }, { 'X-Memory-Environment': 'test' })
    expect(await listOf(ada)).toMatchObject([
      { type: 'pattern_limit_warning', message: expect.stringContaining('the test space') },
    ])
  })

  it('a change of regime, with its space', async () => {
    const ada = await newUser(server)
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 }, { 'X-Memory-Environment': 'test' })
    expect(await listOf(ada)).toMatchObject([
      {
        type: 'regime_changed',
        severity: 'info',
        message: 'The regime of the test space changed from normal to anomaly.',
        details: { previous_regime: 'normal', new_regime: 'anomaly' },
      },
    ])
  })

  it('a new member, by the address as long as there is one', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await setPlan(server, ada, 'pro')
    await ada.post(`/v1/organizations/${ada.organizationId}/invitations`, { email: ben.email, role: 'admin' })
    const token = await invitationToken(server, ben.email)
    expect((await ben.post('/v1/invitations/accept', { token })).status).toBe(200)
    expect(await listOf(ada)).toMatchObject([
      { type: 'member_joined', severity: 'info', message: `${ben.email} joined the organization (admin).` },
    ])
    await ada.delete(`/v1/organizations/${ada.organizationId}/members/${ben.userId}`)
    expect(await listOf(ada)).toMatchObject([
      { message: 'Somebody joined the organization (admin).', details: { role: 'admin', name: null } },
    ])
  })

  it('a key that expires within 7 days, once', async () => {
    const ada = await newUser(server)
    await setPlan(server, ada, 'pro')
    const { queries } = server.context.database
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const create = async (name: string, days: number) =>
      (await ada.post('/v1/api-keys', { name, expires_at: inDays(days) })).body.id as string
    const soon = await create('soon', 6.9)
    await create('later', 7.1)
    const revoked = await create('revoked', 3)
    await ada.delete(`/v1/api-keys/${revoked}`)
    await notifyOfExpiringKeys(queries)
    const told = await listOf(ada)
    expect(told).toMatchObject([
      {
        type: 'key_expiring',
        severity: 'warning',
        message: `The API key “soon” expires on ${inDays(6.9).slice(0, 10)}.`,
        details: { name: 'soon', expires_at: expect.stringMatching(/Z$/) },
      },
    ])
    await ada.delete(`/v1/notifications/${told[0]?.id}`)
    await notifyOfExpiringKeys(queries)
    await ada.patch(`/v1/api-keys/${soon}`, { expires_at: inDays(5) })
    await notifyOfExpiringKeys(queries)
    expect(await listOf(ada)).toEqual([])
  })

  it('an export that is ready', async () => {
    const ada = await newUser(server)
    await ada.post('/v1/users/me/export')
    await server.mails()
    expect(await listOf(ada)).toMatchObject([{ type: 'export_ready', severity: 'info' }])
  })

  it('nothing of what was undone', async () => {
    const ada = await newUser(server)
    const { queries } = server.context.database
    const failing = asTenant(queries, ada, async (trx) => {
      await notify(trx, ada.organizationId, 'billing.payment_failed', { webhookId: 'x' })
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await listOf(ada)).toEqual([])
    expect(await outboxOf(server, ada, 'billing.payment_failed')).toEqual([])
  })

  it('everything that the contract names, each in a sentence and with its severity', () => {
    const data = {
      from: 'normal',
      to: 'anomaly',
      used: 1,
      limit: 2,
      consolidated: 3,
      role: 'admin',
      expiresAt: '2026-01-02T03:04:05Z',
    }
    const read = notifiedEvents.map((event) => {
      const type = notificationTypeOf(event)
      const { severity, message, title } = wordNotification(type, data, { environment: 'live', name: null })
      expect(message).toMatch(/^[A-Z].*\.$/)
      expect(`${title} ${message}`).not.toMatch(/undefined|null|NaN/)
      return [type, severity]
    })
    expect(Object.fromEntries(read)).toEqual({
      regime_changed: 'info',
      consolidation_completed: 'info',
      pattern_limit_warning: 'warning',
      pattern_limit_reached: 'critical',
      payment_failed: 'critical',
      key_expiring: 'warning',
      member_joined: 'info',
      export_ready: 'info',
    })
    expect(notificationTypes).toHaveLength(8)
  })
})

it('a member who is no administrator reads and marks them too', async () => {
  const [ada, ben] = [await newUser(server), await newUser(server)]
  await addMember(server, ada, ben, 'member')
  await tellTimes(ada, 1)
  const headers = { 'X-Organization-Id': ada.organizationId }
  const { body } = await ben.get('/v1/notifications', headers)
  expect(body.data).toHaveLength(1)
  expect((await ben.patch(`/v1/notifications/${body.data[0].id}/read`, undefined, headers)).status).toBe(200)
  expect((await listOf(ada))[0]?.read).toBe(true)
})
