import { migrateTiers } from '@memory/memory/tiers/migrate-tiers'
import { findCounters } from '@memory/memory/tiers/tier-store'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace, inSpace } from '../space.ts'
import { day, setTiers } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const distribution = '/v1/memory/tiered/distribution'
const statistics = '/v1/memory/tiered/stats'

const read = async (client: ConformingClient, path: string) => {
  const { status, body } = await client.get(path)
  expect(status).toBe(200)
  return body
}

const flush = () => server.context.memory.accesses.flush()
const spaceOf = async (client: ConformingClient) => (await getSpace(server, client)).id
const migrate = async (client: ConformingClient) =>
  migrateTiers(server.context.database.queries, await spaceOf(client), server.clock.now())

const nothing = {
  hot_hit_rate: 0,
  warm_hit_rate: 0,
  cold_hit_rate: 0,
  promotions: 0,
  demotions: 0,
  total_accesses: 0,
}

describe('GET /v1/memory/tiered/distribution', () => {
  it('of an empty space is all zeros', async () => {
    const ada = await newConformingClient(server)
    expect(await read(ada, distribution)).toEqual({ hot: 0, warm: 0, cold: 0, total: 0 })
  })

  it('counts texts and vectors, new ones as hot, and follows moves and deletes', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['a', 'b', 'c', 'd', 'e'])
    await ada.post('/v1/memory/store', { key: [1], value: [1] })
    expect(await read(ada, distribution)).toEqual({ hot: 6, warm: 0, cold: 0, total: 6 })
    const tiers = ['hot', 'warm', 'cold', 'warm', 'cold', 'cold'] as const
    await setTiers(server.context.database.queries, await spaceOf(ada), [...tiers])
    expect(await read(ada, distribution)).toEqual({ hot: 1, warm: 2, cold: 3, total: 6 })
    await ada.delete(`/v1/memory/patterns/${ids[1]}`)
    await ada.delete(`/v1/memory/patterns/${ids[0]}`)
    expect(await read(ada, distribution)).toEqual({ hot: 0, warm: 1, cold: 3, total: 4 })
    await ada.delete('/v1/memory/patterns?confirm=all')
    expect(await read(ada, distribution)).toEqual({ hot: 0, warm: 0, cold: 0, total: 0 })
  })

  it('leaves out what has expired and is not erased yet, in every tier', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    const space = await spaceOf(ada)
    await setTiers(server.context.database.queries, space, [
      'hot',
      'hot',
      'hot',
      'warm',
      'warm',
      'cold',
      'cold',
    ])
    await inSpace(server, ada, (trx) =>
      sql`update app.patterns set expires_at = now() - interval '1 second'
        where space_id = ${space} and idx in (0, 3, 5, 6)`.execute(trx),
    )
    expect(await read(ada, distribution)).toEqual({ hot: 2, warm: 1, cold: 0, total: 3 })
  })

  it('agrees with what the list of patterns says', async () => {
    const ada = await newConformingClient(server)
    await ada.store(Array.from({ length: 10 }, (_, i) => `fact ${i}`))
    const tiers = Array.from(
      { length: 10 },
      (_, i) => (['hot', 'warm', 'cold'] as const)[(i * 7) % 3] ?? 'hot',
    )
    await setTiers(server.context.database.queries, await spaceOf(ada), tiers)
    const { body } = await ada.get('/v1/memory/patterns')
    const listed = Map.groupBy(body.patterns as { tier: string }[], ({ tier }) => tier)
    expect(await read(ada, distribution)).toEqual({
      hot: listed.get('hot')?.length,
      warm: listed.get('warm')?.length,
      cold: listed.get('cold')?.length,
      total: 10,
    })
  })
})

