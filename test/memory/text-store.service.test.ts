import { randomUUID } from 'node:crypto'
import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { expectCountersToMatch, faultsOf, getSpace, rule } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** As many code points as asked for, of which only the first and last are more than white space. */
const padded = (points: number, last = 'z') => `a${' '.repeat(points - 2)}${last}`

/** A JSON object nested this deep, the outermost counted. */
const nested = (depth: number): object => (depth === 1 ? { leaf: 1 } : { in: nested(depth - 1) })

/** An object whose compact JSON has this many bytes. */
const sized = (bytes: number, unit = 'x') => {
  const room = bytes - Buffer.byteLength('{"note":""}')
  const count = Math.floor(room / Buffer.byteLength(unit))
  return { note: unit.repeat(count) + 'x'.repeat(room - count * Buffer.byteLength(unit)) }
}

describe('POST /v1/memory/text/store', () => {
  it('stores a text that the next retrieve finds with its metadata', async () => {
    const ada = await newConformingClient(server)
    const stored = await ada.post('/v1/memory/text/store', {
      text: 'Ada moved to Lisbon in May.',
      metadata: { role: 'user', source: 'chat' },
    })
    expect(stored.status).toBe(200)
    expect(stored.body).toEqual({
      success: true,
      pattern_id: expect.stringMatching(/^pat_[0-9a-z]{26}$/),
      created: true,
      embedding_dim: 384,
      patterns_used: 1,
      patterns_limit: -1,
    })

    const found = await ada.post('/v1/memory/text/retrieve', { query: 'Where does Ada live?' })
    expect(found.status).toBe(200)
    expect(found.body).toEqual({
      results: [
        {
          text: 'Ada moved to Lisbon in May.',
          metadata: { role: 'user', source: 'chat' },
          similarity: expect.closeTo(0.48, 1),
          pattern_id: stored.body.pattern_id,
        },
      ],
      latency_ms: expect.any(Number),
    })
  })

  it('shows an empty object for a text stored without metadata', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Tea at four.'])
    const { body } = await ada.post('/v1/memory/text/retrieve', { query: 'tea' })
    expect(body.results[0].metadata).toEqual({})
  })

  it('gives ids that sort in store order and counts each pattern', async () => {
    const ada = await newConformingClient(server, { plan: 'starter' })
    const answers = []
    for (const text of ['one', 'two', 'three'])
      answers.push(await ada.post('/v1/memory/text/store', { text }))
    expect(answers.map(({ body }) => body.patterns_used)).toEqual([1, 2, 3])
    expect(answers.map(({ body }) => body.patterns_limit)).toEqual([10_000, 10_000, 10_000])
    const ids = answers.map(({ body }) => body.pattern_id)
    expect(ids).toEqual(ids.toSorted())
  })

  it.each([
    ['white space around it', '  tea \n'],
    ['an emoji of several code points', 'family 👩‍👩‍👧‍👦'],
    ['another script', 'أحب الشاي'],
    ['quotes, backslashes and markup', `"\\' <b>; drop table patterns; --`],
    ['decomposed letters', 'cafe\u0301'],
    ['control characters other than NUL', 'a\u0001\u001b[31mb\r\n'],
  ])('keeps %s as sent', async (_name, text) => {
    const ada = await newConformingClient(server)
    await ada.store([text])
    expect(await ada.retrieve(text)).toEqual([text])
  })

  it('keeps metadata as sent, whatever its types and keys', async () => {
    const ada = await newConformingClient(server)
    const metadata = {
      string: 'é "quoted"',
      number: -0.125,
      integer: Number.MAX_SAFE_INTEGER,
      yes: true,
      nothing: null,
      list: [1, 'two', [3, { four: 4 }]],
      object: { constructor: 'x', '': 'empty key' },
    }
    const { body } = await ada.post('/v1/memory/text/store', { text: 'typed', metadata })
    const { body: pattern } = await ada.get(`/v1/memory/patterns/${body.pattern_id}`)
    expect(pattern.metadata).toEqual(metadata)
  })

  it.each([
    ['10,000 characters', padded(10_000)],
    ['10,000 characters of which one is an emoji of two UTF-16 units', padded(10_000, '😀')],
  ])('takes a text of %s', async (_name, text) => {
    const ada = await newConformingClient(server)
    expect((await ada.post('/v1/memory/text/store', { text })).status).toBe(200)
  })

  it.each([
    ['16 KiB', sized(16 * 1024)],
    ['16 KiB in letters of several bytes', sized(16 * 1024, 'ü')],
    ['8 levels', nested(8)],
    ['no keys', {}],
  ])('takes metadata of %s', async (_name, metadata) => {
    const ada = await newConformingClient(server)
    expect((await ada.post('/v1/memory/text/store', { text: 'bounded', metadata })).status).toBe(200)
  })

  const text = (type: string, msg: string, ctx?: object) => ({
    type,
    loc: ['body', 'text'],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })
  const tooShort = text('string_too_short', 'String should have at least 1 character', { min_length: 1 })
  const tooLong = text('string_too_long', 'String should have at most 10000 characters', {
    max_length: 10_000,
  })
  const notText = text('string_type', 'Input should be a valid string')
  const tooBig = rule(['body', 'metadata'], 'metadata must be at most 16384 bytes of JSON')
  const tooDeep = rule(['body', 'metadata'], 'metadata must not be nested deeper than 8 levels')
  const notObject = {
    type: 'dict_type',
    loc: ['body', 'metadata'],
    msg: 'Input should be a valid dictionary',
  }
  const past = rule(['body', 'expires_at'], 'must be in the future')
  const notTime = (field: string, type: string, msg: string, ctx?: object) => ({
    type,
    loc: ['body', field],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })

  it.each<[string, unknown, unknown]>([
    ['no text', {}, text('missing', 'Field required')],
    ['an empty text', { text: '' }, tooShort],
    ['white space alone', { text: ' \n\u00a0\u2003' }, tooShort],
    ['10,001 characters', { text: padded(10_001) }, tooLong],
    ['10,001 characters with emoji', { text: padded(10_001, '😀') }, tooLong],
    ['a number', { text: 5 }, notText],
    ['null', { text: null }, notText],
    ['a NUL', { text: 'a\0b' }, rule(['body', 'text'], 'text must not contain the NUL character')],
    [
      'a lone surrogate',
      '{"text":"a\\ud800b"}',
      rule(['body', 'text'], 'text must not contain a lone surrogate'),
    ],
    ['metadata that are a list', { text: 'a', metadata: [] }, notObject],
    ['metadata that are a string', { text: 'a', metadata: '{}' }, notObject],
    ['metadata of 16 KiB and a byte', { text: 'a', metadata: sized(16 * 1024 + 1) }, tooBig],
    ['metadata of 9 levels', { text: 'a', metadata: nested(9) }, tooDeep],
    ['metadata of 9 levels of lists', { text: 'a', metadata: { l: [[[[[[[[]]]]]]]] } }, tooDeep],
    [
      'a NUL in a key of metadata',
      { text: 'a', metadata: { 'k\0': 1 } },
      rule(['body', 'metadata'], 'metadata must not contain the NUL character'),
    ],
    [
      'an integer in metadata that would be rounded',
      '{"text":"a","metadata":{"n":9007199254740993}}',
      rule(
        ['body', 'metadata'],
        'metadata numbers without a fraction must be within ±(2^53 - 1); send larger ones as strings',
      ),
    ],
    [
      'a number in metadata that overflows',
      '{"text":"a","metadata":{"n":1e999}}',
      rule(['body', 'metadata'], 'metadata numbers must be finite'),
    ],
    ['an expiry in the past', { text: 'a', expires_at: '2020-01-01T00:00:00Z' }, past],
    [
      'an expiry that is a number',
      { text: 'a', expires_at: 4_102_444_800 },
      notTime('expires_at', 'datetime_type', 'Input should be a valid datetime'),
    ],
    [
      'an event time that is no time',
      { text: 'a', occurred_at: 'last tuesday' },
      notTime(
        'occurred_at',
        'datetime_from_date_parsing',
        'Input should be a valid datetime or date, invalid character in year',
        { error: 'invalid character in year' },
      ),
    ],
    [
      'a body that is a list',
      [],
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
      },
    ],
    ['no body', undefined, { type: 'missing', loc: ['body'], msg: 'Field required' }],
  ])('refuses %s with 422', async (_name, body, fault) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post('/v1/memory/text/store', body))).toEqual([fault])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0, next_idx: 0 })
  })

  it('names every field that is wrong', async () => {
    const ada = await newConformingClient(server)
    const answer = await ada.post('/v1/memory/text/store', { text: '', metadata: 1, expires_at: true })
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.text',
      'body.metadata',
      'body.expires_at',
    ])
  })

  it('gives each of 40 stores at once an index of its own', async () => {
    const ada = await newConformingClient(server)
    const texts = Array.from({ length: 40 }, (_, i) => `fact ${i % 8}`)
    const answers = await Promise.all(texts.map((text) => ada.post('/v1/memory/text/store', { text })))
    const used = answers.map(({ body }) => body.patterns_used).toSorted((a, b) => a - b)
    expect(used).toEqual(texts.map((_, i) => i + 1))
    const { body } = await ada.get('/v1/memory/patterns?limit=200')
    expect(body.patterns.map((each: { pattern_idx: number }) => each.pattern_idx)).toEqual(
      texts.map((_, i) => i),
    )
    await expectCountersToMatch(server, ada)
  })
})

