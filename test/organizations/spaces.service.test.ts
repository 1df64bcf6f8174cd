import { randomUUID } from 'node:crypto'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Environment } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSpace, inSpace } from '../memory/space.ts'
import { newUser, type User } from '../support/accounts.ts'
import { ConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { addMember, setPatternsUsed, setPlan } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const stats = '/v1/memory/text/stats'
const store = '/v1/memory/text/store'
const retrieve = '/v1/memory/text/retrieve'
const inTest = { 'X-Memory-Environment': 'test' }
const notFound = { status: 404, body: { detail: 'Organization not found' } }
const as = ({ organizationId }: User) => ({ 'X-Organization-Id': organizationId })

async function newKeyClient(owner: User, environment: Environment = 'live'): Promise<ConformingClient> {
  const { body } = await owner.post('/v1/api-keys', { name: 'n', environment })
  return new ConformingClient(server.url, { ...owner, key: body.key, keyId: body.id })
}

const textsOf = async (user: User, headers?: Record<string, string>): Promise<string[]> =>
  (await user.post(retrieve, { query: 'fact', top_k: 50 }, headers)).body.results.map(
    ({ text }: { text: string }) => text,
  )

describe('an access token', () => {
  it('works on the live space, or on the test space where that is asked for', async () => {
    const ada = await newUser(server)
    const live = { 'X-Memory-Environment': 'live' }
    const { body: first } = await ada.post(store, { text: 'a live fact' })
    const { body: second } = await ada.post(store, { text: 'a test fact' }, inTest)
    expect(await textsOf(ada)).toEqual(['a live fact'])
    expect(await textsOf(ada, live)).toEqual(['a live fact'])
    expect(await textsOf(ada, inTest)).toEqual(['a test fact'])
    for (const [id, headers] of [
      [first.pattern_id, inTest],
      [second.pattern_id, live],
    ]) {
      expect((await ada.get(`/v1/memory/patterns/${id}`, headers)).status).toBe(404)
      expect((await ada.delete(`/v1/memory/patterns/${id}`, undefined, headers)).status).toBe(404)
    }
    await ada.delete('/v1/memory/patterns?confirm=all', undefined, inTest)
    expect(await textsOf(ada, inTest)).toEqual([])
    expect(await textsOf(ada)).toEqual(['a live fact'])
  })

  it('sees what the organization’s keys see, and they see what it stores', async () => {
    const ada = await newUser(server)
    const [live, test] = [await newKeyClient(ada), await newKeyClient(ada, 'test')]
    await ada.post(store, { text: 'a live fact' })
    await test.store(['a test fact'])
    expect(await live.retrieve('fact')).toEqual(['a live fact'])
    expect(await textsOf(ada, inTest)).toEqual(['a test fact'])
  })

  it('may do everything in the space: scopes are for keys', async () => {
    const ada = await newUser(server)
    const ben = await newUser(server)
    await addMember(server, ada, ben, 'member')
    expect((await ben.post(store, { text: 'by a member' }, as(ada))).status).toBe(200)
    expect(await textsOf(ada)).toEqual(['by a member'])
    expect(
      (await ben.delete('/v1/memory/text/forget', { query: 'by a member' }, as(ada))).body.forgotten,
    ).toBe(1)
  })

  it.each(['Test', 'staging', '', 'live,test'])(
    'does not work on the environment %j',
    async (environment) => {
      const ada = await newUser(server)
      const { status, body } = await ada.get(stats, { 'X-Memory-Environment': environment })
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ type: 'enum', loc: ['header', 'x-memory-environment'] }])
    },
  )

  it('picks the organization by its header, by default that of the oldest membership', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await addMember(server, ada, ben, 'member')
    await ada.post(store, { text: 'a fact of ada' })
    await ben.post(store, { text: 'a fact of ben' })
    expect(await textsOf(ben)).toEqual(['a fact of ben'])
    expect(await textsOf(ben, as(ben))).toEqual(['a fact of ben'])
    expect(await textsOf(ben, as(ada))).toEqual(['a fact of ada'])
    expect(await textsOf(ben, { ...as(ada), ...inTest })).toEqual([])
    expect(await textsOf(ben, { 'X-Organization-Id': ada.organizationId.toUpperCase() })).toEqual([
      'a fact of ada',
    ])
  })

  it('I5 finds a foreign organization as little as an unknown one; malformed ids are 422', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await ben.post(store, { text: 'a fact of ben' })
    for (const id of [ben.organizationId, randomUUID()]) {
      const headers = { 'X-Organization-Id': id }
      for (const answer of [
        await ada.get(stats, headers),
        await ada.post(store, { text: 'intruding' }, headers),
        await ada.post(retrieve, { query: 'fact' }, headers),
        await ada.delete('/v1/memory/patterns?confirm=all', undefined, headers),
        await ada.get('/v1/api-keys', headers),
        await ada.get('/v1/organizations', headers),
      ]) {
        expect(answer).toMatchObject(notFound)
      }
    }
    for (const id of ['42', '', `${ada.organizationId},${ben.organizationId}`, '*']) {
      const { status, body } = await ada.get(stats, { 'X-Organization-Id': id })
      expect(status).toBe(422)
      expect(body.detail).toMatchObject([{ type: 'uuid_parsing', loc: ['header', 'x-organization-id'] }])
    }
    expect(await textsOf(ben)).toEqual(['a fact of ben'])
  })
})

