import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const facts = [
  'Ada moved to Lisbon in May.',
  'The printer on the second floor is out of toner.',
  'Did you call the landlord about the heating?',
  'Yes, he sends somebody on Thursday.',
  'Grandmother’s birthday is on the ninth of July.',
  'Invoice RX-2209 was paid twice by mistake.',
]

async function fill(texts = facts): Promise<string[]> {
  client = await server.newClient()
  const { body } = await client.post('/v1/memory/text/batch-store', { items: texts.map((text) => ({ text })) })
  return body.pattern_ids
}

describe('POST /v1/memory/text/recall', () => {
  it('finds by words what meaning alone does not, and says how', async () => {
    const ids = await fill()
    const { status, body } = await client.post('/v1/memory/text/recall', { query: 'RX-2209', top_k: 3 })
    expect(status).toBe(200)
    expect(body.results[0]).toMatchObject({ text: facts[5], pattern_id: ids[5], metadata: {} })
    expect(body.info).toMatchObject({ pathway: 'attention', regime: 'normal', lexical_hits: 1, co_access_boosted: 0 })
    expect(body.info.candidates).toBe(facts.length)
    expect(Object.values(body.info.head_weights as Record<string, number>).reduce((a, b) => a + b)).toBeCloseTo(1, 10)
  })

  it('keeps the cosine as the similarity', async () => {
    await fill()
    const query = 'Where does Ada live?'
    const recalled = await client.post('/v1/memory/text/recall', { query, top_k: 6 })
    const retrieved = await client.post('/v1/memory/text/retrieve', { query, top_k: 6 })
    const cosines = new Map(retrieved.body.results.map((r: { pattern_id: string; similarity: number }) => [r.pattern_id, r.similarity]))
    for (const { pattern_id, similarity } of recalled.body.results) expect(similarity).toBe(cosines.get(pattern_id))
    expect(recalled.body.results).toHaveLength(6)
  })

  it('answers an empty space with nothing', async () => {
    client = await server.newClient()
    const { body } = await client.post('/v1/memory/text/recall', { query: 'anything' })
    expect(body).toMatchObject({ results: [], info: { surprise: 1, candidates: 0, lexical_hits: 0, reranked: false } })
  })
})

describe('use', () => {
  it('is learned from', async () => {
    await fill()
    for (const query of ['Where does Ada live?', 'who fixes the heating', 'Where is Ada now?']) {
      await client.post('/v1/memory/text/recall', { query, top_k: 2 })
    }
    const { body } = await client.get('/v1/memory/brain')
    console.log(body)
    const again = await client.post('/v1/memory/text/recall', { query: 'Ada', top_k: 3 })
    console.log(JSON.stringify(again.body, null, 1))
  })
})
