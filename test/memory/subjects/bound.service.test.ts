import { randomUUID } from 'node:crypto'
import { isScope, type Operation } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../../support/accounts.ts'
import { Client } from '../../support/client.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../../support/operations.ts'
import type { Answer } from '../../support/requests.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { dumpTables } from '../../support/tables.ts'
import { getSpace, inSpace } from '../space.ts'

let server: TestServer
let owner: ConformingClient
let space: string
/** What Ben has: ids, and texts that nobody else may see. */
let ben: { id: string; external: string; idx: number; texts: string[]; key: number[] }

const secret = `secret${randomUUID().slice(0, 8)}`

beforeAll(async () => {
  server = await startServer()
  owner = await newConformingClient(server)
  space = (await getSpace(server, owner)).id
  const texts = [`Ben hides the ${secret} key under the ${secret} mat.`, `The ${secret} mat of Ben is green.`]
  const external = `ext-${secret}`
  const [id] = await owner.store(texts.map((text) => ({ text, subject: 'ben', metadata: { [secret]: 1 } })))
  await owner.patch(`/v1/memory/patterns/${id}`, { external_id: external, text: texts[0] as string })
  const key = [0.5, 0.25, 0.125]
  await owner.post('/v1/memory/store', { key, value: [1, 2], subject: 'ben', metadata: { [secret]: 2 } })
  await owner.store([{ text: 'Shared: the office opens at nine.' }])
  for (const query of ['mat', 'key']) {
    await owner.post('/v1/memory/text/retrieve', { query, subject: 'ben', top_k: 3 })
  }
  await server.context.memory.accesses.flush()
  await server.context.memory.learning.flush()
  ben = { id: id as string, external, idx: 0, texts, key }
})

afterAll(() => server.close())

const bound = (subject: string, isShared = false, options = {}) =>
  newConformingClient(server, {
    organizationId: owner.organizationId,
    subject: { name: subject, isShared },
    ...options,
  })

const textsOf = (results: { text: string }[]) => results.map(({ text }) => text)

/** Every row that is Ben's, or of what is learned of the space, but for counters of the space and the log. */
async function rowsOfBen(): Promise<string[]> {
  await server.context.memory.accesses.flush()
  await server.context.memory.learning.flush()
  const rows = await dumpTables(server.context.database.queries)
  return rows
    .filter(({ table, text }) => {
      const row = JSON.parse(text)
      if (['patterns', 'pattern_versions'].includes(table))
        return row.space_id === space && !['ada', 'mallory'].includes(row.subject)
      return ['passages', 'pattern_accesses'].includes(table) && row.space_id === space && row.idx <= 3
    })
    .map(({ table, text }) => `${table} ${text.replaceAll(/"\[[^"]{200,}"/g, '…')}`)
    .toSorted()
}

