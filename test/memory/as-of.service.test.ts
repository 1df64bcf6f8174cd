import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, getSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const patterns = '/v1/memory/patterns'

interface Result {
  text: string
  similarity: number
  version: number
  metadata: object
  valid_to: string | null
  superseded_by: string | null
}

async function retrieve(client: ConformingClient, body: object): Promise<Result[]> {
  const answer = await client.post('/v1/memory/text/retrieve', {
    query: 'Where does Ada live?',
    top_k: 50,
    ...body,
  })
  expect(answer.status).toBe(200)
  return answer.body.results
}

const textsOf = (results: readonly Result[]) => results.map(({ text }) => text).toSorted()

/** Puts everything that was recorded so far so many hours further back. */
async function age(client: ConformingClient, hours: number): Promise<void> {
  const { id } = await getSpace(server, client)
  await asTenant(server.context.database.queries, { spaceId: id }, async (trx) => {
    const by = sql`make_interval(hours => ${hours})`
    await sql`update app.patterns set created_at = created_at - ${by}, updated_at = updated_at - ${by},
      occurred_at = occurred_at - ${by}, valid_to = valid_to - ${by}`.execute(trx)
    await sql`update app.pattern_versions set changed_at = changed_at - ${by}, replaced_at = replaced_at - ${by},
      occurred_at = occurred_at - ${by}`.execute(trx)
  })
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Ada moved twice: an update two hours ago, and one an hour ago that took the place of what was true. */
async function movedTwice(client: ConformingClient): Promise<void> {
  const store = (text: string, more: object) =>
    client.post('/v1/memory/text/store', { text, metadata: { at: text.length }, ...more })
  await store('Ada lives in Porto.', { external_id: 'home' })
  await age(client, 1)
  await store('Ada lives in Lisbon.', { external_id: 'home' })
  await store('Ada has a cat.', {})
  await age(client, 1)
  await store('Ada lives in Faro, in the south.', { supersedes: 'ext:home' })
  await age(client, 1)
}

describe('as_of', () => {
  it('answers from what was recorded and valid then, in the versions of then', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const then = async (hours: number) => textsOf(await retrieve(ada, { as_of: hoursAgo(hours) }))
    expect(await then(4)).toEqual([])
    expect(await then(2.5)).toEqual(['Ada lives in Porto.'])
    expect(await then(1.5)).toEqual(['Ada has a cat.', 'Ada lives in Lisbon.'])
    const now = ['Ada has a cat.', 'Ada lives in Faro, in the south.']
    expect(await then(0.5)).toEqual(now)
    expect(textsOf(await retrieve(ada, {}))).toEqual(now)
    const [best] = await retrieve(ada, { as_of: hoursAgo(2.5) })
    expect(best).toMatchObject({ version: 1, valid_to: null, superseded_by: null, external_id: 'home' })
  })

  it('is exact: the similarities of now are those of the index', async () => {
    const ada = await newConformingClient(server)
    await ada.store(
      Array.from({ length: 40 }, (_, i) => ({ text: `Ada knows ${i} cities.`, metadata: { i } })),
    )
    const now = await retrieve(ada, { top_k: 7 })
    const then = await retrieve(ada, { top_k: 7, as_of: hoursAgo(-1) })
    expect(then.map(({ text }) => text)).toEqual(now.map(({ text }) => text))
    for (const [i, { similarity }] of then.entries())
      expect(similarity).toBeCloseTo(now[i]?.similarity ?? 0, 5)
    expect(now[0]).not.toHaveProperty('version')
  })

  it('reads filters against what was there then', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const filter = { at: { $lt: 20 } }
    const then = async (hours: number) => textsOf(await retrieve(ada, { filter, as_of: hoursAgo(hours) }))
    expect(await then(2.5)).toEqual(['Ada lives in Porto.'])
    expect(await then(1.5)).toEqual(['Ada has a cat.'])
    const text = { filter: { $text: { $contains: 'porto' } }, as_of: hoursAgo(2.5) }
    expect(textsOf(await retrieve(ada, text))).toEqual(['Ada lives in Porto.'])
  })

  it('shows nothing that was deleted or redacted since', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    await ada.delete(`${patterns}/ext:home/history/1`)
    expect(await retrieve(ada, { as_of: hoursAgo(2.5) })).toEqual([])
    await ada.delete(`${patterns}/ext:home`)
    expect(textsOf(await retrieve(ada, { as_of: hoursAgo(1.5) }))).toEqual(['Ada has a cat.'])
  })

  it('teaches nothing, and shows nothing of others', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    const [id] = await ada.store(['Ada lives in Porto.'])
    await retrieve(ada, { as_of: hoursAgo(-1) })
    await server.context.memory.accesses.flush()
    expect((await ada.get(`${patterns}/${id}`)).body.access_count).toBe(0)
    expect(await retrieve(ben, { as_of: hoursAgo(-1), include_superseded: true })).toEqual([])
  })

  it('is found by the time that an answer gave', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['Ada lives in Porto.'])
    const { updated_at } = (await ada.patch(`${patterns}/${id}`, { text: 'Ada lives in Faro.' })).body
    expect(textsOf(await retrieve(ada, { as_of: updated_at }))).toEqual(['Ada lives in Faro.'])
  })

  it('is refused when it is no time', async () => {
    const ada = await newConformingClient(server)
    const answer = await ada.post('/v1/memory/text/retrieve', { query: 'x', as_of: 'yesterday' })
    expect(faultsOf(answer)).toMatchObject([{ loc: ['body', 'as_of'] }])
  })

  it('finds vectors by the keys that they had, with the values of then', async () => {
    const ada = await newConformingClient(server)
    const store = (key: number[], value: number[]) =>
      ada.post('/v1/memory/store', { key, value, external_id: 'v' })
    await store([1, 0], [1])
    await age(ada, 1)
    await store([0, 1], [2])
    const query = async (body: object) =>
      (await ada.post('/v1/memory/query', { embedding: [1, 0], min_similarity: 0.5, ...body })).body.results
    expect(await query({})).toEqual([])
    expect(await query({ as_of: hoursAgo(0.5) })).toMatchObject([{ value: [1], version: 1, confidence: 1 }])
    expect(await query({ as_of: hoursAgo(0.5), embedding: [1, 0, 0] })).toEqual([])
  })
})

