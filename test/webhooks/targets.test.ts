import { tell } from '@memory/shared/notifications/tell'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { AddressGate, type Resolve, resolveByDns } from '@memory/shared/webhooks/address-gate'
import { purgeDeliveries } from '@memory/shared/webhooks/deliveries'
import { lease } from '@memory/shared/webhooks/delivery-store'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { dumpTables } from '../support/tables.ts'
import { until } from '../support/until.ts'
import { NameServer } from './name-server.ts'
import { Receiver, verified } from './receiver.ts'
import { deliverDue, loopback, newDispatcher } from './support.ts'

let server: TestServer
let strict: TestServer
let receiver: Receiver
let ada: User

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
  strict = await startServer()
})

beforeEach(async () => {
  receiver = await Receiver.start()
  ada = await newUser(server)
})

afterEach(async () => {
  await ada.delete('/v1/users/me')
  await receiver.stop()
})

afterAll(() => Promise.all([server.close(), strict.close()]))

const happen = (at: TestServer, { organizationId }: User) =>
  asTenant(at.context.database.queries, { organizationId }, (trx) =>
    tell(trx, organizationId, 'billing.payment_failed', { webhookId: 'msg_1' }),
  )

const newWebhook = async (owner: User, url = receiver.url): Promise<{ id: string; secret: string }> =>
  (await owner.post('/v1/webhooks', { url })).body

const deliveriesOf = async (owner: User, id: string) =>
  (await owner.get(`/v1/webhooks/${id}/deliveries`)).body.deliveries

const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('W4 a name', () => {
  it('that led to a public address and now leads home is not connected to', async () => {
    const ben = await newUser(strict)
    strict.context.webhooks.gate = new AddressGate([], to('1.1.1.1'))
    const { id } = await newWebhook(ben, `https://rebinding.example:${receiver.port}/`)
    for (const answer of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], ['::1'], []]) {
      await happen(strict, ben)
      const dispatcher = newDispatcher(strict, to(...answer))
      await deliverDue(strict, dispatcher)
      expect((await deliveriesOf(ben, id))[0]).toMatchObject({
        status: 'pending',
        attempts: 1,
        response_status: null,
      })
    }
    expect(receiver.connections).toBe(0)
    // The port is one where a connection would have been seen.
    await expect(fetch(`https://127.0.0.1:${receiver.port}/`)).rejects.toThrow()
    expect(receiver.connections).toBe(1)
  })

  it('is resolved once an attempt, and connected to where that answer says', async () => {
    let asked = 0
    const resolve: Resolve = async () => {
      asked++
      // Whoever asked again would be sent elsewhere.
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    server.context.webhooks.gate = new AddressGate([loopback], to('127.0.0.1'))
    const url = `http://pinned.invalid:${receiver.port}/a?b=c`
    const { secret } = await newWebhook(ada, url)
    await happen(server, ada)
    await deliverDue(server, newDispatcher(server, resolve))
    expect(asked).toBe(1)
    expect(receiver.received).toMatchObject([
      { path: '/a?b=c', headers: { host: `pinned.invalid:${receiver.port}` } },
    ])
    const [sent] = receiver.received
    expect(sent && verified(secret, sent).type).toBe('billing.payment_failed')
  })

  it('of this machine is its own address', async () => {
    server.context.webhooks.gate = new AddressGate([loopback])
    const { id } = await newWebhook(ada, `http://localhost:${receiver.port}/`)
    await happen(server, ada)
    await deliverDue(server, newDispatcher(server))
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'delivered' }])
  })

  it('is looked up at the name servers, both families, and fails closed when they are silent', async () => {
    const names = await NameServer.start()
    const resolve = resolveByDns([names.address])
    expect(await resolve('hooks.example')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    names.silent = true
    const gate = new AddressGate([loopback, '::1/128'], resolve)
    await expect(gate.addressesOf(new URL('https://other.example/'))).rejects.toThrow('public')
    await names.stop()
  })
})

describe('a test', () => {
  it('is sent whatever the types are, and once', async () => {
    const { body } = await ada.post('/v1/webhooks', {
      url: receiver.url,
      event_types: ['account.export_ready'],
    })
    const { id, secret } = body
    receiver.answerWith(500)
    const tested = (await ada.post(`/v1/webhooks/${id}/test`)).body
    expect(tested).toMatchObject({ event_type: 'webhook.test', status: 'pending', attempts: 0 })
    await deliverDue(server, newDispatcher(server))
    const [sent] = receiver.received
    expect(sent && verified(secret, sent)).toMatchObject({
      type: 'webhook.test',
      organization_id: ada.organizationId,
      environment: 'live',
      data: {},
    })
    expect(await deliveriesOf(ada, id)).toMatchObject([
      { id: tested.id, status: 'failed', attempts: 1, response_status: 500, next_attempt_at: null },
    ])
    expect((await ada.get(`/v1/webhooks/${id}`)).body.status).toBe('active')
  })
})

