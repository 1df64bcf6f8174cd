import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import type { Answer } from '../../support/requests.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, rule } from '../space.ts'
import { cosineOf, randomVector, stored } from './naive.ts'
import { batchStore, query, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/retrieve'
const deprecated = '/v1/memory/query/semantic'

interface Retrieved {
  confidence: number
  metadata: Record<string, unknown> | null
  was_reranked: boolean
  semantic_score: number
  pattern_id: string
}

const post = async (client: ConformingClient, body: object, to = path): Promise<Answer> => {
  const answer = await client.post(to, body)
  expect(answer.status).toBe(200)
  return answer
}

const resultsOf = ({ body }: Answer): Retrieved[] => body.results

describe('POST /v1/memory/retrieve', () => {
  it('orders keys that were projected down among those of the query’s length by their cosines', async () => {
    const ada = await newConformingClient(server)
    const plain = Array.from({ length: 40 }, (_, i) => ({ key: randomVector(16, i + 1), value: [i] }))
    // They are all on one side, so that they differ from the others as a group.
    const projected = Array.from({ length: 40 }, (_, i) => ({
      key: randomVector(8, 100 + i).map((number, at) => (at === 0 ? Math.abs(number) + 1 : number)),
      value: [100 + i],
      source_dim: 16,
    }))
    await batchStore(ada, [...plain, ...projected])
    for (let seed = 500; seed < 510; seed++) {
      const embedding = randomVector(16, seed)
      const retrieved = resultsOf(await post(ada, { embedding, top_k: 80, read_only: true }))
      const queried = await query(ada, embedding, { top_k: 80, read_only: true })
      expect(retrieved.map(({ pattern_id }) => pattern_id)).toEqual(
        queried.map(({ pattern_id }) => pattern_id),
      )
    }
  })

  it('finds what query finds, with metadata and the cosine in place of the value', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 30 }, (_, i) => randomVector(24, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i], metadata: i % 3 === 0 ? null : { i, text: 'é"\\' } })),
    )
    const embedding = randomVector(24, 99)
    const { body } = await post(ada, { embedding, top_k: 30 })
    const queried = await query(ada, embedding, { top_k: 30 })
    const results: Retrieved[] = body.results
    expect(results.map(({ pattern_id, confidence }) => [pattern_id, confidence])).toEqual(
      queried.map(({ pattern_id, confidence }) => [pattern_id, confidence]),
    )
    for (const [at, { metadata, was_reranked, semantic_score, confidence }] of results.entries()) {
      const i = queried[at]?.value[0] as number
      expect(metadata).toEqual(i % 3 === 0 ? null : { i, text: 'é"\\' })
      expect(was_reranked).toBe(false)
      expect(semantic_score).toBeCloseTo(cosineOf(stored(embedding), stored(keys[i] as number[])), 5)
      expect(confidence).toBe(Math.max(0, semantic_score))
    }
    expect(results.at(-1)?.semantic_score).toBeLessThan(0)
    expect(body.info).toEqual({
      boosted: false,
      n_candidates: 30,
      original_top_score: results[0]?.semantic_score,
      boosted_top_score: results[0]?.semantic_score,
    })
  })

  it('answers an empty space with no results and scores of 0', async () => {
    const ada = await newConformingClient(server)
    const { body } = await post(ada, { embedding: [1] })
    expect(body).toEqual({
      results: [],
      info: { boosted: false, n_candidates: 0, original_top_score: 0, boosted_top_score: 0 },
      latency_ms: expect.any(Number),
    })
  })

  it('gives 5 results unless told', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      Array.from({ length: 7 }, (_, i) => ({ key: [1, i], value: [i] })),
    )
    expect(resultsOf(await post(ada, { embedding: [1, 0] }))).toHaveLength(5)
    expect(resultsOf(await post(ada, { embedding: [1, 0], top_k: 100 }))).toHaveLength(7)
  })

  it('counts as candidates what it compared: keys of that length, those that match a filter', async () => {
    const ada = await newConformingClient(server)
    await batchStore(ada, [
      { key: [1, 0], value: [0], metadata: { user: 'a' } },
      { key: [1, 1], value: [0], metadata: { user: 'b' } },
      { key: [0, 1], value: [0], metadata: { user: 'b' } },
      { key: [1], value: [0], metadata: { user: 'b' }, source_dim: 2 },
      { key: [1, 1, 1], value: [0], metadata: { user: 'b' } },
    ])
    const candidates = async (options: object) =>
      (await post(ada, { embedding: [1, 0.1], ...options })).body.info.n_candidates
    expect(await candidates({})).toBe(4)
    expect(await candidates({ filter: { user: 'b' } })).toBe(3)
    expect(await candidates({ filter: { user: 'nobody' } })).toBe(0)
    expect(await candidates({ top_k: 1, min_similarity: 0.99 })).toBe(4)
  })

  it('leaves out what min_similarity and filter leave out', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0], [1], { metadata: { n: 1 } })
    await storeVector(ada, [0, 1], [1], { metadata: { n: 2 } })
    const numbers = async (options: object) =>
      resultsOf(await post(ada, { embedding: [1, 0], ...options })).map(({ metadata }) => metadata?.n)
    expect(await numbers({ min_similarity: 0.5 })).toEqual([1])
    expect(await numbers({ filter: { n: 2 } })).toEqual([2])
    expect(await numbers({ filter: { n: 2 }, min_similarity: 0.5 })).toEqual([])
    const { info } = (await post(ada, { embedding: [-1, -2], min_similarity: 0.5 })).body
    expect(info).toEqual({ boosted: false, n_candidates: 2, original_top_score: 0, boosted_top_score: 0 })
  })

  it('finds texts, whose metadata are an object even when none were given', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['tea', { text: 'tea', metadata: { role: 'user' } }])
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'tea' })
    const results = resultsOf(await post(ada, { embedding: body.embedding }))
    expect(results.map(({ pattern_id, metadata }) => [pattern_id, metadata])).toEqual([
      [ids[0], {}],
      [ids[1], { role: 'user' }],
    ])
  })

  it('counts as an access of what it answers', async () => {
    const ada = await newConformingClient(server)
    const id = await storeVector(ada, [1, 0])
    await post(ada, { embedding: [1, 0] })
    await post(ada, { embedding: [1, 0] }, deprecated)
    await server.context.memory.accesses.flush()
    expect((await ada.get(`/v1/memory/patterns/${id}`)).body.access_count).toBe(2)
  })

  it.each([
    [path, 101, 100],
    [deprecated, 51, 50],
  ])('of %s refuses top_k %d with 422', async (to, top_k, le) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(to, { embedding: [1], top_k }))).toEqual([
      {
        type: 'less_than_equal',
        loc: ['body', 'top_k'],
        msg: `Input should be less than or equal to ${le}`,
        ctx: { le },
      },
    ])
    expect(faultsOf(await ada.post(to, { embedding: [0], top_k: le }))).toEqual([
      rule(['body', 'embedding'], 'vector must not be all zero'),
    ])
  })
})

