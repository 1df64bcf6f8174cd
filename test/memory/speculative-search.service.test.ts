import { newApiKey } from '@memory/identity/keys/api-key'
import { revokeKey } from '@memory/identity/keys/service'
import type { Found, Shard } from '@memory/memory/index/shard'
import { SpaceIndex } from '@memory/memory/index/space-index'
import { SpeculativeSearches } from '@memory/memory/vectors/speculative-search'
import type { Caller } from '@memory/shared/catalogue/operation'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

const key = Float32Array.of(1, 0, 0)
const expected = { query: key, k: 3, minScore: -1 }
const search = { k: 3, minScore: -1, textOnly: false }
const { signal } = new AbortController()
const keyHash = newApiKey('live')

const owned = async (name: string) => ({
  caller: { organizationId: name, spaceId: `${name}, live` } as Caller,
})
const refused = () => Promise.reject(new Error('refused'))
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Searches in a space that is in memory, for a key that was accepted before. */
async function newSearches(version: number) {
  const index = new SpaceIndex(version)
  index.put([{ idx: 0, key, isText: false, sourceDim: null, expiresAt: null, tier: 'hot' }])
  const found: Found = { labels: Int32Array.of(0), scores: Float64Array.of(1) }
  const begun: string[] = []
  const searches = new SpeculativeSearches(
    {
      search: async ({ organizationId }) => {
        begun.push(organizationId)
        return found
      },
    },
    {
      peek: (spaceId) => {
        begun.push(spaceId)
        return index
      },
    },
  )
  const ask = async (hash: string, identifying: ReturnType<typeof owned>) => {
    searches.begin({ keyHash: hash, identifying, signal }, expected)
    await nextTurn()
  }
  await ask(keyHash, owned('Ada'))
  return { searches, index, shard: index.shard(3) as Shard, found, begun, ask }
}

it('begins for keys that were accepted, for their organization and space, until they are refused', async () => {
  const { begun, ask } = await newSearches(7)
  const other = newApiKey('live')
  await ask(other, owned('Ben'))
  expect(begun).toEqual([])
  await ask(keyHash, owned('Ada'))
  await ask(other, owned('Ben'))
  expect(begun.splice(0)).toEqual(['Ada, live', 'Ada', 'Ben, live', 'Ben'])
  await ask(keyHash, refused())
  expect(begun.splice(0)).toEqual(['Ada, live', 'Ada'])
  await ask(keyHash, refused())
  expect(begun).toEqual([])
  await ask(other, owned('Ben'))
  expect(begun).toEqual(['Ben, live', 'Ben'])
})

it('hands a search on that began at the version a caller expects, or a later one', async () => {
  const { searches, index, shard, found, ask } = await newSearches(7)
  await ask(keyHash, owned('Ada'))
  index.version = 9
  expect(await searches.take({ spaceVersion: 7 }, shard, key, search)).toBe(found)
  expect(searches.take({ spaceVersion: 8 }, shard, key, search)).toBeUndefined()
})

it.each([
  ['another number of results', { ...search, k: 4 }],
  ['another least score', { ...search, minScore: 0 }],
  ['texts only', { ...search, textOnly: true }],
  ['some patterns only', { ...search, allowed: new Uint8Array(1) }],
])('does not hand it on for %s', async (_name, other) => {
  const { searches, shard, ask } = await newSearches(7)
  await ask(keyHash, owned('Ada'))
  expect(searches.take({ spaceVersion: 7 }, shard, key, other)).toBeUndefined()
})

it('does not hand it on for another vector or another reading of the space', async () => {
  const { searches, shard, ask } = await newSearches(7)
  const again = await newSearches(7)
  await ask(keyHash, owned('Ada'))
  expect(searches.take({ spaceVersion: 7 }, shard, key.slice(), search)).toBeUndefined()
  expect(searches.take({ spaceVersion: 7 }, again.shard, key, search)).toBeUndefined()
})

it('does not hand it on once a pattern has expired that was there when it began', async () => {
  const { searches, index, shard, ask } = await newSearches(7)
  index.put([{ idx: 1, key, isText: false, sourceDim: null, expiresAt: new Date(1), tier: 'hot' }])
  await ask(keyHash, owned('Ada'))
  index.expire(new Date(1))
  expect(searches.take({ spaceVersion: 7 }, shard, key, search)).toBeUndefined()
})

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => vi.restoreAllMocks())

afterAll(() => server.close())

const vector = (...start: number[]) => [...start, ...new Array<number>(40 - start.length).fill(0)]

it('searches once a query, with what was stored, removed and stored elsewhere before it', async () => {
  const client = await server.newClient()
  const { memory } = server.context
  const searched = vi.spyOn(memory.compute, 'search')
  const store = (value: number) =>
    client.post('/v1/memory/store', { key: vector(1, value / 10), value: [value] })
  const values = async () => {
    const { body } = await client.post('/v1/memory/query', { embedding: vector(1), top_k: 10 })
    return body.results.map(({ value }: { value: number[] }) => value[0])
  }
  await store(1)
  expect(await values()).toEqual([1])
  await store(2)
  searched.mockClear()
  expect(await values()).toEqual([1, 2])
  expect(searched).toHaveBeenCalledTimes(1)
  // As a change of another process: the index here hears of it by the version that authentication sees.
  const committed = vi.spyOn(memory.spaces, 'committed').mockReturnValue(undefined)
  await store(3)
  await client.delete('/v1/memory/pattern', vector(1, 0.1))
  committed.mockRestore()
  expect(await values()).toEqual([2, 3])
})

it('finds as many as were asked for in the first query after the nearest has expired', async () => {
  const client = await server.newClient()
  const { compute, spaces } = server.context.memory
  const store = (pattern: object) => client.post('/v1/memory/store', pattern)
  const nearest = async () => {
    const { body } = await client.post('/v1/memory/query', { embedding: vector(1), top_k: 1 })
    return body.results.map(({ value }: { value: number[] }) => value[0])
  }
  const expires_at = new Date(server.clock.now().getTime() + 60_000).toISOString()
  await store({ key: vector(1, 1), value: [1] })
  await store({ key: vector(1), value: [2], expires_at })
  expect(await nearest()).toEqual([2])
  server.clock.advance(60_000)
  const searched = vi.spyOn(compute, 'search')
  const get = spaces.get.bind(spaces)
  vi.spyOn(spaces, 'get').mockImplementationOnce(async (...asked) => {
    // What began before the space is asked for has ended by then.
    await Promise.all(searched.mock.results.map(({ value }) => value))
    return get(...asked)
  })
  expect(await nearest()).toEqual([1])
})

it('K4 makes no work for a revoked key after its first refusal, which is a 401 like any other', async () => {
  const client = await server.newClient()
  const { database, memory } = server.context
  await client.post('/v1/memory/store', { key: vector(1), value: [1] })
  const searched = vi.spyOn(memory.compute, 'search')
  // Each with a vector of its own, by which its searches are told.
  const ask = async (first: number) => {
    const { status } = await client.post('/v1/memory/query', { embedding: vector(first) })
    await nextTurn()
    return [status, searched.mock.calls.filter(([, , query]) => query[0] === first).length]
  }
  expect(await ask(2)).toEqual([200, 1])
  expect(await ask(3)).toEqual([200, 1])
  await revokeKey(database.queries, client.organizationId, client.keyId)
  expect(await ask(4)).toEqual([401, 1])
  expect(await ask(5)).toEqual([401, 0])
})
