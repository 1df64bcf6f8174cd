import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { flush, readLearned } from './learning/space.ts'
import { faultsOf, getSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/text/predict'

interface Prediction {
  text: string
  pattern_id: string
  strength: number
}

async function predict(client: Client, body: object): Promise<Prediction[]> {
  const answer = await client.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.predictions
}

const facts = [
  'The train to Porto leaves at nine.',
  'Bread needs flour, water, salt and yeast.',
  'Ada is allergic to peanuts.',
  'Interest rates rose by half a percent.',
]
const query = 'When does the train to Porto leave?'

async function newSpace() {
  const ada = await newConformingClient(server)
  return { ada, ids: await ada.store(facts) }
}

/** Finds facts one after the other, as an actor of its own. */
async function find(client: Client, ...indexes: number[]): Promise<void> {
  const headers = { 'X-Memory-Actor': `${Math.random()}` }
  for (const idx of indexes) {
    await client.post('/v1/memory/text/retrieve', { query: facts[idx], top_k: 1 }, headers)
  }
}

/** The definition, in matrix arithmetic: sum over t = 1..4 of 0.5^(t-1) p T^t, over 1.875. */
function successors(start: number[], counts: number[][]): number[] {
  const rows = counts.map((row, i) => {
    const seen = row.map((count, j) => count + (j === i + 1 ? 0.2 : 0))
    const total = 1 + seen.reduce((sum, count) => sum + count)
    return seen.map((count) => count / total)
  })
  const strengths = start.map(() => 0)
  let p = start
  for (let t = 0; t < 4; t++) {
    p = p.map((_, j) => p.reduce((sum, share, i) => sum + share * (rows[i]?.[j] ?? 0), 0))
    p.forEach((share, j) => {
      strengths[j] = (strengths[j] ?? 0) + (0.5 ** t * share) / 1.875
    })
  }
  return strengths
}

describe('POST /v1/memory/text/predict', () => {
  it('gives what followed what the query is about, as strongly as the definition says', async () => {
    const { ada, ids } = await newSpace()
    for (let n = 0; n < 4; n++) await find(ada, 0, 2)
    await find(ada, 0, 3)
    await find(ada, 2, 3)
    await flush(server)
    const { body } = await ada.post(
      '/v1/memory/text/retrieve',
      { query, top_k: 4 },
      { 'X-Memory-Actor': 'asks' },
    )
    const near = new Map<string, number>(
      body.results.map((r: { pattern_id: string; similarity: number }) => [r.pattern_id, r.similarity]),
    )
    const weights = ids.map((id) => Math.exp(20 * (near.get(id) ?? Number.NaN)))
    const total = weights.reduce((sum, weight) => sum + weight)
    const counts = [
      [0, 0, 4, 1],
      [0, 0, 0, 0],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]
    const expected = successors(
      weights.map((weight) => weight / total),
      counts,
    )
    const predictions = await predict(ada, { query })
    expect(predictions.map(({ pattern_id }) => ids.indexOf(pattern_id))).toEqual([2, 3, 1])
    for (const { text, pattern_id, strength } of predictions) {
      const idx = ids.indexOf(pattern_id)
      expect(text).toBe(facts[idx])
      expect(strength).toBeCloseTo(expected[idx] as number, 4)
    }
    expect(predictions.reduce((sum, { strength }) => sum + strength, 0)).toBeLessThanOrEqual(1)
  })

  it('gives as many as asked for', async () => {
    const { ada } = await newSpace()
    await find(ada, 0, 2)
    await find(ada, 0, 3)
    await flush(server)
    const all = await predict(ada, { query, top_k: 50 })
    expect(all.length).toBe(3)
    expect(await predict(ada, { query, top_k: 2 })).toEqual([
      { ...all[0], strength: expect.closeTo(all[0]?.strength ?? 0, 5) },
      { ...all[1], strength: expect.closeTo(all[1]?.strength ?? 0, 5) },
    ])
  })

  it('predicts what was stored next, weakly, before any use; and nothing of nothing', async () => {
    const { ada } = await newSpace()
    const [first] = await predict(ada, { query: facts[0] })
    expect(first).toMatchObject({ text: facts[1] })
    expect(first?.strength).toBeGreaterThan(0)
    expect(first?.strength).toBeLessThan(0.15)
    expect(await predict(await newConformingClient(server), { query })).toEqual([])
    const alone = await newConformingClient(server)
    await alone.store(['Alone.'])
    expect(await predict(alone, { query })).toEqual([])
  })

  it('is the same whatever vectors were stored between the texts, with a filter that all texts match or none', async () => {
    const [texts, metadata] = [facts.slice(0, 3), { kind: 'fact' }]
    const strengths = async (vectors: number) => {
      const ada = await newConformingClient(server)
      const { body } = await ada.post('/v1/memory/text/embed', { text: 'a vector' })
      for (const text of texts) {
        await ada.store([{ text, metadata }])
        for (let i = 0; i < vectors; i++) {
          const key = i % 2 === 0 ? [1, 2, 3 + i] : body.embedding
          const stored = await ada.post('/v1/memory/store', { key, value: [1], metadata })
          expect(stored.status, JSON.stringify(stored.body)).toBeLessThan(300)
        }
      }
      const answers = [{}, { filter: metadata }].map((asked) => predict(ada, { query: texts[0], ...asked }))
      return (await Promise.all(answers)).map((found) =>
        found.map(({ text, strength }) => ({ text, strength })),
      )
    }
    const [alone] = await strengths(0)
    expect(alone?.map(({ text }) => text)).toEqual(texts.slice(1))
    const expected = alone?.map(({ text, strength }) => ({ text, strength: expect.closeTo(strength, 5) }))
    for (const vectors of [0, 1, 4]) expect(await strengths(vectors)).toEqual([expected, expected])
  })

  it('predicts the same as the brain does, also of what was superseded or has expired', async () => {
    const { ada, ids } = await newSpace()
    await ada.post('/v1/memory/store', { key: [1, 2, 3], value: [1] })
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    const [whales, wall] = ['Whales sing at night.', 'The wall is painted blue.']
    const store = async (...items: object[]) => {
      expect((await ada.post('/v1/memory/text/batch-store', { items })).status).toBe(200)
    }
    await store({ text: whales }, { text: wall, expires_at })
    for (let n = 0; n < 4; n++) await find(ada, 0, 1)
    for (let n = 0; n < 2; n++) {
      const headers = { 'X-Memory-Actor': `wall ${n}` }
      for (const asked of [facts[0], wall]) {
        await ada.post('/v1/memory/text/retrieve', { query: asked, top_k: 1 }, headers)
      }
    }
    await find(ada, 0)
    await flush(server)
    const compare = async () => {
      const { temporal_predictions } = (await ada.get('/v1/memory/brain')).body
      const predictions = await predict(ada, { query: facts[0], read_only: true })
      // The query is a little about other texts too.
      const shown = (found: Omit<Prediction, 'text'>[]) =>
        Object.fromEntries(
          found.filter(({ strength }) => strength > 0.002).map((one) => [one.pattern_id, one.strength]),
        )
      const expected = Object.entries(shown(predictions)).map(([id, strength]) => [
        id,
        expect.closeTo(strength, 3),
      ])
      expect(shown(temporal_predictions)).toEqual(Object.fromEntries(expected))
      return predictions
    }
    expect((await compare())[0]?.pattern_id).toBe(ids[1])
    await store({ text: 'Bread needs only flour and water.', supersedes: ids[1] })
    expect((await compare()).map(({ pattern_id }) => pattern_id)).not.toContain(ids[1])
    server.clock.advance(2 * 3_600_000)
    await compare()
  })

  it('predicts for an end user what was stored next for them, whatever others stored between', async () => {
    const ada = await newConformingClient(server)
    const [first, next] = ['I take the ferry to Procida at nine.', 'On Procida I eat lemon salad.']
    await ada.store([{ text: first, subject: 'ada' }])
    await ada.store([{ text: 'The office closes at five.', subject: 'ben' }, 'Bread needs flour.'])
    await ada.store([{ text: next, subject: 'ada' }])
    const { body } = await ada.post('/v1/memory/text/predict', { query: first, subject: 'ada' })
    expect(body.predictions.map(({ text }: { text: string }) => text)).toEqual([next])
  })

  it('leaves out what the query is about, unless it was seen to follow itself', async () => {
    const { ada, ids } = await newSpace()
    expect((await predict(ada, { query })).map(({ pattern_id }) => pattern_id)).not.toContain(ids[0])
    const headers = { 'X-Memory-Actor': 'one' }
    for (const again of [query, 'When is the train to Porto?', 'At what time does the Porto train go?']) {
      await ada.post('/v1/memory/text/retrieve', { query: again, top_k: 1 }, headers)
    }
    await flush(server)
    expect((await predict(ada, { query }))[0]?.pattern_id).toBe(ids[0])
  })

  it('forgets with time: after a year it is the store order again', async () => {
    const { ada, ids } = await newSpace()
    for (let n = 0; n < 3; n++) await find(ada, 0, 3)
    await flush(server)
    expect((await predict(ada, { query }))[0]?.pattern_id).toBe(ids[3])
    server.clock.advance(365 * 86_400_000)
    expect((await predict(ada, { query }))[0]?.pattern_id).toBe(ids[1])
  })

  it('gives nothing that is deleted, and no vectors', async () => {
    const { ada, ids } = await newSpace()
    await ada.post('/v1/memory/store', { key: [1, 2, 3], value: [1] })
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'a vector' })
    await ada.post('/v1/memory/store', { key: body.embedding, value: [1] })
    for (let n = 0; n < 3; n++) await find(ada, 0, 3)
    await flush(server)
    await ada.delete(`/v1/memory/patterns/${ids[3]}`)
    const predictions = await predict(ada, { query, top_k: 50 })
    expect(predictions.map(({ pattern_id }) => pattern_id).toSorted()).toEqual([ids[1], ids[2]].toSorted())
  })

  it('gives as many texts as asked for, whatever lies between them', async () => {
    const ada = await newConformingClient(server)
    await ada.store([facts[0] as string])
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'a vector' })
    for (let i = 0; i < 2; i++) await ada.post('/v1/memory/store', { key: body.embedding, value: [i] })
    await ada.store([facts[1] as string])
    expect((await predict(ada, { query, top_k: 1 })).map(({ text }) => text)).toEqual([facts[1]])
  })

  it('is a search whose surprise is observed, and no use', async () => {
    const { ada } = await newSpace()
    await flush(server)
    const { id } = await getSpace(server, ada)
    const before = (await server.context.memory.learning.listHistory(id, 1_000)).length
    await predict(ada, { query })
    const { surprise } = (await ada.get('/v1/memory/brain')).body
    expect(surprise).toBeGreaterThan(0)
    expect(await server.context.memory.learning.listHistory(id, 1_000)).toHaveLength(before + 1)
    expect((await readLearned(server, ada)).accesses.size).toBe(0)
  })

  it.each([
    [{}, 'missing', 'query'],
    [{ query: '\t' }, 'string_too_short', 'query'],
    [{ query: 'x'.repeat(5_001) }, 'string_too_long', 'query'],
    [{ query: 'q', top_k: 0 }, 'greater_than_equal', 'top_k'],
    [{ query: 'q', top_k: 51 }, 'less_than_equal', 'top_k'],
  ])('refuses %j', async (body, type, field) => {
    const answer = await (await newConformingClient(server)).post(path, body)
    expect(faultsOf(answer)).toEqual([expect.objectContaining({ type, loc: ['body', field] })])
  })
})
