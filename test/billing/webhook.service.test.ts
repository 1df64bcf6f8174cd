import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { limits } from '@memory/shared/catalogue/limits'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { type RawBuilder, sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { auditOf, outboxOf, setPlan } from '../organizations/support.ts'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const path = '/v1/billing/webhook'

let server: TestServer
let provider: Anonymous

beforeAll(async () => {
  server = await startServer({ MEMORY_BILLING_SECRET: secret })
  provider = new Anonymous(server.url)
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close())

interface Sent {
  id?: string
  at?: Date
  by?: string
}

/** Headers that sign a body as the payment provider does. */
function sign(body: string, { id = `msg_${randomUUID()}`, at = new Date(), by = secret }: Sent = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  }
}

function send(event: object, sent?: Sent) {
  const body = JSON.stringify(event)
  return provider.post(path, body, sign(body, sent))
}

const event = (type: string, data: object, timestamp = new Date()) => ({
  type,
  timestamp: timestamp.toISOString(),
  data,
})

const subscribed = ({ organizationId }: User, plan: string, at?: Date) =>
  event('subscription.updated', { organization_id: organizationId, plan }, at)
const unsubscribed = ({ organizationId }: User, at?: Date) =>
  event('subscription.deleted', { organization_id: organizationId }, at)
const paymentFailed = ({ organizationId }: User) =>
  event('invoice.payment_failed', { organization_id: organizationId, invoice: 'in_1' })

const planOf = async (owner: User): Promise<string> =>
  (await owner.get(`/v1/organizations/${owner.organizationId}`)).body.plan

const setDeleted = ({ organizationId }: User, deleted: boolean) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('organizations')
      .set({ deleted_at: deleted ? sql<Date>`now()` : null })
      .where('id', '=', organizationId)
      .execute(),
  )

const handled = { status: 200, body: { message: 'Event handled' } }
const refused = { status: 401, body: { detail: 'Invalid signature' } }

