import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

describe('POST /v1/memory/text/store', () => {
  it('stores a text that the next retrieve finds with its metadata', async () => {
    const ada = await server.newClient()
    const stored = await ada.post('/v1/memory/text/store', {
      text: 'Ada moved to Lisbon in May.',
      metadata: { role: 'user', source: 'chat' },
    })
    expect(stored.status).toBe(200)
    expect(stored.body).toEqual({
      success: true,
      pattern_id: expect.stringMatching(/^pat_[0-9a-z]{26}$/),
      embedding_dim: 384,
      patterns_used: 1,
      patterns_limit: -1,
    })

    const found = await ada.post('/v1/memory/text/retrieve', { query: 'Where does Ada live?' })
    expect(found.status).toBe(200)
    expect(found.body).toEqual({
      results: [
        {
          text: 'Ada moved to Lisbon in May.',
          metadata: { role: 'user', source: 'chat' },
          similarity: expect.closeTo(0.48, 1),
          pattern_id: stored.body.pattern_id,
        },
      ],
      latency_ms: expect.any(Number),
    })
  })

  it('shows an empty object for a text stored without metadata', async () => {
    const ada = await server.newClient()
    await ada.store(['Tea at four.'])
    const { body } = await ada.post('/v1/memory/text/retrieve', { query: 'tea' })
    expect(body.results[0].metadata).toEqual({})
  })
})