describe('a key that is bound to an end user', () => {
  it('stores for that user, and finds, lists and changes what is theirs alone', async () => {
    const ada = await bound('ada')
    const [id] = await ada.store(['Ada likes the mat.'])
    expect((await owner.get(`/v1/memory/patterns/${id}`)).body.subject).toBe('ada')
    for (const path of ['/v1/memory/text/retrieve', '/v1/memory/text/recall', '/v1/memory/tiered/retrieve']) {
      const { results } = (await ada.post(path, { query: 'mat', top_k: 10 })).body
      expect(textsOf(results), path).toEqual(['Ada likes the mat.'])
    }
    expect(textsOf((await ada.get('/v1/memory/patterns')).body.patterns)).toEqual(['Ada likes the mat.'])
    expect((await ada.post('/v1/memory/patterns/count', {})).body.count).toBe(1)
    expect((await ada.patch(`/v1/memory/patterns/${id}`, { text: 'Ada loves the mat.' })).status).toBe(200)
    expect((await ada.get(`/v1/memory/patterns/${id}/history`)).body.versions).toHaveLength(2)
    expect((await ada.get('/v1/memory/subjects/ada')).body.patterns).toBe(1)
    expect((await ada.delete(`/v1/memory/patterns/${id}`)).status).toBe(200)
  })

  it('tells of the patterns of its user alone, and nothing of what the organization has left', async () => {
    const free = await newConformingClient(server, { plan: 'free' })
    const ada = await newConformingClient(server, {
      organizationId: free.organizationId,
      subject: { name: 'ada', isShared: false },
    })
    await free.store(['one', 'two'])
    const stored = await ada.post('/v1/memory/text/store', { text: 'three' })
    expect(stored.body.patterns_used).toBe(1)
    const found = await ada.post('/v1/memory/text/retrieve', { query: 'three' })
    expect([...found.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
    expect(
      (await free.post('/v1/memory/text/retrieve', { query: 'three' })).headers.has('ratelimit-limit'),
    ).toBe(true)
  })

  it('is refused what is another’s, and what names another', async () => {
    const ada = await bound('ada')
    const named: [string, object][] = [
      ['/v1/memory/text/store', { text: 'x', subject: 'ben' }],
      ['/v1/memory/text/batch-store', { items: [{ text: 'x' }, { text: 'y', subject: 'ben' }] }],
      ['/v1/memory/batch/store', { patterns: [{ key: [1], value: [1], subject: 'ben' }] }],
      ['/v1/memory/text/retrieve', { query: 'x', subject: 'ben' }],
      ['/v1/memory/text/recall', { query: 'x', subject: ['ada', 'ben'] }],
      ['/v1/memory/text/recall', { query: 'x', subject: null }],
      ['/v1/memory/batch/retrieve', { queries: [{ embedding: [1], subject: 'ben' }] }],
      ['/v1/memory/text/forget', { subject: 'ben' }],
      ['/v1/memory/patterns/delete', { subject: ['ada', 'ben'] }],
      ['/v1/memory/patterns/delete', { subject: null }],
      ['/v1/memory/patterns/search', { subject: 'ben' }],
    ]
    for (const [path, body] of named) {
      const answer = await ada.post(path, body)
      expect([answer.status, answer.body.detail], path).toEqual([
        403,
        'The key or token is bound to another subject',
      ])
    }
    for (const path of [
      '/v1/memory/patterns?subject=ben',
      '/v1/memory/subjects/ben',
      '/v1/memory/subjects/ben/export',
    ]) {
      expect((await ada.get(path)).status, path).toBe(403)
    }
    expect((await ada.delete('/v1/memory/subjects/ben')).status).toBe(403)
    expect((await ada.get(`/v1/memory/patterns/ext:${ben.external}`)).status).toBe(404)
    const both = { pattern_ids: [ben.id], external_ids: [ben.external] }
    expect((await ada.post('/v1/memory/patterns/get', both)).body.patterns).toEqual([null, null])
    expect((await ada.post('/v1/memory/patterns/delete', both)).body.deleted).toBe(0)
    expect((await ada.delete('/v1/memory/pattern', ben.key)).status).toBe(404)
  })

  it('forgets by what it is asked, of its own', async () => {
    const ada = await bound('ada')
    await ada.store(['Ada hides the key under the mat.'])
    const { body } = await ada.post('/v1/memory/text/forget', {
      ...{ query: 'Ben hides the key under the mat.', threshold: 0.5, guard: false },
    })
    expect(body.forgotten).toBe(1)
    expect((await ada.post('/v1/memory/text/forget', {})).status).toBe(422)
    expect((await owner.get(`/v1/memory/patterns/${ben.id}`)).status).toBe(200)
  })

  it('reads what is of nobody where it is shared, and never changes it', async () => {
    const ada = await bound('ada', true)
    const found = (await ada.post('/v1/memory/text/retrieve', { query: 'When does the office open?' })).body
      .results
    expect(textsOf(found)).toContain('Shared: the office opens at nine.')
    const { pattern_id: id } = found.find(({ text }: { text: string }) => text.startsWith('Shared'))
    expect((await ada.get(`/v1/memory/patterns/${id}`)).status).toBe(200)
    expect((await ada.patch(`/v1/memory/patterns/${id}`, { text: 'changed' })).status).toBe(404)
    expect((await ada.delete(`/v1/memory/patterns/${id}`)).status).toBe(404)
    expect(
      (await ada.post('/v1/memory/text/forget', { query: 'Shared: the office opens at nine.' })).body
        .forgotten,
    ).toBe(0)
    expect((await ada.delete('/v1/memory/patterns/x')).status).toBe(404)
    expect((await (await bound('ada')).get(`/v1/memory/patterns/${id}`)).status).toBe(404)
    const none = await ada.post('/v1/memory/text/retrieve', { query: 'mat', subject: null, top_k: 10 })
    expect(textsOf(none.body.results)).toEqual(['Shared: the office opens at nine.'])
  })

  it('moves the end of what is of nobody with what took its place, which is its own', async () => {
    const owner = await newConformingClient(server)
    const ada = await newConformingClient(server, {
      organizationId: owner.organizationId,
      subject: { name: 'ada', isShared: true },
    })
    const store = (client: ConformingClient, body: object) => client.post('/v1/memory/text/store', body)
    await store(owner, { text: 'The office opens at eight.', external_id: 'old' })
    const next = { text: 'The office opens at nine.', external_id: 'new', subject: 'ada' }
    await store(owner, { ...next, supersedes: 'ext:old', valid_from: '2021-01-01' })
    const [patched, stored] = ['2022-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z']
    const endOf = async () => (await owner.get('/v1/memory/patterns/ext:old')).body.valid_to
    expect((await ada.patch('/v1/memory/patterns/ext:new', { valid_from: patched })).status).toBe(200)
    expect(await endOf()).toBe(patched)
    expect((await store(ada, { ...next, valid_from: stored })).status).toBe(200)
    expect(await endOf()).toBe(stored)
  })

  it('is not shown how often others have read what is of nobody, and all the same is counted', async () => {
    const owner = await newConformingClient(server)
    const [ada, ben] = await Promise.all(
      ['ada', 'ben'].map((name) =>
        newConformingClient(server, {
          organizationId: owner.organizationId,
          subject: { name, isShared: true },
        }),
      ),
    )
    if (ada === undefined || ben === undefined) throw new Error('There are two.')
    const [shared] = await owner.store(['The office opens at nine.'])
    const [own] = await ada.store(['Ada opens the office.'])
    for (const reader of [ada, ben]) {
      await reader.post('/v1/memory/text/retrieve', { query: 'office', min_similarity: -1 })
    }
    await server.context.memory.accesses.flush()
    const usesOf = async (client: ConformingClient, id: string | undefined) => {
      const { access_count, last_accessed } = (await client.get(`/v1/memory/patterns/${id}`)).body
      return [access_count, last_accessed !== null]
    }
    expect(await usesOf(owner, shared)).toEqual([2, true])
    expect(await usesOf(ada, shared)).toEqual([0, false])
    expect(await usesOf(ada, own)).toEqual([1, true])
    const tiered = await ben.post('/v1/memory/tiered/retrieve', { query: 'office', read_only: true })
    expect(tiered.body.results).toMatchObject([{ text: 'The office opens at nine.', last_accessed: null }])
  })

  it('sees of the past, and of what is valid no more, what is its own', async () => {
    const ada = await bound('ada', true)
    const [id] = await ada.store(['Ada had a mat.'])
    await ada.patch(`/v1/memory/patterns/${id}`, { text: 'Ada has a rug.' })
    const moments = [{ as_of: new Date(Date.now() + 1_000).toISOString() }, { include_superseded: true }]
    for (const moment of moments) {
      for (const path of ['/v1/memory/text/retrieve', '/v1/memory/text/recall']) {
        const { status, body } = await ada.post(path, { query: `${secret} mat`, top_k: 10, ...moment })
        expect(status).toBe(200)
        expect(JSON.stringify(body), path).not.toContain(secret)
        expect(textsOf(body.results), path).toContain('Ada has a rug.')
      }
      const vectors = await ada.post('/v1/memory/query', { embedding: ben.key, top_k: 10, ...moment })
      expect(vectors.body.results).toEqual([])
      const listed = await ada.post('/v1/memory/patterns/search', { ...moment })
      expect(textsOf(listed.body.patterns)).toEqual(expect.arrayContaining(['Ada has a rug.']))
      expect(JSON.stringify(listed.body)).not.toContain(secret)
    }
    await ada.delete('/v1/memory/subjects/ada')
  })

  it('opens nothing in a process of the release before, which knows of no subjects', async () => {
    const user = await newUser(server)
    const { key } = (await user.post('/v1/api-keys', { name: 'phone', subject: 'ada' })).body
    const { rows } = await sql<{ outcome: string }>`
      select outcome from app.identify_key(sha256(${Buffer.from(key)}), null, 0)`.execute(
      server.context.database.queries,
    )
    expect(rows).toEqual([{ outcome: 'unknown_key' }])
  })

  it('has Idempotency-Keys of its own', async () => {
    const [ada, cleo] = [await bound('ada'), await bound('cleo')]
    const send = (client: ConformingClient) =>
      client.post('/v1/memory/text/store', { text: 'the same' }, { 'Idempotency-Key': 'guessable' })
    const answers = [await send(ada), await send(cleo), await send(owner)]
    expect(new Set(answers.map(({ body }) => body.pattern_id)).size).toBe(3)
    expect(answers.map(({ headers }) => headers.get('idempotent-replay'))).toEqual([null, null, null])
    expect((await send(ada)).headers.get('idempotent-replay')).toBe('true')
    for (const client of [ada, cleo])
      await client.delete(`/v1/memory/subjects/${client === ada ? 'ada' : 'cleo'}`)
  })

  it('has Idempotency-Keys of its own where names and keys have spaces', async () => {
    const [ann, annLee] = [await bound('Ann'), await bound('Ann Lee')]
    const store = (client: ConformingClient, who: string, key: string) => {
      const items = Array.from({ length: 20 }, (_, n) => ({ text: `${who} says ${key} and ${n}.` }))
      return client.post('/v1/memory/text/batch-store', { items }, { 'Idempotency-Key': key })
    }
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        store(ann, 'Ann', `Lee k${round}`),
        store(annLee, 'Ann Lee', `k${round}`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    for (const client of [ann, annLee]) {
      expect((await client.post('/v1/memory/patterns/count', {})).body.count).toBe(60)
      await client.delete(`/v1/memory/subjects/${client === ann ? 'Ann' : 'Ann%20Lee'}`)
    }
  })

  it('gets 409 for an own id that another has', async () => {
    const ada = await bound('ada')
    const answer = await ada.post('/v1/memory/text/store', { text: 'x', external_id: ben.external })
    expect([answer.status, answer.body.detail]).toEqual([409, 'external_id exists'])
    expect((await owner.get(`/v1/memory/patterns/${ben.id}`)).body.text).toBe(ben.texts[0])
  })

  it('passes for no actor of another', async () => {
    const ada = await bound('ada')
    await ada.store(['Ada owns a kite.'])
    const traces = () =>
      inSpace(
        server,
        owner,
        async (trx) =>
          (await sql`select actor, trace from app.actor_traces order by actor`.execute(trx)).rows,
      )
    const before = await traces()
    await ada.post('/v1/memory/text/retrieve', { query: 'kite' }, { 'X-Memory-Actor': 'ben' })
    await server.context.memory.learning.flush()
    expect(await traces()).toEqual(expect.arrayContaining(before))
    await ada.delete('/v1/memory/subjects/ada')
  })

  it('is made and shown by the endpoints of keys', async () => {
    const user = await newUser(server)
    const made = (await user.post('/v1/api-keys', { name: 'phone', subject: 'ada', shared: true })).body
    expect(made).toMatchObject({ subject: 'ada', shared: true })
    expect((await user.get('/v1/api-keys')).body).toMatchObject([{ subject: 'ada', shared: true }])
    const phone = new Client(server.url, {
      key: made.key,
      keyId: made.id,
      organizationId: user.organizationId,
    })
    expect((await phone.post('/v1/memory/text/store', { text: 'x', subject: 'ben' })).status).toBe(403)
    expect((await user.post('/v1/api-keys', { name: 'x', shared: true })).status).toBe(422)
    expect((await user.post('/v1/api-keys', { name: 'x', subject: '..' })).status).toBe(422)
  })
})

describe('what took the place of an end user’s pattern', () => {
  it('counts also where the end user does not see it, and the link goes from both with its end', async () => {
    const owner = await newConformingClient(server)
    const ada = await newConformingClient(server, {
      organizationId: owner.organizationId,
      subject: { name: 'ada', isShared: false },
    })
    const { body: old } = await owner.post('/v1/memory/text/store', { text: 'Ada rows.', subject: 'ada' })
    const supersedes = old.pattern_id
    const { body: next } = await owner.post('/v1/memory/text/store', { text: 'All row.', supersedes })
    const claim = () => ada.post('/v1/memory/text/store', { text: 'Ada sails.', supersedes })
    expect((await claim()).status).toBe(409)
    expect((await ada.patch(`/v1/memory/patterns/${supersedes}`, { valid_to: null })).status).toBe(200)
    expect((await owner.get(`/v1/memory/patterns/${next.pattern_id}`)).body.supersedes).toBe(null)
    expect((await claim()).status).toBe(200)
  })
})

describe('a pattern that is moved to another end user', () => {
  it('is named to none of both by what it took the place of, which goes on as it was', async () => {
    const owner = await newConformingClient(server)
    const [ada, grace] = await Promise.all(
      ['ada', 'grace'].map((name) =>
        newConformingClient(server, {
          organizationId: owner.organizationId,
          subject: { name, isShared: false },
        }),
      ),
    )
    if (ada === undefined || grace === undefined) throw new Error('There are two.')
    const store = async (body: object) =>
      (await owner.post('/v1/memory/text/store', { subject: 'ada', ...body })).body.pattern_id
    const old = await store({ text: 'Ada rows on the lake.' })
    const next = await store({ text: 'Ada sails on the lake.', supersedes: old })
    expect((await ada.get(`/v1/memory/patterns/${old}`)).body.superseded_by).toBe(next)
    await owner.patch(`/v1/memory/patterns/${next}`, { subject: 'grace' })

    const shown = async (client: ConformingClient, other: string) => {
      const subject = client === ada ? 'ada' : 'grace'
      const query = { query: 'the lake', min_similarity: -1, include_superseded: true }
      const answers = [
        await client.get(`/v1/memory/patterns/${client === ada ? old : next}`),
        await client.get('/v1/memory/patterns?include_superseded=true'),
        await client.post('/v1/memory/patterns/get', { pattern_ids: [old, next] }),
        await client.get(`/v1/memory/patterns?as_of=${new Date(Date.now() + 1_000).toISOString()}`),
        await client.post('/v1/memory/text/retrieve', query),
        await client.post('/v1/memory/text/recall', query),
        await client.post('/v1/memory/tiered/retrieve', query),
      ]
      for (const { status } of answers) expect(status).toBe(200)
      const lines = await fetch(`${server.url}/v1/memory/subjects/${subject}/export`, {
        headers: { 'X-API-Key': client.key },
      })
      return [...answers.map(({ body }) => JSON.stringify(body)), await lines.text()].filter((answer) =>
        answer.includes(other),
      )
    }
    expect(await shown(ada, next)).toEqual([])
    expect(await shown(grace, old)).toEqual([])
    expect((await owner.get(`/v1/memory/patterns/${old}`)).body.superseded_by).toBe(next)
    expect((await owner.get(`/v1/memory/patterns/${next}`)).body.supersedes).toBe(old)

    const changed = await ada.patch(`/v1/memory/patterns/${old}`, { metadata: { seen: true } })
    expect(changed.body).toMatchObject({ superseded_by: null, valid_to: expect.any(String) })
    const reverted = await ada.post(`/v1/memory/patterns/${old}/revert`, { version: 2 })
    expect([reverted.status, reverted.body.superseded_by]).toEqual([200, null])
    expect((await owner.get(`/v1/memory/patterns/${old}`)).body.superseded_by).toBe(next)
  })
})

describe('a token for an end user', () => {
  const issue = async (client: Pick<ConformingClient, 'post'>, body: object = {}) =>
    (await client.post('/v1/memory/subject-tokens', { subject: 'ada', ...body })).body
  const ask = (token: string, path: string, body?: unknown) =>
    fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  it('opens what a key with that subject would', async () => {
    const { token, scopes, expires_at } = await issue(owner)
    expect(scopes).toEqual(['memory:read', 'memory:write'])
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(890_000)
    const stored = await ask(token, '/v1/memory/text/store', { text: 'Ada has a token.' })
    expect(stored.status).toBe(200)
    const found = await (await ask(token, '/v1/memory/text/retrieve', { query: 'mat', top_k: 10 })).json()
    expect(textsOf(found.results)).toEqual(['Ada has a token.'])
    expect((await ask(token, `/v1/memory/patterns/${ben.id}`)).status).toBe(404)
    for (const path of [
      '/v1/users/me',
      '/v1/api-keys',
      '/v1/usage/summary',
      '/v1/notifications',
      '/v1/webhooks',
      '/v1/memory/brain',
      '/v1/memory/subjects',
    ]) {
      expect((await ask(token, path)).status, path).toBe(403)
    }
    expect((await ask(token, '/v1/memory/subject-tokens', { subject: 'ada' })).status).toBe(403)
    await owner.delete('/v1/memory/subjects/ada')
  })

  it('does no more than it says, nor than its maker may', async () => {
    const { token } = await issue(owner, { scopes: ['memory:read'] })
    expect((await ask(token, '/v1/memory/text/store', { text: 'x' })).status).toBe(403)
    const reader = await newConformingClient(server, {
      organizationId: owner.organizationId,
      scopes: ['memory:read'],
    })
    expect((await issue(reader)).scopes).toEqual(['memory:read'])
    const refused = await reader.post('/v1/memory/subject-tokens', {
      subject: 'ada',
      scopes: ['memory:write'],
    })
    expect(refused.status).toBe(403)
  })

  const readingWrites: [string, string, object][] = [
    ['tries a delete', 'POST /v1/memory/patterns/delete', { subject: 'ada', dry_run: true }],
    ['tries to forget', 'POST /v1/memory/text/forget', { query: 'boat', threshold: 0.5, dry_run: true }],
    ['changes nothing', 'PATCH /v1/memory/patterns/ext:boat', {}],
  ]

  it.each(readingWrites)(
    'reads nothing without that scope when it %s, whoever made it',
    async (_, call, body) => {
      const user = await newUser(server)
      const { id, key } = (await user.post('/v1/api-keys', { name: 'maker' })).body
      const maker = new Client(server.url, { key, keyId: id, organizationId: user.organizationId })
      const boat = { text: 'Ada has a boat.', subject: 'ada', external_id: 'boat' }
      expect((await user.post('/v1/memory/text/store', boat)).status).toBe(200)
      const [method = '', path = ''] = call.split(' ')
      const status = async (token: string) => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        return (await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })).status
      }
      for (const from of [maker, user]) {
        const { token } = await issue(from as never, { scopes: ['memory:write'] })
        expect(await status(token)).toBe(403)
      }
      const { token } = await issue(maker as never)
      expect(await status(token)).toBe(200)
      // The key may read no more, and so may the token.
      await user.patch(`/v1/api-keys/${id}`, { scopes: ['memory:write'] })
      expect(await status(token)).toBe(403)
    },
  )

  it('ends with the key that made it, and by itself', async () => {
    const user = await newUser(server)
    const { id, key } = (await user.post('/v1/api-keys', { name: 'maker' })).body
    const maker = new Client(server.url, { key, keyId: id, organizationId: user.organizationId })
    const { token } = await issue(maker as never, { ttl_s: 86_400 })
    const own = await issue(user as never)
    expect((await ask(token, '/v1/memory/patterns')).status).toBe(200)
    expect((await ask(own.token, '/v1/memory/patterns')).status).toBe(200)
    await user.delete(`/v1/api-keys/${id}`)
    expect((await ask(token, '/v1/memory/patterns')).status).toBe(401)
    expect((await ask(own.token, '/v1/memory/patterns')).status).toBe(200)
    await user.post('/v1/auth/logout', {})
    expect((await ask(own.token, '/v1/memory/patterns')).status).toBe(401)
    const { token: short } = await issue(owner, { ttl_s: 60 })
    server.clock.advance(66_000)
    const expired = await ask(short, '/v1/memory/patterns')
    expect([expired.status, (await expired.json()).detail]).toEqual([401, 'Token expired'])
  })

  it('is none when it is changed, or another token', async () => {
    const { token } = await issue(owner)
    const [header, payload, signature] = token.split('.')
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'ben' }
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    expect((await ask(forged, '/v1/memory/patterns')).status).toBe(401)
    const user = await newUser(server)
    const [, access] = user.accessToken.split('.')
    expect((await ask(`${header}.${access}.${signature}`, '/v1/memory/patterns')).status).toBe(401)
  })
})

