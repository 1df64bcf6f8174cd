import { ReadableStream } from 'node:stream/web'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const store = '/v1/memory/text/store'
const stats = '/v1/memory/text/stats'
const mebibyte = 1024 * 1024
const bodyMax = 8 * mebibyte

/** A valid body of this many bytes: white space around JSON counts like any other byte. */
const padded = (bytes: number) => Buffer.from('{"text":"small"}'.padEnd(bytes, ' '))

/** Lists nested this deep in a field that no operation knows; the body's object is one level more. */
const nestedBody = (depth: number) => `{"text":"deep","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

it('a body after a byte order mark is taken', async () => {
  const ada = await newConformingClient(server)
  expect((await ada.post(store, '\ufeff{"text":"a"}')).status).toBe(200)
  const vector = Array.from({ length: 64 }, (_, i) => i)
  const sent = `\ufeff${JSON.stringify({ key: vector, value: vector })}`
  expect((await ada.post('/v1/memory/store', sent)).status).toBe(200)
})

describe('a long body of vectors, which is read in another thread,', () => {
  const patterns = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      key: Array.from({ length: 64 }, (_, j) => Math.sin(i + j / 7)),
      value: [i],
      metadata: { list: Array.from({ length: 64 }, (_, j) => j + 0.1) },
    }))
  const batch = '/v1/memory/batch/store'

  it('is taken, with the numbers of its metadata as they were sent', async () => {
    const ada = await newConformingClient(server)
    const sent = patterns(300)
    const { status, body } = await ada.post(batch, JSON.stringify({ patterns: sent }))
    expect([status, body.stored]).toEqual([200, 300])
    const found = await ada.post('/v1/memory/query', { embedding: sent[250]?.key, top_k: 1 })
    expect(found.body.results[0]).toMatchObject({ value: [250] })
    const listed = await ada.get('/v1/memory/patterns?limit=1')
    expect(listed.body.patterns[0].metadata).toEqual(sent[0]?.metadata)
  })

  it('is refused where it is cut off, and where a vector is none, with what was sent', async () => {
    const ada = await newConformingClient(server)
    const text = JSON.stringify({ patterns: patterns(300) })
    expect((await ada.post(batch, text.slice(0, -1))).body).toEqual({ detail: 'Invalid JSON body' })
    const wrong = JSON.stringify({ patterns: [...patterns(300), { key: [0.1, 1e-3, 'x'], value: [1] }] })
    const { status, body } = await ada.post(batch, wrong)
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({ loc: ['body', 'patterns', 300, 'key', 2], input: 'x' })
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toEqual([])
  })
})

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
  ])('%s is taken', async (type) => {
    const ada = await newConformingClient(server)
    expect((await ada.post(store, { text: 'a' }, { 'Content-Type': type })).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    'application/json, text/plain',
    'json',
  ])('%s is refused with 400', async (type) => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(store, { text: 'a' }, { 'Content-Type': type })
    expect(status).toBe(400)
    expect(body).toEqual({ detail: 'Content-Type must be application/json' })
  })

  it('that is missing is refused with 400, also on DELETE', async () => {
    const ada = await newConformingClient(server)
    for (const [method, path] of [
      ['POST', store],
      ['DELETE', '/v1/memory/text/forget'],
      ['PATCH', '/v1/memory/patterns/none'],
    ] as const) {
      const response = await fetch(server.url + path, {
        method,
        headers: { 'X-API-Key': ada.key },
        body: new TextEncoder().encode('{"text":"a","query":"a"}'),
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ detail: 'Content-Type must be application/json' })
    }
  })

  it('is not asked of a request without a body', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.request('PATCH', '/v1/memory/patterns/none')).status).toBe(404)
    expect((await ada.post(store)).status).toBe(422)
    expect((await ada.get(stats, { 'Content-Type': 'text/plain' })).status).toBe(200)
  })
})

describe('N1 a body', () => {
  it.each<[string, string | Buffer]>([
    ['that is cut off', '{"text":"a"'],
    ['that is no JSON', 'text=a'],
    ['of single quotes', "{'text':'a'}"],
    ['with a comment', '{"text":"a"} // why'],
    ['with a trailing comma', '{"text":"a",}'],
    ['of two values', '{"text":"a"}{"text":"b"}'],
    ['with NaN', '{"text":"a","metadata":{"n":NaN}}'],
    ['with a raw line break in a string', '{"text":"a\nb"}'],
    ['of white space', ' \n '],
    ['with two byte order marks', '\ufeff\ufeff{"text":"a"}'],
    ['with a byte order mark in it', '{\ufeff"text":"a"}'],
    ['of invalid UTF-8', Buffer.from([0x7b, 0x22, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['with an overlong encoding', Buffer.from('{"text":"\xc0\xaf"}', 'latin1')],
    ['with an encoded surrogate', Buffer.from('{"text":"\xed\xa0\x80"}', 'latin1')],
    ['in UTF-16', Buffer.from('{"text":"a"}', 'utf16le')],
    ['of 65 levels', nestedBody(65)],
    ['of a million levels', '['.repeat(1_000_000)],
  ])('%s is refused with 400', async (_name, sent) => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(store, sent)
    expect(status).toBe(400)
    expect(body).toEqual({ detail: 'Invalid JSON body' })
  })

  it.each<[string, string]>([
    ['of 64 levels', nestedBody(64)],
    ['with brackets in strings', JSON.stringify({ text: '['.repeat(200), x: '\\"{{{{' })],
    ['with escaped characters', '{"\\u0074ext":"\\ud83d\\ude00 \\n"}'],
    ['with a key twice, of which the last counts', '{"text":"","text":"second"}'],
  ])('%s is taken', async (_name, sent) => {
    const ada = await newConformingClient(server)
    expect((await ada.post(store, sent)).status).toBe(200)
  })

  it.each([
    [64, 200],
    [65, 400],
  ])('of %d levels beside vectors is answered with %d', async (depth, expected) => {
    const ada = await newConformingClient(server)
    const key = Array.from({ length: 384 }, (_, i) => i + 0.5)
    const nested = JSON.parse('['.repeat(depth - 1) + ']'.repeat(depth - 1))
    const { status } = await ada.post('/v1/memory/batch/store', {
      patterns: [{ key, value: [1] }],
      x: nested,
    })
    expect(status).toBe(expected)
  })

  it('is looked at after the API key and its scope', async () => {
    const ada = await newConformingClient(server)
    const { organizationId } = ada
    const reader = await newConformingClient(server, { organizationId, scopes: ['memory:read'] })
    for (const sent of ['{', '{}', Buffer.alloc(bodyMax + 1)]) {
      expect((await ada.post(store, sent, { 'X-API-Key': 'wrong' })).status).toBe(401)
      expect((await reader.post(store, sent)).status).toBe(403)
    }
  })
})

describe('N1 the size of a body', () => {
  it('may be 8 MiB', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.post(store, padded(bodyMax))).status).toBe(200)
  })

  it.each(['/v1/memory/text/store', '/v1/memory/text/batch-store', '/v1/memory/text/retrieve'])(
    'may not be a byte more on %s',
    async (path) => {
      const ada = await newConformingClient(server)
      const { status, body } = await ada.post(path, padded(bodyMax + 1))
      expect(status).toBe(413)
      expect(body).toEqual({ detail: 'Request body too large' })
      expect((await ada.get(stats)).status).toBe(200)
    },
  )

  it('is counted when it is not announced', async () => {
    const ada = await newConformingClient(server)
    const chunk = new Uint8Array(mebibyte).fill(0x20)
    async function* chunks() {
      yield new TextEncoder().encode('{"text":"small"}')
      for (let i = 0; i < 9; i++) yield chunk
    }
    const response = await fetch(server.url + store, {
      method: 'POST',
      headers: { 'X-API-Key': ada.key, 'Content-Type': 'application/json' },
      body: ReadableStream.from(chunks()),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ detail: 'Request body too large' })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('is counted after inflation of %s', async (encoding, compress) => {
    const ada = await newConformingClient(server)
    const send = (bytes: number) => ada.post(store, compress(padded(bytes)), { 'Content-Encoding': encoding })
    expect((await send(100)).status).toBe(200)
    const { status, body } = await send(bodyMax + 1)
    expect(status).toBe(413)
    expect(body).toEqual({ detail: 'Request body too large' })
  })

  it.each<[string, string, Buffer]>([
    ['an encoding that is not supported', 'zip', padded(100)],
    ['an encoding that the body does not have', 'gzip', padded(100)],
    ['a compressed body that is cut off', 'gzip', gzipSync(padded(10_000)).subarray(0, 30)],
  ])('with %s is refused with 400', async (_name, encoding, sent) => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(store, sent, { 'Content-Encoding': encoding })
    expect(status).toBe(400)
    expect(body).toEqual({ detail: expect.any(String) })
  })
})

describe('N2 fields', () => {
  it('that are unknown are ignored and pollute nothing', async () => {
    const ada = await newConformingClient(server)
    const sent = `{
      "text": "plain", "__proto__": { "polluted": 1, "metadata": { "a": 1 } },
      "constructor": { "prototype": { "polluted": 1 } }, "toString": 1, "organization_id": "x", "pattern_id": "pat_x"
    }`
    const { status, body } = await ada.post(store, sent)
    expect(status).toBe(200)
    expect(body.pattern_id).not.toBe('pat_x')
    expect((await ada.get(`/v1/memory/patterns/${body.pattern_id}`)).body).toMatchObject({
      text: 'plain',
      metadata: {},
    })
    expect('polluted' in {}).toBe(false)
  })

  it('that only the prototype has are missing', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(store, '{"__proto__":{"text":"inherited"}}')
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ type: 'missing', loc: ['body', 'text'] }])
  })

  it('of metadata may have any name, which is a name like any other', async () => {
    const ada = await server.newClient()
    const { body } = await ada.post(
      store,
      '{"text":"named","metadata":{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    )
    const { body: pattern } = await ada.get(`/v1/memory/patterns/${body.pattern_id}`)
    expect(Object.entries(pattern.metadata).toSorted()).toEqual([
      ['__proto__', { polluted: 1 }],
      ['a', 1],
      ['constructor', { prototype: { polluted: 1 } }],
    ])
    expect('polluted' in {}).toBe(false)
  })

  it('are shown as they were sent where a rule over them is broken', async () => {
    const ada = await newConformingClient(server)
    const inputOf = async (...[path, sent]: Parameters<typeof ada.post>) =>
      (await ada.post(path, sent)).body.detail.map(({ input }: { input: unknown }) => input)
    const both = { keys: [[1, 0.1]], texts: ['a', 'b'] }
    expect(
      await inputOf('/v1/memory/compose', {
        ...both,
        keys: [
          [1, 0.1],
          [0, 1],
        ],
      }),
    ).toEqual([
      {
        ...both,
        keys: [
          [1, 0.1],
          [0, 1],
        ],
      },
    ])
    expect(await inputOf('/v1/memory/compose/fractional', { key_a: [1], text_b: 'b' })).toEqual([
      { key_a: [1], text_b: 'b' },
    ])
    expect(await inputOf(store, { text: 'a', expires_at: '2020-01-01' })).toEqual(['2020-01-01'])
    expect(
      await inputOf('/v1/memory/text/batch-store', {
        items: [{ text: 'a', expires_at: '2020-01-01T00:00' }],
      }),
    ).toEqual(['2020-01-01T00:00'])
    const forget = (sent?: object) => ada.delete('/v1/memory/text/forget', sent)
    expect((await forget({ threshold: 0.9, filter: {} })).body.detail[0].input).toEqual({
      threshold: 0.9,
      filter: {},
    })
    expect((await forget()).body.detail[0].input).toEqual({})
  })

  it('are never coerced', async () => {
    const ada = await newConformingClient(server)
    const retrieve = '/v1/memory/text/retrieve'
    for (const [path, sent] of [
      [store, { text: ['a'] }],
      [store, { text: true }],
      [retrieve, { query: 'q', top_k: '5' }],
      [retrieve, { query: 'q', top_k: true }],
      [retrieve, { query: 'q', min_similarity: '0.5' }],
      [retrieve, { query: 5 }],
    ] as const) {
      expect((await ada.post(path, sent)).status).toBe(422)
    }
    expect((await ada.post(retrieve, { query: 'q', top_k: 5.0 })).status).toBe(200)
  })
})
