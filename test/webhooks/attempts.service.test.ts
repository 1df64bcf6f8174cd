import { randomBytes } from 'node:crypto'
import { purgeDeliveries } from '@memory/identity/webhooks/deliveries'
import { failureOf } from '@memory/identity/webhooks/outcomes'
import { limits } from '@memory/shared/catalogue/limits'
import { notify } from '@memory/shared/notifications/notify'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { largeRowsAtOnce } from '@memory/shared/platform/database/purge'
import { Secrets } from '@memory/shared/platform/secrets'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMember, auditOf } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withShortStatements } from '../support/triggers.ts'
import { Receiver } from './receiver.ts'
import { attemptContext, deliverDue, loopback, newDispatcher } from './support.ts'

let server: TestServer
let receiver: Receiver
let ada: User
let webhook: string

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
})

beforeEach(async () => {
  receiver = await Receiver.start()
  ada = await newUser(server)
  webhook = (await ada.post('/v1/webhooks', { url: receiver.url })).body.id
})

afterEach(async () => {
  await ada.delete('/v1/users/me')
  await receiver.stop()
})

afterAll(() => server.close())

const happen = () =>
  asTenant(server.context.database.queries, { organizationId: ada.organizationId }, (trx) =>
    notify(trx, ada.organizationId, 'billing.payment_failed', { webhookId: 'msg_1' }),
  )

const deliver = () => deliverDue(server, newDispatcher(server))

const at = () => `/v1/webhooks/${webhook}/deliveries`

const listed = async (query = '') => (await ada.get(`${at()}${query}`)).body.deliveries

const newest = async () => (await ada.get(`${at()}/${(await listed('?limit=1'))[0].id}`)).body

const countAttempts = () =>
  asTask(server.context.database.queries, 'deliver-webhooks', (trx) =>
    sql<{ n: number }>`select count(*)::int as n from app.webhook_attempts
      where webhook_id = ${webhook}::uuid`.execute(trx),
  ).then(({ rows }) => rows[0]?.n)

