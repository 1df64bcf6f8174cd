import type { Tier } from '@memory/engine/tiers'
import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { beforeItComes, until } from '../../support/until.ts'
import { faultsOf, getSpace, inSpace, rule } from '../space.ts'
import { setTiers } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/tiered/retrieve'

interface Result {
  text: string
  tier: Tier
  confidence: number
  last_accessed: string | null
}

async function retrieve(client: Client, body: object): Promise<Result[]> {
  const answer = await client.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.results
}

const textsOf = (results: Result[]) => results.map(({ text }) => text)

const facts = [
  { text: 'Ada moved to Lisbon in May.', metadata: { user: 'ada' } },
  { text: 'The cat sleeps on the warm roof.', metadata: { user: 'ben' } },
  { text: 'Interest rates rose by half a percent.', metadata: { user: 'ada' } },
  { text: 'Ada is allergic to peanuts.', metadata: { user: 'ada' } },
  { text: 'The train to Porto leaves at nine.', metadata: { user: 'ben' } },
]
const placed: Tier[] = ['hot', 'warm', 'cold', 'warm', 'hot']

/** A client whose space holds the facts, in their tiers. */
async function newPlaced(): Promise<ConformingClient> {
  const ada = await newConformingClient(server)
  await ada.store(facts)
  await setTiers(server.context.database.queries, (await getSpace(server, ada)).id, placed)
  return ada
}