describe('POST /v1/memory/query/semantic', () => {
  it('answers as retrieve does and says what replaces it', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      Array.from({ length: 7 }, (_, i) => ({ key: [1, i], value: [i], metadata: { i } })),
    )
    const { body: retrieved } = await post(ada, { embedding: [1, 3] })
    const { body, headers } = await post(ada, { embedding: [1, 3] }, deprecated)
    expect(body).toEqual({ ...retrieved, latency_ms: expect.any(Number) })
    expect(headers.get('Deprecation')).toMatch(/^@\d+$/)
    expect(headers.get('Link')).toBe('</v1/memory/retrieve>; rel="successor-version"')
    const current = await post(ada, { embedding: [1, 3] })
    expect(current.headers.get('Deprecation')).toBe(null)
  })

  it('takes what narrows the other', async () => {
    const ada = await newConformingClient(server)
    await batchStore(ada, [
      { key: [1, 0], value: [0], metadata: { a: 1 }, subject: 'ada', occurred_at: '2020-01-01T00:00:00Z' },
      { key: [1, 1], value: [1], metadata: { a: 2 }, subject: 'ben', occurred_at: '2021-01-01T00:00:00Z' },
    ])
    for (const narrowing of [
      { filter: { a: 2 } },
      { subject: 'ben' },
      { after: '2020-06-01T00:00:00Z' },
      { filter: { a: [1, 2] }, after: '2020-06-01T00:00:00Z', before: '2022-01-01T00:00:00Z' },
    ]) {
      const { body } = await post(ada, { embedding: [1, 0], ...narrowing }, deprecated)
      expect(body.results.map(({ metadata }: { metadata: object }) => metadata)).toEqual([{ a: 2 }])
    }
    const { body } = await post(ada, { embedding: [1, 0], after: '2090-01-01T00:00:00Z' }, deprecated)
    expect(body.results).toEqual([])
  })

  it('says so with a refusal too', async () => {
    const ada = await newConformingClient(server)
    const { status, headers } = await ada.post(deprecated, {})
    expect(status).toBe(422)
    expect(headers.get('Link')).toBe('</v1/memory/retrieve>; rel="successor-version"')
  })
})
