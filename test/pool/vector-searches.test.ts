import { accel } from '@memory/accel'
import {
  blockNumbersMax,
  blocksOf,
  Scheduler,
  smallAloneNumbers,
  smallNumbers,
} from '@memory/api/pool/scheduler'
import type { ThreadPool } from '@memory/api/pool/thread-pool'
import type { Matrix } from '@memory/engine/kernels/kernels'
import { tiers } from '@memory/engine/tiers'
import { bitsOf } from '@memory/memory/index/bits'
import { JavascriptShard } from '@memory/memory/index/javascript-shard'
import { searchShard } from '@memory/memory/index/search-shard'
import type { Shard, ShardSearch } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import { readConfig } from '@memory/shared/platform/config'
import { Piscina } from 'piscina'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'

const { encoderDir } = readConfig({})
const options = { encoderDir, dimensions: 384, threads: 2, cacheBytes: 1_000_000 }
const observer = { encoded: () => {}, cacheLookup: () => {} }
/** A row of fewer counts as much; a shard has codes to look at first. */
const dimensions = 256
const smallRows = Math.floor(smallNumbers / dimensions)
const loneRows = Math.floor(smallAloneNumbers / dimensions)

const ada = { organizationId: 'Ada' }
const ben = { organizationId: 'Ben' }
const search: ShardSearch = { k: 10, minScore: -1, textOnly: false }

let pool: Scheduler
let ofJavascript: MockInstance<Piscina['run']>
let ofNode: MockInstance<NonNullable<typeof accel>['searchShardLater']> | undefined

beforeAll(async () => {
  pool = await Scheduler.start(options, observer)
})

beforeEach(() => {
  ofJavascript = vi.spyOn(Piscina.prototype, 'run')
  ofNode = accel === null ? undefined : vi.spyOn(accel, 'searchShardLater')
})

afterEach(() => {
  ofJavascript.mockRestore()
  ofNode?.mockRestore()
})

afterAll(() => pool.close())

/** A shard with so many rows; some are text, and some of another tier where `isMixed`. */
function newFilledShard(rows: number, isMixed = false, shard = newShard(dimensions, null)): Shard {
  const random = randomFrom(rows)
  shard.put(
    Array.from({ length: rows }, (_, idx) => ({
      idx,
      key: randomVector(random, dimensions, false),
      isText: random() < 0.7,
      tier: tiers[isMixed ? Math.floor(random() * tiers.length) : 0] as (typeof tiers)[number],
    })),
  )
  return shard
}

const none = { labels: new Int32Array(), scores: new Float64Array() }

/** A scheduler whose threads search by a function. */
function newScheduler(
  searchInThread: (task: {
    target: { matrix: Matrix }
    queries: readonly Float32Array[]
  }) => Promise<(typeof none)[]>,
): Scheduler {
  return new Scheduler({ run: searchInThread } as unknown as ThreadPool, 4)
}

function newQueries(count: number, seed = 1): Float32Array[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => randomVector(random, dimensions, false))
}

/** How many queries threads were handed at a time: those of Node, then those of JavaScript. */
const blockSizes = (): number[] => [
  ...(ofNode?.mock.calls ?? []).map(([, queries]) => queries.length / dimensions),
  ...ofJavascript.mock.calls.map(([task]) => (task as { queries: readonly Float32Array[] }).queries.length),
]

