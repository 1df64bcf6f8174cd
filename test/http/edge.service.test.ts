import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import { headersOf } from '@memory/api/http/endpoint'
import { errors } from '@memory/shared/catalogue/errors'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import { operations } from '../support/operations.ts'
import { startServer, type TestServer } from '../support/server.ts'

const page = 'https://app.example'
let server: TestServer

beforeAll(async () => {
  server = await startServer({ CORS_ORIGINS: `${page}, https://other.example:8443` })
})

afterEach(() => {
  server.context.leaving = false
  server.context.draining = false
  vi.restoreAllMocks()
})

afterAll(() => server.close())

const stats = '/v1/memory/text/stats'
const store = '/v1/memory/text/store'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Sends bytes as they are and gives all that comes back until the server closes. */
function sendRaw(request: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let received = ''
    socket.on('data', (data) => {
      received += data.toString()
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    )
    socket.on('close', () => resolve(received))
  })
}

describe('X-Request-Id', () => {
  it.each(['a', 'Trace-1.2_3', 'x'.repeat(128)])('is the request’s own when it is %s', async (id) => {
    const { headers } = await fetch(`${server.url}/healthz`, { headers: { 'X-Request-Id': id } })
    expect(headers.get('X-Request-Id')).toBe(id)
  })

  it.each(['', 'has space', 'a/b', 'x'.repeat(129), 'ü', 'a"b', '<script>'])(
    'is a new one when the request’s is %j',
    async (id) => {
      const headers = { 'X-Request-Id': Buffer.from(id).toString('latin1') }
      const answer = await fetch(`${server.url}/healthz`, { headers })
      expect(answer.headers.get('X-Request-Id')).toMatch(uuid)
    },
  )

  it('is on every answer, differs from request to request and stands in the log', async () => {
    const ada = await newConformingClient(server)
    const answers = [
      await ada.get(stats),
      await ada.get('/nowhere'),
      await ada.request('PUT', store, {}),
      await ada.post(store, {}),
      await ada.post(store, '{'),
      await ada.get(stats, { 'X-API-Key': 'wrong' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 422, 400, 401])
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id'))
    expect(new Set(ids).size).toBe(answers.length)
    await vi.waitFor(() => {
      const logged = server.logLines.map((line) => JSON.parse(line).requestId)
      for (const id of ids) expect(logged).toContain(id)
    })
  })
})

describe('H1 security headers', () => {
  const expected = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-type': 'application/json',
  }
  const requests: [string, number, (client: Client) => ReturnType<Client['get']>][] = [
    ['an answer', 200, (client) => client.get(stats)],
    ['an open answer', 200, (client) => client.get('/healthz')],
    ['the description', 200, (client) => client.get('/openapi.json')],
    ['400', 400, (client) => client.post(store, '{')],
    ['401', 401, (client) => client.get(stats, { 'X-API-Key': '' })],
    ['404 of a pattern', 404, (client) => client.get('/v1/memory/patterns/none')],
    ['404 of a path', 404, (client) => client.get('/v1/nowhere')],
    ['404 below the docs', 404, (client) => client.get('/docs/nowhere')],
    [
      '404 of a path that is no percent-encoding',
      404,
      (client) => client.get('/v1/memory/patterns/%E0%A4%A'),
    ],
    ['405', 405, (client) => client.get(store)],
    ['422', 422, (client) => client.post(store, {})],
  ]

  it.each(requests)('are on %s', async (_name, status, request) => {
    const answer = await request(await server.newClient())
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject(expected)
    for (const name of ['x-powered-by', 'server', 'etag', 'via']) expect(answer.headers.has(name)).toBe(false)
  })

  it.each<[string, string]>([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\0\u0001\0\u0001'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another version', 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['another method', 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['long headers', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
    ['an expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: banana\r\n\r\n'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    ['a broken chunk', `POST ${store} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ])('are on what answers %s, with an id and a detail', async (_what, request) => {
    const [head = '', body = ''] = (await sendRaw(request)).split('\r\n\r\n')
    const [line = '', ...lines] = head.split('\r\n')
    expect(line).toMatch(/^HTTP\/1\.1 4\d\d /)
    const headers = Object.fromEntries(
      lines.map((each) => [
        each.slice(0, each.indexOf(':')).toLowerCase(),
        each.slice(each.indexOf(':') + 2),
      ]),
    )
    expect(headers).toMatchObject({ ...expected, 'x-request-id': expect.stringMatching(uuid) })
    expect(JSON.parse(body)).toEqual({ detail: expect.any(String) })
  })

  it.each(['gzip, chunked', 'chunked, chunked', 'gzip, CHUNKED'])(
    'are on what answers a body that is coded in a way nobody undoes: %s',
    async (coding) => {
      const head = `POST ${store} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n`
      const answer = await sendRaw(`${head}Content-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/)
      expect(answer).toContain("default-src 'none'")
    },
  )

  it('of the reference page allow its own assets only', async () => {
    const response = await fetch(`${server.url}/docs`)
    const csp = response.headers.get('Content-Security-Policy') ?? ''
    expect(response.status).toBe(200)
    expect(csp).toContain("default-src 'none'")
    expect(csp).toContain("script-src 'self'")
    expect(csp).not.toMatch(/unsafe-eval|https?:|script-src[^;]*unsafe-inline/)
    const html = await response.text()
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
    expect(assets.length).toBeGreaterThan(2)
    for (const asset of assets) {
      // Relative, so that they are found below any address that a proxy gives the page.
      expect(asset).toMatch(/^(docs\/|openapi\.json$)/)
      expect((await fetch(new URL(asset, response.url))).status, asset).toBe(200)
    }
  })

  it('of the reference page say how it may be kept, and it comes compressed', async () => {
    const bundle = `${server.url}/docs/swagger-ui-bundle.js`
    const ask = (headers: Record<string, string>) => fetch(bundle, { headers })
    const lengths: Record<string, number> = {}
    for (const [accepted, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
      ['br;q=0, gzip;q=0', null],
    ] as const) {
      const { headers } = await ask({ 'Accept-Encoding': accepted })
      expect(headers.get('Content-Encoding'), accepted).toBe(expected)
      expect(headers.get('Vary'), accepted).toContain('Accept-Encoding')
      expect(headers.get('Cache-Control'), accepted).toBe('no-cache')
      lengths[String(expected)] = Number(headers.get('Content-Length'))
      const etag = headers.get('ETag') as string
      const again = await ask({ 'Accept-Encoding': accepted, 'If-None-Match': etag, 'Cache-Control': '' })
      expect([again.status, again.headers.get('ETag'), await again.text()], accepted).toEqual([304, etag, ''])
    }
    const whole = await (await ask({ 'Accept-Encoding': 'br' })).text()
    expect(Buffer.byteLength(whole)).toBe(lengths.null)
    expect(lengths.gzip).toBeLessThan(Number(lengths.null) / 3)
    expect(lengths.br).toBeLessThan(Number(lengths.gzip))
  })

  it('tell nothing about the inside when something breaks', async () => {
    const ada = await newConformingClient(server)
    const embed = vi.spyOn(server.context.memory.compute, 'embed')
    embed.mockRejectedValueOnce(new Error('the wheel came off at /srv/secret.ts'))
    const { status, body, headers } = await ada.post(store, { text: 'a' })
    expect(status).toBe(500)
    expect(body).toEqual({ detail: 'Internal server error' })
    expect(JSON.stringify([...headers])).not.toContain('wheel')
  })
})

describe('H2 CORS', () => {
  const corsHeaders = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'))

  it('lets pages of the listed origins read answers', async () => {
    const ada = await newConformingClient(server)
    for (const origin of [page, 'https://other.example:8443']) {
      const { status, headers } = await ada.get(stats, { Origin: origin })
      expect(status).toBe(200)
      expect(headers.get('Access-Control-Allow-Origin')).toBe(origin)
      expect(headers.get('Access-Control-Allow-Credentials')).toBe(null)
      expect(headers.get('Access-Control-Expose-Headers')).toContain('Retry-After')
      expect(headers.get('Vary')).toContain('Origin')
    }
  })

  it('lets them send every method and header of the API', async () => {
    const response = await fetch(server.url + store, {
      method: 'OPTIONS',
      headers: { Origin: page, 'Access-Control-Request-Method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(page)
    const methods = response.headers.get('Access-Control-Allow-Methods')?.split(', ')
    expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']))
    const allowed = response.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ')
    const { components, paths } = (await (await newConformingClient(server)).get('/openapi.json')).body
    interface Described {
      parameters?: { in: string; name: string }[]
    }
    const described = Object.values<Record<string, Described>>(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [] }) => parameters)
      .concat(Object.values(components.parameters))
      .flatMap((parameter) => (parameter.in === 'header' ? [parameter.name.toLowerCase()] : []))
    expect(described).toEqual(
      expect.arrayContaining(['if-match', 'if-none-match', 'x-memory-actor', 'prefer']),
    )
    const sent = ['authorization', 'x-api-key', 'content-type', ...new Set(described)]
    expect(sent.filter((name) => !allowed?.includes(name))).toEqual([])
  })

  it('also lets them read errors', async () => {
    const ada = await newConformingClient(server)
    const { status, headers } = await ada.get(stats, { Origin: page, 'X-API-Key': 'wrong' })
    expect(status).toBe(401)
    expect(headers.get('Access-Control-Allow-Origin')).toBe(page)
  })

  it.each([
    'https://evil.example',
    'http://app.example',
    'https://app.example:444',
    'https://app.example.evil.example',
    'https://APP.example',
    'null',
    '*',
  ])('gives no header to %s', async (origin) => {
    const ada = await newConformingClient(server)
    expect(corsHeaders((await ada.get(stats, { Origin: origin })).headers)).toEqual([])
    const preflight = await fetch(server.url + store, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
    expect(corsHeaders(preflight.headers)).toEqual([])
  })
})

describe('paths and methods', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

  it.each([
    '/',
    '/v1',
    '/v1/memory/text/unknown',
    '//v1/memory/text/stats',
    '/v1//memory/text/stats',
    '/v1/memory/text/stats/',
    '/V1/memory/text/stats',
    '/v1/memory/text/Stats',
    '/v1/memory%2ftext/stats',
    '/v1/memory/text%2Fstats',
    '/v1/memory/text/stats%00',
    '/v1/memory/text/stats.json',
    '/v1/memory/text/stats;a=b',
    '/v1/memory/patterns/',
    '/v1/memory/patterns/a/b',
    '/v1/memory/patterns/%E0%A4%A',
    '/v1/memory/patterns/%ED%A0%80',
    '/v1/memory/patterns/%',
    '/docs/',
    '/docs/../package.json',
    '/metrics',
    '/ops/keys',
    '/ops/users',
  ])('E3 H4 %s names nothing', async (path) => {
    const ada = await server.newClient()
    const { status, body } = await ada.get(path)
    expect(status).toBe(404)
    expect(body).toEqual({ detail: 'Not Found' })
  })

  it('H4 answers 405 with Allow for every method that a documented path lacks', async () => {
    // Not held to the description: a path that lacks a method may look like another one's with a parameter.
    const ada = await server.newClient()
    const { body } = await ada.get('/openapi.json')
    for (const [template, operations] of Object.entries<object>(body.paths)) {
      const path = template.replaceAll(/\{\w+\}/g, 'some-id')
      const supported = Object.keys(operations).map((method) => method.toUpperCase())
      const allowed = supported.includes('GET') ? [...supported, 'HEAD'] : supported
      for (const method of methods.filter((each) => !supported.includes(each))) {
        const answer = await ada.request(method, path, undefined, { 'X-API-Key': '' })
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.body).toEqual({ detail: 'Method Not Allowed' })
        expect(answer.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
      }
    }
  })

  it.each([
    '/openapi.json',
    '/docs',
    '/docs/start.js',
    '/console',
    '/console/',
    '/console/memories',
    '/console/assets/none.js',
    '/verify-email',
  ])('H4 answers 405 to every method but GET and HEAD on %s', async (path) => {
    for (const method of methods.filter((each) => each !== 'GET')) {
      const response = await fetch(server.url + path, { method })
      expect(response.status, method).toBe(405)
      expect(response.headers.get('Allow')).toBe('GET, HEAD')
      expect(await response.json()).toEqual({ detail: 'Method Not Allowed' })
    }
  })

  it('answers 404 for files that the console does not have, without listing those that it has', async () => {
    const page = await (await fetch(`${server.url}/console`)).text()
    const script = /assets\/[^"]+\.js/.exec(page)?.[0]
    expect((await fetch(`${server.url}/console/${script}`)).status).toBe(200)
    const list = vi.spyOn(fs, 'globSync')
    syncBuiltinESMExports()
    for (const name of ['keys-0ldBu1ld.js', 'none.css', 'none', 'a/b.js', '..%2Findex.html', 'constructor']) {
      const answer = await fetch(`${server.url}/console/assets/${name}`)
      expect([answer.status, await answer.text()], name).toEqual([404, '{"detail":"Not Found"}'])
    }
    expect(list).not.toHaveBeenCalled()
    list.mockRestore()
    syncBuiltinESMExports()
  })

  it('answers HEAD as GET without the body', async () => {
    const ada = await newConformingClient(server)
    for (const path of [stats, '/healthz', '/openapi.json']) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) =>
          fetch(server.url + path, { method, headers: { 'X-API-Key': ada.key } }),
        ),
      )
      expect(head?.status).toBe(200)
      expect(head?.headers.get('Content-Length')).toBe(get?.headers.get('Content-Length'))
      expect(await head?.text()).toBe('')
    }
  })

  it('N2 ignores query parameters that an operation does not know', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.get(`${stats}?__proto__=1&constructor=2&a=1&a=2`)).status).toBe(200)
  })
})

