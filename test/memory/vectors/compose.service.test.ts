import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, rule } from '../space.ts'
import { cosineOf, normOf, randomVector, stored, unitOf } from './naive.ts'
import { storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const compose = '/v1/memory/compose'
const fractional = '/v1/memory/compose/fractional'

const close = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 5))

describe('POST /v1/memory/compose', () => {
  it('answers the direction of the weighted sum of the normalised keys', async () => {
    const ada = await newConformingClient(server)
    // The smallest numbers of all lose digits in the naive sum.
    const weight = fc
      .double({ min: -5, max: 5, noNaN: true, noDefaultInfinity: true })
      .map((value) => (Math.abs(value) < 1e-6 ? 0 : value))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 10 }),
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.option(fc.array(weight, { minLength: 10, maxLength: 10 }), { nil: null }),
        async (count, dimensions, seed, given) => {
          const weights = given?.slice(0, count) ?? null
          const w = weights ?? Array<number>(count).fill(1)
          const keys = Array.from({ length: count }, (_, i) => randomVector(dimensions, seed + i))
          const units = keys.map((key) => unitOf(stored(key)))
          const sum = Array.from({ length: dimensions }, (_, at) =>
            units.reduce((total, unit, i) => total + (w[i] as number) * (unit[at] as number), 0),
          )
          const share = normOf(sum) / w.reduce((total, each) => total + Math.abs(each), 0)
          fc.pre(share > 0.01)
          const { status, body } = await ada.post(compose, { keys, weights })
          expect(status).toBe(200)
          expect(body).toEqual({ result: close(unitOf(sum)), confidence: expect.closeTo(share, 5) })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is sure of equal keys and not of those that cancel', async () => {
    const ada = await newConformingClient(server)
    const answer = async (body: object) => (await ada.post(compose, body)).body
    expect(await answer({ keys: Array(10).fill([3, 4]) })).toEqual({
      result: close([0.6, 0.8]),
      confidence: expect.closeTo(1, 9),
    })
    expect(
      await answer({
        keys: [
          [1, 0],
          [0, 5],
        ],
      }),
    ).toEqual({
      result: close([Math.SQRT1_2, Math.SQRT1_2]),
      confidence: expect.closeTo(Math.SQRT1_2, 6),
    })
    expect(
      await answer({
        keys: [
          [1, 0],
          [0, 1],
        ],
        weights: [1, -1],
      }),
    ).toMatchObject({
      result: close([Math.SQRT1_2, -Math.SQRT1_2]),
    })
    expect(
      await answer({
        keys: [
          [1, 0],
          [0, 1],
        ],
        weights: [1, 0],
      }),
    ).toEqual({ result: [1, 0], confidence: 1 })
    expect(
      await answer({
        keys: [
          [1, 0],
          [0, 1],
        ],
        weights: [1e308, 1e308],
      }),
    ).toMatchObject({
      result: close([Math.SQRT1_2, Math.SQRT1_2]),
    })
  })

  it('composes texts as their embeddings', async () => {
    const ada = await newConformingClient(server)
    const texts = ['tea', 'music']
    const keys = await Promise.all(
      texts.map(async (text) => (await ada.post('/v1/memory/text/embed', { text })).body.embedding),
    )
    const weights = [2, 1]
    const { body } = await ada.post(compose, { texts, weights, keys: null })
    const { body: same } = await ada.post(compose, { keys, weights })
    expect(body).toEqual(same)
    expect(body.result).toHaveLength(384)
  })

  const eleven = { field_type: 'List', max_length: 10, actual_length: 11 }
  const one = { field_type: 'List', min_length: 2, actual_length: 1 }
  it.each<[string, unknown, unknown]>([
    ['nothing', {}, rule(['body'], 'either keys or texts are required')],
    ['no body', undefined, rule(['body'], 'either keys or texts are required')],
    ['nulls', { keys: null, texts: null }, rule(['body'], 'either keys or texts are required')],
    [
      'keys and texts',
      { keys: [[1], [2]], texts: ['a', 'b'] },
      rule(['body'], 'either keys or texts are required'),
    ],
    [
      'one key',
      { keys: [[1]] },
      {
        type: 'too_short',
        loc: ['body', 'keys'],
        msg: 'List should have at least 2 items after validation, not 1',
        ctx: one,
      },
    ],
    [
      'eleven texts',
      { texts: Array(11).fill('a') },
      {
        type: 'too_long',
        loc: ['body', 'texts'],
        msg: 'List should have at most 10 items after validation, not 11',
        ctx: eleven,
      },
    ],
    [
      'an empty text',
      { texts: ['a', ' '] },
      {
        type: 'string_too_short',
        loc: ['body', 'texts', 1],
        msg: 'String should have at least 1 character',
        ctx: { min_length: 1 },
      },
    ],
    ['keys of two lengths', { keys: [[1], [1, 2]] }, rule(['body', 'keys'], 'keys must have one length')],
    [
      'a key that is all zero',
      { keys: [[1], [0]] },
      rule(['body', 'keys', 1], 'vector must not be all zero'),
    ],
    [
      'too few weights',
      { keys: [[1], [2], [3]], weights: [1, 2] },
      rule(['body', 'weights'], 'there must be 3 weights'),
    ],
    [
      'weights that are all zero',
      { keys: [[1], [2]], weights: [0, 0] },
      rule(['body', 'weights'], 'weights must not be all zero'),
    ],
    [
      'keys that cancel',
      {
        keys: [
          [1, 2],
          [-2, -4],
        ],
      },
      rule(['body'], 'what is composed cancels out, so there is no direction'),
    ],
    [
      'weights that cancel',
      {
        keys: [
          [0.1, 0.7],
          [0.1, 0.7],
        ],
        weights: [0.3, -0.3],
      },
      rule(['body'], 'what is composed cancels out, so there is no direction'),
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(compose, body))).toEqual([expected])
  })

  it('needs memory:read', async () => {
    const writer = await newConformingClient(server, { scopes: ['memory:write'] })
    expect((await writer.post(compose, { keys: [[1], [2]] })).status).toBe(403)
    expect((await writer.post(fractional, { key_a: [1], key_b: [2] })).status).toBe(403)
  })
})