describe('the billing webhook', () => {
  it('says which fields of an event it has ignored, and refuses them when asked to', async () => {
    const ada = await newUser(server)
    const sent = { ...subscribed(ada, 'pro'), id: 'evt_1' }
    const body = JSON.stringify(sent)
    const refused = await provider.post(path, body, { ...sign(body), Prefer: 'handling=strict' })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'id'] }] },
    })
    expect(await planOf(ada)).toBe('free')
    const { status, headers } = await send(sent)
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'body.id'])
    expect(await planOf(ada)).toBe('pro')
  })

  it('changes the plan with the subscription, audited as the system’s doing', async () => {
    const ada = await newUser(server)
    expect(await send(subscribed(ada, 'pro'))).toMatchObject(handled)
    expect(await planOf(ada)).toBe('pro')
    expect(await send(unsubscribed(ada))).toMatchObject(handled)
    expect(await planOf(ada)).toBe('free')
    expect(await auditOf(server, ada, /^plan_changed$/)).toMatchObject([
      { actor: 'system', actor_id: null, details: { from: 'free', to: 'pro' } },
      { actor: 'system', actor_id: null, details: { from: 'pro', to: 'free' } },
    ])
  })

  it('tells of a failed payment through the outbox', async () => {
    const ada = await newUser(server)
    const id = `msg_${randomUUID()}`
    expect(await send(paymentFailed(ada), { id })).toMatchObject(handled)
    expect(await outboxOf(server, ada, 'billing.payment_failed')).toEqual([
      { type: 'billing.payment_failed', payload: { webhookId: id } },
    ])
    expect(await planOf(ada)).toBe('free')
  })

  it('handles an event once, whether repeated later or 10 times at once', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const id = `msg_${randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(paymentFailed(ada), { id })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const messages = answers.map(({ body }) => body.message)
    expect(messages.toSorted()).toEqual(['Event handled', ...Array(9).fill('Event handled before')])
    expect((await send(paymentFailed(ada), { id })).body.message).toBe('Event handled before')
    expect(await outboxOf(server, ada, 'billing.payment_failed')).toHaveLength(1)
    // The id is what counts, whatever comes with it.
    expect((await send(subscribed(ben, 'pro'), { id })).body.message).toBe('Event handled before')
    expect(await planOf(ben)).toBe('free')
  })

  it('notes an event in the transaction of its effect: what failed is done when it is repeated', async () => {
    const ada = await newUser(server)
    const id = `msg_${randomUUID()}`
    await setDeleted(ada, true)
    expect((await send(paymentFailed(ada), { id })).status).toBe(404)
    await setDeleted(ada, false)
    expect(await send(paymentFailed(ada), { id })).toMatchObject(handled)
    expect(await outboxOf(server, ada, 'billing.payment_failed')).toHaveLength(1)
  })

  it('passes over a change that arrives after a later one', async () => {
    const ada = await newUser(server)
    const now = Date.now()
    const ago = (seconds: number) => new Date(now - seconds * 1_000)
    expect(await send(subscribed(ada, 'pro', ago(100)))).toMatchObject(handled)
    expect(await send(unsubscribed(ada, ago(50)))).toMatchObject(handled)
    expect(await send(subscribed(ada, 'scale', ago(80)))).toMatchObject({
      status: 200,
      body: { message: 'A later event was handled before' },
    })
    expect(await planOf(ada)).toBe('free')
    expect(await send(subscribed(ada, 'starter', ago(50)))).toMatchObject(handled)
    expect(await planOf(ada)).toBe('starter')
  })

  it('passes over a change of before one that who runs the service made', async () => {
    const [ada, admin] = [await newUser(server), await newUser(server, { platformAdmin: true })]
    const before = new Date(Date.now() - 100_000)
    const path = `/v1/admin/organizations/${ada.organizationId}/plan`
    expect((await admin.put(path, { plan: 'enterprise' })).status).toBe(200)
    expect((await send(subscribed(ada, 'starter', before))).body.message).toBe(
      'A later event was handled before',
    )
    expect(await planOf(ada)).toBe('enterprise')
    expect(await send(subscribed(ada, 'pro', new Date(Date.now() + 1_000)))).toMatchObject(handled)
    expect(await planOf(ada)).toBe('pro')
  })

  const minutes = (count: number) => new Date(Date.now() + count * 60_000)

  it('refuses an event of the future, of whatever type, so that true ones count', async () => {
    const ada = await newUser(server)
    const later = [
      minutes(6),
      minutes(60 * 24),
      minutes(60 * 24 * 365 * 5),
      new Date('9999-12-31T23:59:59.999Z'),
    ]
    for (const at of later) {
      for (const each of [
        subscribed(ada, 'enterprise', at),
        unsubscribed(ada, at),
        { ...paymentFailed(ada), timestamp: at.toISOString() },
      ]) {
        const id = `msg_${randomUUID()}`
        const answer = await send(each, { id })
        expect(answer.status, JSON.stringify(each)).toBe(422)
        expect(answer.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'timestamp'] }])
        // It is not noted: sent again with its true date it counts.
        expect(await send(subscribed(ada, 'starter'), { id })).toMatchObject(handled)
      }
    }
    expect(await planOf(ada)).toBe('starter')
    expect(await outboxOf(server, ada, 'billing.payment_failed')).toEqual([])
  })

  it('refuses what is no date', async () => {
    const ada = await newUser(server)
    for (const timestamp of [
      'NaN',
      '',
      '10000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      1e30,
      -1,
      null,
      {},
      '1e999',
    ]) {
      const answer = await send({ ...subscribed(ada, 'pro'), timestamp })
      expect(answer.status, JSON.stringify(timestamp)).toBe(422)
    }
    expect(await planOf(ada)).toBe('free')
  })

  it('takes one whose date is ahead by less than clocks may differ, and old ones as old', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    expect(await send(subscribed(ada, 'pro', minutes(4)))).toMatchObject(handled)
    expect(await planOf(ada)).toBe('pro')
    expect(await send(subscribed(ben, 'pro', new Date('0001-01-01T00:00:00Z')))).toMatchObject(handled)
    expect(await send(subscribed(ben, 'scale'))).toMatchObject(handled)
    expect((await send(subscribed(ben, 'free', new Date('1970-01-01T00:00:00Z')))).body.message).toBe(
      'A later event was handled before',
    )
    expect(await planOf(ben)).toBe('scale')
  })

  it('lets no date of the future that was noted before stand in the way of true events', async () => {
    const ada = await newUser(server)
    const { organizationId } = ada
    const poison = (at: string) =>
      asTenant(server.context.database.queries, { organizationId }, (trx) =>
        sql`update app.organizations set billed_at = ${at}::timestamptz where id = ${organizationId}`.execute(
          trx,
        ),
      )
    for (const at of [
      minutes(10).toISOString(),
      '2099-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      'infinity',
    ]) {
      await poison(at)
      expect(await send(subscribed(ada, 'pro')), at).toMatchObject(handled)
      expect(await planOf(ada)).toBe('pro')
      expect((await send(subscribed(ada, 'scale', minutes(-1)))).body.message).toBe(
        'A later event was handled before',
      )
      await poison(at)
      expect(await send(unsubscribed(ada)), at).toMatchObject(handled)
      expect(await planOf(ada)).toBe('free')
    }
  })

  it('follows the subscription of a deleted organization, which may come back', async () => {
    const ada = await newUser(server)
    await setPlan(server, ada, 'pro')
    await setDeleted(ada, true)
    expect(await send(unsubscribed(ada))).toMatchObject(handled)
    await setDeleted(ada, false)
    expect(await planOf(ada)).toBe('free')
  })

  it('passes over events of other types', async () => {
    const ada = await newUser(server)
    for (const type of ['invoice.paid', 'constructor', '__proto__', 'SUBSCRIPTION.UPDATED']) {
      const answer = await send({ ...subscribed(ada, 'pro'), type, data: 5 })
      expect(answer, type).toMatchObject({
        status: 200,
        body: { message: expect.stringContaining('passed over') },
      })
    }
    expect(await planOf(ada)).toBe('free')
  })

  it('answers 404 for an organization that is unknown, and handles the event once it is there', async () => {
    const organization_id = randomUUID()
    for (const type of ['subscription.deleted', 'invoice.payment_failed']) {
      expect(await send(event(type, { organization_id }))).toMatchObject({
        status: 404,
        body: { detail: 'Organization not found' },
      })
    }
  })

  it('forgets ids after 90 days', async () => {
    const ada = await newUser(server)
    const id = `msg_${randomUUID()}`
    const events = (statement: RawBuilder<{ webhook_id: string }>) =>
      asTask(server.context.database.queries, 'handle-billing', (trx) => statement.execute(trx))
    const age = async (days: number) => {
      await events(sql`delete from app.billing_events where webhook_id = ${id}`)
      await events(sql`insert into app.billing_events (webhook_id, received_at)
        values (${id}, now() - make_interval(days => ${days}))`)
    }
    await age(89)
    expect((await send(paymentFailed(ada), { id })).body.message).toBe('Event handled before')
    await age(91)
    await send(paymentFailed(ada))
    const { rows } = await events(sql`select webhook_id from app.billing_events where webhook_id = ${id}`)
    expect(rows).toEqual([])
  })
})

describe('the signature', () => {
  it('of nobody, of another secret, of another body, id or time is refused', async () => {
    const ada = await newUser(server)
    const body = JSON.stringify(subscribed(ada, 'enterprise'))
    const good = sign(body)
    const other = sign(body, { by: `whsec_${randomBytes(32).toString('base64')}` })
    const { 'webhook-signature': signature, ...unsigned } = good
    const minutes = (count: number) => new Date(Date.now() + count * 60_000)
    for (const [what, headers, sent] of [
      ['none', {}, body],
      ['no signature', unsigned, body],
      ['an empty one', { ...good, 'webhook-signature': '' }, body],
      ['no comma', { ...good, 'webhook-signature': 'v1' }, body],
      ['a wrong one', { ...good, 'webhook-signature': 'v1,AAAA' }, body],
      ['of the asymmetric version', { ...good, 'webhook-signature': signature.replace('v1,', 'v1a,') }, body],
      ['another secret', other, body],
      ['another body', good, body.replace('enterprise', 'pro')],
      ['a space more', good, `${body} `],
      ['another id', { ...good, 'webhook-id': 'msg_other' }, body],
      ['another time', { ...good, 'webhook-timestamp': '1' }, body],
      ['no time', { ...good, 'webhook-timestamp': 'now' }, body],
      ['an old time', sign(body, { at: minutes(-6) }), body],
      ['a future time', sign(body, { at: minutes(6) }), body],
    ] as [string, Record<string, string>, string][]) {
      expect(await provider.post(path, sent, headers), what).toMatchObject(refused)
    }
    expect(await planOf(ada)).toBe('free')
    const several = { ...good, 'webhook-signature': `${other['webhook-signature']} ${signature}` }
    expect(await provider.post(path, body, several)).toMatchObject(handled)
  })

  it('comes before the fields', async () => {
    for (const [body, status] of [
      ['{}', 422],
      ['[]', 422],
      ['null', 422],
      ['{"type": 5}', 422],
    ] as const) {
      expect(await provider.post(path, body)).toMatchObject(refused)
      expect((await provider.post(path, body, sign(body))).status, body).toBe(status)
    }
  })

  it.each<[string, object, string, (string | number)[]]>([
    ['no organization', { plan: 'pro' }, 'missing', ['body', 'data', 'organization_id']],
    [
      'a malformed one',
      { organization_id: '1', plan: 'pro' },
      'uuid_parsing',
      ['body', 'data', 'organization_id'],
    ],
    ['no plan', { organization_id: randomUUID() }, 'missing', ['body', 'data', 'plan']],
    ['an unknown plan', { organization_id: randomUUID(), plan: 'gold' }, 'enum', ['body', 'data', 'plan']],
  ])('does not make an event valid that has %s', async (_what, data, type, loc) => {
    const answer = await send(event('subscription.updated', data))
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type, loc }])
  })

  it('does not make a body acceptable that is too large, no JSON or without a type', async () => {
    const large = JSON.stringify({ type: 'invoice.paid', padding: 'x'.repeat(64 * 1024) })
    expect((await provider.post(path, large, sign(large))).status).toBe(413)
    expect((await provider.post(path, '{', sign('{'))).status).toBe(400)
    expect((await provider.post(path, '{}', { ...sign('{}'), 'Content-Type': 'text/plain' })).status).toBe(
      400,
    )
  })
})

it('without a secret there is no billing webhook', async () => {
  const other = await startServer()
  try {
    const body = JSON.stringify(event('invoice.paid', {}))
    expect(await new Anonymous(other.url).post(path, body, sign(body))).toMatchObject({
      status: 404,
      body: { detail: 'Not Found' },
    })
  } finally {
    await other.close()
  }
})

it('F9 whoever sends slowly holds no turn of its address before the signature is checked', async () => {
  const { promise: allArrived, resolve } = Promise.withResolvers<void>()
  let [arrived, ended] = [0, 0]
  const slow = Array.from({ length: limits.requestsInHand }, () => {
    // The service says that it waits for the body, which never comes.
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 2, Expect: '100-continue' }
    const sending = request(server.url + path, { method: 'POST', headers })
    sending.on('error', () => {})
    sending.once('close', () => ended++)
    sending.once('continue', () => ++arrived === limits.requestsInHand && resolve())
    sending.flushHeaders()
    return sending
  })
  try {
    await allArrived
    expect((await send(event('customer.created', {}))).status).toBe(200)
    // Nor was it answered because the service gave up waiting for them.
    expect(ended).toBe(0)
  } finally {
    for (const each of slow) each.destroy()
  }
})
