import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@memory/shared/catalogue/limits'
import express from 'express'
import fc from 'fast-check'
import { createMemoryHandler, createMemoryRouter, RefusedError } from 'memory-service-router'
import { MemoryClient } from 'memory-service-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { breaksOff, fails, keepsSilent, type Step, startScriptedServer } from '../sdk/scripted-server.ts'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** What both forms of the endpoints are made with. */
interface Options {
  client: MemoryClient
  prefix?: string
  search?: 'recall' | 'retrieve'
  /** Of the request's header `x-user`, which is encoded as in a URL; one that is `nobody` gets none. */
  scoped?: boolean
  /** The same, as the subject whom the service knows. */
  bySubject?: boolean
  authorize?: (user: string | null) => boolean
}

/** The endpoints in one of their forms, to be called as an application's users would. */
type Application = (
  options: Options,
) => Promise<{ fetch(path: string, init?: RequestInit): Promise<Response> }>

const scopeOf = (user: string | null) =>
  user === null || user === 'nobody' ? undefined : { user: decodeURIComponent(user) }

const subjectOf = (user: string | null) => scopeOf(user)?.user

const closing: (() => Promise<void>)[] = []

async function onExpress(
  { scoped, bySubject, authorize, ...options }: Options,
  before: express.RequestHandler[] = [],
) {
  const app = express()
  for (const each of before) app.use(each)
  const userOf = (req: IncomingMessage) => (req.headers['x-user'] as string | undefined) ?? null
  app.use(
    createMemoryRouter({
      ...options,
      authorize: authorize && ((req) => authorize(userOf(req))),
      scope: scoped ? (req) => scopeOf(userOf(req)) : undefined,
      subject: bySubject ? (req) => subjectOf(userOf(req)) : undefined,
    }),
  )
  const onError: express.ErrorRequestHandler = (error: Error, _req, res, _next) => {
    res.status(555).json({ detail: error.message })
  }
  app.use(onError)
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { fetch: (path: string, init?: RequestInit) => fetch(url + path, init) }
}

const applications: [string, Application][] = [
  ['Express', onExpress],
  ['Express that parses bodies itself', (options) => onExpress(options, [express.json()])],
  [
    'fetch',
    async ({ scoped, bySubject, authorize, ...options }) => {
      const userOf = (request: Request) => request.headers.get('x-user')
      const handle = createMemoryHandler({
        ...options,
        authorize: authorize && ((request) => authorize(userOf(request))),
        scope: scoped ? (request) => scopeOf(userOf(request)) : undefined,
        subject: bySubject ? (request) => subjectOf(userOf(request)) : undefined,
      })
      return {
        fetch: async (path, init) => {
          try {
            return await handle(new Request(`http://app.example${path}`, init))
          } catch (error) {
            return Response.json({ detail: (error as Error).message }, { status: 555 })
          }
        },
      }
    },
  ],
]

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(async () => {
  for (const close of closing) await close()
  await server.close()
})