describe('a query whose bytes are no UTF-8', () => {
  it.each(['subject=a%ff', 'q=%C3%28', 'cursor=%ED%A0%80', 'filter={"a":"b%ff"}', '%C3%28=1'])(
    'is refused: %s',
    async (query) => {
      const ada = await newConformingClient(server)
      expect((await ada.get(`/v1/memory/patterns?${query}`)).status).toBe(422)
    },
  )

  it('is ignored in a parameter that the operation does not have', async () => {
    const ada = await newConformingClient(server)
    const answer = await ada.get('/v1/memory/patterns?utm=%E9')
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, 'query.utm'])
  })

  it.each(['a=%C3%A4', 'a=100%', 'a=%C3%A4%zz'])('is another than %s', async (query) => {
    const ada = await newConformingClient(server)
    expect((await ada.get(`/v1/memory/patterns?${query}`)).status).toBe(200)
  })
})

describe('X-Memory-Actor', () => {
  it('may have 128 characters and filters nothing', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['for everybody'])
    const answer = await ada.post(
      '/v1/memory/text/retrieve',
      { query: 'everybody' },
      { 'X-Memory-Actor': 'a'.repeat(128) },
    )
    expect(answer.body.results).toHaveLength(1)
  })

  it.each([
    ['POST', '/v1/memory/text/retrieve', { query: 'q' }],
    ['GET', '/v1/memory/patterns', undefined],
    ['GET', stats, undefined],
  ])('of 129 characters is refused by %s %s', async (method, path, body) => {
    const ada = await newConformingClient(server)
    const answer = await ada.request(method, path, body, { 'X-Memory-Actor': 'a'.repeat(129) })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual([
      expect.objectContaining({ type: 'string_too_long', loc: ['header', 'x-memory-actor'] }),
    ])
  })
})

