import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, rule } from '../space.ts'
import { randomVector, stored } from './naive.ts'
import { getVector, put, query, remove, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const notFound = { status: 404, body: { detail: 'Pattern not found' } }

const versionOf = (client: ConformingClient) =>
  inSpace(server, client, async (trx, { id }) => {
    const { version } = await trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return version
  })

/** Makes the process read the space from the database again. */
const forgetIndex = (client: ConformingClient) =>
  inSpace(server, client, async (_trx, { id }) => server.context.memory.spaces.drop(id))

describe('PUT /v1/memory/pattern', () => {
  it('changes the value, which the next answer has', async () => {
    const ada = await newConformingClient(server)
    const id = await storeVector(ada, [0.1, 0.2], [1], { metadata: { a: 1 } })
    expect(await query(ada, [0.1, 0.2])).toMatchObject([{ value: [1] }])
    const { status, body } = await put(ada, { key: [0.1, 0.2], new_value: [2, 3.3] })
    expect(status).toBe(200)
    expect(body).toEqual({ message: 'Pattern updated' })
    expect(await query(ada, [0.1, 0.2])).toMatchObject([{ value: stored([2, 3.3]), pattern_id: id }])
    expect(await getVector(ada, 0)).toEqual({
      key: stored([0.1, 0.2]),
      value: stored([2, 3.3]),
      metadata: { a: 1 },
    })
    await expectCountersToMatch(server, ada)
  })

  it('replaces metadata, clears them with null and keeps them when absent', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1], [1], { metadata: { category: 'health' } })
    const steps: [object, object | null, boolean][] = [
      [{}, { category: 'health' }, true],
      [{ metadata: { b: 2 } }, { b: 2 }, false],
      [{ metadata: { protected: true } }, { protected: true }, true],
      [{ metadata: null }, null, false],
      [{}, null, false],
    ]
    for (const [change, metadata, isProtected] of steps) {
      await put(ada, { key: [1], new_value: [5], ...change })
      expect((await getVector(ada, 0)).metadata).toEqual(metadata)
      const { body } = await ada.post('/v1/memory/retrieve', { embedding: [1] })
      expect(body.results[0].metadata).toEqual(metadata)
      expect((await ada.get('/v1/memory/patterns')).body.patterns[0].protected).toBe(isProtected)
    }
    await expectCountersToMatch(server, ada)
  })

  it('changes the newest of several with the key, and leaves the others', async () => {
    const ada = await newConformingClient(server)
    for (const value of [1, 2, 3]) await storeVector(ada, [1, 1], [value])
    await storeVector(ada, [1, 1.5], [4])
    await put(ada, { key: [1, 1], new_value: [9] })
    const values = async () => (await query(ada, [1, 1], { top_k: 9 })).map(({ value }) => value[0])
    expect(await values()).toEqual([1, 2, 9, 4])
    await forgetIndex(ada)
    expect(await values()).toEqual([1, 2, 9, 4])
  })

  it('finds the key as float32, whichever zero it has', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [0.1, -0, 1e-60], [1])
    expect((await put(ada, { key: [0.1 + 1e-12, 0, 0], new_value: [2] })).status).toBe(200)
    expect(await put(ada, { key: [0.1000001, 0, 0], new_value: [3] })).toMatchObject(notFound)
    expect((await getVector(ada, 0)).value).toEqual([2])
  })

  it('takes the key as value, and another value again', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 2], [3])
    await put(ada, { key: [1, 2], new_value: [1, 2] })
    expect(await getSpace(server, ada)).toMatchObject({ storage_bytes: 8 + 4 * 2 })
    expect((await getVector(ada, 0)).value).toEqual([1, 2])
    await put(ada, { key: [1, 2], new_value: [1, 2, 3] })
    expect((await getVector(ada, 0)).value).toEqual([1, 2, 3])
    await expectCountersToMatch(server, ada)
  })

  it('raises the version of the space by one, and not at all when refused', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1])
    const before = await versionOf(ada)
    await put(ada, { key: [1], new_value: [2] })
    expect(await versionOf(ada)).toBe(before + 1)
    await put(ada, { key: [2], new_value: [2] })
    expect(await versionOf(ada)).toBe(before + 1)
  })

  it('refuses a text pattern with 409 and leaves it', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['tea'])
    const before = await ada.get(`/v1/memory/patterns/${id}`)
    const { embedding } = (await ada.post('/v1/memory/text/embed', { text: 'tea' })).body
    const { status, body } = await put(ada, { key: embedding, new_value: [1], metadata: { a: 1 } })
    expect(status).toBe(409)
    expect(body).toEqual({
      detail: 'Text patterns are updated through PATCH /v1/memory/patterns/{pattern_id}',
    })
    expect((await ada.get(`/v1/memory/patterns/${id}`)).body).toEqual(before.body)
    expect((await query(ada, embedding))[0]?.value).toEqual(stored(embedding))
    // A vector pattern stored later under the same key is the newest, and no text.
    await storeVector(ada, embedding, [1])
    expect((await put(ada, { key: embedding, new_value: [2] })).status).toBe(200)
  })

  it('answers 404 for an unknown, a deleted and an expired key', async () => {
    const ada = await newConformingClient(server)
    expect(await put(ada, { key: [1], new_value: [1] })).toMatchObject(notFound)
    await storeVector(ada, [1])
    await remove(ada, [1])
    expect(await put(ada, { key: [1], new_value: [1] })).toMatchObject(notFound)
    await storeVector(ada, [2])
    await inSpace(server, ada, (trx, { id }) =>
      trx
        .withSchema('app')
        .updateTable('patterns')
        .set({ expires_at: '2020-01-01T00:00:00Z' })
        .where('space_id', '=', id)
        .execute(),
    )
    expect(await put(ada, { key: [2], new_value: [1] })).toMatchObject(notFound)
    expect(await remove(ada, [2])).toMatchObject(notFound)
    expect(await ada.get('/v1/memory/pattern/1')).toMatchObject(notFound)
  })

  it('of twenty in parallel ends with one of the values', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1], [0])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put(ada, { key: [1], new_value: [i + 1, i + 1] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const [found] = await query(ada, [1])
    expect(found?.value).toEqual((await getVector(ada, 0)).value)
    expect(found?.value[0]).toBeGreaterThan(0)
    await expectCountersToMatch(server, ada)
  })

  it('needs memory:write', async () => {
    const reader = await newConformingClient(server, { scopes: ['memory:read'] })
    for (const { status } of [await put(reader, { key: [1], new_value: [1] }), await remove(reader, [1])]) {
      expect(status).toBe(403)
    }
  })

  it.each<[string, unknown, unknown[]]>([
    [
      'nothing',
      {},
      ['key', 'new_value'].map((field) => ({ type: 'missing', loc: ['body', field], msg: 'Field required' })),
    ],
    [
      'a key that is all zero',
      { key: [0], new_value: [0] },
      [rule(['body', 'key'], 'vector must not be all zero')],
    ],
    [
      'a value that is no list',
      { key: [1], new_value: 1 },
      [{ type: 'list_type', loc: ['body', 'new_value'], msg: 'Input should be a valid list' }],
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await put(ada, body))).toEqual(expected)
  })
})

