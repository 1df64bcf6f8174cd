import type { Found, Shard } from '@memory/memory/index/shard'
import { SpaceIndex } from '@memory/memory/index/space-index'
import { EarlySearches } from '@memory/memory/vectors/early-searches'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

const requester = { organizationId: 'Ada', spaceId: 'Ada, live' }
const key = Float32Array.of(1, 0, 0)
const expected = { query: key, k: 3, minScore: -1 }
const search = { k: 3, minScore: -1, textOnly: false }

function newSearches(version: number) {
  const index = new SpaceIndex(version)
  index.put([{ idx: 0, key, isText: false, sourceDim: null, expiresAt: null, tier: 'hot' }])
  const found: Found = { labels: Int32Array.of(0), scores: Float64Array.of(1) }
  const searches = new EarlySearches({ search: async () => found }, { peek: () => index })
  return { searches, index, shard: index.shard(3) as Shard, found }
}

it('hands a search on that began at the version a caller expects, or a later one', async () => {
  const { searches, index, shard, found } = newSearches(7)
  searches.begin(requester, expected)
  index.version = 9
  expect(await searches.take({ spaceVersion: 7 }, index, shard, key, search)).toBe(found)
  expect(searches.take({ spaceVersion: 8 }, index, shard, key, search)).toBeUndefined()
})

it.each([
  ['another number of results', { ...search, k: 4 }],
  ['another least score', { ...search, minScore: 0 }],
  ['texts only', { ...search, textOnly: true }],
  ['some patterns only', { ...search, allowed: new Uint8Array(1) }],
])('does not hand it on for %s', (_name, other) => {
  const { searches, index, shard } = newSearches(7)
  searches.begin(requester, expected)
  expect(searches.take({ spaceVersion: 7 }, index, shard, key, other)).toBeUndefined()
})

it('does not hand it on for another vector or another reading of the space', () => {
  const { searches, index, shard } = newSearches(7)
  const again = newSearches(7)
  searches.begin(requester, expected)
  expect(searches.take({ spaceVersion: 7 }, index, shard, key.slice(), search)).toBeUndefined()
  expect(searches.take({ spaceVersion: 7 }, again.index, again.shard, key, search)).toBeUndefined()
})

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

it('searches once a query, with what was stored, removed and stored elsewhere before it', async () => {
  const client = await server.newClient()
  const { memory } = server.context
  const searched = vi.spyOn(memory.compute, 'search')
  const vector = (...start: number[]) => [...start, ...new Array<number>(40 - start.length).fill(0)]
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
