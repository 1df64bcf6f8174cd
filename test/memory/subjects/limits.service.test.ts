import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let owner: User
let client: ConformingClient

beforeAll(async () => {
  server = await startServer({ MEMORY_DEFAULT_PLAN: 'enterprise' })
  owner = await newUser(server)
  client = await newConformingClient(server, { organizationId: owner.organizationId })
})

afterAll(() => server.close())

const limit = (subject_limits: object) =>
  owner.patch(`/v1/organizations/${owner.organizationId}`, { subject_limits })
const stored = (subject: string) => client.get(`/v1/memory/subjects/${subject}`)

describe('subject_limits', () => {
  it('are shown, changed one by one, and ended', async () => {
    expect((await limit({ patterns: 2 })).body.subject_limits).toEqual({ patterns: 2, queries_per_day: null })
    expect((await limit({ queries_per_day: 3 })).body.subject_limits).toEqual({
      patterns: 2,
      queries_per_day: 3,
    })
    expect((await limit({ patterns: null, queries_per_day: null })).body.subject_limits).toEqual({
      patterns: null,
      queries_per_day: null,
    })
    expect((await limit({ patterns: -1 })).status).toBe(422)
  })

  it('refuse a store by which a subject has too much, whole, and no other', async () => {
    await limit({ patterns: 2 })
    const store = (subject: string, count: number) =>
      client.post('/v1/memory/text/batch-store', {
        items: Array.from({ length: count }, (_, n) => ({ text: `${subject} says ${n}.`, subject })),
      })
    expect((await store('ada', 2)).status).toBe(200)
    const refused = await store('ada', 1)
    expect([refused.status, refused.body.detail]).toEqual([
      429,
      'Pattern storage limit of the subject reached',
    ])
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect((await store('ben', 3)).status).toBe(429)
    expect((await store('ben', 1)).status).toBe(200)
    expect((await client.post('/v1/memory/text/store', { text: 'Nobody says.' })).status).toBe(200)
    expect([(await stored('ada')).body.patterns, (await stored('ben')).body.patterns]).toEqual([2, 1])
    await limit({ patterns: null })
    expect((await store('ada', 1)).status).toBe(200)
  })

  it('count queries of each subject by the day, and give back those that fail', async () => {
    await limit({ queries_per_day: 2 })
    const ask = (who: ConformingClient, body: object) =>
      who.post('/v1/memory/text/retrieve', { query: 'says', ...body })
    const ada = await newConformingClient(server, {
      organizationId: owner.organizationId,
      subject: { name: 'ada', isShared: false },
    })
    expect((await ask(client, { subject: 'ada' })).status).toBe(200)
    expect((await ask(ada, { subject: 'ben' })).status).toBe(403)
    expect((await ask(ada, {})).status).toBe(200)
    const refused = await ask(ada, {})
    expect([refused.status, refused.body.detail]).toEqual([429, 'Daily query limit of the subject reached'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(client, { subject: 'ada' })).status).toBe(429)
    expect((await ask(client, { subject: 'ben' })).status).toBe(200)
    expect((await ask(client, {})).status).toBe(200)
    expect((await stored('ada')).body.queries_this_month).toBe(2)
    await limit({ queries_per_day: null })
    expect((await ask(ada, {})).status).toBe(200)
  })
})
