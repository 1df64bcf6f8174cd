import { plans } from '@memory/shared/catalogue/plans'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, rule } from '../space.ts'
import { stored } from './naive.ts'
import { getVector, query, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/store'
const number = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e38, max: 1e38, noNaN: true }),
  fc.constantFrom(0, -0, 1e-45, 1.401298464324817e-45, 3.4028234663852886e38, 0.1, 1 / 3, 16777217),
)
const key = fc
  .array(number, { minLength: 1, maxLength: 12 })
  .filter((numbers) => numbers.some((each) => Math.fround(each) !== 0))

describe('POST /v1/memory/store', () => {
  it('answers the id, and how much of the plan is used', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    for (const used of [1, 2]) {
      const { status, body } = await ada.post(path, { key: [1, 2], value: [3] })
      expect(status).toBe(200)
      expect(body).toEqual({
        success: true,
        pattern_id: expect.stringMatching(/^pat_[0-9a-z]{26}$/),
        created: true,
        patterns_used: used,
        patterns_limit: 5_000,
      })
    }
    await expectCountersToMatch(server, ada)
  })

  it('keeps every number as the float32 it is, in key and value', async () => {
    const ada = await newConformingClient(server)
    let idx = 0
    await fc.assert(
      fc.asyncProperty(key, fc.array(number, { minLength: 1, maxLength: 12 }), async (key, value) => {
        const id = await storeVector(ada, key, value)
        const plain = (numbers: number[]) => stored(numbers).map((each) => each + 0)
        expect(await getVector(ada, idx++)).toEqual({ key: plain(key), value: plain(value), metadata: null })
        const found = await query(ada, key, { top_k: 100 })
        expect(found.find(({ pattern_id }) => pattern_id === id)?.value).toEqual(plain(value))
      }),
      { numRuns: 100 },
    )
  })

  it('takes 1 and 8,192 numbers, a value of another length and one that is all zero', async () => {
    const ada = await newConformingClient(server)
    const long = Array.from({ length: 8_192 }, (_, i) => Math.sin(i))
    await storeVector(ada, [2], long)
    await storeVector(ada, long, [0, 0])
    expect((await query(ada, [1]))[0]?.value).toEqual(stored(long))
    expect((await query(ada, long))[0]?.value).toEqual([0, 0])
  })

  it('keeps no second copy of a value that equals its key', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [0.1, 0.2], [0.1, 0.2])
    await expectCountersToMatch(server, ada)
    expect(await getSpace(server, ada)).toMatchObject({ storage_bytes: 8 + 4 * 2 })
    expect(await getVector(ada, 0)).toMatchObject({ value: stored([0.1, 0.2]) })
  })

  it('keeps metadata, and null where none were given', async () => {
    const ada = await newConformingClient(server)
    const metadata = { source: 'chat', tags: ['a', null, { b: 1.5 }], 'k"ey': 'ü\n' }
    await storeVector(ada, [1], [1], { metadata })
    await storeVector(ada, [1], [1], { metadata: null })
    await storeVector(ada, [1], [1], { metadata: {} })
    expect((await getVector(ada, 0)).metadata).toEqual(metadata)
    expect((await getVector(ada, 1)).metadata).toBe(null)
    expect((await getVector(ada, 2)).metadata).toEqual({})
  })

  it('keeps category, protection, moment and expiry', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const id = await storeVector(ada, [1], [1], {
      metadata: { category: 'health' },
      occurred_at: '2020-01-02T03:04:05Z',
      expires_at,
    })
    expect((await ada.get(`/v1/memory/patterns/${id}`)).body).toMatchObject({
      text: null,
      protected: true,
      occurred_at: '2020-01-02T03:04:05.000Z',
      expires_at,
    })
    expect(await query(ada, [1])).toHaveLength(1)
    server.clock.advance(60_000)
    expect(await query(ada, [1])).toEqual([])
  })

  it('keeps equal keys apart', async () => {
    const ada = await newConformingClient(server)
    const ids = [await storeVector(ada, [1, 1], [1]), await storeVector(ada, [1, 1], [2])]
    const found = await query(ada, [1, 1], { top_k: 5 })
    expect(found.map(({ pattern_id, value }) => [pattern_id, value])).toEqual([
      [ids[0], [1]],
      [ids[1], [2]],
    ])
  })

  it('is in no text answer', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'tea' })
    await storeVector(ada, body.embedding)
    expect(await ada.retrieve('tea')).toEqual([])
    expect((await ada.get('/v1/memory/text/stats')).body.total_patterns).toBe(0)
  })

  it('refuses with 429 when the plan is full, and stores nothing', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await inSpace(server, ada, (trx, { id }) =>
      trx
        .withSchema('app')
        .updateTable('spaces')
        .set({ patterns_used: plans.free.patterns })
        .where('id', '=', id)
        .execute(),
    )
    const { status, body, headers } = await ada.post(path, { key: [1], value: [1] })
    expect(status).toBe(429)
    expect(body).toEqual({ detail: 'Pattern storage limit reached' })
    expect(headers.get('Retry-After')).toBe('3600')
    expect(await query(ada, [1])).toEqual([])
  })

  it('needs memory:write', async () => {
    const reader = await newConformingClient(server, { scopes: ['memory:read'] })
    const { status, body } = await reader.post(path, { key: [1], value: [1] })
    expect(status).toBe(403)
    expect(body).toEqual({ detail: 'Insufficient scope: memory:write required' })
  })

  it('F3 repeats the first answer of an Idempotency-Key and stores once', async () => {
    const ada = await newConformingClient(server)
    const under = { 'Idempotency-Key': 'k' }
    const first = await ada.post(path, { key: [1], value: [1] }, under)
    const again = await ada.post(path, { key: [1], value: [1] }, under)
    expect(again.headers.get('Idempotent-Replay')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect((await ada.post(path, { key: [1], value: [2] }, under)).status).toBe(422)
    expect(await query(ada, [1], { top_k: 5 })).toHaveLength(1)
  })

  const at = (field: string, type: string, msg: string, ctx?: object, ...index: number[]) => ({
    type,
    loc: ['body', field, ...index],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })
  const short = { field_type: 'List', min_length: 1, actual_length: 0 }
  const long = { field_type: 'List', max_length: 8_192, actual_length: 8_193 }
  const tooLong = 'List should have at most 8192 items after validation, not 8193'
  it.each<[string, unknown, unknown[]]>([
    ['nothing', {}, [at('key', 'missing', 'Field required'), at('value', 'missing', 'Field required')]],
    [
      'empty vectors',
      { key: [], value: [] },
      [
        at('key', 'too_short', 'List should have at least 1 item after validation, not 0', short),
        at('value', 'too_short', 'List should have at least 1 item after validation, not 0', short),
      ],
    ],
    [
      'vectors of 8,193 numbers',
      { key: Array(8_193).fill(1), value: Array(8_193).fill(1) },
      [at('key', 'too_long', tooLong, long), at('value', 'too_long', tooLong, long)],
    ],
    [
      'what is no list',
      { key: '[1]', value: { 0: 1 } },
      [
        at('key', 'list_type', 'Input should be a valid list'),
        at('value', 'list_type', 'Input should be a valid list'),
      ],
    ],
    [
      'what is no number',
      { key: [1, '2', null], value: [true] },
      [
        at('key', 'float_type', 'Input should be a valid number', undefined, 1),
        at('key', 'float_type', 'Input should be a valid number', undefined, 2),
        at('value', 'float_type', 'Input should be a valid number', undefined, 0),
      ],
    ],
    [
      'numbers that overflow',
      '{"key":[1e999],"value":[1,-3.5e38]}',
      [
        at('key', 'finite_number', 'Input should be a finite number', undefined, 0),
        { ...rule(['body', 'value', 1], 'number is beyond float32') },
      ],
    ],
    [
      'a key that is all zero',
      { key: [0, -0], value: [0] },
      [rule(['body', 'key'], 'vector must not be all zero')],
    ],
    [
      'a key that is all zero as float32',
      { key: [1e-60], value: [0] },
      [rule(['body', 'key'], 'vector must not be all zero')],
    ],
    [
      'a source_dim below the key’s length',
      { key: [1, 1, 1], value: [1], source_dim: 2 },
      [rule(['body', 'source_dim'], "source_dim must be at least the key's length of 3")],
    ],
    [
      'a source_dim of 0',
      { key: [1], value: [1], source_dim: 0 },
      [at('source_dim', 'greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 })],
    ],
    [
      'a source_dim over 8,192',
      { key: [1], value: [1], source_dim: 8_193 },
      [at('source_dim', 'less_than_equal', 'Input should be less than or equal to 8192', { le: 8_192 })],
    ],
    [
      'metadata that is no object',
      { key: [1], value: [1], metadata: [] },
      [at('metadata', 'dict_type', 'Input should be a valid dictionary')],
    ],
    [
      'an expiry in the past',
      { key: [1], value: [1], expires_at: '2020-01-01T00:00:00Z' },
      [rule(['body', 'expires_at'], 'must be in the future')],
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(path, body))).toEqual(expected)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
  })

  it('names the first hundred of a vector’s wrong numbers', async () => {
    const ada = await newConformingClient(server)
    const faults = faultsOf(await ada.post(path, { key: Array(8_192).fill('x'), value: [1] }))
    expect(faults).toHaveLength(100)
  })
})
