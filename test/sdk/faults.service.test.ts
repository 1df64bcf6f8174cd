import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  InvalidAnswerError,
  MemoryClient,
  MemoryError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  TimeoutError,
  TooLargeError,
  ValidationError,
} from 'memory-service-sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { until } from '../support/until.ts'
import { breaksOff, fails, hangsUp, keepsSilent, ok, type Step, stalls } from './scripted-server.ts'
import { apiKey, newBench, rejection, stats } from './support.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => void process.on('unhandledRejection', note))

afterEach(async () => {
  // Rejections that nobody handles are told after the tasks at hand.
  await new Promise((done) => setImmediate(done))
  process.off('unhandledRejection', note)
  expect(unhandled.splice(0)).toEqual([])
})

describe('errors', () => {
  it.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, PreconditionError],
    [413, TooLargeError],
    [422, ValidationError],
    [418, ApiError],
  ])('%i has a class of its own', async (status, Class) => {
    await using bench = await newBench([fails(status, 'so it is', { 'X-Request-Id': 'req-1' })])
    const error = await rejection(bench.client.text.stats())
    expect(error).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(MemoryError)
    expect(error).toMatchObject({
      name: Class.name,
      status,
      detail: 'so it is',
      issues: [],
      requestId: 'req-1',
      retryAfterS: undefined,
    })
  })

  it('a 422 says which fields are wrong', async () => {
    const issues = [
      { type: 'missing', loc: ['body', 'text'], msg: 'Field required', input: {} },
      {
        type: 'int_type',
        loc: ['body', 'items', 3, 'n'],
        msg: 'Input should be a valid integer',
        input: 'x',
      },
    ]
    await using bench = await newBench([fails(422, issues)])
    expect(await rejection(bench.client.text.stats())).toMatchObject({
      detail: 'body.text: Field required; body.items.3.n: Input should be a valid integer',
      issues,
    })
  })

  it('a proxy’s page is an error of its status', async () => {
    const page: Step = (response) => response.writeHead(504, 'Gateway Timeout').end('<html>')
    await using bench = await newBench([page])
    expect(await rejection(bench.client.text.stats())).toMatchObject({
      status: 504,
      detail: 'Gateway Timeout',
      requestId: undefined,
    })
  })

  it('a redirect is not followed, since the key would go with it', async () => {
    const redirects: Step = (response) => response.writeHead(308, { Location: 'https://elsewhere/' }).end()
    await using bench = await newBench([redirects])
    expect(await rejection(bench.client.text.stats())).toMatchObject({
      status: 308,
      detail: 'Redirected to https://elsewhere/, which baseUrl should name',
    })
  })

  it('a redirect is told without what the path and the query say', async () => {
    const redirects: Step = (response, { path }) =>
      response.writeHead(308, { Location: `https://elsewhere${path}` }).end()
    await using bench = await newBench([redirects])
    expect(await rejection(bench.client.patterns.list({ q: 'secret', subject: 'ada' }))).toMatchObject({
      detail: 'Redirected to https://elsewhere, which baseUrl should name',
    })
  })

  it.each<string | Buffer>([
    'hello',
    'null',
    '7',
    'true',
    '"hello"',
    '[]',
    Buffer.from('{"a":"\xff"}', 'latin1'),
  ])('an answer of %j, which is no JSON object, is none of the service', async (body) => {
    await using bench = await newBench([(response) => response.end(body)])
    expect(await rejection(bench.client.text.store({ text: 'x' }))).toBeInstanceOf(InvalidAnswerError)
  })

  it('an object in place of a list is none of the service', async () => {
    await using bench = await newBench([ok({}), ok([])])
    expect(await rejection(bench.client.apiKeys.list())).toBeInstanceOf(InvalidAnswerError)
    expect(await bench.client.apiKeys.list()).toEqual([])
  })

  it('a page in place of a stream is none of the service, and is not asked for again', async () => {
    const page: Step = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>')
    await using bench = await newBench([page])
    const error = await rejection(bench.client.notifications.stream().next())
    expect(error).toBeInstanceOf(InvalidAnswerError)
    expect(bench.server.received).toHaveLength(1)
  })
})

describe('a connection', () => {
  it('that nobody takes is an error, once it was tried again', async () => {
    let waited = 0
    const baseUrl = `http://127.0.0.1:${await freePort()}/memory`
    const client = new MemoryClient({
      apiKey: 'key',
      baseUrl,
      wait: async () => void waited++,
    })
    const error = await rejection(client.text.stats())
    expect(waited).toBe(3)
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as ConnectionError).message).toBe(`No connection for GET ${baseUrl}/v1/memory/text/stats`)
    expect((error as ConnectionError).cause).toBeInstanceOf(TypeError)
  })

  it.each([
    ['without an answer', hangsUp, /^No connection/],
    ['in the middle of the answer', breaksOff, /^The connection broke in the middle/],
  ])('that is cut %s is an error', async (_, step, message) => {
    await using bench = await newBench([step])
    const error = await rejection(bench.client.text.stats())
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as ConnectionError).message).toMatch(message)
  })

  it.each([
    ['is cut', hangsUp],
    ['is cut in the middle of the answer', breaksOff],
    ['is silent', keepsSilent],
  ])('that %s is told without ids and queries', async (_, step) => {
    await using bench = await newBench([step], { apiKey: 'key', timeoutMs: 20, maxRetries: 0 })
    const { subjects, patterns } = bench.client
    for (const call of [() => subjects.get('secret'), () => patterns.list({ q: 'secret' })]) {
      const { message } = (await rejection(call())) as Error
      expect(message).toMatch(
        / GET http:\/\/127\.0\.0\.1:\d+\/v1\/memory\/(subjects\/\{subject\}|patterns)( |$)/,
      )
      expect(message).not.toContain('secret')
    }
  })

  it('that is cut in the middle of an error still tells the status', async () => {
    const broken: Step = (response) => {
      response.writeHead(404, { 'Content-Length': '100' })
      response.write('{"detail":', () => response.destroy())
    }
    await using bench = await newBench([broken])
    expect(await rejection(bench.client.text.stats())).toBeInstanceOf(NotFoundError)
  })

  it('broken in a file is an error', async () => {
    await using bench = await newBench([breaksOff])
    expect(await rejection(bench.client.users.downloadExport('id'))).toBeInstanceOf(ConnectionError)
  })
})

