import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** What an answer says that its time went into, in ms. */
function timesOf({ headers }: { headers: Headers }): Record<string, number> {
  const parts = (headers.get('server-timing') ?? '').split(', ').map((part) => {
    const [, name, ms] = /^([a-z]+);dur=(\d+\.\d\d)$/.exec(part) ?? []
    return [name, Number(ms)] as const
  })
  return Object.fromEntries(parts)
}

describe('Server-Timing', () => {
  it('says what a search went into', async () => {
    const client = await newConformingClient(server)
    await client.store(['Ada lives in Lisbon.', 'Ben lives in Porto.'])
    const times = timesOf(await client.post('/v1/memory/text/recall', { query: 'Where does Ada live?' }))
    expect(Object.keys(times)).toEqual(['auth', 'encode', 'search', 'rank', 'database', 'total'])
    const { total, ...parts } = times
    for (const [name, ms] of Object.entries(parts)) {
      expect(ms, name).toBeGreaterThanOrEqual(0)
      // Each is rounded.
      expect(ms, name).toBeLessThanOrEqual((total as number) + 0.01)
    }
  })

  it('is on every answer, and says the whole alone to whoever is not known', async () => {
    for (const [path, init] of [
      ['/healthz', {}],
      ['/openapi.json', {}],
      ['/v1/nowhere', {}],
      ['/v1/memory/patterns', { headers: { 'X-API-Key': 'mem_wrong' } }],
      ['/v1/auth/login', { method: 'POST', body: '{"email":"nobody@example.com","password":"a wrong one"}' }],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`, init)
      await answer.text()
      expect(Object.keys(timesOf(answer)), path).toEqual(['total'])
    }
  })

  it('is on answers that refuse', async () => {
    const client = await newConformingClient(server)
    const answer = await client.post('/v1/memory/text/recall', {})
    expect(answer.status).toBe(422)
    expect(timesOf(answer)).toHaveProperty('auth')
  })
})