describe.each(applications)('the endpoints on %s', (name, newApplication) => {
  let direct: Client
  let client: MemoryClient

  beforeEach(async () => {
    direct = await server.newClient()
    client = new MemoryClient({ apiKey: direct.key, baseUrl: server.url, wait: async () => {} })
  })

  /** Sends requests to an application over the service, as a user. */
  async function start(options: Partial<Options> = {}) {
    const application = await newApplication({ client, ...options })
    const send = async (method: string, path: string, body?: unknown, user?: string) => {
      const response = await application.fetch(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(user === undefined ? {} : { 'X-User': encodeURIComponent(user) }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: (await response.json()) as never }
    }
    return {
      fetch: application.fetch,
      get: (path: string, user?: string) => send('GET', path, undefined, user),
      post: (path: string, body?: unknown, user?: string) => send('POST', path, body, user),
    }
  }

  it('store, find, compose, forget and count', async () => {
    const app = await start()
    const stored = await app.post('/memory/store', {
      content: 'Ada moved to Lisbon in May.',
      metadata: { source: 'chat' },
    })
    expect(stored).toMatchObject({ status: 200, body: { success: true } })
    const { pattern_id } = stored.body as { pattern_id: string }
    expect(stored.body).toEqual({ success: true, pattern_id })
    await app.post('/memory/store', { content: 'Ben plays the cello.' })
    const found = await app.post('/memory/query', { query: 'Where did Ada move?', top_k: 1 })
    expect(found.body).toEqual({
      results: [
        {
          content: 'Ada moved to Lisbon in May.',
          metadata: { source: 'chat' },
          similarity: expect.any(Number),
          pattern_id,
        },
      ],
      latency_ms: expect.any(Number),
    })
    const composed = await app.post('/memory/compose', { topics: ['music', 'moving house'] })
    expect(composed.body).toEqual({ result: expect.any(Array), confidence: expect.any(Number) })
    expect((composed.body as { result: number[] }).result).toHaveLength(384)
    expect((await app.get('/memory/stats')).body).toEqual((await direct.get('/v1/memory/text/stats')).body)
    const forgotten = await app.post('/memory/forget', {
      query: 'Ada moved to Lisbon in May.',
      threshold: 0.9,
    })
    expect(forgotten.body).toEqual({ forgotten: 1, pattern_ids: [pattern_id], kept: [] })
    expect((await app.get('/memory/stats')).body).toMatchObject({ total_patterns: 1 })
  })

  it('are under the prefix alone, with the methods that they have', async () => {
    const app = await start({ prefix: 'my/facts/', search: 'retrieve' })
    expect((await app.get('/my/facts/stats')).status).toBe(200)
    expect((await app.post('/my/facts/query', { query: 'anything' })).body).toMatchObject({ results: [] })
    for (const path of ['/memory/stats', '/my/facts', '/my/facts/toString', '/stats']) {
      expect((await app.fetch(path)).status, path).toBe(404)
    }
    const { status, headers, body } = await app.get('/my/facts/store')
    expect([status, headers.get('allow'), body]).toEqual([405, 'POST', { detail: 'Method Not Allowed' }])
  })

  it('keep a user to what is theirs', async () => {
    const app = await start({ scoped: true })
    const text = 'My locker has the number 12.'
    const ids: string[] = []
    for (const user of ['ada', 'ben']) {
      // Nobody stores for another.
      const sent = { content: text, metadata: { user: 'somebody else', n: 1 } }
      const { body } = await app.post('/memory/store', sent, user)
      ids.push((body as { pattern_id: string }).pattern_id)
    }
    const asked = { query: text, top_k: 10, filter: { user: 'ben' } }
    const found = await app.post('/memory/query', asked, 'ada')
    expect((found.body as { results: object[] }).results).toMatchObject([
      { pattern_id: ids[0], metadata: { user: 'ada', n: 1 } },
    ])
    expect((await app.get('/memory/stats', 'ada')).body).toEqual({
      total_patterns: 1,
      embedding_dim: 384,
      storage_bytes: null,
    })
    const forgotten = await app.post('/memory/forget', { query: text, filter: {} }, 'ada')
    expect(forgotten.body).toEqual({ forgotten: 1, pattern_ids: [ids[0]], kept: [] })
    expect((await app.get('/memory/stats', 'ada')).body).toMatchObject({ total_patterns: 0 })
    expect((await app.get('/memory/stats', 'ben')).body).toMatchObject({ total_patterns: 1 })
  })

  it('keep a user to what is theirs as the service knows it, with a scope to what is of both', async () => {
    const app = await start({ bySubject: true })
    const text = 'My locker has the number 12.'
    const ids: string[] = []
    for (const user of ['ada', 'ben']) {
      const sent = { content: text, metadata: { subject: 'somebody else' }, subject: 'somebody else' }
      const { body } = await app.post('/memory/store', sent, user)
      ids.push((body as { pattern_id: string }).pattern_id)
    }
    const stored = await direct.get('/v1/memory/patterns')
    expect(stored.body.patterns).toMatchObject([{ subject: 'ada' }, { subject: 'ben' }])
    const found = await app.post('/memory/query', { query: text, top_k: 10, subject: 'ben' }, 'ada')
    expect((found.body as { results: object[] }).results).toMatchObject([{ pattern_id: ids[0] }])
    const both = await start({ scoped: true, bySubject: true })
    expect((await both.post('/memory/query', { query: text }, 'ada')).body).toMatchObject({ results: [] })
    expect((await both.get('/memory/stats', 'ada')).body).toMatchObject({ total_patterns: 0 })
    expect((await app.get('/memory/stats', 'ada')).body).toEqual({
      total_patterns: 1,
      embedding_dim: 384,
      storage_bytes: null,
    })
    const forgotten = await app.post('/memory/forget', { query: text, subject: 'ben' }, 'ada')
    expect(forgotten.body).toEqual({ forgotten: 1, pattern_ids: [ids[0]], kept: [] })
    expect((await app.get('/memory/stats', 'ben')).body).toMatchObject({ total_patterns: 1 })
  })

  it('forget by category only what is the user’s', async () => {
    const app = await start({ scoped: true })
    const fact = { content: 'A fact of a category.', metadata: { category: 'health' } }
    for (const user of ['ada', 'ben']) await app.post('/memory/store', fact, user)
    expect((await app.post('/memory/forget', { category: 'health' }, 'ada')).body).toMatchObject({
      forgotten: 1,
    })
    expect((await app.get('/memory/stats', 'ben')).body).toMatchObject({ total_patterns: 1 })
  })

  it('forget by what is given beside what is null, and nothing where that would widen it', async () => {
    const app = await start({ scoped: true })
    await app.post('/memory/store', { content: 'A fact.', metadata: { category: 'health' } }, 'ada')
    for (const field of ['threshold', 'guard', 'dry_run']) {
      const refused = await app.post('/memory/forget', { category: 'health', [field]: null }, 'ada')
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({ detail: [{ loc: ['body', field] }] })
    }
    const forgotten = await app.post('/memory/forget', { query: null, category: 'health' }, 'ada')
    expect(forgotten.body).toMatchObject({ forgotten: 1 })
  })

  it('forget nothing on a dry run, nor where a field is one that forget does not have', async () => {
    const app = await start()
    const text = 'I have a dog.'
    await app.post('/memory/store', { content: text })
    const counted = await app.post('/memory/forget', { query: text, dry_run: true })
    expect(counted.body).toMatchObject({ forgotten: 1 })
    const refused = await app.post('/memory/forget', { query: text, treshold: 0.99 })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'treshold'], input: 0.99 }] },
    })
    const notSaid = await app.post('/memory/forget', { query: text, dry_run: 'perhaps' })
    expect(notSaid).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'dry_run'], input: 'perhaps' }] },
    })
    expect((await app.get('/memory/stats')).body).toMatchObject({ total_patterns: 1 })
  })

  it('forget nothing when neither query nor category is given, scope or not', async () => {
    for (const scoped of [false, true]) {
      const app = await start({ scoped })
      await app.post('/memory/store', { content: 'A fact.' }, 'ada')
      for (const body of [{}, { query: null, category: null }, { threshold: 0.5 }]) {
        const refused = await app.post('/memory/forget', body, 'ada')
        expect(refused.status).toBe(422)
        expect(refused.body).toMatchObject({ detail: [{ loc: ['body'], type: 'value_error' }] })
      }
    }
    expect((await direct.get('/v1/memory/text/stats')).body.total_patterns).toBe(2)
  })

  it('refuse a request without a scope, and one that is not let in', async () => {
    const scoped = await start({ scoped: true })
    for (const [path, body] of [
      ['store', { content: 'A fact.' }],
      ['query', { query: 'anything' }],
      ['compose', { topics: ['a', 'b'] }],
      ['forget', { query: 'anything' }],
    ] as const) {
      for (const user of [undefined, 'nobody']) {
        const { status, body: answer } = await scoped.post(`/memory/${path}`, body, user)
        expect([status, answer]).toEqual([403, { detail: 'The request belongs to no user' }])
      }
    }
    expect((await scoped.get('/memory/stats')).status).toBe(403)
    const guarded = await start({
      authorize: (user) => {
        if (user === null) throw new RefusedError(401, 'Sign in first')
        if (user === 'crash') throw new Error('The session store is down.')
        return user === 'ada'
      },
    })
    expect(await guarded.get('/memory/stats', 'ada')).toMatchObject({ status: 200 })
    expect(await guarded.get('/memory/stats', 'ben')).toMatchObject({
      status: 403,
      body: { detail: 'Forbidden' },
    })
    expect(await guarded.get('/memory/stats')).toMatchObject({
      status: 401,
      body: { detail: 'Sign in first' },
    })
    // What is wrong in the application is the application's to answer.
    expect(await guarded.get('/memory/stats', 'crash')).toMatchObject({
      status: 555,
      body: { detail: 'The session store is down.' },
    })
    expect((await direct.get('/v1/memory/text/stats')).body.total_patterns).toBe(0)
  })

  it('say what is wrong by the names of their own fields', async () => {
    const app = await start({ scoped: true })
    const locOf = async (path: string, body: unknown) => {
      const { status, body: answer } = await app.post(path, body, 'ada')
      return [status, (answer as { detail: { loc: unknown[] }[] }).detail[0]?.loc]
    }
    expect(await locOf('/memory/store', {})).toEqual([422, ['body', 'content']])
    expect(await locOf('/memory/store', { content: '' })).toEqual([422, ['body', 'content']])
    expect(await locOf('/memory/store', { content: 'x', metadata: 'x' })).toEqual([422, ['body', 'metadata']])
    expect(await locOf('/memory/store', { content: 'x', metadata: [1] })).toEqual([422, ['body', 'metadata']])
    expect(await locOf('/memory/query', { query: 'x', top_k: 51 })).toEqual([422, ['body', 'top_k']])
    expect(await locOf('/memory/query', [])).toEqual([422, ['body', 'query']])
    expect(await locOf('/memory/compose', {})).toEqual([422, ['body', 'topics']])
    expect(await locOf('/memory/compose', { topics: ['one'] })).toEqual([422, ['body', 'topics']])
    expect(await locOf('/memory/forget', { query: 'x', threshold: 2 })).toEqual([422, ['body', 'threshold']])
  })

  it('say it with what was sent, and nothing of what the application says', async () => {
    const app = await start({ scoped: true, bySubject: true })
    const user = 'secretsecret'
    const refused: unknown[] = []
    for (const [path, body] of [
      ['query', []],
      ['query', { query: 'x', top_k: 51 }],
      ['store', { metadata: { mine: 1 } }],
      ['store', { content: 'x', metadata: { mine: 'x'.repeat(20_000) } }],
      ['store', { content: '', metadata: { mine: 1 } }],
      ['forget', { query: 'x', threshold: 2 }],
    ] as const) {
      const answer = await app.post(`/memory/${path}`, body, user)
      expect(answer.status).toBe(422)
      expect(JSON.stringify(answer.body)).not.toContain(user)
      const { detail } = answer.body as { detail: { loc: unknown[]; input?: unknown }[] }
      refused.push([detail[0]?.loc.join('.'), detail[0]?.input])
    }
    expect(refused).toEqual([
      ['body.query', undefined],
      ['body.top_k', 51],
      ['body.content', undefined],
      ['body.metadata', undefined],
      ['body.content', ''],
      ['body.threshold', 2],
    ])
  })

  it('refuse bodies that are no JSON, or too large', async () => {
    const app = await start()
    expect(await app.post('/memory/store')).toMatchObject({
      status: 400,
      body: { detail: 'Content-Type must be application/json' },
    })
    const json = { 'Content-Type': 'application/json; charset=utf-8' }
    const plain = await app.fetch('/memory/store', { method: 'POST', body: '{}' })
    expect(plain.status).toBe(400)
    if (name !== 'Express that parses bodies itself') {
      const primitive = await app.fetch('/memory/query', { method: 'POST', body: 'null', headers: json })
      expect(primitive.status).toBe(422)
      const broken = await app.fetch('/memory/store', { method: 'POST', body: '{"content"', headers: json })
      expect([broken.status, await broken.json()]).toEqual([400, { detail: 'Invalid JSON body' }])
      const body = JSON.stringify({ content: 'x'.repeat(1024 * 1024) })
      const large = await app.fetch('/memory/store', { method: 'POST', body, headers: json })
      expect([large.status, await large.json()]).toEqual([413, { detail: 'Request body too large' }])
    }
    const long = JSON.stringify({ content: 'A fact.', metadata: { note: 'é'.repeat(8_000) } })
    expect((await app.fetch('/memory/store', { method: 'POST', body: long, headers: json })).status).toBe(200)
  })

  it('refuse what JSON can say and the service can not be sent', async () => {
    const app = await start()
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    for (const [path, body, loc] of [
      ['query', '{"query":"x","top_k":1e999}', ['body', 'top_k']],
      ['store', '{"content":"x","metadata":{"n":[1,-1e999]}}', ['body', 'metadata', 'n', 1]],
      ['compose', '{"topics":["a",1e999]}', ['body', 'topics', 1]],
      ['forget', '{"query":"x","threshold":1e999}', ['body', 'threshold']],
    ] as const) {
      const refused = await app.post(`/memory/${path}`, body)
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { detail: [{ type: 'finite_number', loc }] },
      ])
    }
    const storing = (depth: number) =>
      app.post('/memory/store', `{"content":"x","metadata":{"n":${deep(depth - 2)}}}`)
    // What the service reads it refuses itself, for its metadata.
    expect((await storing(limits.jsonDepth)).status).toBe(422)
    for (const depth of [limits.jsonDepth + 1, 66, 9_002]) {
      expect(await storing(depth)).toMatchObject({
        status: 400,
        body: { detail: 'The JSON body is nested too deep' },
      })
    }
    // What would be a filter or a subject elsewhere.
    for (const content of [[{ filter: null }], [{ subject: '' }]])
      expect((await app.post('/memory/store', { content })).status).toBe(422)
  })

  it('are the same by path, method and form of the body', async () => {
    const app = await start()
    for (const path of ['/memory/stats/', '/Memory/stats', '/memory/Stats'])
      expect((await app.fetch(path)).status, path).toBe(404)
    const head = await app.fetch('/memory/stats', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await app.fetch('/memory/store', { method: 'HEAD' })).status).toBe(405)
    const headers = { 'Content-Type': 'application/json' }
    for (const body of ['', undefined])
      expect((await app.fetch('/memory/query', { method: 'POST', headers, body })).status).toBe(422)
    if (name !== 'Express that parses bodies itself') {
      const latin = { 'Content-Type': 'application/json; charset=iso-8859-1' }
      const body = '{"content":"Ada aime le café."}'
      expect((await app.fetch('/memory/store', { method: 'POST', headers: latin, body })).status).toBe(200)
      expect((await client.patterns.list()).patterns).toMatchObject([{ text: 'Ada aime le café.' }])
    }
  })

  it('pass on what the service refuses, and say when it can not be reached', async () => {
    const limited: Step = fails(429, 'Pattern storage limit reached', {
      'Retry-After': '3600',
      'X-Request-Id': 'r1',
    })
    await using scripted = await startScriptedServer(limited, breaksOff)
    await using silent = await startScriptedServer(keepsSilent)
    const over = (baseUrl: string, timeoutMs?: number) =>
      start({ client: new MemoryClient({ apiKey: 'key', baseUrl, timeoutMs, wait: async () => {} }) })
    const app = await over(scripted.url)
    const refused = await app.post('/memory/store', { content: 'A fact.' })
    expect([refused.status, refused.body]).toEqual([429, { detail: 'Pattern storage limit reached' }])
    expect([refused.headers.get('retry-after'), refused.headers.get('x-request-id')]).toEqual(['3600', 'r1'])
    const away = { detail: 'The memory service can not be reached' }
    expect(await app.get('/memory/stats')).toMatchObject({ status: 502, body: away })
    expect(await (await over(silent.url, 20)).get('/memory/stats')).toMatchObject({
      status: 504,
      body: { detail: 'The memory service did not answer in time' },
    })
    const nowhere = await over(`http://127.0.0.1:${await freePort()}`)
    expect(await nowhere.get('/memory/stats')).toMatchObject({ status: 502, body: away })
  })

  it('stop asking the service when the user hangs up', async () => {
    let closed = false
    const watched: Step = (response) =>
      response.once('close', () => {
        closed = true
      })
    await using scripted = await startScriptedServer(watched)
    const app = await start({ client: new MemoryClient({ apiKey: 'key', baseUrl: scripted.url }) })
    const controller = new AbortController()
    const asked = app.fetch('/memory/stats', { signal: controller.signal }).catch(() => undefined)
    await until(() => scripted.received.length === 1, 'the request to the service')
    controller.abort()
    await asked
    await until(() => closed, 'the end of the request to the service')
  })

  it('tell the space whose use it is', async () => {
    const actors: unknown[] = []
    const seen: Step = (response, { headers }) => {
      actors.push(headers['x-memory-actor'])
      fails(404, 'no')(response, undefined as never)
    }
    await using scripted = await startScriptedServer(seen)
    const app = await start({
      client: new MemoryClient({ apiKey: 'key', baseUrl: scripted.url }),
      scoped: true,
    })
    for (const user of ['ada', 'x'.repeat(129), 'Маша']) await app.post('/memory/query', { query: 'x' }, user)
    expect(actors).toEqual(['ada', undefined, Buffer.from('Маша').toString('latin1')])
  })
})

