import fc from 'fast-check'
import { type Fetch, MemoryClient, RateLimitError, ServerError } from 'memory-service-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pauseBefore, readRetryAfter, wait } from '../../packages/sdk/src/retry.ts'
import { breaksOff, fails, hangsUp, ok, type Step } from './scripted-server.ts'
import { apiKey, newBench, rejection, stats } from './support.ts'

const stored = {
  success: true,
  pattern_id: 'pat_1',
  embedding_dim: 384,
  patterns_used: 1,
  patterns_limit: -1,
}

/** Never answers, as long as anybody waits. */
const late = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** A client that is answered without a connection: what is answered at all is so within its short time limit. */
function benchOf(steps: ((signal: AbortSignal) => Response | Promise<Response>)[]) {
  const sent: RequestInit[] = []
  const waits: number[] = []
  const fetch: Fetch = async (_, init) => {
    sent.push(init)
    const step = steps[Math.min(sent.length, steps.length) - 1] as (typeof steps)[number]
    return step(init.signal as AbortSignal)
  }
  const client = new MemoryClient({
    apiKey,
    fetch,
    timeoutMs: 20,
    wait: async (ms) => void waits.push(ms),
  })
  return { client, sent, waits }
}

// No pause is longer by chance.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

it('JSON that is stored as it stands goes unchanged, with one Idempotency-Key for all attempts', async () => {
  await using bench = await newBench([fails(503, 'not now'), ok({ stored: 1 })])
  const json = '{"items":[{"text":"a","metadata":{"n":1.0000000000000000001}}]}'
  await bench.client.storeJson('POST /v1/memory/text/batch-store', json, { idempotencyKey: 'k' })
  const { received } = bench.server
  expect(received.map(({ body }) => body)).toEqual([json, json])
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k'])
})