describe('POST /v1/memory/tiered/retrieve', () => {
  let ada: ConformingClient

  beforeAll(async () => {
    ada = await newPlaced()
  })

  it('orders texts of all tiers as text retrieve does, and tells each one’s tier', async () => {
    const query = 'Where does Ada live?'
    const { body } = await ada.post('/v1/memory/text/retrieve', { query, top_k: 20 })
    const results = await retrieve(ada, { query, top_k: 20 })
    expect(results.map(({ text, confidence }) => ({ text, confidence }))).toEqual(
      body.results.map(({ text, similarity }: { text: string; similarity: number }) => ({
        text,
        confidence: Math.max(0, similarity),
      })),
    )
    const tierOf = new Map(facts.map(({ text }, i) => [text, placed[i]]))
    expect(results.map(({ tier }) => tier)).toEqual(results.map(({ text }) => tierOf.get(text)))
  })

  it.each<[Tier | null | undefined]>([['hot'], ['warm'], ['cold'], [null], [undefined]])(
    'gives of tier %s all that is in it, best first',
    async (tier) => {
      const query = 'a train'
      const all = await retrieve(ada, { query, top_k: 20 })
      const expected = all.filter((result) => tier == null || result.tier === tier)
      expect(textsOf(await retrieve(ada, { query, tier, top_k: 20 }))).toEqual(textsOf(expected))
    },
  )

  it('gives top_k of those in the tier, not those in the tier of the top_k', async () => {
    const query = facts[0]?.text
    expect(textsOf(await retrieve(ada, { query, top_k: 1, tier: 'cold' }))).toEqual([facts[2]?.text])
  })

  it.each<[Tier | null, object, number[]]>([
    [null, { user: 'ada' }, [0, 2, 3]],
    ['hot', { user: 'ada' }, [0]],
    ['warm', { user: 'ada' }, [3]],
    ['warm', { user: ['ada', 'ben'] }, [1, 3]],
    ['cold', { user: 'ben' }, []],
    ['hot', {}, [0, 4]],
  ])('of tier %s with the filter %j gives what is both', async (tier, filter, expected) => {
    const results = await retrieve(ada, { query: 'facts', tier, filter, top_k: 20 })
    expect(textsOf(results).toSorted()).toEqual(expected.map((i) => facts[i]?.text).toSorted())
  })

  it('leaves out what is less similar than min_similarity, in a tier as in all', async () => {
    const query = 'Ada'
    const all = await retrieve(ada, { query, top_k: 20 })
    const min_similarity = all[2]?.confidence ?? 0
    expect(min_similarity).toBeGreaterThan(0)
    expect(textsOf(await retrieve(ada, { query, top_k: 20, min_similarity }))).toEqual(
      textsOf(all.slice(0, 3)),
    )
    for (const { tier } of all.slice(0, 3)) {
      expect(textsOf(await retrieve(ada, { query, top_k: 20, min_similarity, tier }))).toEqual(
        textsOf(all.slice(0, 3).filter((result) => result.tier === tier)),
      )
    }
  })

  it('finds vector patterns in no tier', async () => {
    const ben = await newConformingClient(server)
    const { body } = await ben.post('/v1/memory/text/embed', { text: 'a vector' })
    await ben.post('/v1/memory/store', { key: body.embedding, value: [1] })
    for (const tier of [null, 'hot'] as const) {
      expect(await retrieve(ben, { query: 'a vector', tier })).toEqual([])
    }
  })

  it('tells last_accessed: null before the first answer, then the time of the last', async () => {
    const ben = await newConformingClient(server)
    await ben.store(['only'])
    expect(await retrieve(ben, { query: 'only' })).toMatchObject([{ last_accessed: null }])
    await server.context.memory.accesses.flush()
    server.clock.advance(60_000)
    const accessedAt = server.clock.now().getTime()
    const [second] = await retrieve(ben, { query: 'only' })
    expect(Date.parse(String(second?.last_accessed))).toBeLessThan(accessedAt - 30_000)
    await server.context.memory.accesses.flush()
    const [third] = await retrieve(ben, { query: 'only' })
    expect(Date.parse(String(third?.last_accessed))).toBeGreaterThanOrEqual(accessedAt)
  })

  it('counts as an access, which promotes', async () => {
    const ben = await newPlaced()
    await retrieve(ben, { query: 'money', tier: 'cold' })
    await server.context.memory.accesses.flush()
    expect(await retrieve(ben, { query: 'money', tier: 'cold' })).toEqual([])
    const [found] = await retrieve(ben, { query: facts[2]?.text })
    expect(found).toMatchObject({ text: facts[2]?.text, tier: 'warm' })
  })

  it('answers an empty space with no results, whatever the tier', async () => {
    const ben = await newConformingClient(server)
    for (const tier of ['hot', 'cold', null]) expect(await retrieve(ben, { query: 'x', tier })).toEqual([])
  })

  it('leaves out what has expired, in its tier too', async () => {
    const ben = await newConformingClient(server)
    await beforeItComes(async (expires_at) => {
      expect((await ben.post('/v1/memory/text/store', { text: 'fades', expires_at })).status).toBe(200)
    }, server.clock)
    await ben.store(['stays'])
    await until(async () => textsOf(await retrieve(ben, { query: 'fades' })).length === 1, 'the text expires')
    for (const tier of ['hot', null]) {
      expect(textsOf(await retrieve(ben, { query: 'fades', tier }))).toEqual(['stays'])
    }
  })

  it('keeps live and test apart', async () => {
    const live = await newConformingClient(server)
    const { organizationId } = live
    const test = await newConformingClient(server, { organizationId, environment: 'test' })
    await live.store(['live'])
    await test.store(['test'])
    for (const tier of ['hot', null]) {
      expect(textsOf(await retrieve(live, { query: 'test', tier }))).toEqual(['live'])
      expect(textsOf(await retrieve(test, { query: 'live', tier }))).toEqual(['test'])
    }
  })

  it('gives 5 results unless top_k says otherwise, and 20 at most', async () => {
    const ben = await newConformingClient(server)
    await ben.store(Array.from({ length: 22 }, (_, i) => `fact ${i}`))
    expect(await retrieve(ben, { query: 'fact' })).toHaveLength(5)
    expect(await retrieve(ben, { query: 'fact', top_k: 20 })).toHaveLength(20)
  })

  const fault = (field: string, type: string, msg: string, ctx?: object) => ({
    type,
    loc: ['body', field],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })
  const expectedTiers = "'hot', 'warm' or 'cold'"
  it.each<[string, unknown, unknown]>([
    ['no query', {}, fault('query', 'missing', 'Field required')],
    [
      'a blank query',
      { query: ' ' },
      fault('query', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }),
    ],
    [
      'a query of 5,001 characters',
      { query: 'q'.repeat(5_001) },
      fault('query', 'string_too_long', 'String should have at most 5000 characters', { max_length: 5_000 }),
    ],
    [
      'top_k 0',
      { query: 'q', top_k: 0 },
      fault('top_k', 'greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 }),
    ],
    [
      'top_k 21',
      { query: 'q', top_k: 21 },
      fault('top_k', 'less_than_equal', 'Input should be less than or equal to 20', { le: 20 }),
    ],
    ...['Hot', '', 'frozen', 1, ['hot']].map((tier): [string, unknown, unknown] => [
      `the tier ${JSON.stringify(tier)}`,
      { query: 'q', tier },
      fault('tier', 'enum', `Input should be ${expectedTiers}`, { expected: expectedTiers }),
    ]),
    [
      'min_similarity above 1',
      { query: 'q', min_similarity: 1.5 },
      fault('min_similarity', 'less_than_equal', 'Input should be less than or equal to 1', { le: 1 }),
    ],
    [
      'a filter with a list in a list',
      { query: 'q', filter: { a: [['b']] } },
      rule(['body', 'filter', 'a'], 'filter lists must not hold lists'),
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    expect(faultsOf(await ada.post(path, body))).toEqual([expected])
  })

  it('counts one query, which a refused request gives back, and answers 429 when they are used up', async () => {
    const ben = await newConformingClient(server, { plan: 'free' })
    const used = () =>
      inSpace(server, ben, async (trx, { id }) => {
        const { rows } = await sql<{ used: number }>`
          select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(
          trx,
        )
        return rows[0]?.used
      })
    await retrieve(ben, { query: 'q', tier: 'warm' })
    expect(await used()).toBe(1)
    expect((await ben.post(path, { query: '' })).status).toBe(422)
    expect(await used()).toBe(1)
    await inSpace(server, ben, (trx) =>
      sql`update app.query_counts set used = ${plans.free.queriesPerDay}`.execute(trx),
    )
    const refused = await ben.post(path, { query: 'q' })
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ detail: 'Daily query limit reached' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  })

  it('needs a key with memory:read', async () => {
    const { organizationId } = ada
    const refused = await (
      await newConformingClient(server, { organizationId, scopes: ['memory:write'] })
    ).post(path, { query: 'q' })
    expect(refused.status).toBe(403)
    expect(refused.body).toEqual({ detail: 'Insufficient scope: memory:read required' })
    const reader = await newConformingClient(server, { organizationId, scopes: ['memory:read'] })
    expect(await retrieve(reader, { query: 'q', top_k: 1 })).toHaveLength(1)
    expect((await ada.post(path, { query: 'q' }, { 'X-API-Key': 'wrong' })).status).toBe(401)
  })

  it('refuses what is no JSON object with 400 or 422', async () => {
    expect((await ada.post(path, '{')).status).toBe(400)
    expect((await ada.post(path, { query: 'q' }, { 'Content-Type': 'text/plain' })).status).toBe(400)
    expect((await ada.post(path, [])).status).toBe(422)
  })
})
