import { readFileSync } from 'node:fs'
import { type DebugEvent, MemoryClient, type MemoryClientOptions } from 'memory-service-sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fails, hangsUp, ok } from './scripted-server.ts'
import { apiKey, newBench, rejection, stats } from './support.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** What one call of a client sends, and where. */
async function sent(options: MemoryClientOptions): Promise<{ url: string; headers: Headers }> {
  const requests: { url: string; headers: Headers }[] = []
  const client = new MemoryClient({
    ...options,
    fetch: async (url, { headers }) => {
      requests.push({ url, headers: headers as Headers })
      return Response.json(stats)
    },
  })
  await client.text.stats()
  return requests[0] as { url: string; headers: Headers }
}

describe('key and address', () => {
  const environment = () => {
    vi.stubEnv('MEMORY_SERVICE_API_KEY', 'mem_live_0')
    vi.stubEnv('MEMORY_SERVICE_URL', 'https://memory.example/here/')
  }

  it('come from the environment', async () => {
    environment()
    const { url, headers } = await sent({})
    expect(url).toBe('https://memory.example/here/v1/memory/text/stats')
    expect(headers.get('x-api-key')).toBe('mem_live_0')
  })

  it('come from the options first', async () => {
    environment()
    const { url, headers } = await sent({ apiKey: 'mem_live_1', baseUrl: 'http://localhost:9' })
    expect(url).toBe('http://localhost:9/v1/memory/text/stats')
    expect(headers.get('x-api-key')).toBe('mem_live_1')
  })

  it.each<[string, MemoryClientOptions]>([
    ['has an access token', { accessToken: 'token' }],
    ['has a refresh token', { refreshToken: 'token' }],
    ['will sign somebody in', { onTokens: () => {} }],
    ['wants none', { apiKey: null }],
  ])('of the environment are not those of a client that %s', async (_, options) => {
    environment()
    expect((await sent(options)).headers.has('x-api-key')).toBe(false)
  })

  it('name the variable where they are wrong', () => {
    vi.stubEnv('MEMORY_SERVICE_API_KEY', '')
    expect(() => new MemoryClient()).toThrow(new TypeError('MEMORY_SERVICE_API_KEY is empty'))
    vi.stubEnv('MEMORY_SERVICE_API_KEY', 'YOUR_API_KEY')
    expect(() => new MemoryClient()).toThrow(/^MEMORY_SERVICE_API_KEY is the placeholder of an example/)
    vi.stubEnv('MEMORY_SERVICE_URL', 'localhost:8000')
    expect(() => new MemoryClient({ apiKey })).toThrow(
      /^MEMORY_SERVICE_URL is "localhost:8000", and should be/,
    )
  })

  it('has the address unless said where its variable is empty', async () => {
    vi.stubEnv('MEMORY_SERVICE_URL', '')
    expect((await sent({ apiKey })).url).toMatch(/^http:\/\/127\.0\.0\.1:8000\/v1\//)
  })

  it('take white space around an address for none of it, and want it whole', async () => {
    expect((await sent({ apiKey, baseUrl: ' http://localhost:9\r\n' })).url).toMatch(
      /^http:\/\/localhost:9\/v1\//,
    )
    for (const baseUrl of ['http:localhost', 'https:/localhost', '', ' ']) {
      expect(() => new MemoryClient({ apiKey, baseUrl })).toThrow(/and should be an http or https address/)
    }
  })

  it('are said to be missing as they are', async () => {
    environment()
    const refused = fails(401, 'Not authenticated')
    for (const [options, said] of [
      [{ apiKey: null }, 'the client has no apiKey'],
      [{ apiKey: undefined, onTokens: () => {} }, 'nobody is signed in'],
    ] as const) {
      await using bench = await newBench([refused], options)
      expect(await rejection(bench.client.text.stats())).toMatchObject({
        message: `Not authenticated (401): ${said}`,
      })
    }
  })

  it('are said to be missing where the service asks who calls', async () => {
    await using bench = await newBench([fails(401, 'Not authenticated'), fails(401, 'Invalid credentials')], {
      apiKey: null,
    })
    expect(await rejection(bench.client.text.stats())).toMatchObject({
      detail: 'Not authenticated',
      message: 'Not authenticated (401): the client has no apiKey, and MEMORY_SERVICE_API_KEY is not set',
    })
    const login = bench.client.auth.login({ email: 'ada@example.com', password: 'wrong' })
    expect(await rejection(login)).toMatchObject({ message: 'Invalid credentials (401)' })
  })

  it('are looked for nowhere where there is no environment, or none that may be read', async () => {
    environment()
    const { process } = globalThis
    const forbidden = {
      get env() {
        throw new Error('NotCapable')
      },
    }
    const found: string[] = []
    for (const instead of [undefined, {}, forbidden]) {
      vi.stubGlobal('process', instead)
      const client = new MemoryClient({
        fetch: async (url) => {
          found.push(url)
          return Response.json(stats)
        },
      })
      const call = client.text.stats()
      vi.stubGlobal('process', process)
      await call
    }
    expect(found).toEqual(Array<string>(3).fill('http://127.0.0.1:8000/v1/memory/text/stats'))
  })
})

describe('a place beside a key', () => {
  it.each(['given', 'of the environment'])('is its own, or is refused: %s', (from) => {
    const made = (key: string, place: MemoryClientOptions) => {
      vi.stubEnv('MEMORY_SERVICE_API_KEY', key)
      return new MemoryClient({ ...(from === 'given' && { apiKey: key }), ...place })
    }
    expect(() => made('mem_live_0', { environment: 'test' })).toThrow(
      new TypeError('environment is "test", and the apiKey is of live'),
    )
    expect(() => made('key', { environment: 'live' })).toThrow(
      new TypeError('environment is "live", and the apiKey is of the space that it was made for'),
    )
    expect(() => made('mem_live_0', { organizationId: 'org' })).toThrow(
      new TypeError('organizationId goes with tokens: an apiKey is of one organization'),
    )
    expect(made('mem_test_0', { environment: 'test' })).toBeInstanceOf(MemoryClient)
  })
})

describe('an option that there is not', () => {
  it('is refused where a client is made', () => {
    for (const name of ['baseURL', 'api_key', 'toString']) {
      expect(() => new MemoryClient({ apiKey, [name]: 'x' })).toThrow(
        new TypeError(`${name} is no option of MemoryClient`),
      )
    }
  })

  it('is refused where a call is made, and nothing is sent', async () => {
    await using bench = await newBench([ok({})])
    const { text, patterns, vectors, notifications } = bench.client
    for (const [call, name, route] of [
      [text.stats({ timeout: 5 } as never), 'timeout', 'GET /v1/memory/text/stats'],
      [text.stats({ idempotencyKey: 'x' } as never), 'idempotencyKey', 'GET /v1/memory/text/stats'],
      [text.recall({ query: 'x' }, { filter: {} } as never), 'filter', 'POST /v1/memory/text/recall'],
      [text.store({ text: 'x' }, { ifNoneMatch: 'x' } as never), 'ifNoneMatch', 'POST /v1/memory/text/store'],
      [text.context({}, { etag: 'x' } as never), 'etag', 'POST /v1/memory/context'],
      [vectors.batchStore({ patterns: [] }, { key: 'x' } as never), 'key', 'POST /v1/memory/batch/store'],
      [patterns.all({}, { retries: 1 } as never).next(), 'retries', 'GET /v1/memory/patterns'],
      [notifications.stream({ timeoutMs: 1 } as never).next(), 'timeoutMs', '/v1/notifications/stream'],
    ] as const) {
      expect(await rejection(call)).toEqual(new TypeError(`${name} is no option of ${route}`))
    }
    expect(bench.server.received).toEqual([])
  })
})

describe('numbers', () => {
  it.each(['timeoutMs', 'maxRetries'])('that are none are refused where they are given: %s', async (name) => {
    for (const [given, shown] of [
      [Number.NaN, 'NaN'],
      [null, 'null'],
      ['3', '"3"'],
    ]) {
      const refusal = new TypeError(`${name} is ${shown}, and should be a number`)
      expect(() => new MemoryClient({ apiKey, [name]: given })).toThrow(refusal)
      await using bench = await newBench([fails(503, 'not now')])
      expect(await rejection(bench.client.text.stats({ [name]: given }))).toEqual(refusal)
      expect(bench.server.received).toEqual([])
    }
  })

  it('are refused as a version too', async () => {
    await using bench = await newBench([ok({})])
    const change = bench.client.patterns.update('id', { text: 'x' }, { ifMatch: Number.NaN })
    expect(await rejection(change)).toEqual(new TypeError('ifMatch is NaN, and should be a number'))
    expect(bench.server.received).toEqual([])
  })
})

describe('numbers that nothing can be done with', () => {
  it.each([
    ['timeoutMs', 0, 'more than 0'],
    ['timeoutMs', -1, 'more than 0'],
    ['maxRetries', -1, 'a whole number, 0 or more'],
    ['maxRetries', 1.5, 'a whole number, 0 or more'],
  ])('are refused where they are given: %s of %d', async (name, given, words) => {
    const refusal = new TypeError(`${name} is ${given}, and should be ${words}`)
    expect(() => new MemoryClient({ apiKey, [name]: given })).toThrow(refusal)
    await using bench = await newBench([ok(stats)])
    expect(await rejection(bench.client.text.stats({ [name]: given }))).toEqual(refusal)
    const half = bench.client.patterns.update('id', { text: 'x' }, { ifMatch: 1.5 })
    expect(await rejection(half)).toEqual(new TypeError('ifMatch is 1.5, and should be a whole number'))
    expect(bench.server.received).toEqual([])
  })
})

describe('an id', () => {
  it.each([{}, Number.NaN, 1.5, null, undefined, ['a'], true, '', '..'])('is never %o', async (id) => {
    await using bench = await newBench([ok({})])
    const error = await rejection(bench.client.patterns.get(id as never))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toMatch(/^GET \/v1\/memory\/patterns\/\{pattern_id\} needs an id, not /)
    expect(bench.server.received).toEqual([])
  })
})

describe('headers', () => {
  it.each([undefined, null, 7, {}])('of %o can not be sent', async (value) => {
    await using bench = await newBench([ok(stats)])
    expect(await rejection(bench.client.text.stats({ headers: { 'x-a': value as never } }))).toEqual(
      new TypeError(`The header x-a is ${value}, and should be a string`),
    )
    expect(bench.server.received).toEqual([])
  })

  it('say who asks, but in a browser, which does itself', async () => {
    const { version } = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8'))
    const agents: (string | null)[] = []
    for (const navigator of [{ userAgent: 'Node.js/24' }, undefined, { userAgent: 'Mozilla/5.0 (X11)' }]) {
      vi.stubGlobal('navigator', navigator)
      agents.push((await sent({ apiKey })).headers.get('user-agent'))
    }
    expect(agents).toEqual([
      `memory-service-sdk/${version} Node.js/24`,
      `memory-service-sdk/${version}`,
      null,
    ])
  })

  it('of the client are on every request, and those of a call before them, whatever their case', async () => {
    await using bench = await newBench([ok(stats)], {
      apiKey,
      defaultHeaders: { 'User-Agent': 'mine', 'X-Request-Id': 'all' },
    })
    await bench.client.text.stats()
    await bench.client.text.stats({ headers: { 'x-request-id': 'one', prefer: 'handling=lenient' } })
    const seen = bench.server.received.map(({ headers }) => [
      headers['user-agent'],
      headers['x-request-id'],
      headers.prefer,
      headers['x-api-key'],
    ])
    expect(seen).toEqual([
      ['mine', 'all', 'handling=strict', apiKey],
      ['mine', 'one', 'handling=lenient', apiKey],
    ])
  })
})

describe('debug', () => {
  it('hears of each attempt: what was asked, what came, and when it is tried again', async () => {
    const events: DebugEvent[] = []
    await using bench = await newBench(
      [fails(503, 'not now', { 'X-Request-Id': 'req-1' }), hangsUp, ok({ results: [] })],
      { apiKey, debug: (event) => events.push(event) },
    )
    await bench.client.text.recall({ query: 'tea' })
    const about = { method: 'POST', path: '/v1/memory/text/recall' }
    const ms = expect.any(Number)
    expect(events).toEqual([
      { event: 'request', ...about, attempt: 1 },
      { event: 'answer', ...about, attempt: 1, status: 503, ms, requestId: 'req-1', retryInMs: ms },
      { event: 'request', ...about, attempt: 2 },
      { event: 'failure', ...about, attempt: 2, error: 'ConnectionError', ms, retryInMs: ms },
      { event: 'request', ...about, attempt: 3 },
      { event: 'answer', ...about, attempt: 3, status: 200, ms, requestId: undefined },
    ])
    expect(events.map((event) => 'retryInMs' in event && event.retryInMs)).toEqual([
      false,
      Math.round(bench.waits[0] as number),
      false,
      Math.round(bench.waits[1] as number),
      false,
      false,
    ])
  })

  it('never hears a key, a text, an id, a query or what an error says of them', async () => {
    const heard: string[] = []
    const secret = 'secretsecret'
    await using bench = await newBench([fails(422, secret), ok({ patterns: [], next_cursor: null })], {
      apiKey: secret,
      defaultHeaders: { 'X-Mine': secret },
      debug: (event) => heard.push(JSON.stringify(event)),
    })
    await rejection(bench.client.text.store({ text: secret, subject: secret }, { idempotencyKey: secret }))
    await bench.client.patterns.list({ q: secret })
    await bench.client.patterns.get(`ext:${secret}`)
    await bench.client.subjects.get(secret)
    expect(heard).toHaveLength(8)
    expect(heard.filter((event) => event.includes(secret))).toEqual([])
    expect(heard.at(-1)).toContain('/v1/memory/subjects/{subject}')
  })
})