describe('health', () => {
  it('F8 liveness touches no dependency', async () => {
    const ada = await newConformingClient(server)
    const query = vi.spyOn(server.context.database.queries.getExecutor(), 'executeQuery')
    const { status, body } = await ada.get('/healthz', { 'X-API-Key': '' })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok' })
    expect(query).not.toHaveBeenCalled()
  })

  it('F8 readiness asks the database', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.get('/readyz', { 'X-API-Key': '' })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ready',
      database: server.context.database.kind,
      queue: server.context.database.kind,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
  })

  it.each([
    ['only reads', { writable: false, durable: true, encoder: null }],
    ['loses commits in a power failure', { writable: true, durable: false, encoder: null }],
  ])('F10 readiness is degraded over a database that %s', async (_what, health) => {
    const ada = await newConformingClient(server)
    const executor = server.context.database.queries.getExecutor()
    vi.spyOn(executor, 'executeQuery').mockResolvedValueOnce({ rows: [health] })
    const { status, body } = await ada.get('/readyz', { 'X-API-Key': '' })
    expect([status, body.status]).toEqual([200, 'degraded'])
  })

  it.each(['ECONNREFUSED', '57P01', '53300', '53100', '25006', '08006', '57014'])(
    'F4 a database that fails with %s makes 503 with Retry-After',
    async (code) => {
      const ada = await newConformingClient(server)
      const executor = server.context.database.queries.getExecutor()
      for (const path of ['/readyz', stats]) {
        vi.spyOn(executor, 'executeQuery').mockRejectedValueOnce(Object.assign(new Error('lost'), { code }))
        const { status, body, headers } = await ada.get(path)
        expect(status).toBe(503)
        expect(body).toEqual({ detail: 'Service unavailable' })
        expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
      }
      expect((await ada.get('/readyz')).status).toBe(200)
    },
  )

  it('F4 while the database is away the log has one line for each cause, and its own for each request', async () => {
    const ada = await newConformingClient(server)
    const executor = server.context.database.queries.getExecutor()
    const before = server.logLines.length
    for (const message of ['this goes', 'that goes', 'this goes']) {
      const error = Object.assign(new Error(message), { code: '57P01' })
      vi.spyOn(executor, 'executeQuery').mockRejectedValueOnce(error)
      await ada.get('/readyz')
    }
    const lines = await vi.waitFor(() => {
      const logged = server.logLines.slice(before).map((line) => JSON.parse(line))
      expect(logged.filter(({ msg }) => msg === 'request')).toHaveLength(3)
      return logged
    })
    const told = lines.filter(({ msg }) => msg !== 'request')
    expect(told.map(({ level, msg, err }) => [level, msg, err.message])).toEqual([
      [40, 'requests refused', 'this goes'],
      [40, 'requests refused', 'that goes'],
    ])
  })

  it('F7 while leaving it answers, ends each connection, and is not ready', async () => {
    const ada = await newConformingClient(server)
    server.context.leaving = true
    const [ready, alive, answer] = [await ada.get('/readyz'), await ada.get('/healthz'), await ada.get(stats)]
    server.context.leaving = false
    expect([ready.status, alive.status, answer.status]).toEqual([503, 200, 200])
    for (const { headers } of [ready, alive, answer]) expect(headers.get('Connection')).toBe('close')
    const after = await ada.get('/readyz')
    expect([after.status, after.headers.get('Connection')]).toEqual([200, 'keep-alive'])
  })

  it('F7 while draining refuses requests with 503 and closes the connection', async () => {
    const ada = await newConformingClient(server)
    server.context.draining = true
    for (const path of ['/readyz', stats]) {
      const { status, body, headers } = await ada.get(path)
      expect(status).toBe(503)
      expect(body).toEqual({ detail: 'Service unavailable' })
      expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
      expect(headers.get('Connection')).toBe('close')
    }
    expect((await ada.post(store, { text: 'too late' })).status).toBe(503)
    server.context.draining = false
    expect((await ada.get(stats)).body.total_patterns).toBe(0)
  })
})

