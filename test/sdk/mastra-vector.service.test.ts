import type { MemoryClient } from 'memory-service-sdk'
import { MemoryServiceVector } from 'memory-service-sdk/mastra'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { newMemoryOf } from './support.ts'

vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1')

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const newMemory = () => newMemoryOf(server)

/** An index of three vectors, of which the first two are near to each other. */
async function newStore(memory?: MemoryClient) {
  const store = new MemoryServiceVector(memory ?? (await newMemory()))
  await store.createIndex({ indexName: 'docs', dimension: 3 })
  await store.upsert({
    indexName: 'docs',
    ids: ['a', 'b', 'c'],
    vectors: [
      [1, 0, 0],
      [1, 1, 0],
      [0, 0, 1],
    ],
    metadata: [
      { text: 'one', stars: 1, tags: ['x'] },
      { text: 'two', stars: 2 },
      { text: 'three', stars: 3, place: { city: 'Lyon' } },
    ],
  })
  return store
}

describe('the vector store for Mastra', () => {
  it('finds the nearest by cosine, with their metadata, and with their vectors where asked', async () => {
    const store = await newStore()
    const found = await store.query({ indexName: 'docs', queryVector: [2, 0, 0], topK: 2 })
    expect(found).toEqual([
      { id: 'a', score: expect.closeTo(1, 5), metadata: { text: 'one', stars: 1, tags: ['x'] } },
      { id: 'b', score: expect.closeTo(Math.SQRT1_2, 5), metadata: { text: 'two', stars: 2 } },
    ])
    const [first] = await store.query({ indexName: 'docs', queryVector: [0, 0, 2], includeVector: true })
    expect(first).toMatchObject({ id: 'c', vector: [0, 0, 1] })
  })

  it('finds the nearest by cosine whatever was asked for and marked as useful before, all with their vectors', async () => {
    const memory = await newMemory()
    const store = new MemoryServiceVector(memory)
    const ids = Array.from({ length: 20 }, (_, at) => `v${at}`)
    await store.createIndex({ indexName: 'docs', dimension: 2 })
    const at = (i: number) => [Math.cos(i / 20), Math.sin(i / 20)]
    await store.upsert({ indexName: 'docs', ids, vectors: ids.map((_, i) => at(i)) })
    const { patterns } = await memory.patterns.getMany({ external_ids: ['mastra//docs/v7'] })
    const pattern_id = patterns[0]?.pattern_id ?? ''
    for (let i = 0; i < 10; i++) {
      await store.query({ indexName: 'docs', queryVector: at(7), topK: 1 })
      await memory.patterns.feedback({ pattern_id, useful: true })
    }

    const found = await store.query({ indexName: 'docs', queryVector: at(0), topK: 5, includeVector: true })
    expect(found.map(({ id }) => id)).toEqual(['v0', 'v1', 'v2', 'v3', 'v4'])
    for (const [i, { score, vector }] of found.entries()) {
      expect(score).toBeCloseTo(Math.cos(i / 20), 5)
      expect(vector).toEqual(at(i).map((number) => expect.closeTo(number, 5)))
    }
  })

  it('narrows by filters, and lists by them without a vector', async () => {
    const store = await newStore()
    const ids = async (filter: Record<string, unknown>, queryVector?: number[]) =>
      (await store.query({ indexName: 'docs', filter, ...(queryVector && { queryVector }) })).map(
        ({ id }) => id,
      )
    expect(await ids({ stars: { $gte: 2 } }, [1, 0, 0])).toEqual(['b', 'c'])
    expect(await ids({ tags: 'x' }, [0, 0, 1])).toEqual(['a'])
    expect(await ids({ $or: [{ stars: 1 }, { 'place.city': 'Lyon' }] })).toEqual(['c', 'a'])
    await expect(ids({ stars: { $near: 2 } }, [1, 0, 0])).rejects.toThrow('$near')
    await expect(ids({})).rejects.toThrow('filter')
  })

  it('replaces what has the same id, gives ids to what has none, and deletes what an upsert takes the place of', async () => {
    const store = await newStore()
    const [id] = await store.upsert({
      indexName: 'docs',
      vectors: [[0, 1, 0]],
      metadata: [{ text: 'four', stars: 3 }],
      deleteFilter: { stars: 3 },
    })
    expect(await store.upsert({ indexName: 'docs', ids: ['a'], vectors: [[0, 0, 1]] })).toEqual(['a'])
    expect(await store.describeIndex({ indexName: 'docs' })).toEqual({
      dimension: 3,
      count: 3,
      metric: 'cosine',
    })
    const found = await store.query({ indexName: 'docs', queryVector: [0, 0, 1], topK: 10 })
    expect(new Set(found.map((each) => each.id))).toEqual(new Set(['a', 'b', id]))
    expect(found[0]).toMatchObject({ id: 'a', metadata: {} })
  })

  it('updates and deletes by id and by filter', async () => {
    const store = await newStore()
    const of = async (id: string) =>
      (await store.query({ indexName: 'docs', queryVector: [0, 1, 0], includeVector: true })).find(
        (each) => each.id === id,
      )
    await store.updateVector({ indexName: 'docs', id: 'a', update: { vector: [0, 1, 0] } })
    expect(await of('a')).toMatchObject({
      vector: [0, 1, 0],
      metadata: { text: 'one', stars: 1, tags: ['x'] },
    })
    await store.updateVector({
      indexName: 'docs',
      filter: { stars: { $gt: 1 } },
      update: { metadata: { old: true } },
    })
    expect(await of('b')).toMatchObject({ vector: [1, 1, 0], metadata: { old: true } })
    expect(await of('c')).toMatchObject({ metadata: { old: true } })
    await store.deleteVectors({ indexName: 'docs', filter: { old: true } })
    expect((await store.describeIndex({ indexName: 'docs' })).count).toBe(1)
    await store.deleteVector({ indexName: 'docs', id: 'a' })
    await store.deleteVectors({ indexName: 'docs', ids: ['a', 'never'] })
    expect((await store.describeIndex({ indexName: 'docs' })).count).toBe(0)

    await expect(
      store.updateVector({ indexName: 'docs', id: 'a', update: { metadata: {} } }),
    ).rejects.toThrow('no vector a')
    await expect(store.updateVector({ indexName: 'docs', id: 'a', update: {} })).rejects.toThrow(
      'nothing to update',
    )
    await expect(store.deleteVectors({ indexName: 'docs', filter: {} })).rejects.toThrow('not empty')
    await expect(store.deleteVectors({ indexName: 'docs' })).rejects.toThrow('either')
  })

  it('keeps indexes apart, and users', async () => {
    const memory = await newMemory()
    const store = await newStore(memory)
    await store.createIndex({ indexName: 'docs/a', dimension: 3 })
    await store.upsert({
      indexName: 'docs/a',
      ids: ['a'],
      vectors: [[1, 0, 0]],
      metadata: [{ of: 'another' }],
    })
    const ada = new MemoryServiceVector(memory, { subject: 'ada' })
    await ada.createIndex({ indexName: 'docs', dimension: 3 })
    await ada.upsert({ indexName: 'docs', ids: ['a'], vectors: [[1, 0, 0]], metadata: [{ of: 'ada' }] })

    expect((await store.listIndexes()).toSorted()).toEqual(['docs', 'docs/a'])
    expect(await ada.listIndexes()).toEqual(['docs'])
    expect(await store.query({ indexName: 'docs/a', queryVector: [1, 0, 0] })).toMatchObject([
      { id: 'a', metadata: { of: 'another' } },
    ])
    expect(await ada.query({ indexName: 'docs', queryVector: [1, 0, 0] })).toMatchObject([
      { metadata: { of: 'ada' } },
    ])
    await ada.updateVector({ indexName: 'docs', id: 'a', update: { metadata: { of: 'her' } } })
    expect(await ada.query({ indexName: 'docs', filter: { of: 'her' } })).toMatchObject([
      { id: 'a', score: 0 },
    ])
    expect(await memory.subjects.get('ada')).toMatchObject({ patterns: 2 })
    expect(() => new MemoryServiceVector(memory.forSubject('ada'))).toThrow('subject beside it')
    await ada.deleteIndex({ indexName: 'docs' })
    expect(await ada.listIndexes()).toEqual([])
    expect((await store.describeIndex({ indexName: 'docs' })).count).toBe(3)
    await store.deleteIndex({ indexName: 'docs' })
    expect(await store.listIndexes()).toEqual(['docs/a'])
  })

  it.each<[unknown, string]>([
    [undefined, 'subject is undefined: give the end user, or leave the key out'],
    [null, 'subject is null: give the end user, or leave the key out'],
    ['', 'A subject is the name of an end user, not ""'],
  ])('is refused with a subject that was lost on the way: %o', async (subject, said) => {
    const memory = await newMemory()
    const make = () => new MemoryServiceVector(memory, { subject } as never)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(said)
  })

  it('says what is wrong with an index', async () => {
    const store = await newStore()
    await store.createIndex({ indexName: 'docs', dimension: 3 })
    await expect(store.createIndex({ indexName: 'docs', dimension: 4 })).rejects.toThrow('dimension')
    await expect(store.createIndex({ indexName: 'far', dimension: 3, metric: 'euclidean' })).rejects.toThrow(
      'cosine',
    )
    await expect(store.describeIndex({ indexName: 'none' })).rejects.toThrow('no index none')
    await expect(store.upsert({ indexName: 'none', vectors: [[1, 0, 0]] })).rejects.toThrow('no index none')
    await expect(store.upsert({ indexName: 'docs', vectors: [[1, 0]] })).rejects.toThrow('has 2 numbers')
    for (const asked of [{ queryVector: [1, 0, 0] }, { filter: { stars: 1 } }]) {
      await expect(store.query({ indexName: 'none', ...asked })).rejects.toThrow('no index none')
    }
    await expect(store.query({ indexName: 'docs', queryVector: [1, 0] })).rejects.toThrow('has 2 numbers')
    const update = { vector: [1, 0] }
    for (const which of [{ id: 'a' }, { filter: { stars: 1 } }]) {
      await expect(store.updateVector({ indexName: 'docs', ...which, update })).rejects.toThrow(
        'has 2 numbers',
      )
      await expect(store.updateVector({ indexName: 'none', ...which, update })).rejects.toThrow(
        'no index none',
      )
    }
    // Nothing of it was changed.
    const found = await store.query({ indexName: 'docs', queryVector: [1, 0, 0], includeVector: true })
    expect(found[0]).toMatchObject({ id: 'a', vector: [1, 0, 0] })
  })
})