describe('a scope', () => {
  /** Asks every endpoint of an application with a hook that gives this. */
  async function ask(scope: unknown, hook = 'scope') {
    const direct = await server.newClient()
    await direct.store([
      { text: 'Ada lives in Lisbon', metadata: { user: 'ada' }, subject: 'ada' },
      { text: 'Grace lives in Oslo', metadata: { user: 'grace', category: 'location' }, subject: 'grace' },
      'Nobody’s note',
    ])
    const client = new MemoryClient({ apiKey: direct.key, baseUrl: server.url })
    const hooks = { [hook]: () => scope as never }
    const handle = createMemoryHandler({ client, ...hooks })
    const app = express()
    app.use(createMemoryRouter({ client, ...hooks }))
    const listening = createServer(app)
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
    const statuses: number[] = []
    for (const [path, body] of [
      ['store', { content: 'a note of nobody' }],
      ['store', { content: 'a note of Ada', metadata: { user: 'ada' } }],
      ['query', { query: 'where does she live', filter: { user: 'ada' } }],
      ['compose', { topics: ['a', 'b'] }],
      ['forget', { query: 'Grace lives in Oslo' }],
      ['forget', { category: 'location' }],
      ['stats'],
    ] as const) {
      const init = body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }
      statuses.push((await handle(new Request(`http://app.example/memory/${path}`, init))).status)
      statuses.push((await fetch(`${url}/memory/${path}`, init)).status)
    }
    listening.closeAllConnections()
    await new Promise((done) => listening.close(done))
    const { patterns } = (await direct.get('/v1/memory/patterns')).body
    return { statuses: [...new Set(statuses)], kept: patterns.map(({ text }: { text: string }) => text) }
  }

  class Session {
    readonly #user = 'ada'
    get user() {
      return this.#user
    }
  }

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['no fields', {}],
    ['a promise of nothing', Promise.resolve(undefined)],
    ['a promise of an undefined value', Promise.resolve({ user: undefined })],
    ['an undefined value', { user: undefined }],
    ['one undefined value of two', { tenant: 'acme', user: undefined }],
    ['null as a value', { user: null }],
    ['an empty value', { user: '' }],
    ['white space as a value', { user: ' \n\t\u00a0' }],
    ['what nobody sees as a value', { user: '\u200b\u3164' }],
    ['NaN', { user: Number.NaN }],
    ['Infinity', { user: Number.POSITIVE_INFINITY }],
    ['a list as a value', { user: ['ada', 'grace'] }],
    ['an empty list as a value', { user: [] }],
    ['an object as a value', { user: { id: undefined } }],
    ['an empty object as a value', { user: {} }],
    ['a function as a value', { user: () => 'ada' }],
    ['a promise as a value', { user: Promise.resolve('ada') }],
    ['a date as a value', { user: new Date() }],
    ['a symbol as a value', { user: Symbol('ada') }],
    ['a bigint as a value', { user: 1n }],
    ['a string', 'ada'],
    ['an empty string', ''],
    ['a number', 7],
    ['true', true],
    ['false', false],
    ['an empty list', []],
    ['a list', ['ada']],
    ['a function', () => ({ user: 'ada' })],
    ['a map', new Map([['user', 'ada']])],
    ['what is only inherited', Object.create({ user: 'ada' })],
    ['what a class hides', new Session()],
    ['what is not enumerable', Object.defineProperty({}, 'user', { value: 'ada' })],
    ['a symbol as a key', { [Symbol('user')]: 'ada' }],
  ])('of %s is a 403 everywhere, and nothing is stored or forgotten', async (_name, scope) => {
    expect(await ask(scope)).toEqual({
      statuses: [403],
      kept: ['Ada lives in Lisbon', 'Grace lives in Oslo', 'Nobody’s note'],
    })
  })

  it.each<[string, unknown]>([
    ['a string', { user: 'nina' }],
    ['a number', { user: 0 }],
    ['a boolean', { guest: false }],
    ['several', { tenant: 'acme', user: 7 }],
    ['an object without a prototype', Object.assign(Object.create(null), { user: 'nina' })],
    ['a promise', Promise.resolve({ user: 'nina' })],
  ])('of %s is one, which reaches nothing of others', async (_name, scope) => {
    const { statuses, kept } = await ask(scope)
    expect(statuses).toEqual([200])
    expect(kept.slice(0, 3)).toEqual(['Ada lives in Lisbon', 'Grace lives in Oslo', 'Nobody’s note'])
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['an empty name', ''],
    ['white space', ' \n'],
    ['what nobody sees', '\u200b\u3164'],
    ['a promise of nothing', Promise.resolve(undefined)],
    ['a list of names', ['ada', 'grace']],
    ['an empty list', []],
    ['a number', 7],
    ['an object', { user: 'ada' }],
    ['a function', () => 'ada'],
    ['NaN', Number.NaN],
  ])('as a subject of %s is a 403 everywhere, and nothing is stored or forgotten', async (_name, subject) => {
    expect(await ask(subject, 'subject')).toEqual({
      statuses: [403],
      kept: ['Ada lives in Lisbon', 'Grace lives in Oslo', 'Nobody’s note'],
    })
  })

  it.each<[string, unknown]>([
    ['a name', 'nina'],
    ['a promise of one', Promise.resolve('nina')],
  ])('as a subject of %s reaches nothing of others', async (_name, subject) => {
    const { statuses, kept } = await ask(subject, 'subject')
    expect(statuses).toEqual([200])
    expect(kept.slice(0, 3)).toEqual(['Ada lives in Lisbon', 'Grace lives in Oslo', 'Nobody’s note'])
  })

  it('of any names finds what was stored in it, and nothing that another stores', async () => {
    const { key } = await server.newClient()
    const client = new MemoryClient({ apiKey: key, baseUrl: server.url })
    const name = fc.string({
      unit: fc.constantFrom('a', 'user', '.', '$', '\\', '\\.', '$or'),
      minLength: 1,
      maxLength: 4,
    })
    let user = 0
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), async (names) => {
        const own = `user ${user++}`
        const ask = async (scope: object, path: string, body?: object) => {
          const handle = createMemoryHandler({ client, scope: () => scope as never })
          const init = body && {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          }
          const response = await handle(new Request(`http://app.example/memory/${path}`, init))
          expect([names, response.status]).toEqual([names, 200])
          return response.json()
        }
        const scope = Object.fromEntries(names.map((each) => [each, own]))
        // What another can store with the metadata of their choice, where a name were read as a path.
        const nested = Object.assign(
          {},
          ...names.map((each) =>
            each.split('.').reduceRight((inner: unknown, part) => ({ [part]: inner }), own),
          ),
        )
        const others = Object.fromEntries(names.map((each) => [each, 'another']))
        await ask(others, 'store', { content: 'theirs', metadata: nested })
        await ask(scope, 'store', { content: 'mine' })
        const { results } = (await ask(scope, 'query', { query: 'mine', top_k: 50 })) as {
          results: { content: string }[]
        }
        expect(results.map(({ content }) => content)).toEqual(['mine'])
        expect(await ask(scope, 'stats')).toMatchObject({ total_patterns: 1 })
        expect(await ask(scope, 'forget', { query: 'mine' })).toMatchObject({ forgotten: 1 })
      }),
      { numRuns: 20 },
    )
  })

  it('is read once: what it says later changes nothing', async () => {
    let reads = 0
    const scope = {
      get user() {
        return reads++ === 0 ? 'ada' : undefined
      },
    }
    const { key, ...direct } = await server.newClient()
    expect(direct).toBeDefined()
    const client = new MemoryClient({ apiKey: key, baseUrl: server.url })
    await client.text.batchStore({
      items: [
        { text: 'Ada’s', metadata: { user: 'ada' } },
        { text: 'Grace’s', metadata: { user: 'grace' } },
      ],
    })
    const handle = createMemoryHandler({ client, scope: () => scope as never })
    const response = await handle(new Request('http://app.example/memory/stats'))
    expect([response.status, reads]).toEqual([200, 1])
    expect(await response.json()).toMatchObject({ total_patterns: 1 })
  })

  it('that can not be told is the application’s to answer, and nothing is done', async () => {
    const direct = await server.newClient()
    await direct.store(['kept'])
    const client = new MemoryClient({ apiKey: direct.key, baseUrl: server.url })
    const request = () =>
      new Request('http://app.example/memory/forget', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"query":"kept"}',
      })
    for (const scope of [
      () => (undefined as unknown as { user: { id: string } }).user,
      () => Promise.reject(new TypeError('The session store is down.')),
    ]) {
      await expect(createMemoryHandler({ client, scope: scope as never })(request())).rejects.toThrow(
        TypeError,
      )
    }
    const refusing = createMemoryHandler({
      client,
      scope: () => {
        throw new RefusedError(401, 'Sign in first')
      },
    })
    expect((await refusing(request())).status).toBe(401)
    expect(await direct.retrieve('kept')).toEqual(['kept'])
  })

  it('hook or option that there is not is refused at the start, as a misspelt one', () => {
    const options = { apiKey: 'key', scop: () => ({ user: 'ada' }) } as never
    for (const make of [createMemoryHandler, createMemoryRouter])
      expect(() => make(options)).toThrow(new TypeError('scop is no option of MemoryClient'))
    const client = new MemoryClient({ apiKey: 'key' })
    const beside = { client, scop: () => ({ user: 'ada' }) } as never
    expect(() => createMemoryHandler(beside)).toThrow(new TypeError('scop is no option beside a client'))
  })

  it.each(['scope', 'subject', 'authorize'])(
    'hook that is no function is refused at the start: %s',
    (hook) => {
      for (const given of [null, { user: 'ada' }, 'ada', true]) {
        const options = { apiKey: 'key', [hook]: given } as never
        expect(() => createMemoryHandler(options)).toThrow(`${hook} must be a function`)
        expect(() => createMemoryRouter(options)).toThrow(TypeError)
      }
    },
  )
})

it('is refused a client that is kept to one user, which can not ask for the space', () => {
  const client = new MemoryClient({ apiKey: 'key', baseUrl: server.url }).forSubject('zed')
  for (const create of [createMemoryHandler, createMemoryRouter]) {
    expect(() => create({ client })).toThrow(
      new TypeError('Give the client itself, and the end user by the hook `subject`'),
    )
  }
})

it('makes its client from the client’s options', async () => {
  const { key } = await server.newClient()
  const handle = createMemoryHandler({ apiKey: key, baseUrl: server.url, prefix: '/' })
  expect((await handle(new Request('http://app.example/stats'))).status).toBe(200)
})