describe('the log', () => {
  it('S2 has one valid JSON line a request, whatever is in it', async () => {
    const ada = await server.newClient()
    const before = server.logLines.length
    const hostile = '%0d%0a{"level":60,"msg":"forged"}%1b[31m'
    await ada.get(`/v1/${hostile}`)
    await ada.get(`/v1/memory/patterns/${hostile}?cursor=${hostile}`)
    await ada.get(stats, { 'User-Agent': '{"level":60,"msg":"forged"}', 'X-Request-Id': '{"msg":"forged"}' })
    await ada.post(store, { text: '\r\n{"level":60,"msg":"forged"}\u001b[31m' })
    const lines = await vi.waitFor(() => {
      const logged = server.logLines.slice(before)
      expect(logged).toHaveLength(4)
      return logged
    })
    for (const line of lines) {
      for (const raw of ['\r', '\n', '\u001b']) expect(line.trimEnd()).not.toContain(raw)
      expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'request' })
      expect(line).not.toContain('forged')
    }
  })

  it('names the route’s template, the organization and the key, and no path', async () => {
    const ada = await server.newClient()
    const { headers } = await ada.get('/v1/memory/patterns/pat_private')
    const id = headers.get('X-Request-Id')
    const line = await vi.waitFor(() => {
      const found = server.logLines.find((each) => each.includes(String(id)))
      expect(found).toBeDefined()
      return String(found)
    })
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      route: '/v1/memory/patterns/{pattern_id}',
      status: 404,
      organizationId: ada.organizationId,
      keyId: ada.keyId,
    })
    expect(line).not.toContain('pat_private')
  })
})

