import { rollUpUsage } from '@memory/identity/usage/keep-usage'
import { limits } from '@memory/shared/catalogue/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser, type User } from '../../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { inSpace } from '../space.ts'

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

  it('refuse a change or a replacement by which a subject has too much', async () => {
    await limit({ patterns: 1 })
    const store = (body: object) => client.post('/v1/memory/text/store', body)
    expect((await store({ text: 'one', subject: 'ann' })).status).toBe(200)
    expect((await store({ text: 'two', external_id: 'two' })).status).toBe(200)
    const changed = await client.patch('/v1/memory/patterns/ext:two', { subject: 'ann' })
    const replaced = await store({ text: 'three', external_id: 'two', subject: 'ann' })
    for (const { status, body } of [changed, replaced]) {
      expect([status, body.detail]).toEqual([429, 'Pattern storage limit of the subject reached'])
    }
    expect((await client.get('/v1/memory/patterns/ext:two')).body).toMatchObject({
      text: 'two',
      subject: null,
    })
    expect((await client.patch('/v1/memory/patterns/ext:two', { subject: 'bea' })).status).toBe(200)
    expect((await store({ text: 'three', external_id: 'two', subject: 'bea' })).status).toBe(200)
    await limit({ patterns: null })
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

  it('give back a query whose answer can’t be sent', async () => {
    await limit({ queries_per_day: 1 })
    const metadata = { note: 'x'.repeat(limits.metadataBytes - 100) }
    const items = Array.from({ length: 20 }, (_, n) => ({ text: `Kim says ${n}.`, subject: 'kim', metadata }))
    expect((await client.post('/v1/memory/text/batch-store', { items })).status).toBe(200)
    const ask = async () => {
      const query = { query: 'says', subject: 'kim', top_k: items.length }
      return (await client.post('/v1/memory/text/retrieve', query)).status
    }
    const { answers } = server.context.admission
    const release = answers.claim(owner.organizationId, limits.answerBytesInHand)
    expect(await ask()).toBe(429)
    release()
    expect([await ask(), await ask()]).toEqual([200, 429])
    await limit({ queries_per_day: null })
  })

  it('count the queries of a list of one, and those of a batch that are all of one', async () => {
    await limit({ queries_per_day: 1 })
    const embedding = [1, 0]
    const ask = (subject: unknown) => client.post('/v1/memory/query', { embedding, subject })
    const askAll = (...subjects: (string | undefined)[]) =>
      client.post('/v1/memory/batch/retrieve', {
        queries: subjects.map((subject) => ({ embedding, ...(subject !== undefined && { subject }) })),
      })
    expect((await ask(['one'])).status).toBe(200)
    expect((await ask(['one'])).status).toBe(429)
    expect((await askAll('one')).status).toBe(429)
    expect((await askAll('two', 'two')).status).toBe(429)
    expect((await askAll('two', 'three')).status).toBe(200)
    expect((await askAll('one', undefined)).status).toBe(200)
    await limit({ queries_per_day: null })
  })

  it('count the query that a map of one is', async () => {
    await limit({ queries_per_day: 1 })
    await client.store([{ text: 'Hal says one.', subject: 'hal' }])
    const map = (subject: string) => client.get(`/v1/memory/map?subject=${subject}`)
    expect((await map('hal')).status).toBe(200)
    const refused = await map('hal')
    expect([refused.status, refused.body.detail]).toEqual([429, 'Daily query limit of the subject reached'])
    const search = { query: 'says', subject: 'hal' }
    expect((await client.post('/v1/memory/text/retrieve', search)).status).toBe(429)
    expect((await map('ida')).status).toBe(200)
    expect((await client.get('/v1/memory/map')).status).toBe(200)
    await limit({ queries_per_day: null })
    await client.delete('/v1/memory/subjects/hal')
  })

  it('are not reached anew by who erases what is theirs', async () => {
    await limit({ queries_per_day: 1 })
    const { body: made } = await client.post('/v1/memory/subject-tokens', { subject: 'gil' })
    const asGil = (method: string, path: string, body?: object) =>
      fetch(server.url + path, {
        method,
        headers: { Authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const ask = async () => (await asGil('POST', '/v1/memory/text/retrieve', { query: 'says' })).status
    expect([await ask(), await ask()]).toEqual([200, 429])
    await asGil('DELETE', '/v1/memory/subjects/gil')
    expect(await ask()).toBe(429)
    expect((await client.delete('/v1/memory/subjects/gil')).status).toBe(200)
    expect(await ask()).toBe(200)
    await limit({ queries_per_day: null })
  })

  it('leave no name behind of whom nothing is stored', async () => {
    await limit({ queries_per_day: 9 })
    const ask = (subject: string) => client.post('/v1/memory/text/retrieve', { query: 'says', subject })
    const names = async () => {
      const { rows } = await inSpace(server, client, (trx) =>
        sql<{ subject: string }>`select subject from app.subject_queries order by subject`.execute(trx),
      )
      return rows.map(({ subject }) => subject)
    }
    await emptied(client)
    for (const name of ['dora', 'emil', 'fritz']) expect((await ask(name)).status).toBe(200)
    expect(await names()).toEqual(['dora', 'emil', 'fritz'])
    await rollUpUsage(server.context.usage)
    expect(await names()).toHaveLength(3)
    expect((await client.delete('/v1/memory/subjects/dora')).status).toBe(200)
    expect(await names()).toEqual(['emil', 'fritz'])
    await inSpace(server, client, (trx) =>
      sql`update app.subject_queries set day = day - 31 where subject = 'emil'`.execute(trx),
    )
    await rollUpUsage(server.context.usage)
    expect(await names()).toEqual(['fritz'])
    await emptied(client)
    expect(await names()).toEqual([])
    await limit({ queries_per_day: null })
  })
})

const emptied = async (of: ConformingClient) =>
  expect((await of.delete('/v1/memory/patterns?confirm=all')).status).toBe(200)