describe('an API key beside an access token', () => {
  it('is what counts when it is valid, and the other headers say nothing', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const key = await newKeyClient(ben, 'test')
    await key.store(['a test fact of ben'])
    await ada.post(store, { text: 'a fact of ada' })
    const beside: Record<string, string>[] = [
      {},
      as(ada),
      { 'X-Memory-Environment': 'live' },
      { 'X-Organization-Id': 'none' },
    ]
    for (const headers of beside) {
      expect(await textsOf(ada, { 'X-API-Key': key.key, ...headers })).toEqual(['a test fact of ben'])
    }
    const expired = { Authorization: 'Bearer nonsense', 'X-API-Key': key.key }
    expect((await ada.get(stats, expired)).status).toBe(200)
  })

  it('is refused when it is not valid, however good the token', async () => {
    const ada = await newUser(server)
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n' })
    await ada.delete(`/v1/api-keys/${made.id}`)
    for (const key of [made.key, `${made.key}0`, 'nonsense']) {
      const answer = await ada.get(stats, { 'X-API-Key': key })
      expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } })
    }
    expect((await ada.get(stats)).status).toBe(200)
  })

  it('K2 is refused on endpoints for users, however good the token', async () => {
    const ada = await newUser(server)
    const key = await newKeyClient(ada)
    expect(await ada.get('/v1/api-keys', { 'X-API-Key': key.key })).toMatchObject({
      status: 403,
      body: { detail: 'This endpoint requires a user access token' },
    })
  })
})

describe('quotas of an access token', () => {
  const setQueriesUsed = (owner: User, used: number, environment: Environment = 'live') =>
    inSpace(
      server,
      owner,
      (trx, { id }) =>
        sql`insert into app.query_counts (space_id, day, used) values (${id}, (now() at time zone 'utc')::date, ${used})
          on conflict (space_id, day) do update set used = excluded.used`.execute(trx),
      environment,
    )

  const queriesUsed = (owner: User) =>
    inSpace(server, owner, async (trx, { id }) => {
      const { rows } = await sql<{ used: number }>`
        select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(trx)
      return rows[0]?.used ?? Number.NaN
    })

  const newOwner = async (plan: PlanName) => {
    const owner = await newUser(server)
    await setPlan(server, owner, plan)
    return owner
  }

  it('Q1 with one query left lets one of 50 in, and 49 wait until the next UTC day', async () => {
    const ada = await newOwner('free')
    await setQueriesUsed(ada, 999)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ada.post(retrieve, { query: 'fact' })))
    const toMidnight = 86_400 - ((Date.now() / 1_000) % 86_400)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 200)) {
      expect(status).toBe(429)
      expect(body).toEqual({ detail: 'Daily query limit reached' })
      expect(Math.abs(Number(headers.get('Retry-After')) - toMidnight)).toBeLessThan(30)
    }
    expect(await queriesUsed(ada)).toBe(1_000)
  })

  it('Q1 with one query left is shared with the organization’s keys', async () => {
    const ada = await newOwner('free')
    const key = await newKeyClient(ada)
    await setQueriesUsed(ada, 999)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? ada : key).post(retrieve, { query: 'fact' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(429)])
    expect(await queriesUsed(ada)).toBe(1_000)
  })

  it('Q1 with one pattern left lets one of 50 stores in; replays cost nothing, deleting makes room', async () => {
    const ada = await newOwner('free')
    const once = { 'Idempotency-Key': randomUUID() }
    const { body: first } = await ada.post(store, { text: 'stored once' }, once)
    await setPatternsUsed(server, ada, 4_999)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ada.post(store, { text: `fact ${i % 5}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 200)) {
      expect(status).toBe(429)
      expect(body).toEqual({ detail: 'Pattern storage limit reached' })
      expect(headers.get('Retry-After')).toBe('3600')
    }
    const replayed = await ada.post(store, { text: 'stored once' }, once)
    expect(replayed.body.pattern_id).toBe(first.pattern_id)
    expect(replayed.headers.get('Idempotent-Replay')).toBe('true')
    expect((await ada.delete(`/v1/memory/patterns/${first.pattern_id}`)).status).toBe(200)
    expect((await ada.post(store, { text: 'in its place' })).body.patterns_used).toBe(5_000)
    // Each was counted as it is there: the difference is what was made to look used.
    const { body: page } = await ada.get('/v1/memory/patterns')
    expect(page.patterns).toHaveLength(2)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 4_998 + 2 })
  })

  it('Q1 failed and refused searches cost nothing', async () => {
    const ada = await newOwner('free')
    await ada.post(retrieve, { query: 'fact' })
    await ada.post(retrieve, { query: '' })
    await ada.post(retrieve, { query: 'fact' }, { 'X-Organization-Id': randomUUID() })
    await ada.post(retrieve, { query: 'fact' }, { 'X-Memory-Environment': 'none' })
    await ada.with({ accessToken: `${ada.accessToken}x` }).post(retrieve, { query: 'fact' })
    expect(await queriesUsed(ada)).toBe(1)
  })

  it('are the Free plan’s in the test space on every plan, and counted apart', async () => {
    const ada = await newOwner('scale')
    const { body } = await ada.post(store, { text: 'a fact' }, inTest)
    expect(body.patterns_limit).toBe(5_000)
    await setPatternsUsed(server, ada, 5_000, 'test')
    await setQueriesUsed(ada, 1_000, 'test')
    expect((await ada.post(store, { text: 'one more' }, inTest)).status).toBe(429)
    expect((await ada.post(retrieve, { query: 'fact' }, inTest)).status).toBe(429)
    expect((await ada.post(store, { text: 'one more' })).body.patterns_limit).toBe(1_000_000)
    expect((await ada.post(retrieve, { query: 'fact' })).status).toBe(200)
  })
})