describe('of every operation', () => {
  const named = (chosen: readonly Operation[]) =>
    chosen.map((operation) => [operation.id, operation] as const)

  /** A body that aims at what Ben has, wherever the operation takes an id, a key or a name. */
  function aimed(operation: Operation): unknown {
    const body = bodyOf(operation)
    if (typeof body !== 'object' || body === null) return body
    const aims: Record<string, unknown> = {
      pattern_id: ben.id,
      pattern_ids: [ben.id],
      external_ids: [ben.external],
      pattern_a_id: ben.id,
      pattern_b_id: ben.id,
      key: ben.key,
      query: ben.texts[0],
      embedding: ben.key,
    }
    const known = Object.keys((operation.body as { shape?: object } | undefined)?.shape ?? {})
    return { ...body, ...Object.fromEntries(Object.entries(aims).filter(([name]) => known.includes(name))) }
  }

  const send = (client: Client, operation: Operation): Promise<Answer> => {
    const ids = Object.fromEntries(
      parametersOf(operation).map((name) => [
        name,
        { pattern_id: ben.id, pattern_idx: String(ben.idx), subject: 'ben', version: '1' }[name] ??
          randomUUID(),
      ]),
    )
    const query = operation.id === 'emptySpace' ? '?confirm=all' : ''
    return client.request(operation.method.toUpperCase(), pathWith(operation, ids) + query, aimed(operation))
  }

  it.each(named(operations.filter(({ access }) => access !== 'anyone')))(
    '%s shows a bound caller nothing of another’s, and changes nothing of it',
    async (_id, operation) => {
      const before = await rowsOfBen()
      for (const isShared of [false, true]) {
        const { url } = server
        const mallory = new Client(
          url,
          await server.newClient({
            organizationId: owner.organizationId,
            subject: { name: 'mallory', isShared },
          }),
        )
        const answer = await send(mallory, operation)
        expect(answer.status).toBeLessThan(500)
        if (operation.subjects === undefined) expect(answer.status, JSON.stringify(answer.body)).toBe(403)
        const whole = JSON.stringify([...answer.headers, answer.body])
        const sent = JSON.stringify(aimed(operation) ?? '')
        if (!sent.includes(secret) || answer.status < 400) expect(whole).not.toContain(secret)
        expect(whole).not.toContain('Ben')
      }
      expect(await rowsOfBen()).toEqual(before)
      await owner.delete('/v1/memory/subjects/mallory')
    },
  )

  it('in 200 of 200 rounds another’s ids, filters, cursors and idempotency keys show and change nothing', async () => {
    const page = (await owner.get('/v1/memory/patterns?subject=ben&limit=1')).body.next_cursor
    const past = (await owner.get(`/v1/memory/patterns/${ben.id}/history?limit=1`)).body.next_cursor
    expect([typeof page, typeof past]).toEqual(['string', 'string'])
    const filters = [
      { [secret]: 1 },
      { $subject: 'ben' },
      { $external_id: ben.external },
      { $text: { $contains: secret } },
      { $not: { $subject: 'mallory' } },
      { $or: [{ [secret]: { $exists: true } }, { $subject: { $ne: 'mallory' } }] },
    ]
    const idempotencyKey = `key-${secret}`
    const again = { 'Idempotency-Key': idempotencyKey }
    const hidden = { text: ben.texts[0], subject: 'ben' }
    const bens = await (await bound('ben')).post('/v1/memory/text/store', hidden, again)
    expect(bens.status).toBe(200)
    const open = operations.filter(({ subjects }) => subjects !== undefined)
    const rounds = fc.sample(
      fc.record({
        operation: fc.constantFrom(...open),
        isShared: fc.boolean(),
        id: fc.constantFrom(ben.id, `ext:${ben.external}`),
        filter: fc.option(fc.constantFrom(...filters), { nil: undefined }),
        cursor: fc.option(fc.constantFrom(page, past), { nil: undefined }),
        headers: fc.constantFrom({}, again, { 'X-Memory-Actor': 'ben' }),
      }),
      { numRuns: 200, seed: 1 },
    )
    const before = await rowsOfBen()
    const clients = await Promise.all([bound('mallory'), bound('mallory', true)])
    let sawNothing = 0
    for (const { operation, isShared, id, filter, cursor, headers } of rounds) {
      const asked = Object.entries({ filter, cursor }).filter(([, value]) => value !== undefined)
      const fields = (given: object | undefined) =>
        asked.filter(([name]) => name in ((given as { shape?: object } | undefined)?.shape ?? {}))
      const query = new URLSearchParams(
        fields(operation.query).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )
      const ids = { pattern_id: id, pattern_idx: `${ben.idx}`, subject: 'ben', version: '1' }
      const body = aimed(operation)
      const { status, ...answer } = await (clients[isShared ? 1 : 0] as ConformingClient).request(
        operation.method.toUpperCase(),
        `${pathWith(operation, ids)}?${query}`,
        body && { ...body, ...Object.fromEntries(fields(operation.body)) },
        headers,
      )
      const round = JSON.stringify([operation.id, isShared, filter, cursor, headers, status, answer.body])
      expect(status, round).toBeLessThan(500)
      // What was sent may stand in what is refused.
      const shown = JSON.stringify([[...answer.headers], answer.body])
      if (status < 400) expect(shown, round).not.toContain(secret)
      expect(shown, round).not.toContain(ben.texts[0])
      expect(shown, round).not.toContain(bens.body.pattern_id)
      sawNothing++
      if (sawNothing % 20 === 0) expect(await rowsOfBen(), round).toEqual(before)
    }
    expect(sawNothing).toBe(200)
    await owner.delete('/v1/memory/subjects/mallory')
  })

  it('those that are open to bound callers are those of their own memory', () => {
    const open = operations.filter(({ subjects }) => subjects !== undefined)
    const isOfMemory = ({ path, subjects }: Operation) =>
      path.startsWith('/v1/memory/') || subjects === 'none'
    expect(open.filter((one) => !isScope(one.access) || !isOfMemory(one))).toEqual([])
    expect(
      operations
        .filter(({ subjects, access }) => subjects === undefined && access === 'memory:write')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([
      'calibrateModulation',
      'detectSpurious',
      'emptySpace',
      'explore',
      'injectAnomaly',
      'invalidateCluster',
      'invalidatePrefetch',
      'sleep',
      'warmCluster',
      'warmPrefetch',
    ])
  })
})

describe('row level security alone', () => {
  /** As somebody would who has all of the service's code against him, but for what the database enforces. */
  const asAda = <T>(isShared: boolean, work: (trx: Trx) => Promise<T>) =>
    asTenant(
      server.context.database.queries,
      { organizationId: owner.organizationId, spaceId: space },
      async (trx) => {
        await sql`select set_config('app.subject', 'ada', true), set_config('app.subject_shared', ${isShared ? 'on' : ''}, true)`.execute(
          trx,
        )
        return work(trx)
      },
    )

  it.each([false, true])(
    'shows no row of another, and lets none be changed (shared: %s)',
    async (isShared) => {
      const before = await rowsOfBen()
      const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
        where table_schema = 'app' and column_name in ('space_id', 'webhook_id', 'user_id')
          and table_name not in ('memberships', 'audit_log', 'receipts', 'store_times')
        group by 1 order by 1`.execute(server.context.database.queries)
      expect(tables.length).toBeGreaterThan(15)
      for (const { name } of tables) {
        const seen = await asAda(
          isShared,
          async (trx) =>
            (await sql<{ t: string }>`select t::text as t from ${sql.table(`app.${name}`)} t`.execute(trx))
              .rows,
        )
        const texts = seen.map(({ t }) => t).join('\n')
        expect(texts, name).not.toContain(secret)
        if (!isShared && name !== 'patterns') expect(seen, name).toEqual([])
      }
      for (const statement of [
        "update app.patterns set text = 'mine'",
        "update app.patterns set subject = 'ada'",
        'delete from app.patterns',
        'delete from app.pattern_versions',
        'delete from app.passages',
        'delete from app.pattern_accesses',
        'delete from app.associations',
        'delete from app.transitions',
        'delete from app.actor_traces',
        'delete from app.idempotency_keys',
        'delete from app.webhooks',
      ]) {
        await asAda(isShared, (trx) => sql.raw(statement).execute(trx))
      }
      expect(await rowsOfBen()).toEqual(before)
      const refused = { code: '42501' }
      const stores = (subject: string) =>
        asAda(isShared, (trx) =>
          sql`insert into app.patterns (space_id, idx, id, key, version, subject) values (${space}, 999999, 'pat_x', '[1]', 1, ${subject})`.execute(
            trx,
          ),
        )
      await expect(stores('ben')).rejects.toMatchObject(refused)
      await expect(
        asAda(isShared, (trx) =>
          sql`insert into app.passages (space_id, idx, n, first_character, end_character, key)
      values (${space}, 0, 99, 0, 1, '[1]')`.execute(trx),
        ),
      ).rejects.toMatchObject(refused)
      await expect(
        asAda(isShared, (trx) => sql`select app.erase_beside_subject(${space}, 'ben', 'x')`.execute(trx)),
      ).rejects.toMatchObject(refused)
      // Nothing of it goes, though it is named.
      await asAda(isShared, (trx) => sql`select app.erase_beside(${space}, null)`.execute(trx))
      expect(await rowsOfBen()).toEqual(before)
    },
  )

  it('is there for every table that hangs on patterns', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname::text as name from pg_class c
        where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
          and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'space_id')
          and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname like 'subject%' and not p.polpermissive)
        order by 1`.execute(server.context.database.queries)
    // When patterns were stored, to the minute: no pattern, no text.
    expect(rows.map(({ name }) => name)).toEqual(['store_times'])
  })
})