describe('DELETE /v1/memory/pattern', () => {
  it('removes every pattern with the key, texts among them, and no other', async () => {
    const ada = await newConformingClient(server)
    const { embedding } = (await ada.post('/v1/memory/text/embed', { text: 'tea' })).body
    const [text, other] = await ada.store(['tea', 'music'])
    await storeVector(ada, embedding, [1])
    await storeVector(ada, embedding.slice(0, 383), [2])
    const { status, body } = await remove(ada, embedding)
    expect(status).toBe(200)
    expect(body).toEqual({ message: '2 patterns deleted' })
    expect((await ada.get(`/v1/memory/patterns/${text}`)).status).toBe(404)
    expect((await query(ada, embedding, { top_k: 9 })).map(({ pattern_id }) => pattern_id)).toEqual([other])
    expect(await query(ada, embedding.slice(0, 383))).toHaveLength(1)
    expect((await ada.get('/v1/memory/text/stats')).body.total_patterns).toBe(1)
    await expectCountersToMatch(server, ada)
  })

  it('says one pattern of one, and 404 when it is asked again', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [0.1, 0.2])
    expect((await remove(ada, [0.1, 0.2])).body).toEqual({ message: '1 pattern deleted' })
    expect(await remove(ada, [0.1, 0.2])).toMatchObject(notFound)
    expect(await query(ada, [0.1, 0.2])).toEqual([])
    expect(await ada.get('/v1/memory/pattern/0')).toMatchObject(notFound)
  })

  it('is gone for a process that reads the changes, and the index is never given again', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1], [1])
    await storeVector(ada, [2], [2])
    await remove(ada, [1])
    await forgetIndex(ada)
    expect((await query(ada, [1], { top_k: 9 })).map(({ value }) => value)).toEqual([[2]])
    await storeVector(ada, [1], [3])
    expect(await ada.get('/v1/memory/pattern/0')).toMatchObject(notFound)
    expect((await getVector(ada, 2)).value).toEqual([3])
  })

  it('raises the version of the space by one, and not at all when nothing is there', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1])
    await storeVector(ada, [1])
    const before = await versionOf(ada)
    await remove(ada, [1])
    expect(await versionOf(ada)).toBe(before + 1)
    await remove(ada, [1])
    expect(await versionOf(ada)).toBe(before + 1)
  })

  it.each<[string, unknown, unknown[]]>([
    ['no body', undefined, [{ type: 'missing', loc: ['body'], msg: 'Field required' }]],
    ['an object', { key: [1] }, [{ type: 'list_type', loc: ['body'], msg: 'Input should be a valid list' }]],
    ['a vector that is all zero', [0, 0], [rule(['body'], 'vector must not be all zero')]],
    [
      'what is no number',
      [1, 'x'],
      [
        {
          type: 'float_parsing',
          loc: ['body', 1],
          msg: 'Input should be a valid number, unable to parse string as a number',
        },
      ],
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await remove(ada, body))).toEqual(expected)
  })
})

