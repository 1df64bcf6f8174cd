import { randomUUID } from 'node:crypto'
import {
  AuthenticationError,
  MemoryClient,
  NotFoundError,
  PermissionError,
  project,
  RateLimitError,
  signWebhook,
  type Tokens,
  ValidationError,
} from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { rejection } from './support.ts'

const billingSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

let server: TestServer

beforeAll(async () => {
  server = await startServer({ MEMORY_BILLING_SECRET: billingSecret })
})

afterAll(() => server.close())

/** A client that never waits: what would be retried is seen at once. */
async function newMemory(options?: Parameters<TestServer['newClient']>[0]): Promise<MemoryClient> {
  const { key } = await server.newClient(options)
  return new MemoryClient({ apiKey: key, baseUrl: `${server.url}/`, wait: async () => {} })
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('contexts', () => {
  it('are told again only where they have changed', async () => {
    const memory = await newMemory()
    await memory.text.store({ text: 'Never book a seat at the window.', protected: true })
    const { etag, text } = await memory.text.context()
    expect(text).toContain('Never book a seat at the window.')
    expect(await memory.text.context({}, { ifNoneMatch: etag })).toBeUndefined()
    await memory.text.store({ text: 'Book a seat at the aisle.', protected: true })
    const changed = await memory.text.context({}, { ifNoneMatch: etag })
    expect(changed?.lines.standing).toBe(2)
    expect(changed?.etag).not.toBe(etag)
  })
})

describe('texts', () => {
  it('are stored, found, changed and forgotten', async () => {
    const memory = await newMemory()
    const { pattern_id, patterns_used } = await memory.text.store({
      text: 'Ada moved to Lisbon in May.',
      metadata: { user: 'ada' },
    })
    await memory.text.batchStore({ items: [{ text: 'Ben plays the cello.', metadata: { user: 'ben' } }] })
    expect(patterns_used).toBe(1)
    const { results } = await memory.text.recall({ query: 'Where does Ada live?', filter: { user: 'ada' } })
    expect(results.map((each) => each.pattern_id)).toEqual([pattern_id])
    await memory.patterns.feedback({ pattern_id, useful: true, query: 'Where does Ada live?' })
    await memory.patterns.update(pattern_id, { text: 'Ada moved to Porto in June.' })
    expect((await memory.patterns.get(pattern_id)).text).toBe('Ada moved to Porto in June.')
    const { similarity } = await memory.text.similarity({ text_a: 'a cello', text_b: 'a cello' })
    expect(similarity).toBeCloseTo(1, 3)
    expect((await memory.text.forget({ filter: { user: 'ada' } })).pattern_ids).toEqual([pattern_id])
    expect((await memory.text.stats()).total_patterns).toBe(1)
    expect(await rejection(memory.patterns.get(pattern_id))).toBeInstanceOf(NotFoundError)
  })

  it('are stored once under an idempotency key', async () => {
    const memory = await newMemory()
    const replayed: (string | null)[] = []
    const store = () =>
      memory.text.store(
        { text: 'Stored once.' },
        {
          idempotencyKey: 'the same',
          onAnswer: ({ headers }) => replayed.push(headers.get('idempotent-replay')),
        },
      )
    expect(await store()).toEqual(await store())
    expect(replayed).toEqual([null, 'true'])
    expect((await memory.text.stats()).total_patterns).toBe(1)
  })

  it('are stored once when the answer of the first attempt is lost', async () => {
    const { key } = await server.newClient()
    let attempts = 0
    const memory = new MemoryClient({
      apiKey: key,
      baseUrl: server.url,
      wait: async () => {},
      // The proxy in between fails after the service has answered.
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        return attempts++ === 0 ? new Response('<html>', { status: 502 }) : response
      },
    })
    const { pattern_id } = await memory.text.store({ text: 'Stored once.' })
    expect(attempts).toBe(2)
    const patterns = await collect(memory.patterns.all())
    expect(patterns.map((each) => each.pattern_id)).toEqual([pattern_id])
  })

  it('are listed page after page', async () => {
    const memory = await newMemory()
    const items = Array.from({ length: 5 }, (_, n) => ({ text: `Fact number ${n}.` }))
    await memory.text.batchStore({ items })
    const listed = await collect(memory.patterns.all({ limit: 2 }))
    expect(listed.map(({ text }) => text)).toEqual(items.map(({ text }) => text))
    const { message } = await memory.patterns.deleteAll({ confirm: 'all' })
    expect(message).toMatch(/\S/)
    expect(await collect(memory.patterns.all())).toEqual([])
  })

  it('are listed by a filter, of several end users and of nobody', async () => {
    const memory = await newMemory()
    const note = { metadata: { kind: 'note' } }
    for (const subject of ['ada', 'ben', 'zoe', null])
      await memory.text.batchStore({
        items: [
          { text: `A note of ${subject}.`, subject, ...note },
          { text: `A mail of ${subject}.`, subject },
        ],
      })
    const listed = async (...given: Parameters<MemoryClient['patterns']['all']>) =>
      (await collect(memory.patterns.all(...given))).map(({ text }) => text)
    const filter = { kind: 'note' }
    expect(await listed({ filter, subject: 'ada' })).toEqual(['A note of ada.'])
    expect(await listed({ filter, subject: ['ada', 'zoe'], limit: 1 })).toEqual([
      'A note of ada.',
      'A note of zoe.',
    ])
    expect(await listed({ subject: null })).toEqual(['A note of null.', 'A mail of null.'])
    expect(await listed({ filter: { $subject: ['ada', 'ben'], ...filter }, subject: ['ada'] })).toEqual([
      'A note of ada.',
    ])
    expect((await memory.patterns.map({ subject: null, filter })).total).toBe(1)
  })
})