describe('a delivery', () => {
  it('is read with the payload as the receiver got it, and each attempt with its answer', async () => {
    receiver.answer = (response) => response.writeHead(500).end('<b>try \0 again</b>')
    await happen()
    await deliver()
    server.clock.advance(6_000)
    receiver.answer = (response) => response.destroy()
    await deliver()
    server.clock.advance(360_000)
    receiver.answer = (response) => response.writeHead(202).end('taken')
    await deliver()
    const details = await newest()
    const [first] = receiver.received
    expect(details).toMatchObject({
      event_id: first?.headers['webhook-id'],
      event_type: 'billing.payment_failed',
      status: 'delivered',
      attempts: 3,
      payload: first?.body,
    })
    const ms = expect.any(Number)
    expect(details.attempt_history).toMatchObject([
      { response_status: 500, response_body: '<b>try \uFFFD again</b>', failure: null, duration_ms: ms },
      { response_status: null, response_body: null, failure: 'connection_broken', duration_ms: ms },
      { response_status: 202, response_body: 'taken', failure: null, duration_ms: ms },
    ])
    const times = details.attempt_history.map((each: { attempted_at: string }) =>
      Date.parse(each.attempted_at),
    )
    expect(times).toEqual(times.toSorted())
    expect(times[2] - times[0]).toBeGreaterThanOrEqual(366_000)
    const key = await newConformingClient(server, { ...ada, scopes: ['webhooks:read'] })
    expect((await key.get(`${at()}/${details.id}`)).body).toEqual(details)
  })

  it('has an attempt for each time it was sent again, the newest of them', async () => {
    for (let round = 0; round < limits.deliveryAttempts + 3; round++) {
      receiver.answer = (response) => response.end(`answer ${round}`)
      if (round === 0) await happen()
      else await ada.post(`${at()}/${(await listed())[0].id}/redeliver`)
      await deliver()
    }
    const { attempts, attempt_history: history } = await newest()
    expect(attempts).toBe(1)
    expect(history.map((each: { response_body: string }) => each.response_body)).toEqual(
      Array.from({ length: limits.deliveryAttempts }, (_, i) => `answer ${i + 3}`),
    )
    expect(await countAttempts()).toBe(limits.deliveryAttempts)
  })

  it('says that a receiver did not answer in time, or was not there', async () => {
    receiver.answer = () => {}
    await happen()
    await server.mails()
    const impatient = newDispatcher(server, undefined, { ...attemptContext(server), timeoutMs: 200 })
    await deliverDue(server, impatient)
    await receiver.stop()
    server.clock.advance(6_000)
    await deliver()
    const { attempt_history: history } = await newest()
    expect(history.map((each: { failure: string }) => each.failure)).toEqual(['timeout', 'not_connected'])
    receiver = await Receiver.start()
  })

  it.each(['an event', 'a test'])(
    'of %s stays as it is where this process lacks its master key, and is another’s to make',
    async (what) => {
      if (what === 'an event') await happen()
      else await ada.post(`/v1/webhooks/${webhook}/test`)
      await server.mails()
      const logged = server.logLines.length
      const secrets = new Secrets([randomBytes(32)])
      const keyless = newDispatcher(server, undefined, { ...attemptContext(server), secrets })
      for (let round = 0; round < 3; round++) {
        await deliverDue(server, keyless)
        server.clock.advance(6_000)
      }
      expect(await newest()).toMatchObject({ status: 'pending', attempts: 0, attempt_history: [] })
      const lines = server.logLines.slice(logged).map((line) => JSON.parse(line))
      expect(lines.filter(({ level }) => level >= 40)).toMatchObject([
        { level: 40, msg: 'webhook can not be signed, deliveries wait', err: { type: 'SealError' } },
      ])
      await deliver()
      expect(await newest()).toMatchObject({ status: 'delivered', attempts: 1 })
      expect(receiver.received).toHaveLength(1)
    },
  )

  it.each<[string, number, Receiver['answer']]>([
    [
      'is announced and never sent',
      200,
      (response) => response.writeHead(200, { 'Content-Length': '5' }).flushHeaders(),
    ],
    ['is begun and never ended', 202, (response) => response.writeHead(202).write('begun')],
    [
      'is where none may be',
      204,
      (response) => response.socket?.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\nand more'),
    ],
  ])('is delivered with its status, though the body of the answer %s', async (_how, status, answer) => {
    receiver.answer = answer
    await happen()
    await server.mails()
    const impatient = newDispatcher(server, undefined, { ...attemptContext(server), timeoutMs: 200 })
    await deliverDue(server, impatient)
    expect(await newest()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      attempt_history: [{ response_status: status, failure: null }],
    })
  })

  it('goes with its webhook, and with what is too old', async () => {
    await happen()
    await deliver()
    expect(await countAttempts()).toBe(1)
    await asTask(server.context.database.queries, 'deliver-webhooks', (trx) =>
      sql`update app.webhook_deliveries set created_at = now() - interval '31 days'`.execute(trx),
    )
    await purgeDeliveries(server.context.database.queries)
    expect(await countAttempts()).toBe(0)
    await happen()
    await deliver()
    expect(await countAttempts()).toBe(1)
    await ada.delete(`/v1/webhooks/${webhook}`)
    expect(await countAttempts()).toBe(0)
  })

  it('is nothing to others, and needs the right that webhooks need', async () => {
    await happen()
    await deliver()
    const { id } = await newest()
    const [ben, cleo] = [await newUser(server), await newUser(server)]
    expect(await ben.get(`${at()}/${id}`)).toMatchObject({
      status: 404,
      body: { detail: 'Webhook not found' },
    })
    const { id: own } = (await ben.post('/v1/webhooks', { url: receiver.url })).body
    for (const unknown of [id, 'none']) {
      expect(await ben.get(`/v1/webhooks/${own}/deliveries/${unknown}`)).toMatchObject({
        status: 404,
        body: { detail: 'Delivery not found' },
      })
    }
    await addMember(server, ada, cleo, 'member')
    const headers = { 'X-Organization-Id': ada.organizationId }
    expect((await cleo.get(`${at()}/${id}`, headers)).status).toBe(200)
    const writer = await newConformingClient(server, { ...ada, scopes: ['webhooks:write'] })
    expect((await writer.get(`${at()}/${id}`)).body.detail).toBe('Insufficient scope: webhooks:read required')
  })
})