describe('a header that may be sent once', () => {
  const send = async (path: string, headers: string[]) => {
    const method = path === store || path.startsWith('/v1/auth') ? 'POST' : 'GET'
    const answer = await sendRaw(
      `${[`${method} ${path} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    )
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return [Number(head.split(' ')[1]), body]
  }
  const repeated = [400, JSON.stringify({ detail: errors.repeated_header.detail })]
  /** As HTTP defines them: several of one are one list. */
  const lists = ['if-match', 'if-none-match']

  it('is refused when it is sent twice, on every route, whatever it says', async () => {
    const { key } = await server.newClient()
    const twice = [
      ['Host: a', 'Host: a'],
      ['Host: a', 'hOST: b'],
      ['Host: a', `X-API-Key: ${key}`, `X-API-Key: ${key}`],
      ['Host: a', `X-API-Key: ${key}`, 'x-api-key: other'],
      ['Host: a', 'X-API-Key: other', `X-Api-Key: ${key}`],
      ['Host: a', `X-API-Key: ${key}`, 'X-Other: 1', 'X-API-KEY:'],
      ['Host: a', `Authorization: Bearer ${key}`, `authorization: Bearer ${key}`],
      ['Host: a', `Authorization: Bearer ${key}`, 'AUTHORIZATION: Basic YTpi'],
    ]
    for (const path of [
      stats,
      store,
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
      '/v1/auth/login',
      '/nowhere',
      '/v1/memory/patterns?limit=1',
    ]) {
      for (const headers of twice) expect(await send(path, headers), `${path} ${headers}`).toEqual(repeated)
    }
    expect((await send(stats, ['Host: a', `X-API-Key: ${key}`]))[0]).toBe(200)
  })

  it('is each that an operation reads, but for lists', async () => {
    const { key } = await server.newClient()
    const own = ['Host: a', `X-API-Key: ${key}`]
    const read = new Set(operations.flatMap((each) => Object.keys(headersOf(each, true).shape)))
    expect(read).toContain('idempotency-key')
    for (const name of [...read, 'content-type'].filter((each) => !lists.includes(each))) {
      for (const second of ['a', 'b']) {
        expect(await send(store, [...own, `${name}: a`, `${name}: ${second}`]), name).toEqual(repeated)
      }
      expect(errors.repeated_header.detail.toLowerCase()).toContain(name)
    }
    for (const name of [...lists, 'prefer', 'x-forwarded-for', 'accept-language']) {
      expect((await send(stats, [...own, `${name}: "a"`, `${name}: "b"`]))[0], name).toBe(200)
    }
  })

  it('may be there beside the other', async () => {
    const { key } = await server.newClient()
    const both = ['Host: a', `X-API-Key: ${key}`, 'Authorization: Bearer x']
    expect((await send(stats, both))[0]).toBe(200)
  })
})