describe('GET /v1/memory/tiered/stats', () => {
  it('is 0 throughout before anything was asked', async () => {
    const ada = await newConformingClient(server)
    expect(await read(ada, statistics)).toEqual(nothing)
    await ada.store(['a'])
    expect(await read(ada, statistics)).toEqual(nothing)
    await ada.retrieve('a', { filter: { nobody: true } })
    await flush()
    expect(await read(ada, statistics)).toEqual(nothing)
  })

  it('gives the share of each tier among the patterns in answers of every kind', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['a', 'b', 'c', 'd'])
    await setTiers(server.context.database.queries, await spaceOf(ada), ['hot', 'hot', 'warm', 'cold'])
    await ada.retrieve('a', { top_k: 4 })
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'd' })
    await ada.post('/v1/memory/query', { embedding: body.embedding, top_k: 1 })
    await ada.post('/v1/memory/retrieve', { embedding: body.embedding, top_k: 1 })
    await ada.post('/v1/memory/batch/retrieve', {
      queries: [
        { embedding: body.embedding, top_k: 1 },
        { embedding: body.embedding, top_k: 1 },
      ],
    })
    await ada.post('/v1/memory/tiered/retrieve', { query: 'c', tier: 'warm' })
    await flush()
    expect(await read(ada, statistics)).toMatchObject({
      total_accesses: 9,
      hot_hit_rate: expect.closeTo(2 / 9, 12),
      warm_hit_rate: expect.closeTo(2 / 9, 12),
      cold_hit_rate: expect.closeTo(5 / 9, 12),
    })
  })

  it('keeps live and test, and organizations, apart', async () => {
    const live = await newConformingClient(server)
    const { organizationId } = live
    const test = await newConformingClient(server, { organizationId, environment: 'test' })
    const other = await newConformingClient(server)
    for (const client of [live, test, other]) await client.store(['a', 'b'])
    await live.retrieve('a', { top_k: 2 })
    await test.retrieve('a', { top_k: 1 })
    await flush()
    const totals = [live, test, other].map(async (client) => (await read(client, statistics)).total_accesses)
    expect(await Promise.all(totals)).toEqual([2, 1, 0])
  })

  it.each([statistics, distribution])('%s needs a key with memory:read', async (path) => {
    const full = await newConformingClient(server)
    const { organizationId } = full
    const withScopes = (scopes: Scope[]) => newConformingClient(server, { organizationId, scopes })
    expect((await (await withScopes(['memory:read'])).get(path)).status).toBe(200)
    for (const scopes of [[], ['memory:write']] as Scope[][]) {
      const refused = await (await withScopes(scopes)).get(path)
      expect(refused.status).toBe(403)
      expect(refused.body).toEqual({ detail: 'Insufficient scope: memory:read required' })
    }
    expect((await full.get(path, { 'X-API-Key': 'wrong' })).status).toBe(401)
    expect((await full.post(path)).status).toBe(405)
  })
})

// Last: the service's clock stays ahead of the database's from here on.
describe('weeks of use', () => {
  it('take what is not asked for down and what is asked for up again, and answers stay as they were', async () => {
    const ada = await newConformingClient(server)
    const texts = [
      'Ada moved to Lisbon.',
      'The bus leaves at nine.',
      'The printer is out of toner.',
      'Green is a colour.',
    ]
    await ada.store([...texts, { text: 'Ada has asthma.', metadata: { category: 'health' } }])
    const query = { query: 'Where does Ada live?', top_k: 20 }
    const ask = async () => (await ada.post('/v1/memory/text/retrieve', query)).body.results
    const answers = await ask()
    await flush()
    const counters = () => findCounters(server.context.database.queries, spaceId)
    const spaceId = await spaceOf(ada)

    // Everything was in an answer once, which makes its score 2 at first: warm after two weeks.
    server.clock.advance(13 * day)
    expect((await migrate(ada)).moved).toBe(0)
    server.clock.advance(2 * day)
    expect((await migrate(ada)).moved).toBe(5)
    expect(await read(ada, distribution)).toEqual({ hot: 0, warm: 5, cold: 0, total: 5 })
    server.clock.advance(30 * day)
    await migrate(ada)
    expect(await read(ada, distribution)).toEqual({ hot: 0, warm: 1, cold: 4, total: 5 })
    expect((await ada.post('/v1/memory/tiered/retrieve', { query: 'x', tier: 'warm' })).body.results).toEqual(
      [expect.objectContaining({ text: 'Ada has asthma.', tier: 'warm' })],
    )
    await flush()

    // What is asked for by itself comes back step by step; the rest stays.
    for (const tier of ['warm', 'hot'] as const) {
      expect(await ada.retrieve(String(texts[1]), { top_k: 1 })).toEqual([texts[1]])
      await flush()
      const { body } = await ada.post('/v1/memory/tiered/retrieve', { query: texts[1], tier, top_k: 1 })
      expect(body.results[0]).toMatchObject({ text: texts[1], tier })
    }
    expect(await counters()).toMatchObject({ demotions: 9, promotions: 2 })
    expect(await ask()).toEqual(
      answers.map((answer: { similarity: number }) => ({
        ...answer,
        similarity: expect.closeTo(answer.similarity, 9),
      })),
    )
    expect(await read(ada, distribution)).toEqual({ hot: 1, warm: 1, cold: 3, total: 5 })
  })
})
