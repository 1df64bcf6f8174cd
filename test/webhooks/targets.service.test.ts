import { AddressGate, type Resolve, resolveByDns } from '@memory/identity/webhooks/address-gate'
import { purgeDeliveries } from '@memory/identity/webhooks/deliveries'
import { lease } from '@memory/identity/webhooks/delivery-store'
import { notify } from '@memory/shared/notifications/notify'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
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
    notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'msg_1' }),
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
    const gate = new AddressGate([loopback, '::1/128'], resolveByDns([names.address], 100))
    await expect(gate.addressesOf(new URL('https://other.example/'))).rejects.toThrow('does not resolve')
    await names.stop()
  })

  it('that is being looked up holds up no stop; its delivery is due again at once', async () => {
    server.context.webhooks.gate = new AddressGate([loopback], to('127.0.0.1'))
    const { id } = await newWebhook(ada, `http://silent.invalid:${receiver.port}/`)
    await happen(server, ada)
    await server.mails()
    const asked = Promise.withResolvers<void>()
    const dispatcher = newDispatcher(server, () => {
      asked.resolve()
      return new Promise(() => {})
    })
    await dispatcher.run()
    await asked.promise
    await dispatcher.stop()
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'pending', attempts: 0 }])
    await deliverDue(server, newDispatcher(server, to('127.0.0.1')))
    expect(await deliveriesOf(ada, id)).toMatchObject([{ status: 'delivered' }])
  })

  it('that does not resolve now is accepted, is not connected to, and is delivered to once it resolves', async () => {
    let found: string[] = []
    const resolve: Resolve = (host) => to(...found)(host)
    server.context.webhooks.gate = new AddressGate([loopback], resolve)
    const url = `http://later.invalid:${receiver.port}/hook`
    const made = await ada.post('/v1/webhooks', { url })
    expect(made).toMatchObject({ status: 201, body: { url, status: 'active' } })
    const { id } = await newWebhook(ada)
    expect(await ada.patch(`/v1/webhooks/${id}`, { url })).toMatchObject({ status: 200, body: { url } })
    await ada.delete(`/v1/webhooks/${id}`)
    await happen(server, ada)
    const dispatcher = newDispatcher(server, resolve)
    const logged = server.logLines.length
    await deliverDue(server, dispatcher)
    expect(await deliveriesOf(ada, made.body.id)).toMatchObject([
      { status: 'pending', attempts: 1, response_status: null, response_body: null },
    ])
    expect(server.logLines.slice(logged).join('')).toContain('"reason":"does not resolve"')
    found = ['10.0.0.1']
    server.clock.advance(6_000)
    await deliverDue(server, dispatcher)
    expect(server.logLines.slice(logged).join('')).toContain('"reason":"not https"')
    found = ['127.0.0.1']
    server.clock.advance(331_000)
    await deliverDue(server, dispatcher)
    expect(receiver.received).toHaveLength(1)
    expect((await deliveriesOf(ada, made.body.id))[0]).toMatchObject({ status: 'delivered', attempts: 3 })
    server.clock.advance(-337_000)
  })

  it('that does not resolve is accepted without opened ranges too, by https alone, and told from one that is not public', async () => {
    const ben = await newUser(strict)
    const create = (url: string) => ben.post('/v1/webhooks', { url })
    strict.context.webhooks.gate = new AddressGate([], async () => {
      throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
    })
    expect((await create('https://later.example/hook')).status).toBe(201)
    expect((await create('http://later.example/hook')).body.detail[0]).toMatchObject({
      msg: expect.stringContaining('must use https'),
      ctx: { rule: 'url_https' },
    })
    for (const host of ['127.0.0.1', 'db.internal', 'localhost', '[::1]']) {
      expect(await create(`https://${host}/hook`), host).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'url'], msg: expect.stringContaining('must lead to a public') }] },
      })
    }
    strict.context.webhooks.gate = new AddressGate([], to('1.1.1.1', '10.0.0.1'))
    expect((await create('https://half.example/hook')).status).toBe(422)
    await happen(strict, ben)
    const logged = strict.logLines.length
    await deliverDue(strict, newDispatcher(strict, to('10.0.0.1')))
    expect(strict.logLines.slice(logged).join('')).toContain('"reason":"not public"')
    await ben.delete('/v1/users/me')
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
    expect(tested).toEqual({
      id: expect.any(String),
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      response_status: null,
      response_body: null,
      duration_ms: null,
      next_attempt_at: expect.any(String),
      created_at: expect.any(String),
    })
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
  it('show the webhook-id that the receiver saw, and the last answer with its duration', async () => {
    const { id } = await newWebhook(ada)
    receiver.answer = (response) => response.writeHead(500).end('try again')
    await happen(server, ada)
    const dispatcher = newDispatcher(server)
    await deliverDue(server, dispatcher)
    const [failed] = await deliveriesOf(ada, id)
    expect(failed).toMatchObject({
      event_id: receiver.received[0]?.headers['webhook-id'],
      response_status: 500,
      response_body: 'try again',
      duration_ms: expect.any(Number),
    })
    expect(Number.isInteger(failed.duration_ms)).toBe(true)
    receiver.answer = (response) => response.end()
    server.clock.advance(6_000)
    await deliverDue(server, dispatcher)
    expect(await deliveriesOf(ada, id)).toMatchObject([
      { event_id: failed.event_id, status: 'delivered', response_status: 200, response_body: '' },
    ])
    receiver.answer = (response) => response.destroy()
    const again = await ada.post(`/v1/webhooks/${id}/deliveries/${failed.id}/redeliver`)
    expect(again.body).toMatchObject({ event_id: failed.event_id, status: 'pending', attempts: 0 })
    await deliverDue(server, dispatcher)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([failed.event_id]),
    )
    expect(await deliveriesOf(ada, id)).toMatchObject([
      { attempts: 1, response_status: null, response_body: null, duration_ms: expect.any(Number) },
    ])
    server.clock.advance(-6_000)
  })

  it('show any bytes as text, 1 KiB of them, of answers that succeed and that fail', async () => {
    const { id } = await newWebhook(ada)
    const dispatcher = newDispatcher(server)
    for (const [bytes, shown] of [
      [
        Buffer.from('NUL \0, ESC \u001b, "quotes", \\, {curly}, NULL, é😀'),
        'NUL \uFFFD, ESC \u001b, "quotes", \\, {curly}, NULL, é😀',
      ],
      [Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0x21]), 'ok\uFFFD\uFFFD!'],
      [Buffer.from('€'.repeat(2_000)), '€'.repeat(341)],
      [Buffer.from('NULL'), 'NULL'],
      [Buffer.alloc(5_000, 0), '\uFFFD'.repeat(341)],
    ] as const) {
      for (const status of [200, 400]) {
        receiver.answer = (response) => response.writeHead(status).end(bytes)
        await happen(server, ada)
        await deliverDue(server, dispatcher)
        expect((await deliveriesOf(ada, id))[0]).toMatchObject({
          response_status: status,
          response_body: shown,
        })
      }
    }
    expect(server.logLines.join('')).not.toContain('curly')
  })

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
    const slots = { count: 10, perOrganization: 10, shareOfRest: 1 }
    const suspects = { organizationIds: [], quickWebhookIds: [] }
    const room = { quick: slots, slow: slots, perWebhook: 4, inHand: [], suspects }
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
