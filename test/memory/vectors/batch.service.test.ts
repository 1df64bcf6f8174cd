import { getVersion } from '@memory/memory/store'
import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client, Identity } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, rule } from '../space.ts'
import { randomVector, stored } from './naive.ts'
import { asFloat32, batchStore, type Found, getVector, query, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const store = '/v1/memory/batch/store'
const retrieve = '/v1/memory/batch/retrieve'

const setPatternsUsed = (owner: Identity, used: number) =>
  inSpace(server, owner, (trx, { id }) =>
    trx.withSchema('app').updateTable('spaces').set({ patterns_used: used }).where('id', '=', id).execute(),
  )

describe('POST /v1/memory/batch/store', () => {
  it('stores in order, each as the single store does', async () => {
    const ada = await newConformingClient(server)
    const patterns = Array.from({ length: 20 }, (_, i) => ({
      key: randomVector(1 + (i % 4), i + 1),
      value: randomVector(3, i + 50),
      metadata: i % 2 === 0 ? { i } : null,
    }))
    await batchStore(ada, patterns)
    for (const [i, { key, value, metadata }] of patterns.entries()) {
      expect(await getVector(ada, i)).toEqual({ key: stored(key), value: stored(value), metadata })
    }
    await expectCountersToMatch(server, ada)
  })

  it('stores 5,000 patterns in one transaction, which is seen whole', async () => {
    const ada = await newConformingClient(server)
    const patterns = Array.from({ length: 5_000 }, (_, i) => ({
      key: randomVector(160, i + 1),
      value: randomVector(160, i + 9_000),
    }))
    await query(ada, randomVector(160, 1))
    await batchStore(ada, patterns)
    // More numbers than one statement takes: each has a version, and the index has them all.
    for (const i of [0, 1_234, 4_999]) {
      const { key, value } = patterns[i] as { key: number[]; value: number[] }
      expect((await query(ada, key))[0]?.value).toEqual(stored(value))
    }
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 5_000, next_idx: 5_000 })
    await inSpace(server, ada, async (_trx, { id }) => server.context.memory.spaces.drop(id))
    expect((await query(ada, patterns[777]?.key as number[]))[0]?.value).toEqual(
      stored(patterns[777]?.value as number[]),
    )
  })

  it('stores long metadata by several statements, all of them or none, and shows them as they are', async () => {
    const ada = await newConformingClient(server)
    await batchStore(ada, [{ key: [1], value: [1], external_id: 'taken' }])
    await query(ada, [1])
    const note = 'n'.repeat(15_000)
    const patterns = Array.from({ length: 200 }, (_, i) => ({
      key: [1, i],
      value: [i],
      metadata: { note, i },
      external_id: i === 199 ? 'taken' : `name ${i}`,
    }))
    const version = () => inSpace(server, ada, (trx, { id }) => getVersion(trx, id))
    const before = await version()
    const refused = await ada.post(store, { patterns, on_conflict: 'error' })
    expect(refused.status).toBe(409)
    expect(await version()).toBe(before)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
    const { body } = await ada.post(store, { patterns })
    expect(body).toMatchObject({ stored: 200, failed: 0 })
    // Each statement makes a version.
    expect((await version()) - before).toBeGreaterThanOrEqual((patterns.length * note.length) / 1_000_000)
    for (const i of [0, 66, 67, 198]) {
      const [found] = await query(ada, [1, i], { filter: { i } })
      expect(found?.value).toEqual([i])
    }
    await expectCountersToMatch(server, ada)
  })

  it('of a long body is done once for its Idempotency-Key, and what is wrong is told with what was sent', async () => {
    const ada = await newConformingClient(server)
    const patterns = Array.from({ length: 300 }, (_, i) => ({ key: randomVector(160, i + 1), value: [i] }))
    expect(JSON.stringify({ patterns }).length).toBeGreaterThan(2 ** 18)
    const key = { 'Idempotency-Key': 'one' }
    const first = await ada.post(store, { patterns }, key)
    const again = await ada.post(store, { patterns }, key)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    const other = await ada.post(store, { patterns: patterns.slice(1) }, key)
    expect(other.status).toBe(422)
    const spoilt = patterns.with(7, { key: randomVector(160, 8), value: ['seven'] as never })
    const faults = faultsOf(await ada.post(store, { patterns: spoilt }))
    expect(faults).toEqual([expect.objectContaining({ loc: ['body', 'patterns', 7, 'value', 0] })])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 300 })
  })

  it('fills up to the plan’s limit, and is refused with 429 when nothing fits', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setPatternsUsed(ada, plans.free.patterns - 2)
    const patterns = [1, 2, 3, 4].map((i) => ({ key: [1], value: [i] }))
    const { status, body } = await ada.post(store, { patterns })
    expect(status).toBe(200)
    expect(body).toEqual({ stored: 2, failed: 2, created: [true, true, null, null] })
    expect((await query(ada, [1], { top_k: 10 })).map(({ value }) => value[0])).toEqual([1, 2])
    const full = await ada.post(store, { patterns })
    expect(full.status).toBe(429)
    expect(full.body).toEqual({ detail: 'Pattern storage limit reached' })
    expect(full.headers.get('Retry-After')).toBe('3600')
  })

  it('fills up to the limit over several statements too', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setPatternsUsed(ada, plans.free.patterns - 150)
    const patterns = Array.from({ length: 300 }, (_, i) => ({ key: randomVector(8_000, i + 1), value: [i] }))
    expect((await ada.post(store, { patterns })).body).toMatchObject({ stored: 150, failed: 150 })
    expect(await getSpace(server, ada)).toMatchObject({ next_idx: 150, patterns_used: 5_000 })
    expect((await query(ada, patterns[149]?.key as number[]))[0]?.value).toEqual([149])
    expect((await query(ada, patterns[150]?.key as number[]))[0]?.value).not.toEqual([150])
  })

  it('F3 repeats the first answer of an Idempotency-Key, with one statement and with several', async () => {
    const ada = await newConformingClient(server)
    for (const [count, dimensions] of [
      [3, 2],
      [150, 8_000],
    ] as const) {
      const patterns = Array.from({ length: count }, (_, i) => ({
        key: randomVector(dimensions, i + 1),
        value: [i],
      }))
      const under = { 'Idempotency-Key': `k${count}` }
      const { patterns_used } = await getSpace(server, ada)
      const first = await ada.post(store, { patterns }, under)
      const again = await ada.post(store, { patterns }, under)
      expect(first.body).toMatchObject({ stored: count, failed: 0 })
      expect(again.body).toEqual(first.body)
      expect(again.headers.get('Idempotent-Replay')).toBe('true')
      expect(await getSpace(server, ada)).toMatchObject({ patterns_used: patterns_used + count })
      expect((await query(ada, patterns.at(-1)?.key as number[]))[0]?.value).toEqual([count - 1])
    }
  })

  it('takes bodies of more than 8 MiB and of up to 64', async () => {
    const ada = await newConformingClient(server)
    const body = (bytes: number) => {
      const json = '{"patterns":[{"key":[1],"value":[2]}]}'
      return json.slice(0, -1) + ' '.repeat(bytes - json.length) + json.slice(-1)
    }
    expect((await ada.post(store, body(64 * 1024 * 1024))).status).toBe(200)
    const { status, body: refusal } = await ada.post(store, body(64 * 1024 * 1024 + 1))
    expect(status).toBe(413)
    expect(refusal).toEqual({ detail: 'Request body too large' })
    expect((await ada.post('/v1/memory/store', body(8 * 1024 * 1024 + 1))).status).toBe(413)
  })

  const list = (type: string, msg: string, ctx: object) => ({ type, loc: ['body', 'patterns'], msg, ctx })
  it.each<[string, unknown, unknown]>([
    ['no patterns', {}, { type: 'missing', loc: ['body', 'patterns'], msg: 'Field required' }],
    [
      'an empty list',
      { patterns: [] },
      list('too_short', 'List should have at least 1 item after validation, not 0', {
        field_type: 'List',
        min_length: 1,
        actual_length: 0,
      }),
    ],
    [
      '5,001 patterns',
      { patterns: Array(5_001).fill(0) },
      list('too_long', 'List should have at most 5000 items after validation, not 5001', {
        field_type: 'List',
        max_length: 5_000,
        actual_length: 5_001,
      }),
    ],
    [
      'one invalid pattern among valid ones',
      {
        patterns: [
          { key: [1], value: [1] },
          { key: [1, 'x'], value: [1] },
        ],
      },
      {
        type: 'float_parsing',
        loc: ['body', 'patterns', 1, 'key', 1],
        msg: 'Input should be a valid number, unable to parse string as a number',
      },
    ],
    [
      'a source_dim below one key’s length',
      {
        patterns: [
          { key: [1], value: [1] },
          { key: [1, 2], value: [1], source_dim: 1 },
        ],
      },
      rule(['body', 'patterns', 1, 'source_dim'], "source_dim must be at least the key's length of 2"),
    ],
    [
      'an expiry in the past',
      { patterns: [{ key: [1], value: [1], expires_at: '2020-01-01T00:00:00Z' }] },
      rule(['body', 'patterns', 0, 'expires_at'], 'must be in the future'),
    ],
  ])('refuses %s with 422 and stores nothing', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(store, body))).toEqual([expected])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
  })
})