describe('POST /v1/memory/text/batch-store', () => {
  it('stores texts in their order and answers with their ids', async () => {
    const ada = await newConformingClient(server)
    const items = ['first', 'second', 'first'].map((text, n) => ({ text, metadata: { n } }))
    const stored = await ada.post('/v1/memory/text/batch-store', { items })
    expect(stored.status).toBe(200)
    expect(stored.body).toEqual({
      stored: 3,
      failed: 0,
      pattern_ids: [expect.any(String), expect.any(String), expect.any(String)],
      created: [true, true, true],
      latency_ms: expect.any(Number),
    })
    const { body } = await ada.get('/v1/memory/patterns')
    expect(body.patterns.map((each: { pattern_id: string }) => each.pattern_id)).toEqual(
      stored.body.pattern_ids,
    )
    expect(body.patterns.map((each: { metadata: unknown }) => each.metadata)).toEqual(
      items.map(({ metadata }) => metadata),
    )
  })

  it('takes 50 items', async () => {
    const ada = await newConformingClient(server)
    const items = Array.from({ length: 50 }, () => ({ text: 'the same' }))
    const { body } = await ada.post('/v1/memory/text/batch-store', { items })
    expect(body).toMatchObject({ stored: 50, failed: 0 })
    expect(new Set(body.pattern_ids).size).toBe(50)
  })

  const list = (type: string, msg: string, ctx?: object) => ({
    type,
    loc: ['body', 'items'],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })
  it.each<[string, unknown, unknown]>([
    [
      'no item',
      { items: [] },
      list('too_short', 'List should have at least 1 item after validation, not 0', {
        field_type: 'List',
        min_length: 1,
        actual_length: 0,
      }),
    ],
    [
      '51 items',
      { items: Array.from({ length: 51 }, () => ({ text: 'a' })) },
      list('too_long', 'List should have at most 50 items after validation, not 51', {
        field_type: 'List',
        max_length: 50,
        actual_length: 51,
      }),
    ],
    ['no list', { items: { text: 'a' } }, list('list_type', 'Input should be a valid list')],
    ['no items', {}, list('missing', 'Field required')],
  ])('refuses %s with 422', async (_name, body, fault) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post('/v1/memory/text/batch-store', body))).toEqual([fault])
  })

  it.each<[string, unknown, (string | number)[]]>([
    ['without a text', {}, ['body', 'items', 1, 'text']],
    ['with an empty text', { text: ' ' }, ['body', 'items', 1, 'text']],
    ['with metadata too deep', { text: 'a', metadata: nested(9) }, ['body', 'items', 1, 'metadata']],
    ['that expired', { text: 'a', expires_at: '2020-01-01T00:00:00Z' }, ['body', 'items', 1, 'expires_at']],
    ['that is a string', 'a', ['body', 'items', 1]],
  ])('stores nothing of a batch with one item %s', async (_name, item, loc) => {
    const ada = await newConformingClient(server)
    const answer = await ada.post('/v1/memory/text/batch-store', {
      items: [{ text: 'good' }, item, { text: 'good too' }],
    })
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map((each: { loc: unknown }) => each.loc)).toEqual([loc])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0, next_idx: 0 })
    expect(await ada.retrieve('good')).toEqual([])
  })
})

describe('texts that take long to encode', () => {
  const changeable: { batchEncodingMs: number } = limits
  const { batchEncodingMs } = limits
  afterEach(() => {
    changeable.batchEncodingMs = batchEncodingMs
  })

  it('are refused as a whole when their time is over, and stored when they are sent again', async () => {
    const ada = await newConformingClient(server)
    // Less than a window takes anywhere.
    changeable.batchEncodingMs = 1
    // What was encoded before, in this run or in one before it, takes no time.
    const items = Array.from({ length: 3 }, () => ({
      text: `${randomUUID()} ${'So it goes on. '.repeat(200)}`,
    }))
    const { pool } = server.context
    const refused = await ada.post('/v1/memory/text/batch-store', { items })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body).toEqual({ detail: 'Service unavailable' })
    // What was left is dropped.
    await until(() => pool.queued === 0, 'no text waits')
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
    changeable.batchEncodingMs = batchEncodingMs
    const stored = await ada.post('/v1/memory/text/batch-store', { items })
    expect(stored.body).toMatchObject({ stored: 3, failed: 0 })
  })
})