describe('the list', () => {
  it('is narrowed by status and by type, page by page', async () => {
    receiver.answer = (response) => response.writeHead(500).end()
    for (let i = 0; i < 3; i++) await ada.post(`/v1/webhooks/${webhook}/test`)
    await deliver()
    receiver.answer = (response) => response.end()
    await happen()
    await deliver()
    await happen()
    await server.mails()
    const idsOf = async (query: string) => (await listed(query)).map((each: { id: string }) => each.id)
    const all = await idsOf('')
    expect(all).toHaveLength(5)
    expect(await idsOf('?status=pending')).toEqual(all.slice(0, 1))
    expect(await idsOf('?status=delivered')).toEqual(all.slice(1, 2))
    expect(await idsOf('?status=failed')).toEqual(all.slice(2))
    expect(await idsOf('?event_type=webhook.test')).toEqual(all.slice(2))
    expect(await idsOf('?event_type=webhook.test&status=delivered')).toEqual([])
    const first = (await ada.get(`${at()}?status=failed&limit=2`)).body
    expect(await idsOf(`?status=failed&limit=2&cursor=${first.next_cursor}`)).toEqual(all.slice(4))
    for (const query of ['status=lost', 'event_type=memory.unknown']) {
      expect((await ada.get(`${at()}?${query}`)).status, query).toBe(422)
    }
  })
})

describe('a webhook with more deliveries than one statement can change in time', () => {
  const most = largeRowsAtOnce
  const add = (status: 'pending' | 'delivered', count: number) =>
    asTenant(server.context.database.queries, ada, (trx) =>
      sql`insert into app.webhook_deliveries
          (organization_id, webhook_id, event_id, event_type, body, status, next_attempt_at)
        select ${ada.organizationId}::uuid, ${webhook}::uuid, gen_random_uuid(), 'webhook.test', '{}', ${status}::text,
            case when ${status}::text = 'pending' then now() + interval '1 hour' end
          from generate_series(1, ${count}::int)`.execute(trx),
    )
  const within = <T>(change: 'update' | 'delete', work: () => Promise<T>) =>
    withShortStatements(server.context.database.queries, { table: 'webhook_deliveries', change, most }, work)
  const countPending = async () => (await listed('?status=pending')).length

  it('is deleted with all of them, which the log tells once', async () => {
    await add('delivered', most)
    await add('pending', 1)
    const { status } = await within('delete', () => ada.delete(`/v1/webhooks/${webhook}`))
    expect(status).toBe(200)
    expect((await ada.get(`/v1/webhooks/${webhook}`)).status).toBe(404)
    expect(await auditOf(server, ada, /^webhook_deleted$/)).toHaveLength(1)
  })

  it('gives them all up when it is disabled', async () => {
    await add('pending', most + 1)
    const disable = () => ada.patch(`/v1/webhooks/${webhook}`, { status: 'disabled' })
    expect((await within('update', disable)).status).toBe(200)
    expect(await countPending()).toBe(0)
    // A request that was cut off is sent again.
    await add('pending', 1)
    expect((await disable()).status).toBe(200)
    expect(await countPending()).toBe(0)
  })

  it('gives up what waited when it is enabled again', async () => {
    await ada.patch(`/v1/webhooks/${webhook}`, { status: 'disabled' })
    await add('pending', 1)
    expect((await ada.patch(`/v1/webhooks/${webhook}`, { status: 'active' })).status).toBe(200)
    expect(await countPending()).toBe(0)
  })

  it('gives them all up when its receiver is gone', async () => {
    await happen()
    await add('pending', most + 1)
    receiver.answer = (response) => response.writeHead(410).end()
    await within('update', deliver)
    expect((await ada.get(`/v1/webhooks/${webhook}`)).body.status).toBe('disabled')
    expect(await countPending()).toBe(0)
  })

  it('has those given up later that were left when the process ended which disabled it', async () => {
    await ada.patch(`/v1/webhooks/${webhook}`, { status: 'disabled' })
    await add('pending', most + 1)
    await within('update', () => purgeDeliveries(server.context.database.queries))
    expect(await countPending()).toBe(0)
    await ada.patch(`/v1/webhooks/${webhook}`, { status: 'active' })
    await add('pending', 1)
    await purgeDeliveries(server.context.database.queries)
    expect(await countPending()).toBe(1)
  })
})

it('tells why there was no answer from what ended the attempt', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code })
  for (const [code, failure] of [
    ['ECONNREFUSED', 'not_connected'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_refused'],
    ['CERT_HAS_EXPIRED', 'certificate_refused'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_refused'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_refused'],
    ['ECONNRESET', 'connection_broken'],
  ] as const) {
    expect(failureOf(coded(code), false), code).toBe(failure)
  }
  expect(failureOf(coded('ABORT_ERR'), true)).toBe('timeout')
})
