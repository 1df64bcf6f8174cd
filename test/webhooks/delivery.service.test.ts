import type { Dispatcher } from '@memory/identity/webhooks/dispatcher'
import { fanOut, type WebhookEvent } from '@memory/identity/webhooks/fan-out'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditOf } from '../organizations/support.ts'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver, signaturesOf, verified } from './receiver.ts'
import { deliverDue, loopback, newDispatcher } from './support.ts'

let server: TestServer
let receiver: Receiver
let dispatcher: Dispatcher
let ada: User

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
})

beforeEach(async () => {
  receiver = await Receiver.start()
  dispatcher = newDispatcher(server)
  // The clock is ahead of the tokens of an earlier test.
  ada = await newUser(server)
})

afterEach(async () => {
  await dispatcher.stop()
  await ada.delete('/v1/users/me')
  await receiver.stop()
})

afterAll(() => server.close())

const deliver = () => deliverDue(server, dispatcher)

const newWebhook = async (owner: User, body: object = {}): Promise<{ id: string; secret: string }> => {
  const answer = await owner.post('/v1/webhooks', { url: receiver.url, ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

/** Has something happen to the organization. */
const happen = ({ organizationId }: User) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'msg_1' }),
  )

interface Delivery {
  id: string
  event_type: string
  status: string
  attempts: number
  response_status: number | null
  next_attempt_at: string | null
}

/** As the database has them: access tokens do not live as long as retries take. */
const deliveriesOf = ({ organizationId }: User): Promise<Delivery[]> =>
  asTenant(server.context.database.queries, { organizationId }, async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('webhook_deliveries')
      .selectAll()
      .orderBy('n', 'desc')
      .execute()
    return rows.map((row) => ({ ...row, next_attempt_at: row.next_attempt_at?.toISOString() ?? null }))
  })

const statusOf = ({ organizationId }: User, id: string) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx.withSchema('app').selectFrom('webhooks').select('status').where('id', '=', id).executeTakeFirst(),
  ).then((row) => row?.status)