/** What an answer says of the patterns of movedTwice. */
const lisbon = { version: 2, valid_to: null, superseded_by: null }

describe('as_of of vector retrieve', () => {
  it('answers by the keys of then, exactly, and says of which versions', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 30 }, (_, i) => [Math.cos(i / 20), Math.sin(i / 20), 0.1])
    const store = (scale: number) =>
      ada.post('/v1/memory/batch/store', {
        patterns: keys.map(([x = 0, y = 0, z = 0], i) => ({
          ...{ key: [x * scale, y, z], value: [i], metadata: { i, scale }, external_id: `v${i}` },
        })),
      })
    await store(1)
    await age(ada, 2)
    await store(-1)
    const embedding = [1, 0.3, 0.1]
    const body = { embedding, top_k: 7, filter: { i: { $lt: 20 } }, as_of: hoursAgo(1) }
    const { results, info } = (await ada.post('/v1/memory/retrieve', body)).body
    const cosine = (key: readonly number[]) =>
      embedding.reduce((sum, x, i) => sum + x * (key[i] ?? 0), 0) /
      Math.hypot(...embedding) /
      Math.hypot(...key)
    const expected = keys
      .slice(0, 20)
      .map((key, i) => ({ i, cosine: cosine(key) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, 7)
    expect(results.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      expected.map(({ i }) => ({ i, scale: 1 })),
    )
    for (const [i, { semantic_score, confidence }] of results.entries()) {
      expect(semantic_score).toBeCloseTo(expected[i]?.cosine ?? 0, 6)
      expect(confidence).toBe(semantic_score)
    }
    expect(results[0]).toMatchObject({ was_reranked: false, version: 1, valid_to: null })
    expect(info).toMatchObject({
      boosted: false,
      n_candidates: 7,
      original_top_score: results[0].semantic_score,
    })
    const nothing = { embedding, as_of: hoursAgo(3) }
    expect((await ada.post('/v1/memory/retrieve', nothing)).body).toMatchObject({
      results: [],
      info: { n_candidates: 0, original_top_score: 0 },
    })
    const now = await ada.post('/v1/memory/retrieve', { embedding })
    expect(now.body.results[0].metadata.scale).toBe(-1)
    expect(now.body.results[0]).not.toHaveProperty('version')
  })

  it('finds texts by their embeddings, and what is not valid where asked', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const { embedding } = (await ada.post('/v1/memory/text/embed', { text: 'Ada lives in Lisbon.' })).body
    const retrieve = async (body: object) =>
      (await ada.post('/v1/memory/retrieve', { embedding, top_k: 10, ...body })).body.results
    const then = await retrieve({ as_of: hoursAgo(1.5) })
    expect(then).toHaveLength(2)
    expect(then[0]).toMatchObject({ metadata: { at: 20 }, external_id: 'home', ...lisbon })
    expect(then[0].semantic_score).toBeCloseTo(1, 5)
    expect(await retrieve({})).toHaveLength(2)
    expect(await retrieve({ include_superseded: true })).toHaveLength(3)
  })

  it('is refused in a batch, which answers of now', async () => {
    const ada = await newConformingClient(server)
    const queries = [{ embedding: [1], as_of: hoursAgo(1) }]
    const answer = await ada.post('/v1/memory/batch/retrieve', { queries })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'queries', 0, 'as_of'] }])
  })
})