describe('retries', () => {
  it.each([429, 500, 502, 503, 504])('%i is tried again after 1, 2 and 4 s, then thrown', async (status) => {
    await using bench = await newBench([fails(status, 'not now')])
    const error = await rejection(bench.client.text.stats())
    expect(error).toMatchObject({ status, detail: 'not now' })
    expect(error).toBeInstanceOf(status === 429 ? RateLimitError : ServerError)
    expect(bench.waits).toEqual([1_000, 2_000, 4_000])
    expect(bench.server.received).toHaveLength(4)
  })

  it('goes on when a later attempt succeeds', async () => {
    await using bench = await newBench([fails(503, 'not now'), fails(502, 'not now'), ok(stats)])
    await expect(bench.client.text.stats()).resolves.toEqual(stats)
    expect(bench.waits).toEqual([1_000, 2_000])
  })

  it.each([400, 401, 403, 404, 405, 408, 409, 413, 422, 501])('%i is thrown at once', async (status) => {
    await using bench = await newBench([fails(status, 'no')])
    expect(await rejection(bench.client.text.stats())).toMatchObject({ status })
    expect(bench.waits).toEqual([])
    expect(bench.server.received).toHaveLength(1)
  })

  it('waits for as long as an answer asks for, up to 10 s', async () => {
    const asks = (seconds: string) => fails(429, 'not now', { 'Retry-After': seconds })
    await using bench = await newBench([asks('0'), asks('10'), asks('3'), asks('1')])
    expect(await rejection(bench.client.text.stats())).toMatchObject({ retryAfterS: 1 })
    expect(bench.waits).toEqual([1_000, 10_000, 4_000])
  })

  it('throws at once what asks for more than 10 s, with the time in it', async () => {
    const step = fails(429, 'Pattern storage limit reached', { 'Retry-After': '3600' })
    await using bench = await newBench([step])
    const error = await rejection(bench.client.text.store({ text: 'a fact' }))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({
      retryAfterS: 3600,
      message: 'Pattern storage limit reached (429, retry after 3600 s)',
    })
    expect(bench.server.received).toHaveLength(1)
  })

  it('repeats a store under the same Idempotency-Key', async () => {
    await using bench = await newBench([fails(500, 'no'), fails(502, 'no'), ok(stored)])
    await expect(bench.client.text.store({ text: 'a fact' })).resolves.toEqual(stored)
    const keys = bench.server.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
    await bench.client.text.store({ text: 'a fact' }, { idempotencyKey: 'mine' })
    expect(bench.server.received.at(-1)?.headers['idempotency-key']).toBe('mine')
  })

  it('never repeats a store without one', async () => {
    await using bench = await newBench([fails(503, 'not now')])
    const store = bench.client.vectors.store({ key: [1], value: [1] }, { idempotencyKey: null })
    expect(await rejection(store)).toMatchObject({ status: 503 })
    expect(bench.server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined])
  })

  it('pause for as long as said, by chance up to a quarter longer, and not where more than 10 s are asked for', () => {
    const seconds = fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }), { nil: undefined })
    fc.assert(
      fc.property(fc.nat(10), seconds, fc.double({ min: 0, max: 1, noNaN: true }), (retry, asked, chance) => {
        const pauseMs = pauseBefore(retry, asked, chance)
        if ((asked ?? 0) > 10) {
          expect(pauseMs).toBeUndefined()
          return
        }
        const least = Math.max(1_000 * 2 ** Math.min(retry, 2), 1_000 * (asked ?? 0))
        expect(pauseMs).toBeGreaterThanOrEqual(least)
        expect(pauseMs).toBeLessThanOrEqual(1.25 * least)
      }),
    )
    expect(pauseBefore(0, 0, 1)).toBe(1_250)
  })

  it('are as many as the client or the call says', async () => {
    await using bench = await newBench([fails(503, 'not now')], { apiKey, maxRetries: 1 })
    await rejection(bench.client.text.stats())
    await rejection(bench.client.text.stats({ maxRetries: 0 }))
    await rejection(bench.client.text.stats({ maxRetries: 5 }))
    expect(bench.waits).toEqual([1_000, 1_000, 2_000, 4_000, 4_000, 4_000])
  })

  it('end, whatever happens, in an answer or a typed error, after at most four attempts', async () => {
    const broken = () =>
      new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) }))
    const refused = () => {
      throw new TypeError('fetch failed')
    }
    const asks = (seconds: string) => () =>
      Response.json({}, { status: 429, headers: { 'Retry-After': seconds } })
    // What happens, what it comes to when it is the last, and whether it is tried again.
    const happenings: Record<string, [() => Response, name: string | undefined, isRetried?: true]> = {
      ok: [() => Response.json(stats), undefined],
      'no JSON': [() => new Response('<html>'), 'InvalidAnswerError'],
      'no connection': [refused, 'ConnectionError', true],
      'cut answer': [broken, 'ConnectionError', true],
      'no detail': [() => new Response(null, { status: 503 }), 'ServerError', true],
      'odd detail': [() => Response.json({ detail: [{}, null, 7] }, { status: 422 }), 'ValidationError'],
      null: [() => Response.json(null, { status: 500 }), 'ServerError', true],
      'asks to wait': [asks('5'), 'RateLimitError', true],
      'asks to wait long': [asks('11'), 'RateLimitError'],
    }
    const happening = (name: string | undefined) => happenings[name as string] as (typeof happenings)[string]
    const course = fc.array(fc.constantFrom(...Object.keys(happenings)), { minLength: 5, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(course, async (names) => {
        let attempts = 0
        const client = new MemoryClient({
          apiKey,
          wait: async () => {},
          fetch: async () => happening(names[attempts++])[0](),
        })
        const outcome = await client.text.stats().catch((error: unknown) => error)
        const first = names.findIndex((name) => !happening(name)[2])
        const expected = first === -1 ? 4 : Math.min(4, first + 1)
        expect(attempts).toBe(expected)
        const name = happening(names[expected - 1])[1]
        if (name === undefined) expect(outcome).toEqual(stats)
        else expect(outcome).toMatchObject({ name })
      }),
    )
  })

  it.each([
    ['without an answer', hangsUp],
    ['in the middle of the answer', breaksOff],
  ])('follow a connection that was cut %s, soon, where repeating the call is harmless', async (_, cut) => {
    await using bench = await newBench([cut, cut, cut, ok({ results: [] })])
    await bench.client.text.recall({ query: 'tea' })
    expect(bench.waits).toEqual([250, 500, 1_000])
    expect(new Set(bench.server.received.map(({ body }) => body)).size).toBe(1)
  })

  it('repeat a store whose connection was cut, under its key, until the first one is done', async () => {
    const running = fails(409, 'A request with this Idempotency-Key is still running', { 'Retry-After': '1' })
    await using bench = await newBench([hangsUp, running, ok(stored)])
    await expect(bench.client.text.store({ text: 'a fact' })).resolves.toEqual(stored)
    expect(bench.waits).toEqual([250, 2_000])
    expect(new Set(bench.server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('follow an answer that did not come in time, where repeating the call is harmless', async () => {
    const bench = benchOf([late, late, late, () => Response.json({ results: [] })])
    await bench.client.text.recall({ query: 'tea' })
    expect(bench.waits).toEqual([1_000, 2_000, 4_000])
    expect(new Set(bench.sent.map(({ body }) => body)).size).toBe(1)
    const lost = benchOf([late])
    expect(await rejection(lost.client.text.stats())).toMatchObject({ name: 'TimeoutError' })
    expect(lost.sent).toHaveLength(4)
  })

  it.each([
    ['did not come in time', late],
    ['a proxy did not wait for', () => Response.json({}, { status: 504 })],
    ['a proxy lost', () => Response.json({}, { status: 502 })],
  ])('repeat a store whose answer %s, until the first one is done', async (_, lost) => {
    const detail = 'A request with this Idempotency-Key is still running'
    const running = () => Response.json({ detail }, { status: 409, headers: { 'Retry-After': '1' } })
    const bench = benchOf([lost, running, () => Response.json(stored)])
    await expect(bench.client.text.store({ text: 'a fact' })).resolves.toEqual(stored)
    expect(bench.waits).toEqual([1_000, 2_000])
    const keys = bench.sent.map(({ headers }) => (headers as Headers).get('idempotency-key'))
    expect(new Set(keys).size).toBe(1)
  })

  it('do not wait for a twin that is somebody else’s', async () => {
    const running = fails(409, 'A request with this Idempotency-Key is still running', { 'Retry-After': '1' })
    await using bench = await newBench([running])
    expect(await rejection(bench.client.text.store({ text: 'a fact' }))).toMatchObject({ status: 409 })
    expect(bench.server.received).toHaveLength(1)
  })

  it.each<[string, (bench: { client: MemoryClient }) => Promise<unknown>]>([
    ['changes something', ({ client }) => client.patterns.update('pat_1', { text: 'tea' })],
    ['removes something', ({ client }) => client.patterns.delete('pat_1')],
    ['makes something', ({ client }) => client.webhooks.create({ url: 'https://hooks.example.com' })],
    ['stores without a key', ({ client }) => client.text.store({ text: 'tea' }, { idempotencyKey: null })],
  ])('do not follow a connection that was cut, or a time limit, where the call %s', async (_, call) => {
    const cut: Step = hangsUp
    await using bench = await newBench([cut])
    expect(await rejection(call(bench))).toMatchObject({ name: 'ConnectionError' })
    expect(bench.server.received).toHaveLength(1)
    const slow = benchOf([late])
    expect(await rejection(call(slow))).toMatchObject({ name: 'TimeoutError' })
    expect(slow.sent).toHaveLength(1)
  })

  it.each([500, 502, 503, 504])(
    'do not follow %i where what was asked may have been done',
    async (status) => {
      await using bench = await newBench([fails(status, 'no')])
      const creating = bench.client.webhooks.create({ url: 'https://hooks.example.com' })
      expect(await rejection(creating)).toMatchObject({ status })
      expect(bench.server.received).toHaveLength(1)
    },
  )

  it('follow 429 of any call, since it was not begun', async () => {
    await using bench = await newBench([fails(429, 'not now'), ok({ webhook_id: 'wh_1' })])
    await bench.client.webhooks.create({ url: 'https://hooks.example.com' })
    expect(bench.server.received).toHaveLength(2)
  })

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(readRetryAfter(null, now)).toBeUndefined()
    expect(readRetryAfter('120', now)).toBe(120)
    expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30)
    expect(readRetryAfter('Thu, 01 Jan 2025 00:00:00 GMT', now)).toBe(0)
    expect(readRetryAfter('soon', now)).toBeUndefined()
  })

  it('waits with a timer that a signal ends', async () => {
    await expect(wait(1)).resolves.toBeUndefined()
    const controller = new AbortController()
    const waiting = wait(1e9, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(wait(1e9, controller.signal)).rejects.toThrow('enough')
  })
})