describe('deliveries', () => {
  it('are sent again on request, under the same id', async () => {
    const { id } = await newWebhook(ada)
    await happen(server, ada)
    await deliverDue(server, newDispatcher(server))
    const [delivery] = await deliveriesOf(ada, id)
    const at = `/v1/webhooks/${id}/deliveries`
    const again = await ada.post(`${at}/${delivery.id}/redeliver`)
    expect(again).toMatchObject({ status: 200, body: { id: delivery.id, status: 'pending', attempts: 0 } })
    await deliverDue(server, newDispatcher(server))
    expect(await deliveriesOf(ada, id)).toMatchObject([{ id: delivery.id, status: 'delivered', attempts: 1 }])
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    for (const unknown of ['none', id]) {
      expect(await ada.post(`${at}/${unknown}/redeliver`)).toMatchObject({
        status: 404,
        body: { detail: 'Delivery not found' },
      })
    }
    await ada.patch(`/v1/webhooks/${id}`, { status: 'disabled' })
    expect((await ada.post(`${at}/${delivery.id}/redeliver`)).status).toBe(409)
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'delivered' }])
  })

  it('are listed newest first, page by page', async () => {
    const { id } = await newWebhook(ada)
    for (let i = 0; i < 7; i++) await ada.post(`/v1/webhooks/${id}/test`)
    const all = (await deliveriesOf(ada, id)).map((each: { id: string }) => each.id)
    expect(all).toHaveLength(7)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await ada.get(`/v1/webhooks/${id}/deliveries?limit=3${cursor}`)
      seen.push(...body.deliveries.map((each: { id: string }) => each.id))
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(all)
    for (const query of ['cursor=none', 'limit=0', 'limit=201', 'cursor=YmVmb3JlOjAx']) {
      expect((await ada.get(`/v1/webhooks/${id}/deliveries?${query}`)).status, query).toBe(422)
    }
  })

  it('are given up with a webhook that is disabled, and go with one that is deleted', async () => {
    const { id } = await newWebhook(ada)
    await happen(server, ada)
    await server.mails()
    await ada.patch(`/v1/webhooks/${id}`, { status: 'disabled' })
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'failed', next_attempt_at: null }])
    await ada.delete(`/v1/webhooks/${id}`)
    const rows = await dumpTables(server.context.database.queries)
    expect(rows.filter(({ text }) => text.includes(id)).map(({ table }) => table)).toEqual([
      'audit_log',
      'audit_log',
      'audit_log',
    ])
  })

  it('that a process had in hand when it died are attempted by another a minute later', async () => {
    const { id } = await newWebhook(ada)
    await happen(server, ada)
    await server.mails()
    const { queries } = server.context.accounts
    const room = { count: 10, perWebhook: 4, inHand: new Map(), shareOfRest: 1 }
    expect(await lease(queries, server.clock.now(), room, 60)).toHaveLength(1)
    await deliverDue(server, newDispatcher(server))
    expect(receiver.received).toEqual([])
    server.clock.advance(61_000)
    await deliverDue(server, newDispatcher(server))
    expect(receiver.received).toHaveLength(1)
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('are forgotten 30 days after they were finished with', async () => {
    const { id } = await newWebhook(ada)
    await happen(server, ada)
    await deliverDue(server, newDispatcher(server))
    await happen(server, ada)
    await server.mails()
    const { queries } = server.context.accounts
    await asTask(queries, 'deliver-webhooks', (trx) =>
      sql`update app.webhook_deliveries set created_at = now() - interval '31 days'`.execute(trx),
    )
    await purgeDeliveries(queries)
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'pending' }])
  })
})

describe('D1 webhooks of a deleted account', () => {
  it('are dead at once, and live again when it is restored', async () => {
    const ben = await newUser(server)
    const admin = await newUser(server, { platformAdmin: true })
    await newWebhook(ben)
    await happen(server, ben)
    await server.mails()
    await ben.delete('/v1/users/me')
    const dispatcher = newDispatcher(server)
    await deliverDue(server, dispatcher)
    server.clock.advance(3_600_000)
    await deliverDue(server, dispatcher)
    expect(receiver.received).toEqual([])
    server.clock.advance(-3_600_000)
    expect((await admin.post(`/v1/admin/users/${ben.userId}/restore`)).status).toBe(200)
    await deliverDue(server, dispatcher)
    expect(receiver.received).toHaveLength(1)
    expect((await ben.signInAgain()).userId).toBe(ben.userId)
    await (await ben.signInAgain()).delete('/v1/users/me')
  })
})

it('a webhook that is deleted while it is answered changes nothing', async () => {
  const { id } = await newWebhook(ada)
  receiver.answer = () => {}
  await happen(server, ada)
  await server.mails()
  const dispatcher = newDispatcher(server)
  await dispatcher.run()
  await until(() => receiver.received.length === 1, 'the request')
  await ada.delete(`/v1/webhooks/${id}`)
  await dispatcher.stop()
  expect(server.logLines.filter((line) => line.includes('not noted'))).toEqual([])
})
