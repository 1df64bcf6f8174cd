import { usageClasses } from '@memory/shared/catalogue/operation'
import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSpace, inSpace } from '../memory/space.ts'
import { newUser } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { operations } from '../support/operations.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { advanceIntoMonth } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
  advanceIntoMonth(server.clock)
})

afterAll(() => server.close())

const dayMs = 86_400_000
const nothing = {
  total: 0,
  stores: 0,
  retrieves: 0,
  recalls: 0,
  explains: 0,
  consolidations: 0,
  other: 0,
}

const summary = async (client: Pick<ConformingClient, 'get'>) => {
  const { status, body } = await client.get('/v1/usage/summary')
  expect(status).toBe(200)
  return body
}

const embedding = [1, 0]

/** Sends each request once; all of them succeed. */
async function useEverything(client: ConformingClient): Promise<void> {
  const [id] = await client.store(['Ada drinks tea.', 'Ada reads.'])
  const answers = [
    await client.post('/v1/memory/text/store', { text: 'Ada sings.' }),
    await client.post('/v1/memory/store', { key: embedding, value: [1] }),
    await client.post('/v1/memory/batch/store', { patterns: [{ key: [0, 1], value: [2] }] }),
    await client.post('/v1/memory/text/retrieve', { query: 'tea' }),
    await client.post('/v1/memory/retrieve', { embedding }),
    await client.post('/v1/memory/batch/retrieve', {
      queries: [{ embedding }, { embedding }, { embedding }],
    }),
    await client.post('/v1/memory/query', { embedding }),
    await client.post('/v1/memory/query/semantic', { embedding }),
    await client.post('/v1/memory/tiered/retrieve', { query: 'tea' }),
    await client.post('/v1/memory/text/recall', { query: 'tea' }),
    await client.post('/v1/memory/text/recall', { query: 'books' }),
    await client.post('/v1/memory/text/explain', { query: 'tea' }),
    await client.post('/v1/memory/text/embed', { text: 'tea' }),
    await client.post('/v1/memory/text/predict', { query: 'tea' }),
    await client.get('/v1/memory/text/stats'),
    await client.get(`/v1/memory/patterns/${id}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
}

const used = { total: 17, stores: 4, retrieves: 6, recalls: 2, explains: 1, consolidations: 0, other: 4 }
// Six searches, two more queries of a batch, two recalls, an explanation and a prediction.
const queriesUsed = 12

describe('GET /v1/usage/summary', () => {
  it('counts each request once, as what it was for, at once', async () => {
    const client = await newConformingClient(server)
    await useEverything(client)
    const { storage_bytes: bytes } = await getSpace(server, client)
    expect(bytes).toBeGreaterThan(3 * 384 * 4)
    const now = server.clock.now()
    const month = (ahead: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString()
    const answer = await summary(client)
    expect(answer).toEqual({
      period: { start: month(0), end: month(1) },
      patterns: { used: 5, limit: -1, percentage: 0 },
      api_calls: used,
      storage_mb: bytes / 1_000_000,
      rate_limit: { current: queriesUsed, peak_usage: queriesUsed },
    })
    // Reading usage is none.
    expect(await summary(client)).toEqual(answer)
  })

  it('counts no request that ended in an error, nor its queries', async () => {
    const client = await newConformingClient(server)
    const refused = [
      await client.post('/v1/memory/text/store', { text: '' }),
      await client.post('/v1/memory/text/retrieve', 'no JSON'),
      await client.get('/v1/memory/patterns/pat_none'),
      await client.post('/v1/memory/compose/fractional', {
        pattern_a_id: 'pat_none',
        pattern_b_id: 'pat_none',
      }),
      await client.get('/v1/memory/nowhere'),
      await client.get('/v1/memory/text/retrieve'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 400, 404, 404, 404, 405])
    expect(await summary(client)).toMatchObject({
      api_calls: nothing,
      rate_limit: { current: 0, peak_usage: 0 },
    })
    // A query that the plan refuses.
    const free = await newConformingClient(server, { plan: 'free' })
    const { id } = await getSpace(server, free)
    const { queriesPerDay } = plans.free
    await sql`select app.take_queries(${id}, ${queriesPerDay}, ${queriesPerDay})`.execute(
      server.context.database.queries,
    )
    expect((await free.post('/v1/memory/text/retrieve', { query: 'q' })).status).toBe(429)
    expect(await summary(free)).toMatchObject({ api_calls: nothing, rate_limit: { current: 0 } })
  })

  it('counts an answer that is repeated for its Idempotency-Key as a request', async () => {
    const client = await newConformingClient(server)
    const send = () =>
      client.post('/v1/memory/text/store', { text: 'Ada sings.' }, { 'Idempotency-Key': 'once' })
    await send()
    expect((await send()).headers.get('Idempotent-Replay')).toBe('true')
    expect(await summary(client)).toMatchObject({ patterns: { used: 1 }, api_calls: { stores: 2, total: 2 } })
  })

  it('counts no query for an answer that is repeated', async () => {
    const client = await newConformingClient(server, { plan: 'free' })
    const send = () =>
      client.post('/v1/memory/text/forget', { query: 'nothing here' }, { 'Idempotency-Key': 'once' })
    const left = (await send()).headers.get('ratelimit-remaining')
    expect(left).toBe(String(plans.free.queriesPerDay - 1))
    const again = await send()
    expect(again.headers.get('Idempotent-Replay')).toBe('true')
    expect(again.headers.get('ratelimit-remaining')).toBe(left)
    expect(await summary(client)).toMatchObject({ rate_limit: { current: 1 } })
    const { headers } = await client.post('/v1/memory/text/retrieve', { query: 'q' })
    expect(headers.get('ratelimit-remaining')).toBe(String(plans.free.queriesPerDay - 2))
  })

  it('leaves out what has expired and is not erased yet', async () => {
    const client = await newConformingClient(server, { plan: 'free' })
    await client.store(['one', 'two'])
    await inSpace(server, client, (trx, { id }) =>
      sql`update app.patterns set expires_at = now() - interval '1 second' where space_id = ${id} and text = 'one'`.execute(
        trx,
      ),
    )
    const limit = plans.free.patterns
    expect((await summary(client)).patterns).toEqual({ used: 1, limit, percentage: 0.02 })
  })

  it('shows what share of the plan is used', async () => {
    const client = await newConformingClient(server, { plan: 'free' })
    await client.store(['one', 'two', 'three'])
    const limit = plans.free.patterns
    expect((await summary(client)).patterns).toEqual({
      used: 3,
      limit,
      percentage: Math.round((3 / limit) * 10_000) / 100,
    })
  })

  it('tells the live space from the test space, for keys and for users', async () => {
    const user = await newUser(server)
    const { organizationId } = user
    const live = await newConformingClient(server, { organizationId })
    const test = await newConformingClient(server, { organizationId, environment: 'test' })
    await live.store(['live'])
    await test.retrieve('q')
    await test.retrieve('q')
    await user.get('/v1/memory/text/stats', { 'X-Memory-Environment': 'test' })
    const ofLive = { ...nothing, total: 1, stores: 1 }
    const ofTest = { ...nothing, total: 3, retrieves: 2, other: 1 }
    expect((await summary(live)).api_calls).toEqual(ofLive)
    expect((await summary(test)).api_calls).toEqual(ofTest)
    expect((await summary(user)).api_calls).toEqual(ofLive)
    const { body } = await user.get('/v1/usage/summary', { 'X-Memory-Environment': 'test' })
    expect(body.api_calls).toEqual(ofTest)
    expect(body.patterns.limit).toBe(plans.free.patterns)
  })

  it('begins anew each month, keeps the day with most queries, and counts those of today', async () => {
    const client = await newConformingClient(server)
    for (let i = 0; i < 3; i++) await client.retrieve('q')
    server.clock.advance(dayMs)
    await client.retrieve('q')
    expect(await summary(client)).toMatchObject({
      api_calls: { retrieves: 4 },
      rate_limit: { current: 1, peak_usage: 3 },
    })
    server.clock.advance(dayMs)
    expect((await summary(client)).rate_limit).toEqual({ current: 0, peak_usage: 3 })
    advanceIntoMonth(server.clock)
    const { api_calls, rate_limit } = await summary(client)
    expect({ api_calls, rate_limit }).toEqual({
      api_calls: nothing,
      rate_limit: { current: 0, peak_usage: 0 },
    })
  })

  it('needs the scope usage:read of a key', async () => {
    const reader = await newConformingClient(server, { scopes: ['usage:read'] })
    await summary(reader)
    const other = await newConformingClient(server, { scopes: ['memory:read', 'memory:write'] })
    for (const path of ['summary', 'history', 'latency', `organization/${other.organizationId}`]) {
      const { status, body } = await other.get(`/v1/usage/${path}`)
      expect([status, body]).toEqual([403, { detail: 'Insufficient scope: usage:read required' }])
    }
  })
})

describe('the classes of operations', () => {
  it('are those of stores, searches, recalls and explanations; the rest is other', () => {
    const idsOf = (usage: string) =>
      operations.filter((operation) => operation.usage === usage).map(({ id }) => id)
    const classes = Object.fromEntries(usageClasses.map((usage) => [usage, idsOf(usage).sort()]))
    expect(classes).toMatchObject({
      store: ['batchStoreTexts', 'batchStoreVectors', 'storeText', 'storeVector'],
      retrieve: [
        'batchRetrieveVectors',
        'querySemantic',
        'queryVectors',
        'retrieveTexts',
        'retrieveTiered',
        'retrieveVectors',
      ],
      recall: ['readContext', 'recallTexts'],
      explain: ['explainText'],
    })
  })

  it('are of operations that are counted', () => {
    const classed = operations.filter(({ usage }) => usage !== undefined)
    expect(classed.filter(({ path }) => !path.startsWith('/v1/memory/')).map(({ id }) => id)).toEqual([])
  })
})