describe('POST /v1/memory/compose/fractional', () => {
  it('takes texts as long as those that are compared', async () => {
    const ada = await newConformingClient(server)
    const answer = await ada.post(fractional, { text_a: 'a'.repeat(limits.queryChars + 1), text_b: 'b' })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'string_too_long', loc: ['body', 'text_a'], ctx: { max_length: limits.queryChars } },
        ],
      },
    })
  })

  it('turns the direction by its share of the angle, and the length linearly', async () => {
    const ada = await newConformingClient(server)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (dimensions, seed, alpha) => {
          const [a, b] = [randomVector(dimensions, seed), randomVector(dimensions, seed + 1)]
          const angle = Math.acos(cosineOf(stored(a), stored(b)))
          fc.pre(angle > 0.01 && angle < Math.PI - 0.01)
          const { status, body } = await ada.post(fractional, { key_a: a, key_b: b, alpha })
          expect(status).toBe(200)
          expect(normOf(body.result)).toBeCloseTo((1 - alpha) * normOf(a) + alpha * normOf(b), 5)
          const nearer = Math.min(alpha, 1 - alpha) * angle
          expect(cosineOf(body.result, stored(a))).toBeCloseTo(Math.cos(alpha * angle), 5)
          expect(cosineOf(body.result, stored(b))).toBeCloseTo(Math.cos((1 - alpha) * angle), 5)
          expect(body.confidence).toBeCloseTo(Math.max(0, Math.cos(nearer)), 5)
          expect(body.info).toEqual({
            geodesic_distance: expect.closeTo(angle, 5),
            blend_type: 'spherical',
            alpha_used: alpha,
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each<[string, number[], number[], string, number]>([
    ['parallel keys of different length', [1, 2], [2, 4], 'linear', 0],
    ['equal keys', [1, 2], [1, 2], 'linear', 0],
    ['opposite keys', [1, 0], [-3, 0], 'antipodal', Math.PI],
    ['opposite numbers', [1], [-1], 'linear', Math.PI],
    ['right angles', [1, 0], [0, 1], 'spherical', Math.PI / 2],
  ])('gives A at 0 and B at 1 for %s', async (_name, key_a, key_b, blend_type, angle) => {
    const ada = await newConformingClient(server)
    for (const [alpha, end] of [
      [0, key_a],
      [1, key_b],
    ] as const) {
      const { body } = await ada.post(fractional, { key_a, key_b, alpha })
      expect(body).toEqual({
        result: close(end),
        confidence: expect.closeTo(1, 6),
        info: { geodesic_distance: expect.closeTo(angle, 5), blend_type, alpha_used: alpha },
      })
    }
    const { status, body } = await ada.post(fractional, { key_a, key_b })
    expect(status).toBe(200)
    expect(body.info.alpha_used).toBe(0.5)
    expect(body.confidence).toBeGreaterThanOrEqual(0)
  })

  it('interpolates texts and patterns as their keys', async () => {
    const ada = await newConformingClient(server)
    const [text_a, text_b] = ['tea', 'music']
    const embed = async (text: string) => (await ada.post('/v1/memory/text/embed', { text })).body.embedding
    const [key_a, key_b] = [await embed(text_a), await embed(text_b)]
    const [pattern_a_id] = await ada.store([text_a])
    const pattern_b_id = await storeVector(ada, key_b, [1])
    const { body: byKeys } = await ada.post(fractional, { key_a, key_b, alpha: 0.25 })
    const { body: byTexts } = await ada.post(fractional, { text_a, text_b, alpha: 0.25 })
    const { body: byIds } = await ada.post(fractional, { pattern_a_id, pattern_b_id, alpha: 0.25 })
    expect(byTexts).toEqual(byKeys)
    expect(byIds).toEqual(byKeys)
    const { body: same } = await ada.post(fractional, { pattern_a_id, pattern_b_id: pattern_a_id })
    expect(same.info.blend_type).toBe('linear')
  })

  it('answers 404 for a pattern that is unknown, deleted or no id', async () => {
    const ada = await newConformingClient(server)
    const here = await storeVector(ada, [1])
    const gone = await storeVector(ada, [2])
    await ada.delete(`/v1/memory/patterns/${gone}`)
    for (const [a, b] of [
      [here, gone],
      [gone, here],
      [here, 'pat_01kagw5zdpk2r4f9m0x7y3v8qe'],
      ['x', here],
      ['', ''],
    ]) {
      const { status, body } = await ada.post(fractional, { pattern_a_id: a, pattern_b_id: b })
      expect(status).toBe(404)
      expect(body).toEqual({ detail: 'Pattern not found' })
    }
  })

  const onePair =
    'one of the pairs key_a and key_b, text_a and text_b, or pattern_a_id and pattern_b_id is required'
  it.each<[string, unknown, unknown]>([
    ['nothing', {}, rule(['body'], onePair)],
    ['half a pair', { key_a: [1] }, rule(['body'], onePair)],
    ['halves of two pairs', { key_a: [1], text_b: 'b' }, rule(['body'], onePair)],
    ['two pairs', { key_a: [1], key_b: [2], text_a: 'a', text_b: 'b' }, rule(['body'], onePair)],
    ['a pair and a half', { key_a: [1], key_b: [2], text_a: 'a' }, rule(['body'], onePair)],
    ['keys of two lengths', { key_a: [1], key_b: [1, 2] }, rule(['body'], 'A and B must have one length')],
    [
      'a key that is all zero',
      { key_a: [0], key_b: [1] },
      rule(['body', 'key_a'], 'vector must not be all zero'),
    ],
    [
      'a point that float32 cannot hold',
      { key_a: [3e38, 3e38], key_b: [3e38, -3e38] },
      rule(['body'], 'the point between A and B has numbers beyond float32; scale both down'),
    ],
    [
      'alpha above 1',
      { key_a: [1], key_b: [1], alpha: 1.1 },
      {
        type: 'less_than_equal',
        loc: ['body', 'alpha'],
        msg: 'Input should be less than or equal to 1',
        ctx: { le: 1 },
      },
    ],
    [
      'alpha below 0',
      { key_a: [1], key_b: [1], alpha: -0.1 },
      {
        type: 'greater_than_equal',
        loc: ['body', 'alpha'],
        msg: 'Input should be greater than or equal to 0',
        ctx: { ge: 0 },
      },
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(fractional, body))).toEqual([expected])
  })

  it('refuses patterns with keys of two lengths with 422', async () => {
    const ada = await newConformingClient(server)
    const body = { pattern_a_id: await storeVector(ada, [1]), pattern_b_id: await storeVector(ada, [1, 2]) }
    expect(faultsOf(await ada.post(fractional, body))).toEqual([
      rule(['body'], 'A and B must have one length'),
    ])
  })
})

it.each([
  ['/v1/memory/compose', { keys: [[1], [1, 2]] }, [[1], [1, 2]]],
  ['/v1/memory/compose/fractional', { key_a: [1], key_b: [1, 2] }, { key_a: [1], key_b: [1, 2] }],
])('%s shows keys of two lengths as they were sent', async (to, request, input) => {
  const ada = await newConformingClient(server)
  const { status, body } = await ada.post(to, request)
  expect([status, body.detail]).toMatchObject([422, [{ type: 'value_error', input }]])
})