describe('concurrent searches', () => {
  it('go to a thread only where together they are much', async () => {
    for (const [rows, count, messages] of [
      [10, 1, 0],
      [loneRows, 1, 0],
      [loneRows + 1, 1, 1],
      [Math.floor(smallRows / 2), 2, 0],
      [Math.floor(smallRows / 2) + 1, 2, 1],
      [Math.floor(smallRows / 4), 4, 0],
      [Math.floor(smallRows / 4), 5, 1],
    ] as const) {
      const shard = newFilledShard(rows)
      const queries = newQueries(count)
      ofJavascript.mockClear()
      ofNode?.mockClear()
      const found = await Promise.all(queries.map((query) => pool.search(ada, shard, query, search)))
      expect(blockSizes(), `${count} of ${rows} rows`).toHaveLength(messages)
      expect(found).toEqual(queries.map((query) => searchShard(shard.target, query, search)))
    }
  })

  it('go to a thread while another one is under way there, and alone do not', async () => {
    const finish: (() => void)[] = []
    const searches = newScheduler(
      ({ queries }) => new Promise((resolve) => finish.push(() => resolve(queries.map(() => none)))),
    )
    const [query] = newQueries(1) as [Float32Array]
    const medium = newFilledShard(loneRows, false, new JavascriptShard(dimensions))
    const large = { scannedRows: loneRows + 1, dimensions, target: medium.target } as Shard
    const inThread = [large, medium].map(async (shard, i) => {
      const found = searches.search(ada, shard, query, search)
      searches.flush()
      expect(finish).toHaveLength(i + 1)
      return found
    })
    for (const end of finish) end()
    expect(await Promise.all(inThread)).toEqual([none, none])
    const here = await searches.search(ada, medium, query, search)
    expect(finish).toHaveLength(2)
    expect(here).toEqual(searchShard(medium.target, query, search))
  })

  it('go as blocks, also those that come while threads are busy', async () => {
    const shard = newFilledShard(smallRows + 1)
    const queries = newQueries(100)
    const first = queries.slice(0, 2).map((query) => pool.searchMany(ada, shard, [query], search))
    const rest = queries.slice(2).map(async (query, i) => {
      // In another turn of the event loop, when both threads have been given something to do.
      if (i % 2 === 1) await new Promise((resolve) => setImmediate(resolve))
      return pool.search(ada, shard, query, search)
    })
    const found = [...(await Promise.all(first)).flat(), ...(await Promise.all(rest))]
    expect(found).toEqual(queries.map((query) => searchShard(shard.target, query, search)))
    const sizes = blockSizes()
    expect(sizes.reduce((sum, size) => sum + size)).toBe(100)
    expect(sizes.length).toBeLessThan(30)
  })

  it.skipIf(accel === null)('go to threads of Node unless they take long', async () => {
    const queries = newQueries(16)
    for (const rows of [smallRows, loneRows]) {
      const shard = newFilledShard(rows)
      const found = await pool.searchMany(ada, shard, queries, search)
      expect(found).toEqual(queries.map((query) => searchShard(shard.target, query, search)))
    }
    expect(ofNode?.mock.calls).toHaveLength(options.threads)
    expect(ofJavascript).toHaveBeenCalledTimes(options.threads)
  })

  it('of one call go as blocks that take all threads, unless they are little to do, and none takes long', () => {
    const sizes = (rows: number, count: number) =>
      blocksOf(
        { scannedRows: rows, dimensions, target: { kind: 'native' } } as Shard,
        newQueries(count),
        2,
      ).map(({ length }) => length)
    expect(sizes(1, 64)).toEqual([64])
    expect(sizes(smallRows, 1)).toEqual([1])
    expect(sizes(smallRows, 5)).toEqual([3, 2])
    const longest = blockNumbersMax / dimensions
    expect(sizes(longest / 10, 64)).toEqual([10, 10, 10, 10, 10, 10, 4])
    expect(sizes(longest, 20)).toEqual([8, 8, 4])
    expect(sizes(longest, 0)).toEqual([])
  })

  it('share nothing with searches of other organizations, shards or settings', async () => {
    const [one, other] = [newFilledShard(smallRows + 1), newFilledShard(smallRows + 2)]
    const [query] = newQueries(1) as [Float32Array]
    await Promise.all([
      pool.search(ada, one, query, search),
      pool.search(ben, one, query, search),
      pool.search(ada, other, query, search),
      pool.search(ada, one, query, { ...search, k: 11 }),
    ])
    expect(blockSizes()).toEqual([1, 1, 1, 1])
  })

  // Below and above what is searched on the main thread, and in each of the ways a shard looks at its rows.
  it.each([
    [40, true],
    [3_000, true],
    [3_000, false],
    [25_000, true],
    [25_000, false],
  ])('find what each would find alone: %d rows, in all tiers: %s', async (rows, isMixed) => {
    const shard = newFilledShard(rows, isMixed)
    const random = randomFrom(rows + 1)
    const someRows = Array.from({ length: rows }, (_, idx) => idx).filter(() => random() < 0.3)
    const settings: ShardSearch[] = [
      search,
      { ...search, k: 3 },
      { ...search, minScore: 0.2 },
      { ...search, textOnly: true },
      { ...search, allowed: bitsOf(someRows) },
      { ...search, k: rows, minScore: 0.3, textOnly: true },
    ]
    const asked = newQueries(90, rows).map((query) => {
      return { query, settings: settings[Math.floor(random() ** 2 * settings.length)] as ShardSearch }
    })
    const found = await Promise.all(asked.map((one) => pool.search(ada, shard, one.query, one.settings)))
    expect(found).toEqual(asked.map((one) => searchShard(shard.target, one.query, one.settings)))
  })

  it.each([50, smallRows + 1])('fail alone: %d rows', async (rows) => {
    const shard = newFilledShard(rows)
    const queries = newQueries(6)
    queries[2]?.fill(Number.NaN)
    queries[4] = new Float32Array(dimensions - 1).fill(1)
    const found = await Promise.allSettled(queries.map((query) => pool.search(ada, shard, query, search)))
    const alone = await Promise.allSettled(
      queries.map(async (query) => searchShard(shard.target, query, search)),
    )
    expect(found.map(({ status }) => status)).toEqual(alone.map(({ status }) => status))
    for (const i of [0, 1, 3, 5]) expect(found[i]).toEqual(alone[i])
  })

  it.each([50, smallRows + 1])('of clients that hang up are dropped: %d rows', async (rows) => {
    const shard = newFilledShard(rows)
    const client = new AbortController()
    const queries = newQueries(3)
    const [first, dropped, last] = queries.map((query, i) =>
      pool.search(i === 1 ? { ...ada, signal: client.signal } : ada, shard, query, search),
    )
    client.abort()
    await expect(dropped).rejects.toMatchObject({ code: 'abandoned' })
    expect(await Promise.all([first, last])).toEqual(
      [queries[0], queries[2]].map((query) => searchShard(shard.target, query as Float32Array, search)),
    )
  })

  it('that were asked for are answered when the pool is closed in the same turn', async () => {
    const closing = await Scheduler.start(options, observer)
    const shard = newFilledShard(loneRows + 1)
    const [query] = newQueries(1) as [Float32Array]
    const asked = closing.search(ada, shard, query, search)
    await closing.close()
    expect(await asked).toEqual(searchShard(shard.target, query, search))
    await expect(closing.search(ada, shard, query, search)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('of shards so large that none would share a block start at once', async () => {
    const started: number[] = []
    const searches = newScheduler(async ({ target, queries }) => {
      started.push(target.matrix.count)
      return queries.map(() => none)
    })
    const [query] = newQueries(1) as [Float32Array]
    // Nothing but their measures is asked of these shards.
    const asked = [100_000, 10_000_000].map((count) => {
      const target = { kind: 'matrix', matrix: { count } }
      return searches.search(ada, { scannedRows: count, dimensions, target } as Shard, query, search)
    })
    expect(started).toEqual([10_000_000])
    await Promise.all(asked)
    expect(started).toEqual([10_000_000, 100_000])
  })
})