describe('a file', () => {
  it('is whole whatever a fetch of one’s own has for a body', async () => {
    const fetch = async () =>
      new Proxy(new Response('PK!'), {
        get(response, name) {
          const value = name === 'body' ? undefined : Reflect.get(response, name)
          return typeof value === 'function' ? value.bind(response) : value
        },
      })
    const client = new MemoryClient({ apiKey, maxRetries: 0, fetch })
    expect(await (await client.users.downloadExport('id')).text()).toBe('PK!')
  })
})

/** A client of something that sends a file, piece by piece as a test has it. */
function sendingFile() {
  let coming = undefined as unknown as ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      coming = controller
    },
  })
  const client = new MemoryClient({
    apiKey,
    maxRetries: 0,
    fetch: async (_, { signal }) => {
      signal?.addEventListener('abort', () => coming.error(signal.reason))
      return new Response(body, { headers: { 'Content-Type': 'application/zip' } })
    },
  })
  return { client, coming }
}

describe('time limits', () => {
  it.each([
    ['that never begins', keepsSilent],
    ['that never ends', stalls],
  ])('end an answer %s, in each attempt', async (_, step) => {
    await using bench = await newBench([step])
    const error = await rejection(bench.client.text.stats({ timeoutMs: 20 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect((error as TimeoutError).message).toMatch(/within 20 ms$/)
    expect(bench.waits).toHaveLength(3)
  })

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])('of %d ms are no end at once', async (timeoutMs) => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await using bench = await newBench([ok({ total_patterns: 0 })])
    await bench.client.text.stats({ timeoutMs })
    const delays = timers.mock.calls.map(([, ms]) => ms ?? 0)
    timers.mockRestore()
    expect(delays).toContain(2 ** 31 - 1)
    expect(Math.max(...delays)).toBe(2 ** 31 - 1)
  })

  it('of a file are those of each wait for more of it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { client, coming } = sendingFile()
      const whole = client.users.downloadExport('id')
      for (const piece of ['P', 'K', '!']) {
        await vi.advanceTimersByTimeAsync(40_000)
        coming.enqueue(Buffer.from(piece))
        await new Promise((done) => setImmediate(done))
      }
      coming.close()
      const blob = await whole
      expect([blob.type, await blob.text()]).toEqual(['application/zip', 'PK!'])
      expect(vi.getTimerCount()).toBe(0)

      const silent = sendingFile()
      const never = rejection(silent.client.users.downloadExport('id'))
      silent.coming.enqueue(Buffer.from('P'))
      await new Promise((done) => setImmediate(done))
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await never).toBeInstanceOf(TimeoutError)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])('are those of Node too: %s', async (code) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('Timeout'), { code }) })
    const client = new MemoryClient({ apiKey: 'key', maxRetries: 0, fetch: () => Promise.reject(cause) })
    const error = await rejection(client.text.stats({ timeoutMs: 600_000 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({
      message:
        'No whole answer to GET http://127.0.0.1:8000/v1/memory/text/stats within the time limit of fetch',
      cause,
    })
  })

  it('are the client’s where a call has none', async () => {
    await using bench = await newBench([keepsSilent], { timeoutMs: 20 })
    expect(await rejection(bench.client.text.stats())).toBeInstanceOf(TimeoutError)
  })
})

describe('an aborted call', () => {
  const reason = new Error('The user went away.')

  it('is never sent', async () => {
    await using bench = await newBench([ok(stats)])
    const error = await rejection(bench.client.text.stats({ signal: AbortSignal.abort(reason) }))
    expect(error).toBeInstanceOf(AbortedError)
    expect(error).toMatchObject({ name: 'AbortError', cause: reason })
    expect(bench.server.received).toEqual([])
  })

  it.each([
    ['while it waits for an answer', keepsSilent],
    ['in the middle of an answer', stalls],
  ])('ends %s', async (_, step) => {
    await using bench = await newBench([step])
    const controller = new AbortController()
    const call = rejection(bench.client.text.stats({ signal: controller.signal }))
    await until(() => bench.server.received.length === 1, 'the request')
    controller.abort(reason)
    expect(await call).toMatchObject({ name: 'AbortError', cause: reason })
  })

  it('ends between two attempts', async () => {
    const controller = new AbortController()
    await using bench = await newBench([fails(503, 'not now')], {
      apiKey: 'key',
      wait: () => {
        controller.abort(reason)
        return new Promise(() => {})
      },
    })
    const error = await rejection(bench.client.text.stats({ signal: controller.signal }))
    expect(error).toMatchObject({ name: 'AbortError', cause: reason })
    expect(bench.server.received).toHaveLength(1)
  })

  it('leaves nothing registered with a signal that lives on', async () => {
    await using bench = await newBench([ok(stats)])
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, given)
    }
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, given)
    }
    await bench.client.text.stats({ signal })
    expect(listeners).toBe(0)
  })

  it('tells of each answer that there was', async () => {
    await using bench = await newBench([fails(503, 'not now'), ok(stats)])
    const seen: number[] = []
    await bench.client.text.stats({ onAnswer: ({ status }) => seen.push(status) })
    expect(seen).toEqual([503, 200])
  })
})