describe('an event', () => {
  it('W1 is sent signed, as the reference library verifies it', async () => {
    const { id, secret } = await newWebhook(ada)
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 }, { 'X-Memory-Environment': 'test' })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    const [sent] = receiver.received
    if (sent === undefined) return
    expect(verified(secret, sent)).toEqual({
      id: sent.headers['webhook-id'],
      type: 'memory.regime_changed',
      timestamp: expect.stringMatching(/^20.+Z$/),
      organization_id: ada.organizationId,
      environment: 'test',
      data: { previous_regime: 'normal', new_regime: 'anomaly' },
    })
    expect(sent.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'memory-service' })
    expect(sent.headers['webhook-id']).toMatch(/^evt_[0-9a-f-]{36}$/)
    expect(() => verified(secret, { ...sent, body: `${sent.body} ` })).toThrow()
    const { body } = await ada.get(`/v1/webhooks/${id}/deliveries`)
    expect(body).toMatchObject({
      deliveries: [
        {
          event_type: 'memory.regime_changed',
          status: 'delivered',
          attempts: 1,
          response_status: 200,
          next_attempt_at: null,
        },
      ],
      next_cursor: null,
    })
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  it('goes to the webhooks that ask for its type and are active, to each once', async () => {
    const all = await newWebhook(ada)
    const asking = await newWebhook(ada, { event_types: ['billing.payment_failed'] })
    await newWebhook(ada, { event_types: ['memory.regime_changed'] })
    const disabled = await newWebhook(ada)
    await ada.patch(`/v1/webhooks/${disabled.id}`, { status: 'disabled' })
    await happen(ada)
    await deliver()
    expect(receiver.received).toHaveLength(2)
    for (const { secret } of [all, asking]) {
      expect(receiver.received.filter((sent) => signaturesOf(secret, sent) === 1)).toHaveLength(1)
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('is queued once, however often it leaves the outbox', async () => {
    await newWebhook(ada)
    const event = {
      eventId: '3f0c8d5e-1111-4222-8333-444455556666',
      organizationId: ada.organizationId,
      createdAt: new Date(),
    }
    const { accounts } = server.context
    const told: WebhookEvent = { type: 'billing.payment_failed', payload: { webhookId: 'x' }, event }
    for (let i = 0; i < 3; i++) await fanOut(accounts, [told, told])
    await deliver()
    await fanOut(accounts, [told])
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  it('is attempted by one of several processes', async () => {
    await newWebhook(ada)
    for (let i = 0; i < 12; i++) await happen(ada)
    await server.mails()
    const others = [newDispatcher(server), newDispatcher(server), newDispatcher(server)]
    for (let round = 0; round < 5; round++) {
      await Promise.all(others.map((each) => each.run()))
      await Promise.all(others.map((each) => each.idle()))
    }
    expect(receiver.received).toHaveLength(12)
    expect((await deliveriesOf(ada)).every(({ attempts }) => attempts === 1)).toBe(true)
  })
})

describe('W2 a rotated secret', () => {
  it('signs beside the new one for 24 hours', async () => {
    const { id, secret: old } = await newWebhook(ada)
    const { secret } = (await ada.post(`/v1/webhooks/${id}/rotate-secret`)).body
    expect(secret).not.toBe(old)
    const signatures = async () => {
      await happen(ada)
      await deliver()
      const sent = receiver.received.at(-1)
      return sent && [signaturesOf(secret, sent), signaturesOf(old, sent)]
    }
    expect(await signatures()).toEqual([1, 1])
    server.clock.advance(23.9 * 3_600_000)
    expect(await signatures()).toEqual([1, 1])
    server.clock.advance(0.2 * 3_600_000)
    expect(await signatures()).toEqual([1, 0])
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  it('that is rotated twice signs no more', async () => {
    const { id, secret: first } = await newWebhook(ada)
    const { secret: second } = (await ada.post(`/v1/webhooks/${id}/rotate-secret`)).body
    const { secret: third } = (await ada.post(`/v1/webhooks/${id}/rotate-secret`)).body
    await happen(ada)
    await deliver()
    const [sent] = receiver.received
    expect(sent && [first, second, third].map((secret) => signaturesOf(secret, sent))).toEqual([0, 1, 1])
  })
})

describe('W3 an attempt', () => {
  it('that fails is repeated 9 times, later and later; then the webhook is disabled and its owners know', async () => {
    const { id, secret } = await newWebhook(ada)
    receiver.answerWith(500)
    await happen(ada)
    await deliver()
    const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [i, seconds] of delays.entries()) {
      expect(receiver.received).toHaveLength(i + 1)
      const [{ next_attempt_at, ...pending } = {} as Delivery] = await deliveriesOf(ada)
      expect(pending).toMatchObject({ status: 'pending', attempts: i + 1, response_status: 500 })
      const wait = (Date.parse(next_attempt_at as string) - server.clock.now().getTime()) / 1_000
      expect(wait).toBeGreaterThan(seconds - 3)
      expect(wait).toBeLessThanOrEqual(seconds)
      server.clock.advance((wait - 1) * 1_000)
      if (i > 0) {
        await deliver()
        expect(receiver.received).toHaveLength(i + 1)
      }
      expect(await statusOf(ada, id)).toBe('active')
      if (i === delays.length - 1) await happen(ada)
      server.clock.advance(1_500)
      await deliver()
    }
    const attempts = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === receiver.received[0]?.headers['webhook-id'],
    )
    expect(attempts).toHaveLength(10)
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1)
    expect(new Set(attempts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(attempts.map((sent) => signaturesOf(secret, sent))).toEqual(Array(10).fill(1))
    expect(await statusOf(ada, id)).toBe('disabled')
    expect((await deliveriesOf(ada)).map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(await auditOf(server, ada, /^webhook_disabled$/)).toMatchObject([
      { actor: 'system', target: id, details: { reason: 'failing', host: `127.0.0.1:${receiver.port}` } },
    ])
    const mail = (await server.mails()).findLast(({ to }) => to === ada.email)
    expect(mail).toMatchObject({ subject: 'A webhook was disabled' })
    expect(mail?.text.replaceAll('\n', ' ')).toContain('could not be delivered in ten attempts')
    expect(mail?.text).not.toContain('/hook')
    const before = receiver.received.length
    await happen(ada)
    await deliver()
    expect(receiver.received).toHaveLength(before)
  })

  it.each([
    { answered: 200, becomes: 'delivered' },
    { answered: 500, becomes: 'failed' },
  ])(
    'is noted where its webhook was disabled meanwhile, answered with $answered',
    async ({ answered, becomes }) => {
      const { id } = await newWebhook(ada)
      receiver.answer = async (response) => {
        await ada.patch(`/v1/webhooks/${id}`, { status: 'disabled' })
        response.writeHead(answered).end()
      }
      await happen(ada)
      await deliver()
      await until(async () => (await deliveriesOf(ada))[0]?.attempts === 1, 'the attempt to be noted')
      expect(await deliveriesOf(ada)).toMatchObject([
        { status: becomes, response_status: answered, next_attempt_at: null },
      ])
    },
  )

  it('that is answered 410 disables at once', async () => {
    const { id } = await newWebhook(ada)
    receiver.answerWith(410)
    await happen(ada)
    await deliver()
    expect(await statusOf(ada, id)).toBe('disabled')
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'failed', attempts: 1, response_status: 410 }])
    expect(await auditOf(server, ada, /^webhook_disabled$/)).toMatchObject([{ details: { reason: 'gone' } }])
    const mails = (await server.mails()).filter(({ to }) => to === ada.email)
    expect(mails.at(-1)?.text.replaceAll('\n', ' ')).toContain('gone for good')
  })

  it.each([
    { answered: 410, failedBefore: 0 },
    { answered: 500, failedBefore: 9 },
  ])(
    'that is answered $answered after $failedBefore failures, when its webhook leads elsewhere by then, is made there',
    async ({ answered, failedBefore }) => {
      const { id } = await newWebhook(ada)
      const moved = `${receiver.url}/moved`
      receiver.answer = async (response, { path }) => {
        if (moved.endsWith(path)) response.end()
        else {
          await ada.patch(`/v1/webhooks/${id}`, { url: moved })
          response.writeHead(answered).end()
        }
      }
      await happen(ada)
      await server.mails()
      await asTenant(server.context.database.queries, ada, (trx) =>
        trx.withSchema('app').updateTable('webhook_deliveries').set({ attempts: failedBefore }).execute(),
      )
      await deliver()
      expect(await statusOf(ada, id)).toBe('active')
      await deliver()
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook/moved'])
      expect(await deliveriesOf(ada)).toMatchObject([{ status: 'delivered', attempts: failedBefore + 2 }])
      expect(await auditOf(server, ada, /^webhook_disabled$/)).toEqual([])
    },
  )

  it('that was given up leaves a webhook as it is that is active again, though it is answered 410', async () => {
    const { id } = await newWebhook(ada)
    receiver.answer = async (response) => {
      for (const status of ['disabled', 'active']) await ada.patch(`/v1/webhooks/${id}`, { status })
      response.writeHead(410).end()
    }
    await happen(ada)
    await deliver()
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'failed', attempts: 1, response_status: 410 }])
    expect(await statusOf(ada, id)).toBe('active')
  })

  it('waits as long as Retry-After says, in seconds or until a date, and no longer than a day', async () => {
    await newWebhook(ada)
    const inSeconds = async (header: string) => {
      receiver.answerWith(503, { 'Retry-After': header })
      await happen(ada)
      await deliver()
      const [{ next_attempt_at }] = (await deliveriesOf(ada)) as [Delivery]
      return (Date.parse(next_attempt_at as string) - server.clock.now().getTime()) / 1_000
    }
    const about = (seconds: number) => (value: number) => Math.abs(value - seconds) < 3
    const at = new Date(server.clock.now().getTime() + 900_000).toUTCString()
    expect(await inSeconds('120')).toSatisfy(about(120))
    expect(await inSeconds(at)).toSatisfy(about(900))
    expect(await inSeconds('999999999')).toSatisfy(about(86_400))
    for (const header of ['1', 'soon', '-5', '1e9', '']) {
      expect(await inSeconds(header), header).toSatisfy(about(5))
    }
  })

  it('fails at a redirect, which is not followed', async () => {
    await newWebhook(ada)
    const other = await Receiver.start()
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answerWith(status, { Location: other.url })
      await happen(ada)
      await deliver()
      expect((await deliveriesOf(ada))[0]).toMatchObject({ status: 'pending', response_status: status })
    }
    expect(other.received).toEqual([])
    await other.stop()
  })

  it('fails where nobody listens, or the connection breaks', async () => {
    const { id } = await newWebhook(ada)
    receiver.answer = (response) => response.destroy()
    await happen(ada)
    await deliver()
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'pending', attempts: 1, response_status: null }])
    await receiver.stop()
    server.clock.advance(6_000)
    await deliver()
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'pending', attempts: 2, response_status: null }])
    expect(await statusOf(ada, id)).toBe('active')
    receiver = await Receiver.start()
  })

  it('W5 reads 64 KiB of an endless answer, and shows 1 KiB of it', async () => {
    const { id } = await newWebhook(ada)
    let closed = false
    let written = 0
    receiver.answer = (response) => {
      response.on('close', () => {
        closed = true
      })
      const more = () => {
        while (!closed && response.write('the body of a stranger '.repeat(100))) written += 2_300
      }
      response.on('drain', more)
      more()
    }
    await happen(ada)
    await deliver()
    await until(() => closed, 'the end of the connection')
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'delivered', response_status: 200 }])
    // What buffers hold is sent, and no more.
    expect(written).toBeLessThan(20_000_000)
    const { body } = await ada.get(`/v1/webhooks/${id}/deliveries`)
    expect(body.deliveries[0].response_body).toBe('the body of a stranger '.repeat(100).slice(0, 1024))
    expect(server.logLines.join('')).not.toContain('stranger')
  })

  it('that the end of the process interrupts is none', async () => {
    await newWebhook(ada)
    receiver.answer = () => {}
    await happen(ada)
    await server.mails()
    await dispatcher.run()
    await until(() => receiver.received.length === 1, 'the request')
    await dispatcher.stop()
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'pending', attempts: 0 }])
    receiver.answerWith(204)
    dispatcher = newDispatcher(server)
    await deliver()
    expect(await deliveriesOf(ada)).toMatchObject([
      { status: 'delivered', attempts: 1, response_status: 204 },
    ])
  })
})
