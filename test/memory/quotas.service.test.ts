import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setPlan } from '../organizations/support.ts'
import { Anonymous, newUser } from '../support/accounts.ts'
import type { Identity } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Environment, expectCountersToMatch, getSpace, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close())

const store = '/v1/memory/text/store'
const batchStore = '/v1/memory/text/batch-store'
const retrieve = '/v1/memory/text/retrieve'
const forget = '/v1/memory/text/forget'

/** Makes the space look as if it held this many patterns. */
async function setPatternsUsed(owner: Identity, used: number, environment?: Environment): Promise<void> {
  await inSpace(
    server,
    owner,
    (trx, { id }) =>
      trx.withSchema('app').updateTable('spaces').set({ patterns_used: used }).where('id', '=', id).execute(),
    environment,
  )
}

async function setQueriesUsed(owner: Identity, used: number, environment?: Environment): Promise<void> {
  await inSpace(
    server,
    owner,
    (trx, { id }) =>
      sql`insert into app.query_counts (space_id, day, used) values (${id}, (now() at time zone 'utc')::date, ${used})
        on conflict (space_id, day) do update set used = excluded.used`.execute(trx),
    environment,
  )
}

/** Queries counted for the space, over all days. */
async function queriesUsed(owner: Identity, environment?: Environment): Promise<number> {
  return inSpace(
    server,
    owner,
    async (trx, { id }) => {
      const { rows } = await sql<{ used: number }>`
        select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(trx)
      return rows[0]?.used ?? Number.NaN
    },
    environment,
  )
}

const secondsToMidnight = () => 86_400 - ((Date.now() / 1_000) % 86_400)

describe('the pattern quota', () => {
  it.each([
    ['free', 5_000],
    ['starter', 10_000],
    ['pro', 100_000],
    ['scale', 1_000_000],
    ['enterprise', -1],
  ] as const)('of the %s plan is %d, as the store answers', async (plan, limit) => {
    const ada = await newConformingClient(server, { plan })
    const { body } = await ada.post(store, { text: 'how many fit' })
    expect(body.patterns_limit).toBe(limit)
  })

  it('Q1 with one slot left lets one of 50 parallel stores in and refuses 49', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setPatternsUsed(ada, plans.free.patterns - 1)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ada.post(store, { text: `fact ${i % 5}` })),
    )
    const [stored, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect(stored).toMatchObject({ status: 200, body: { patterns_used: 5_000, patterns_limit: 5_000 } })
    for (const { status, body, headers } of others) {
      expect(status).toBe(429)
      expect(body).toEqual({ detail: 'Pattern storage limit reached' })
      expect(headers.get('Retry-After')).toBe('3600')
    }
    expect((await ada.get('/v1/memory/text/stats')).body.total_patterns).toBe(1)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 5_000 })
  })

  it('is not used by what has expired and is not erased yet', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.store(['expires', 'stays'])
    await setPatternsUsed(ada, plans.free.patterns)
    expect((await ada.post(store, { text: 'one more' })).status).toBe(429)
    await inSpace(server, ada, (trx, { id }) =>
      sql`update app.patterns set expires_at = now() - interval '1 second' where space_id = ${id} and text = 'expires'`.execute(
        trx,
      ),
    )
    const { status, body } = await ada.post(store, { text: 'one more' })
    expect([status, body.patterns_used]).toEqual([200, plans.free.patterns])
    expect((await ada.post(store, { text: 'and another' })).status).toBe(429)
  })

  it('is not used for an end user by what has expired of another', async () => {
    const owner = await newConformingClient(server, { plan: 'free' })
    await owner.store([{ text: 'Of Bob.', subject: 'bob' }])
    await inSpace(server, owner, (trx) => sql`update app.patterns set expires_at = now()`.execute(trx))
    await setPatternsUsed(owner, plans.free.patterns)
    const { organizationId } = owner
    const eve = await server.newClient({ organizationId, subject: { name: 'eve', isShared: false } })
    expect((await eve.post(store, { text: 'Of Eve.' })).status).toBe(200)
    expect((await eve.post(store, { text: 'Too much.' })).status).toBe(429)
  })

  it('Q1 counts as many as are there after refused, failed and replayed stores', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.store(['a', 'b', 'c'])
    await ada.post(store, { text: '' })
    await ada.post(store, { text: 'once' }, { 'Idempotency-Key': 'k' })
    await ada.post(store, { text: 'once' }, { 'Idempotency-Key': 'k' })
    vi.spyOn(server.context.memory.compute, 'embed').mockRejectedValueOnce(new Error('broken'))
    expect((await ada.post(store, { text: 'never stored' })).status).toBe(500)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 4 })
    await expectCountersToMatch(server, ada)
  })

  it('stores of a batch what fits, in order, and counts the rest as failed', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setPatternsUsed(ada, plans.free.patterns - 2)
    const items = ['first', 'second', 'third', 'fourth'].map((text) => ({ text }))
    const { status, body } = await ada.post(batchStore, { items })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      stored: 2,
      failed: 2,
      pattern_ids: [expect.any(String), expect.any(String)],
    })
    const { body: list } = await ada.get('/v1/memory/patterns')
    expect(list.patterns.map((each: { pattern_id: string }) => each.pattern_id)).toEqual(body.pattern_ids)
    expect((await ada.retrieve('x', { top_k: 50 })).toSorted()).toEqual(['first', 'second'])

    const full = await ada.post(batchStore, { items })
    expect(full.status).toBe(429)
    expect(full.headers.get('Retry-After')).toBe('3600')
  })

  it('never overfills in parallel batches', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setPatternsUsed(ada, plans.free.patterns - 25)
    const items = Array.from({ length: 10 }, (_, i) => ({ text: `item ${i}` }))
    const answers = await Promise.all(Array.from({ length: 6 }, () => ada.post(batchStore, { items })))
    const stored = answers.filter(({ status }) => status === 200).map(({ body }) => body.stored)
    expect(stored.toSorted((a, b) => b - a)).toEqual([10, 10, 5])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  it('keeps deleting possible at the limit, and each delete makes room', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const [id] = await ada.store(['old'])
    await setPatternsUsed(ada, plans.free.patterns)
    expect((await ada.post(store, { text: 'new' })).status).toBe(429)
    expect((await ada.delete(`/v1/memory/patterns/${id}`)).status).toBe(200)
    expect((await ada.post(store, { text: 'new' })).body.patterns_used).toBe(5_000)
  })

  it('lets PATCH through at the limit', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const [id] = await ada.store(['old'])
    await setPatternsUsed(ada, plans.free.patterns)
    expect((await ada.patch(`/v1/memory/patterns/${id}`, { text: 'new' })).status).toBe(200)
  })
})

/** What an answer says of the day's queries; null where it says nothing. */
const allowanceOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? null : Number(value)
  })

describe('the query quota', () => {
  it('is told by each answer to a request that counts queries, and by no other', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const limit = plans.free.queriesPerDay
    const [id] = await ada.store(['Ada sings.'])
    const [total, left, reset] = allowanceOf(await ada.post(retrieve, { query: 'q' }))
    expect([total, left]).toEqual([limit, limit - 1])
    expect(Number.isInteger(reset)).toBe(true)
    expect(Math.abs((reset as number) - secondsToMidnight())).toBeLessThan(60)
    const batch = await ada.post('/v1/memory/batch/retrieve', {
      queries: [1, 2, 3].map((one) => ({ embedding: [one, 1] })),
    })
    expect(batch.status).toBe(200)
    expect(allowanceOf(batch)).toEqual([limit, limit - 4, expect.any(Number)])
    for (const uncounted of [
      await ada.post(store, { text: 'Ben sings.' }),
      await ada.get(`/v1/memory/patterns/${id}`),
      await ada.post(retrieve, { query: '' }),
    ]) {
      expect(allowanceOf(uncounted)).toEqual([null, null, null])
    }
    expect(await queriesUsed(ada)).toBe(4)
  })

  it('is told by the refusal too, and by what costs nothing because it failed', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const limit = plans.free.queriesPerDay
    await setQueriesUsed(ada, limit - 2)
    vi.spyOn(server.context.memory.compute, 'embed').mockRejectedValueOnce(new Error('broken'))
    const failed = await ada.post(retrieve, { query: 'q' })
    expect(failed.status).toBe(500)
    expect(allowanceOf(failed)).toEqual([limit, 2, expect.any(Number)])
    await setQueriesUsed(ada, limit)
    const refused = await ada.post(retrieve, { query: 'q' })
    expect(refused.status).toBe(429)
    expect(allowanceOf(refused)).toEqual([limit, 0, expect.any(Number)])
  })

  it('is told to no end user, whoever made the token, not even by the refusal', async () => {
    const owner = await newUser(server)
    await setPlan(server, owner, 'free')
    const { organizationId } = owner
    const subject = { name: 'eve', isShared: false }
    const key = await server.newClient({ organizationId })
    const made = [owner, key].map((maker) =>
      maker.post('/v1/memory/subject-tokens', { subject: subject.name }),
    )
    const tokens = (await Promise.all(made)).map(({ body }) => body.token as string)
    const bound = await server.newClient({ organizationId, subject })
    const anyone = new Anonymous(server.url)
    const ask = async () => [
      await bound.post(retrieve, { query: 'q' }),
      ...(await Promise.all(
        tokens.map((token) => anyone.post(retrieve, { query: 'q' }, { Authorization: `Bearer ${token}` })),
      )),
    ]
    for (const [used, status] of [
      [0, 200],
      [plans.free.queriesPerDay, 429],
    ] as const) {
      await setQueriesUsed(key, used)
      for (const answer of await ask()) {
        expect(answer.status).toBe(status)
        expect(allowanceOf(answer)).toEqual([null, null, null])
        expect(answer.headers.get('Retry-After') === null).toBe(status === 200)
      }
    }
  })

  it('is told to users as to keys, and to nobody whose plan has none', async () => {
    const owner = await newUser(server)
    await setPlan(server, owner, 'free')
    const answer = await owner.post(retrieve, { query: 'q' })
    expect(allowanceOf(answer)).toEqual([1_000, 999, expect.any(Number)])
    const unlimited = await newConformingClient(server, { plan: 'pro' })
    expect(allowanceOf(await unlimited.post(retrieve, { query: 'q' }))).toEqual([null, null, null])
  })

  it('with one query left gives two parallel searches one 200 and one 429', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setQueriesUsed(ada, plans.free.queriesPerDay - 1)
    const answers = await Promise.all([1, 2].map(() => ada.post(retrieve, { query: 'q' })))
    const [found, refused] = answers.toSorted((a, b) => a.status - b.status)
    const until = secondsToMidnight()
    expect(found?.status).toBe(200)
    expect(refused?.status).toBe(429)
    expect(refused?.body).toEqual({ detail: 'Daily query limit reached' })
    const retryAfter = Number(refused?.headers.get('Retry-After'))
    expect(Number.isInteger(retryAfter)).toBe(true)
    expect(Math.abs(retryAfter - until)).toBeLessThan(10)
    expect(await queriesUsed(ada)).toBe(plans.free.queriesPerDay)
  })

  it('counts retrieve, maps and forgetting by query, and nothing else', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const [id] = await ada.store(['fact'])
    const costs: [number, () => Promise<{ status: number }>][] = [
      [1, () => ada.post(retrieve, { query: 'q' })],
      [1, () => ada.post('/v1/memory/text/explain', { query: 'q' })],
      [1, () => ada.post('/v1/memory/belief/classify', { query: 'q' })],
      [1, () => ada.post('/v1/memory/routing/decide', { query: 'q' })],
      [1, () => ada.post('/v1/memory/efe/evaluate', { query: 'q' })],
      [1, () => ada.get('/v1/memory/map')],
      // Known from before: it is answered all the same.
      [1, () => ada.get('/v1/memory/map')],
      [1, () => ada.delete(forget, { query: 'q' })],
      [1, () => ada.delete(forget, { query: 'q', category: 'health', dry_run: true })],
      [0, () => ada.delete(forget, { category: 'health' })],
      [0, () => ada.delete(forget, { filter: { a: 1 } })],
      [0, () => ada.post(store, { text: 'more' })],
      [0, () => ada.post('/v1/memory/text/similarity', { text_a: 'a', text_b: 'b' })],
      [0, () => ada.post('/v1/memory/text/embed', { text: 'a' })],
      [0, () => ada.get('/v1/memory/text/stats')],
      [0, () => ada.get('/v1/memory/text/important')],
      [0, () => ada.get('/v1/memory/patterns')],
      [0, () => ada.get(`/v1/memory/patterns/${id}`)],
      [0, () => ada.patch(`/v1/memory/patterns/${id}`, { text: 'changed' })],
    ]
    for (const [cost, request] of costs) {
      const before = await queriesUsed(ada)
      expect((await request()).status).toBe(200)
      expect((await queriesUsed(ada)) - before).toBe(cost)
    }
  })

  it('costs nothing for a request that is refused or fails', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.store(['fact'])
    await ada.post(retrieve, { query: '' })
    await ada.post(retrieve, { query: 'q', top_k: 51 })
    await ada.post(retrieve, '{"query":')
    await ada.get('/v1/memory/map?limit=0')
    await ada.delete(forget, { query: null })
    // How new the fact is, is found out by a search behind its store.
    await server.context.memory.learning.read((await getSpace(server, ada)).id)
    vi.spyOn(server.context.memory.compute, 'search').mockRejectedValueOnce(new Error('broken'))
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(500)
    expect(await queriesUsed(ada)).toBe(0)
  })

  it('when used up refuses searches alone, and with valid requests alone', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setQueriesUsed(ada, plans.free.queriesPerDay)
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(429)
    expect((await ada.delete(forget, { query: 'q' })).status).toBe(429)
    expect((await ada.get('/v1/memory/map')).status).toBe(429)
    expect((await ada.post(retrieve, { query: '' })).status).toBe(422)
    expect((await ada.delete(forget, { category: 'health' })).status).toBe(200)
    expect((await ada.post(store, { text: 'still stored' })).status).toBe(200)
    expect(await queriesUsed(ada)).toBe(plans.free.queriesPerDay)
  })

  it('starts anew each UTC day', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setQueriesUsed(ada, plans.free.queriesPerDay)
    await inSpace(server, ada, (trx, { id }) =>
      sql`update app.query_counts set day = day - 1 where space_id = ${id}`.execute(trx),
    )
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(200)
  })

  it.each(['pro', 'scale', 'enterprise'] as const)('of the %s plan is unlimited', async (plan) => {
    const ada = await newConformingClient(server, { plan })
    await setQueriesUsed(ada, 1_000_000)
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(200)
  })

  it('of the starter plan is 10,000', async () => {
    const ada = await newConformingClient(server, { plan: 'starter' })
    await setQueriesUsed(ada, 9_999)
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(200)
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(429)
  })
})

describe('the test space', () => {
  it.each(['free', 'pro', 'enterprise'] as const)('has the free caps on the %s plan', async (plan) => {
    const ada = await newConformingClient(server, { plan, environment: 'test' })
    const { body } = await ada.post(store, { text: 'how many fit' })
    expect(body.patterns_limit).toBe(5_000)
    await setPatternsUsed(ada, 5_000, 'test')
    expect((await ada.post(store, { text: 'one more' })).status).toBe(429)
    await setQueriesUsed(ada, 999, 'test')
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(200)
    expect((await ada.post(retrieve, { query: 'q' })).status).toBe(429)
  })

  it('is counted apart from the live one', async () => {
    const live = await newConformingClient(server, { plan: 'free' })
    const { organizationId } = live
    const test = await newConformingClient(server, { plan: 'free', environment: 'test', organizationId })
    await setPatternsUsed(test, 5_000, 'test')
    await setQueriesUsed(test, 1_000, 'test')
    expect((await live.post(store, { text: 'fits' })).body.patterns_used).toBe(1)
    expect((await live.post(retrieve, { query: 'fits' })).status).toBe(200)
    expect(await queriesUsed(live)).toBe(1)
  })
})