describe('GET /v1/memory/pattern/{pattern_idx}', () => {
  it('answers key, value and metadata, of texts their embedding twice', async () => {
    const ada = await newConformingClient(server)
    const [key, value] = [randomVector(384, 1), randomVector(100, 2)]
    await storeVector(ada, key, value, { metadata: { a: [1] } })
    await ada.store(['tea', { text: 'tea', metadata: { b: 2 } }])
    const { embedding } = (await ada.post('/v1/memory/text/embed', { text: 'tea' })).body
    expect(await getVector(ada, 0)).toEqual({ key: stored(key), value: stored(value), metadata: { a: [1] } })
    expect(await getVector(ada, 1)).toEqual({
      key: stored(embedding),
      value: stored(embedding),
      metadata: {},
    })
    expect((await getVector(ada, 2)).metadata).toEqual({ b: 2 })
  })

  it.each(['1', '-1', '2147483647', '2147483648', '9007199254740993', '99999999999999999999999'])(
    'answers 404 for %s, which no pattern has',
    async (idx) => {
      const ada = await newConformingClient(server)
      await storeVector(ada, [1])
      expect(await ada.get(`/v1/memory/pattern/${idx}`)).toMatchObject(notFound)
    },
  )

  it.each(['x', '1.5', '0x1', 'NaN', 'pat_01kagw5zdpk2r4f9m0x7y3v8qe'])(
    'refuses %s, which is no integer, with 422',
    async (idx) => {
      const ada = await newConformingClient(server)
      expect(faultsOf(await ada.get(`/v1/memory/pattern/${idx}`))).toEqual([
        {
          type: 'int_parsing',
          loc: ['path', 'pattern_idx'],
          msg: 'Input should be a valid integer, unable to parse string as an integer',
        },
      ])
    },
  )
})