describe('vectors', () => {
  it('that were projected are found by queries of their source’s length', async () => {
    const memory = await newMemory()
    const embedding = Array.from({ length: 96 }, (_, n) => Math.sin(n * n))
    const { pattern_id } = await memory.vectors.store({
      key: project(embedding, 64),
      value: [1],
      source_dim: 96,
    })
    await memory.vectors.store({ key: project(embedding.toReversed(), 64), value: [2], source_dim: 96 })
    const { results } = await memory.vectors.query({ embedding })
    expect(results).toMatchObject([{ pattern_id, value: [1] }])
    expect(await memory.vectors.get(0)).toMatchObject({ value: [1] })
    await memory.vectors.delete(project(embedding, 64))
    expect(await rejection(memory.vectors.get(0))).toBeInstanceOf(NotFoundError)
  })
})

describe('errors of the service', () => {
  it('name the field, the scope, the time to wait', async () => {
    const memory = await newMemory({ plan: 'free', scopes: ['memory:read'] })
    const invalid = (await rejection(memory.text.recall({ query: '' }))) as ValidationError
    expect(invalid).toBeInstanceOf(ValidationError)
    expect(invalid.issues).toMatchObject([{ loc: ['body', 'query'], type: 'string_too_short' }])
    expect(invalid.requestId).toMatch(/\S/)
    const forbidden = await rejection(memory.text.store({ text: 'no' }))
    expect(forbidden).toBeInstanceOf(PermissionError)
    expect(forbidden).toMatchObject({ detail: 'Insufficient scope: memory:write required' })
    const queries = Array.from({ length: 1_000 }, () => ({ embedding: [1] }))
    await memory.vectors.batchRetrieve({ queries })
    const limited = (await rejection(memory.text.retrieve({ query: 'one more' }))) as RateLimitError
    expect(limited).toBeInstanceOf(RateLimitError)
    expect(limited.retryAfterS).toBeGreaterThan(0)
    const unknown = new MemoryClient({ apiKey: 'mk_live_wrong', baseUrl: server.url })
    expect(await rejection(unknown.text.stats())).toMatchObject({ detail: 'Invalid API key' })
  })
})

describe('a user', () => {
  it('registers, works on both spaces, is renewed, and signs out', async () => {
    const told: Tokens[] = []
    const options = { baseUrl: server.url, onTokens: (tokens: Tokens) => told.push(tokens) }
    const memory = new MemoryClient(options)
    const email = newEmail()
    const { organization_id } = await memory.auth.register({ email, password: `a password ${randomUUID()}` })
    await memory.text.store({ text: 'In the live space.' })
    const inTest = new MemoryClient({
      ...{ baseUrl: server.url, organizationId: organization_id, environment: 'test' },
      accessToken: memory.tokens.accessToken,
    })
    expect((await inTest.text.stats()).total_patterns).toBe(0)

    server.clock.advance(16 * 60_000)
    expect(await rejection(inTest.text.stats())).toMatchObject({ detail: 'Token expired' })
    const [me, stats, sessions] = await Promise.all([
      memory.users.me(),
      memory.text.stats(),
      memory.security.sessions(),
    ])
    expect([me.email, stats.total_patterns, sessions.length]).toEqual([email, 1, 1])
    expect(told).toHaveLength(2)

    const { key } = await memory.apiKeys.create({ name: 'a key' })
    expect((await new MemoryClient({ baseUrl: server.url, apiKey: key }).text.stats()).total_patterns).toBe(1)
    const actions = (await collect(memory.security.allAuditEntries({ limit: 1 }))).map(({ action }) => action)
    expect(actions.toSorted()).toEqual(['key_created', 'register'])
    await memory.auth.logout()
    expect(await rejection(memory.users.me())).toBeInstanceOf(AuthenticationError)
    expect(told.at(-1)).toEqual({ accessToken: undefined, refreshToken: undefined })
  })

  it('gets a file of what is kept', async () => {
    const memory = new MemoryClient({ baseUrl: server.url })
    await memory.auth.register({ email: newEmail(), password: `a password ${randomUUID()}` })
    const { export_id } = await memory.users.requestExport()
    expect(await rejection(memory.users.downloadExport(export_id))).toMatchObject({ status: 409 })
  })
})

describe('what is signed', () => {
  it('tells the service of a payment', async () => {
    const client = await server.newClient()
    const memory = new MemoryClient({ baseUrl: server.url, apiKey: client.key })
    const event = {
      type: 'invoice.payment_failed' as const,
      timestamp: new Date().toISOString(),
      data: { organization_id: client.organizationId },
    }
    const headers = await signWebhook(`msg_${randomUUID()}`, JSON.stringify(event), billingSecret)
    await expect(memory.admin.receiveBillingEvent(event, { headers })).resolves.toHaveProperty('message')
    expect(await rejection(memory.admin.receiveBillingEvent(event))).toMatchObject({ status: 401 })
    expect((await memory.service.ready()).status).toMatch(/\S/)
  })
})