async function batchRetrieve(client: Client, queries: object[]): Promise<Found[][]> {
  const { status, body } = await client.post(retrieve, { queries })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(Object.keys(body)).toEqual(['results'])
  return body.results.map((results: Found[]) => results.map(asFloat32))
}

describe('POST /v1/memory/batch/retrieve', () => {
  it('answers each query as query does, whatever their lengths and top_k', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['tea', 'music'])
    await batchStore(
      ada,
      Array.from({ length: 60 }, (_, i) => ({
        key: randomVector(2 + (i % 3), i + 1),
        value: randomVector(5, i + 1),
        ...(i % 7 === 0 ? { source_dim: 8 } : {}),
      })),
    )
    const queries = Array.from({ length: 40 }, (_, i) => ({
      embedding: randomVector([2, 3, 4, 8, 384, 77][i % 6] as number, i + 500),
      ...(i % 4 === 0 ? {} : { top_k: 1 + (i % 30) }),
    }))
    const expected = await Promise.all(
      queries.map(({ embedding, ...options }) => query(ada, embedding, options)),
    )
    const answered = await batchRetrieve(ada, queries)
    expect(answered.map((results) => results.map(({ pattern_id }) => pattern_id))).toEqual(
      expected.map((results) => results.map(({ pattern_id }) => pattern_id)),
    )
    for (const [i, results] of answered.entries()) {
      expect(results).toEqual(
        (expected[i] ?? []).map((each) => ({ ...each, confidence: expect.closeTo(each.confidence, 6) })),
      )
    }
  })

  it('answers 1,000 queries, in order', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 100 }, (_, i) => randomVector(32, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const answered = await batchRetrieve(
      ada,
      Array.from({ length: 1_000 }, (_, i) => ({ embedding: keys[(i * 7) % 100] })),
    )
    expect(answered.map(([first]) => first?.value[0])).toEqual(
      Array.from({ length: 1_000 }, (_, i) => (i * 7) % 100),
    )
  })

  it('reads the values of at most 1,000 patterns at a time, and gives them all', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 2_500 }, (_, i) => randomVector(4, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const find = vi.spyOn(server.context.memory.payloads, 'find')
    const answered = await batchRetrieve(
      ada,
      keys.slice(0, 1_000).map((embedding) => ({ embedding, top_k: 7 })),
    )
    const named = find.mock.calls.map(([, , labels]) => labels.length)
    find.mockRestore()
    expect(Math.max(...named)).toBeLessThanOrEqual(1_000)
    expect(named.reduce((sum, count) => sum + count)).toBeGreaterThan(1_000)
    expect(answered.map(([first]) => first?.value[0])).toEqual(Array.from({ length: 1_000 }, (_, i) => i))
    expect(answered.every((results) => results.length === 7)).toBe(true)
  })

  it('refuses an answer of more than 256 MiB with 422', async () => {
    const ada = await newConformingClient(server)
    const value = randomVector(8_192, 5)
    await batchStore(
      ada,
      Array.from({ length: 100 }, () => ({ key: [1], value })),
    )
    const queries = Array.from({ length: 30 }, () => ({ embedding: [1], top_k: 100 }))
    expect(faultsOf(await ada.post(retrieve, { queries }))).toEqual([
      rule(
        ['body', 'queries'],
        'the answer would be larger than 256 MiB; send fewer queries or a smaller top_k',
      ),
    ])
  })

  it('counts as an access of what it answers, once a query', async () => {
    const ada = await newConformingClient(server)
    const [a, b] = [await storeVector(ada, [1, 0]), await storeVector(ada, [0, 1])]
    await batchRetrieve(ada, [{ embedding: [1, 0.1], top_k: 2 }, { embedding: [1, 0.2] }])
    await server.context.memory.accesses.flush()
    expect((await ada.get(`/v1/memory/patterns/${a}`)).body.access_count).toBe(2)
    expect((await ada.get(`/v1/memory/patterns/${b}`)).body.access_count).toBe(1)
  })

  it('costs one query each, and is refused whole where they do not fit', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const used = () =>
      inSpace(server, ada, async (trx, { id }) => {
        const { rows } = await sql<{ used: number }>`
          select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(
          trx,
        )
        return rows[0]?.used
      })
    const queries = (count: number) => Array.from({ length: count }, () => ({ embedding: [1] }))
    await batchRetrieve(ada, queries(600))
    expect(await used()).toBe(600)
    const { status, body } = await ada.post(retrieve, { queries: queries(401) })
    expect(status).toBe(429)
    expect(body).toEqual({ detail: 'Daily query limit reached' })
    await batchRetrieve(ada, queries(400))
    expect(await used()).toBe(1_000)
  })

  it('gives its queries back when it fails', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await storeVector(ada, [1])
    vi.spyOn(server.context.memory.payloads, 'find').mockRejectedValueOnce(new Error('broken'))
    expect((await ada.post(retrieve, { queries: [{ embedding: [1] }] })).status).toBe(500)
    await batchRetrieve(
      ada,
      Array.from({ length: 1_000 }, () => ({ embedding: [1] })),
    )
  })

  it.each<[string, unknown, unknown]>([
    ['no queries', {}, { type: 'missing', loc: ['body', 'queries'], msg: 'Field required' }],
    [
      '1,001 queries',
      { queries: Array(1_001).fill({ embedding: [1] }) },
      {
        type: 'too_long',
        loc: ['body', 'queries'],
        msg: 'List should have at most 1000 items after validation, not 1001',
        ctx: { field_type: 'List', max_length: 1_000, actual_length: 1_001 },
      },
    ],
    [
      'one top_k out of range',
      { queries: [{ embedding: [1] }, { embedding: [1], top_k: 101 }] },
      {
        type: 'less_than_equal',
        loc: ['body', 'queries', 1, 'top_k'],
        msg: 'Input should be less than or equal to 100',
        ctx: { le: 100 },
      },
    ],
    [
      'one embedding that is all zero',
      { queries: [{ embedding: [0] }] },
      rule(['body', 'queries', 0, 'embedding'], 'vector must not be all zero'),
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(retrieve, body))).toEqual([expected])
  })
})