describe('as_of of tiered retrieve, explain and count', () => {
  it('finds the texts of then with the tiers of now', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const tiered = async (body: object) =>
      (await ada.post('/v1/memory/tiered/retrieve', { query: 'Ada', top_k: 10, ...body })).body.results
    const then = await tiered({ as_of: hoursAgo(1.5) })
    expect(textsOf(then)).toEqual(['Ada has a cat.', 'Ada lives in Lisbon.'])
    const one = then.find(({ text }: Result) => text === 'Ada lives in Lisbon.')
    expect(one).toMatchObject({ tier: 'hot', last_accessed: null, ...lisbon })
    expect(await tiered({ as_of: hoursAgo(1.5), tier: 'cold' })).toEqual([])
    expect(await tiered({ as_of: hoursAgo(1.5), tier: 'hot', filter: { at: 14 } })).toHaveLength(1)
    expect(await tiered({ include_superseded: true })).toHaveLength(3)
    expect((await tiered({}))[0]).not.toHaveProperty('version')
  })

  it('explains by what was known then', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const explain = async (body: object) =>
      (await ada.post('/v1/memory/text/explain', { query: 'Where does Ada live?', lang: 'en', ...body })).body
    const now = await explain({})
    expect(now.explanation).toContain('Faro')
    expect(now.explanation).not.toContain('Lisbon')
    const then = await explain({ as_of: hoursAgo(1.5) })
    expect(then.explanation).toContain('Lisbon')
    expect(then.explanation).not.toContain('Faro')
    const inAnHour = await explain({ as_of: hoursAgo(-1) })
    expect(inAnHour).toMatchObject({ explanation: now.explanation, method: 'evidence' })
    expect(inAnHour.confidence).toBeCloseTo(now.confidence, 5)
    expect(await explain({ as_of: hoursAgo(4) })).toMatchObject({ method: 'no_evidence', confidence: 0 })
  })

  it('counts what was there then', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const count = async (body: object) => (await ada.post(`${patterns}/count`, body)).body.count
    const hours = [4, 2.5, 1.5, 0.5]
    expect(await Promise.all(hours.map((ago) => count({ as_of: hoursAgo(ago) })))).toEqual([0, 1, 2, 2])
    expect(await count({ as_of: hoursAgo(1.5), filter: { at: 20 } })).toBe(1)
    expect(await count({ as_of: hoursAgo(1.5), q: 'porto' })).toBe(0)
    expect(await count({ as_of: hoursAgo(0.5), include_superseded: true })).toBe(3)
  })
})

describe('as_of of recall and lists', () => {
  it('recalls by meaning what was there then', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const { body } = await ada.post('/v1/memory/text/recall', {
      query: 'Ada',
      as_of: hoursAgo(1.5),
      explain: true,
    })
    expect(textsOf(body.results)).toEqual(['Ada has a cat.', 'Ada lives in Lisbon.'])
    expect(body.info).toMatchObject({ pathway: 'exact', candidates: 2, lexical_hits: 0, reranked: false })
  })

  it('lists what was there then, page by page, by filter and words', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const list = async (more: string) => (await ada.get(`${patterns}?as_of=${hoursAgo(1.5)}${more}`)).body
    const whole = await list('')
    expect(whole).toMatchObject({
      patterns: [
        {
          text: 'Ada lives in Lisbon.',
          version: 2,
          valid_to: null,
          superseded_by: null,
          external_id: 'home',
        },
        { text: 'Ada has a cat.', version: 1 },
      ],
      next_cursor: null,
    })
    const first = await list('&limit=1')
    expect(first.patterns).toEqual([whole.patterns[0]])
    const second = await list(`&limit=1&cursor=${first.next_cursor}`)
    expect(second).toEqual({ patterns: [whole.patterns[1]], next_cursor: null })
    expect(textsOf((await list('&q=lisbon')).patterns)).toEqual(['Ada lives in Lisbon.'])
    const body = { filter: { at: 14 }, as_of: hoursAgo(1.5) }
    expect(textsOf((await ada.post(`${patterns}/search`, body)).body.patterns)).toEqual(['Ada has a cat.'])
    expect((await ada.get(`${patterns}?as_of=${hoursAgo(1)}&order=-created_at`)).status).toBe(422)
    expect((await ada.get(`${patterns}?as_of=then`)).status).toBe(422)
  })
})

describe('include_superseded', () => {
  it('of a search shows what is not valid any more or not yet, and by what it was replaced', async () => {
    const ada = await newConformingClient(server)
    await movedTwice(ada)
    const later = { text: 'Ada will live in Beja.', valid_from: '2999-01-01T00:00:00Z' }
    await ada.post('/v1/memory/text/store', later)
    const results = await retrieve(ada, { include_superseded: true })
    expect(textsOf(results)).toEqual([
      'Ada has a cat.',
      'Ada lives in Faro, in the south.',
      'Ada lives in Lisbon.',
      'Ada will live in Beja.',
    ])
    const old = results.find(({ text }) => text === 'Ada lives in Lisbon.')
    expect(old).toMatchObject({ superseded_by: expect.stringMatching(/^pat_/), valid_to: expect.any(String) })
  })
})