describe('malformed HTTP', () => {
  const head = (line: string, ...headers: string[]) => `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`

  it.each<[string, string, RegExp]>([
    [
      'headers of more than 16 KiB',
      head('GET /healthz HTTP/1.1', `X-Long: ${'a'.repeat(17 * 1024)}`),
      /^HTTP\/1\.1 431 /,
    ],
    [
      'Content-Length beside Transfer-Encoding',
      `${head(`POST ${store} HTTP/1.1`, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      /^HTTP\/1\.1 400 /,
    ],
    [
      'Transfer-Encoding in HTTP/1.0',
      `${head(`POST ${store} HTTP/1.0`, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/,
    ],
    [
      'two lengths',
      `${head(`POST ${store} HTTP/1.1`, 'Content-Length: 2', 'Content-Length: 3')}{}`,
      /^HTTP\/1\.1 400 /,
    ],
    ['a line break in a header', head('GET /healthz HTTP/1.1', 'X-A: a\rb'), /^HTTP\/1\.1 400 /],
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('N4 with %s is refused and closed', async (_name, request, expected) => {
    expect(await sendRaw(request)).toMatch(expected)
  })

  const stored = (body: string, key: string, lengthOff = 0) =>
    head(
      `POST ${store} HTTP/1.1`,
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length + lengthOff}`,
    ) + body

  const tunnel = head('CONNECT example.com:443 HTTP/1.1')

  it.each(['}', '\0', 'xx', 'GET /healthz HTTP/1.1\r\nbad header\r\n\r\n', tunnel])(
    'N4 after a request that is right does not take its answer, and the connection ends: %j',
    async (stray) => {
      const ada = await server.newClient()
      const answer = await sendRaw(stored('{"text":"Ada likes tea"}', ada.key) + stray)
      expect(answer).toMatch(/^HTTP\/1\.1 20[01] [\s\S]*\r\nConnection: close\r\n/)
      expect(answer).toContain('"pattern_id"')
      expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
      expect((await ada.get(stats)).body.total_patterns).toBe(1)
    },
  )

  it('N4 after several requests takes the answer of none; one whose body is malformed is none', async () => {
    const { key } = await server.newClient()
    const asked = head(`GET ${stats} HTTP/1.1`, `X-API-Key: ${key}`)
    const unread = head(`POST ${store} HTTP/1.1`, `X-API-Key: ${key}`, 'Transfer-Encoding: chunked')
    const answer = await sendRaw(`${asked}${asked}${unread}no chunk`)
    expect(
      Array.from(answer.matchAll(/HTTP\/1\.1 (\d+)|"(total_patterns":0)/g), ([, a, b]) => a ?? b),
    ).toEqual(['200', 'total_patterns":0', '200', 'total_patterns":0'])
    expect(answer.match(/Connection: close/g)).toHaveLength(1)
  })

  const expecting = head('GET /healthz HTTP/1.1', 'Expect: banana')
  const statusesOf = (answers: string) => answers.match(/(?<=HTTP\/1\.1 )\d+/g)

  it('an expectation that nobody meets is refused after the answers to the requests before it', async () => {
    const ada = await server.newClient()
    const asked = head(`GET ${stats} HTTP/1.1`, `X-API-Key: ${ada.key}`)
    const answers = await sendRaw(stored('{"text":"Ada likes tea"}', ada.key) + asked + expecting + asked)
    expect(statusesOf(answers)).toEqual(['200', '200', '417'])
    expect(answers).toMatch(/"pattern_id"[\s\S]*"total_patterns":1[\s\S]*\{"detail":"Expectation Failed"\}$/)
  })

  it('an expectation that nobody meets does not break into a stream', async () => {
    const { key } = await server.newClient()
    const stream = head('GET /v1/notifications/stream?max_seconds=1 HTTP/1.1', `X-API-Key: ${key}`)
    const answers = await sendRaw(stream + expecting)
    expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n0\r\n\r\nHTTP\/1\.1 417 /)
    expect(statusesOf(answers)).toEqual(['200', '417'])
  })

  it.each([
    ['100-Continue', '1.1', ['100', '200']],
    ['banana', '1.0', ['200']],
  ])('Expect: %s is none of these in HTTP/%s', async (expectation, version, statuses) => {
    const request = head(`GET /healthz HTTP/${version}`, `Expect: ${expectation}`, 'Connection: close')
    expect(statusesOf(await sendRaw(request))).toEqual(statuses)
  })

  it('N4 a body that is longer than its Content-Length is no JSON', async () => {
    const { key } = await server.newClient()
    expect(await sendRaw(stored('{"text":"Ada likes tea"}', key, -1))).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"detail":"Invalid JSON body"\}$/,
    )
  })

  it('N4 that ends in the middle of a body leaves the service well', async () => {
    const ada = await newConformingClient(server)
    const { hostname, port } = new URL(server.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const request = head(
          `POST ${store} HTTP/1.1`,
          `X-API-Key: ${ada.key}`,
          'Content-Type: application/json',
          'Content-Length: 100',
        )
        socket.write(`${request}{"text":`, () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    await vi.waitFor(() => expect(server.logLines.some((line) => line.includes('"status":499'))).toBe(true))
    expect((await ada.get(stats)).body.total_patterns).toBe(0)
  })
})
