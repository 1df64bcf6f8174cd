import { MemoryClient, RateLimitError, ServerError } from '@memory/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delayBefore, readRetryAfter, wait } from '../../packages/sdk/src/retry.ts'
import { fails, ok } from './scripted-server.ts'
import { apiKey, newBench, rejection, stats } from './support.ts'

const stored = {
  success: true,
  pattern_id: 'pat_1',
  embedding_dim: 384,
  patterns_used: 1,
  patterns_limit: -1,
}
const isRetried = (status: number) => [429, 500, 502, 503].includes(status)

it('JSON that is stored as it stands goes unchanged, with one Idempotency-Key for all attempts', async () => {
  await using bench = await newBench([fails(503, 'not now'), ok({ stored: 1 })])
  const json = '{"items":[{"text":"a","metadata":{"n":1.0000000000000000001}}]}'
  await bench.client.storeJson('POST /v1/memory/text/batch-store', json, { idempotencyKey: 'k' })
  const { received } = bench.server
  expect(received.map(({ body }) => body)).toEqual([json, json])
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k'])
})

describe('retries', () => {
  it.each([429, 500, 502, 503])('%i is tried again after 1, 2 and 4 s, then thrown', async (status) => {
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

  it.each([400, 401, 403, 404, 405, 408, 409, 413, 422, 501, 504])('%i is thrown at once', async (status) => {
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

  it('never retries what the guidance does not name, nor more than three times, nor after longer than 10 s', () => {
    const seconds = fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }), { nil: undefined })
    fc.assert(
      fc.property(fc.nat(10), fc.integer({ min: 100, max: 599 }), seconds, (retry, status, retryAfterS) => {
        const delayMs = delayBefore(retry, status, retryAfterS)
        const isDue = retry < 3 && isRetried(status) && (retryAfterS ?? 0) <= 10
        expect(delayMs !== undefined).toBe(isDue)
        if (delayMs !== undefined)
          expect(delayMs).toBe(Math.max(1_000 * 2 ** retry, 1_000 * (retryAfterS ?? 0)))
      }),
    )
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
      'no connection': [refused, 'ConnectionError'],
      'cut answer': [broken, 'ConnectionError'],
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
