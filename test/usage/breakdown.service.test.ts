import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from '../memory/space.ts'
import { newUser } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { advanceIntoMonth } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ MEMORY_DEFAULT_PLAN: 'enterprise' })
  advanceIntoMonth(server.clock)
})

afterAll(() => server.close())

const hourMs = 3_600_000

interface Share {
  of: string
  count: number
  percentage: number
}

type Asking = Pick<ConformingClient, 'get'>

const path = (query: object) => `/v1/usage/breakdown?${new URLSearchParams({ ...query })}`

async function breakdown(client: Asking, query: object) {
  const { status, body } = await client.get(path(query))
  expect([status, body.detail]).toEqual([200, undefined])
  return body
}

/** Every item, from as many pages as it takes. */
async function all(client: Asking, query: object): Promise<Share[]> {
  const items: Share[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await breakdown(client, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.next_cursor as string | null
  }
  return items
}

const sum = (items: readonly { count: number }[]) => items.reduce((total, { count }) => total + count, 0)

describe('GET /v1/usage/breakdown', () => {
  it('comes to what the summary says, by operation, key and subject', async () => {
    const owner = await newUser(server)
    const client = await newConformingClient(server, { organizationId: owner.organizationId })
    const of = ['ada', 'ada', 'ben'].map((subject, i) => ({ text: `Text ${i}.`, subject }))
    await client.store([...of, { text: 'Of nobody.' }])
    await client.retrieve('text')
    await client.retrieve('number')
    await client.post('/v1/memory/text/recall', { query: 'text' })
    await owner.get('/v1/memory/text/stats')

    const { body: summary } = await client.get('/v1/usage/summary')
    const byOperation = await breakdown(client, { by: 'operation' })
    expect(byOperation.total).toBe(summary.api_calls.total)
    expect(byOperation).toMatchObject({ by: 'operation', since: summary.period.start, until: null })
    const { stores, retrieves, recalls, explains, consolidations, other } = summary.api_calls
    expect(Object.fromEntries(byOperation.items.map(({ of, count }: Share) => [of, count]))).toEqual({
      store: stores,
      retrieve: retrieves,
      recall: recalls,
      explain: explains,
      consolidate: consolidations,
      other,
    })
    expect(byOperation.items[0]).toMatchObject({ of: 'retrieve', count: 2, percentage: 40 })

    const byKey = await breakdown(client, { by: 'key' })
    expect(byKey.total).toBe(summary.api_calls.total)
    expect(sum(byKey.items)).toBe(byKey.total)
    expect(byKey.items).toMatchObject([
      { of: `key_${client.keyId}`, count: 4, percentage: 80, stored: null },
      { of: 'key_session', name: 'User sessions', count: 1, percentage: 20 },
    ])

    // When a pattern was stored is said by the database, whose clock is not the test's.
    const since = new Date(Date.now() - 24 * hourMs).toISOString()
    const bySubject = await breakdown(client, { by: 'subject', since })
    expect(bySubject.total).toBe(summary.patterns.used)
    expect(bySubject.items).toEqual([
      { of: 'ada', name: null, count: 2, percentage: 50, stored: 2 },
      { of: 'ben', name: null, count: 1, percentage: 25, stored: 1 },
    ])
    expect(sum(bySubject.items)).toBe(summary.patterns.used - 1)
    const until = since
    const earlier = await breakdown(client, { by: 'subject', since: '2026-01-01', until })
    expect(earlier.items).toMatchObject([
      { of: 'ada', count: 2, stored: 0 },
      { of: 'ben', stored: 0 },
    ])
  })

  it('counts what was within a time, by hours and of old days whole', async () => {
    const client = await newConformingClient(server)
    const before = server.clock.now().getTime()
    await client.retrieve('before')
    server.clock.advance(2 * hourMs)
    const after = server.clock.now().getTime()
    await client.retrieve('after')
    await client.retrieve('once more')
    const total = async (given: { since?: number; until?: number }) => {
      const query = Object.entries(given).map(([name, at]) => [name, new Date(at).toISOString()])
      return (await breakdown(client, Object.fromEntries(query))).total
    }
    expect(await total({})).toBe(3)
    expect(await total({ since: after })).toBe(2)
    expect(await total({ until: after - hourMs })).toBe(1)
    expect(await total({ since: before, until: after - hourMs })).toBe(1)
    expect(await total({ since: after + hourMs })).toBe(0)
    server.clock.advance(9 * 24 * hourMs)
    expect(await total({ since: after })).toBe(3)
    const moment = new Date(after).toISOString()
    const [fault] = faultsOf(await client.get(path({ since: moment, until: moment })))
    expect(fault).toMatchObject({
      loc: ['query', 'until'],
      msg: 'Value error, until must be later than since',
    })
  })

  it('counts each request in one of two times that follow on each other, and says how it took them', async () => {
    const client = await newConformingClient(server)
    const hour = Math.floor(server.clock.now().getTime() / hourMs + 1) * hourMs
    const minutes = (count: number) => new Date(hour + count * 60_000).toISOString()
    server.clock.advance(hour + 10 * 60_000 - server.clock.now().getTime())
    await client.retrieve('in the first hour')
    server.clock.advance(hourMs)
    await client.retrieve('in the second')
    // As many requests are counted up to the middle of the second hour as before it began.
    const first = await breakdown(client, { since: minutes(0), until: minutes(90) })
    expect(first).toMatchObject({ total: 1, since: minutes(0), until: minutes(60) })
    const second = await breakdown(client, { since: minutes(90) })
    expect(second).toMatchObject({ total: 1, since: minutes(60), until: null })
    const none = await breakdown(client, { since: minutes(61), until: minutes(119) })
    expect(none).toMatchObject({ total: 0, since: minutes(60), until: minutes(60) })

    // Old requests are kept by the day.
    server.clock.advance(9 * 24 * hourMs)
    const day = `${minutes(0).slice(0, 10)}T00:00:00.000Z`
    expect(await breakdown(client, { since: day, until: minutes(90) })).toMatchObject({
      total: 0,
      until: day,
    })
    expect(await breakdown(client, { since: minutes(90) })).toMatchObject({ total: 2, since: day })
  })

  it('refuses a time that ends before the month begins, which it begins with unless said', async () => {
    const client = await newConformingClient(server)
    const until = new Date(server.clock.now().getTime() - 60 * 24 * hourMs).toISOString()
    const [fault] = faultsOf(await client.get(path({ until })))
    expect(fault).toMatchObject({ loc: ['query', 'until'] })
  })

  it('gives every item once, page by page, and refuses the cursor of another division', async () => {
    const client = await newConformingClient(server)
    await client.store(['ada', 'ben', 'eva'].map((subject) => ({ text: `Of ${subject}.`, subject })))
    for (const by of ['operation', 'key', 'subject']) {
      const whole = (await breakdown(client, { by })).items
      expect(await all(client, { by, limit: 1 })).toEqual(whole)
    }
    const { next_cursor: cursor } = await breakdown(client, { by: 'subject', limit: 1 })
    for (const wrong of [cursor, 'x']) {
      const [fault] = faultsOf(await client.get(path({ by: 'key', cursor: wrong })))
      expect(fault).toMatchObject({ loc: ['query', 'cursor'] })
    }
  })

  it('names subjects only to who may read the memory', async () => {
    const client = await newConformingClient(server, { scopes: ['usage:read'] })
    expect((await client.get(path({ by: 'key' }))).status).toBe(200)
    const { status, body } = await client.get(path({ by: 'subject' }))
    expect([status, body]).toEqual([403, { detail: 'Insufficient scope: memory:read required' }])
  })
})
