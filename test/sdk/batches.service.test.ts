import { createHash } from 'node:crypto'
import { limits } from '@memory/shared/catalogue/limits'
import { MemoryClient, type MemoryError, RateLimitError, ValidationError } from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { rejection } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Request {
  body: Record<string, unknown[]>
  key: string | null
}

/** A client of a new organization, and what it sent. */
async function newMemory(options?: Parameters<TestServer['newClient']>[0]) {
  const { key } = await server.newClient(options)
  const sent: Request[] = []
  const memory = new MemoryClient({
    apiKey: key,
    baseUrl: server.url,
    maxRetries: 0,
    fetch: (url, init) => {
      const body = JSON.parse(init.body as string)
      sent.push({ body, key: (init.headers as Headers).get('idempotency-key') })
      return fetch(url, init)
    },
  })
  return { memory, sent }
}

const texts = (count: number) => Array.from({ length: count }, (_, n) => `Fact ${n}.`)
const items = (count: number) => texts(count).map((text) => ({ text }))

describe('a batch beyond what a request may hold', () => {
  const beyond = 2 * limits.batchStoreItems + 3

  it('is stored in several, and answered as one, in order', async () => {
    const { memory, sent } = await newMemory()
    const answer = await memory.text.batchStore({ items: items(beyond), on_conflict: 'skip' })
    expect(sent.map(({ body }) => [body.items?.length, body.on_conflict])).toEqual([
      [limits.batchStoreItems, 'skip'],
      [limits.batchStoreItems, 'skip'],
      [3, 'skip'],
    ])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
    expect(answer).toMatchObject({ stored: beyond, failed: 0, created: Array(beyond).fill(true) })
    const { patterns } = await memory.patterns.getMany({ pattern_ids: answer.pattern_ids })
    expect(patterns.map((pattern) => pattern?.text)).toEqual(texts(beyond))
  })

  it('that is repeated under a key is stored once', async () => {
    const { memory, sent } = await newMemory()
    const store = () => memory.text.batchStore({ items: items(beyond) }, { idempotencyKey: 'mine' })
    expect((await store()).pattern_ids).toEqual((await store()).pattern_ids)
    expect(sent.slice(0, 3).map(({ key }) => key)).toEqual(['mine-1', 'mine-2', 'mine-3'])
    expect((await memory.patterns.count({})).count).toBe(beyond)
  })

  it.each([
    ['has room for the part', 'k'.repeat(253), 'k'.repeat(253)],
    ['has none', 'k'.repeat(254), createHash('sha256').update('k'.repeat(254)).digest('hex')],
    ['is as long as one may be', `ключ${'🍵'.repeat(251)}`, undefined],
  ])('is stored once under a key that %s', async (_, key, sentAs) => {
    const { memory, sent } = await newMemory()
    const store = () => memory.text.batchStore({ items: items(beyond) }, { idempotencyKey: key })
    expect((await store()).pattern_ids).toEqual((await store()).pattern_ids)
    const expected = sentAs ?? createHash('sha256').update(key).digest('hex')
    const keys = [1, 2, 3].map((part) => `${expected}-${part}`)
    expect(sent.map(({ key }) => key)).toEqual([...keys, ...keys])
    expect((await memory.patterns.count({})).count).toBe(beyond)
  })

  it('tells, where it fails on the way, what was stored and which item it was', async () => {
    const { memory } = await newMemory()
    const broken = items(beyond).with(limits.batchStoreItems + 7, { text: '' })
    const error = (await rejection(memory.text.batchStore({ items: broken }))) as ValidationError
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.issues).toMatchObject([{ loc: ['body', 'items', limits.batchStoreItems + 7, 'text'] }])
    expect(error.message).toContain(`body.items.${limits.batchStoreItems + 7}.text: `)
    expect(error.partial).toMatchObject({
      items: limits.batchStoreItems,
      answer: { stored: limits.batchStoreItems, failed: 0 },
    })
    expect((await memory.patterns.count({})).count).toBe(limits.batchStoreItems)
  })

  it('tells so of any error, such as a quota', async () => {
    const { memory } = await newMemory({ plan: 'free' })
    const vectors = Array.from({ length: limits.batchPatterns }, () => ({ key: [1], value: [1] }))
    await memory.vectors.batchStore({ patterns: vectors.slice(0, limits.batchPatterns - 60) })
    const error = (await rejection(memory.text.batchStore({ items: items(beyond) }))) as RateLimitError
    expect(error).toBeInstanceOf(RateLimitError)
    // Of the second request there was room for ten.
    expect(error.partial).toMatchObject({
      items: 2 * limits.batchStoreItems,
      answer: { stored: 60, failed: 40 },
    })
  })

  it('says nothing of a part where the first request fails', async () => {
    const { memory } = await newMemory()
    const error = await rejection(memory.text.batchStore({ items: items(beyond).with(0, { text: '' }) }))
    expect((error as MemoryError).partial).toBeUndefined()
  })

  it('of queries, texts to embed and keys is answered in order', async () => {
    const { memory, sent } = await newMemory()
    const count = limits.embeddedTexts + 2
    const { embeddings, dim } = await memory.text.embed({ texts: texts(count) })
    const { data, usage } = await memory.text.createEmbeddings({ input: texts(count) })
    expect([embeddings?.length, dim]).toEqual([count, limits.embeddingDimensions])
    expect(data.map(({ index }) => index)).toEqual(texts(count).map((_, n) => n))
    expect(data.at(-1)?.embedding).toEqual(embeddings?.at(-1))
    expect(usage.total_tokens).toBeGreaterThan(count)
    await memory.vectors.batchStore({
      patterns: [
        { key: [1, 0], value: [1] },
        { key: [0, 1], value: [2] },
      ],
    })
    const queries = Array.from({ length: limits.batchQueries + 1 }, (_, n) => ({
      embedding: n === limits.batchQueries ? [0, 1] : [1, 0],
    }))
    const { results } = await memory.vectors.batchRetrieve({ queries })
    expect(results).toHaveLength(queries.length)
    expect([results[0]?.[0]?.value, results.at(-1)?.[0]?.value]).toEqual([[1], [2]])
    expect(sent).toHaveLength(2 + 2 + 1 + 2)
  })

  it('in bytes is split as well', async () => {
    const { memory, sent } = await newMemory()
    // Each number takes 18 characters.
    const key = Array.from({ length: limits.vectorDimensions }, (_, n) => Math.sin(n + 1))
    const count = Math.ceil(limits.batchBodyBytes / JSON.stringify({ key, value: [0] }).length) + 1
    const patterns = Array.from({ length: count }, (_, n) => ({ key, value: [n] }))
    const answer = await memory.vectors.batchStore({ patterns })
    expect(answer).toMatchObject({ stored: count, failed: 0 })
    expect(sent.length).toBe(2)
    expect(sent.flatMap(({ body }) => body.patterns)).toHaveLength(count)
  }, 120_000)
})

it('a batch without items, or that is none, is the service’s to refuse', async () => {
  const { memory, sent } = await newMemory()
  expect(await rejection(memory.text.batchStore({ items: [] }))).toBeInstanceOf(ValidationError)
  const none = { items: 'Ada' } as unknown as { items: [] }
  expect(await rejection(memory.text.batchStore(none))).toBeInstanceOf(ValidationError)
  expect((await memory.text.embed({ text: 'one' })).embedding).toHaveLength(limits.embeddingDimensions)
  expect(sent).toHaveLength(3)
})
