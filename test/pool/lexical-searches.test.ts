import { accel } from '@memory/accel'
import { Scheduler, smallAloneLexical, smallTexts } from '@memory/api/pool/scheduler'
import type { ThreadPool } from '@memory/api/pool/thread-pool'
import { bitsOf } from '@memory/memory/index/bits'
import { JavascriptLexical } from '@memory/memory/index/javascript-lexical'
import type { LexicalIndex } from '@memory/memory/index/lexical-index'
import { newLexical } from '@memory/memory/index/lexical-indexes'
import { scoreLexical, searchLexical } from '@memory/memory/index/search-lexical'
import type { Shard } from '@memory/memory/index/shard'
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

const { encoderDir } = readConfig({})
const options = { encoderDir, dimensions: 384, threads: 2, cacheBytes: 1_000_000 }
const ada = { organizationId: 'Ada' }

let pool: Scheduler
let handedOver: MockInstance<Piscina['run']>

beforeAll(async () => {
  pool = await Scheduler.start(options, { encoded: () => {}, cacheLookup: () => {} })
})

beforeEach(() => {
  handedOver = vi.spyOn(Piscina.prototype, 'run')
})

afterEach(() => handedOver.mockRestore())

afterAll(() => pool.close())

async function newFilled(count: number, index: LexicalIndex = newLexical()): Promise<LexicalIndex> {
  await index.put(
    Array.from({ length: count }, (_, idx) => ({ idx, text: `text ${idx % 17} of ${idx % 5}` })),
  )
  return index
}

describe('lexical searches in the pool', () => {
  it('find on the main thread and in another what the index has', async () => {
    const long = 'text 3 '.repeat(Math.ceil(smallAloneLexical / smallTexts / 7))
    for (const [count, query, inThread] of [
      [smallTexts, long, 0],
      [smallTexts + 1, long, accel === null ? 0 : 1],
      [smallTexts + 1, 'text 3', 0],
    ] as const) {
      const index = await newFilled(count)
      handedOver.mockClear()
      const allowed = bitsOf([3, 20, 21, 5_000])
      for (const bits of [undefined, allowed]) {
        expect(await pool.searchLexical(ada, index, query, 10, bits)).toEqual(
          searchLexical(index.target, query, 10, bits),
        )
      }
      expect(handedOver).toHaveBeenCalledTimes(2 * inThread)
    }
  })

  it('go to threads where another is under way, but for few texts', async () => {
    for (const [count, inThreads] of [
      [smallTexts, 0],
      [smallTexts + 1, accel === null ? 0 : 2],
    ] as const) {
      const index = await newFilled(count)
      handedOver.mockClear()
      const queries = ['text 3', 'text 4', 'of 1']
      const found = await Promise.all(queries.map((query) => pool.searchLexical(ada, index, query, 10)))
      expect(found).toEqual(queries.map((query) => searchLexical(index.target, query, 10)))
      expect(handedOver).toHaveBeenCalledTimes(inThreads)
    }
  })

  it('score many patterns in a thread, few at once', async () => {
    const index = await newFilled(2_000)
    for (const [count, inThread] of [
      [1_000, 0],
      [1_500, accel === null ? 0 : 1],
    ] as const) {
      handedOver.mockClear()
      const labels = Int32Array.from({ length: count }, (_, idx) => idx)
      expect(await pool.scoreLexical(ada, index, 'text 3', labels)).toEqual(
        scoreLexical(index.target, 'text 3', labels),
      )
      expect(handedOver).toHaveBeenCalledTimes(inThread)
    }
  })

  it.skipIf(accel === null)('wait for what else their turn brings to be handed to threads', async () => {
    const order: string[] = []
    const none = { labels: new Int32Array(), scores: new Float64Array() }
    const run = async () => {
      order.push('vector search')
      return [none]
    }
    const scheduler = new Scheduler({ run } as unknown as ThreadPool, 2)
    const found = vi.spyOn(accel as NonNullable<typeof accel>, 'searchLexicon').mockImplementation(() => {
      order.push('lexical search')
      return { ...none, matched: 0, mean: 0, deviation: 0, full: 0 }
    })
    const index = { size: smallTexts + 1, target: { kind: 'native', id: 1 } } as LexicalIndex
    const shard = { scannedRows: 100_000, dimensions: 100, target: { kind: 'matrix' } } as Shard
    await Promise.all([
      scheduler.searchLexical(ada, index, 'text', 5),
      scheduler.search(ada, shard, new Float32Array(100), { k: 5, minScore: -1, textOnly: true }),
    ])
    found.mockRestore()
    expect(order).toEqual(['vector search', 'lexical search'])
  })

  it('search an index in JavaScript where it is', async () => {
    const index = await newFilled(smallTexts + 1, new JavascriptLexical())
    expect((await pool.searchLexical(ada, index, 'text', 5)).matched).toBe(smallTexts + 1)
    expect(handedOver).not.toHaveBeenCalled()
  })

  it('do nothing for a client that hung up', async () => {
    const index = await newFilled(10)
    const requester = { ...ada, signal: AbortSignal.abort() }
    await expect(pool.searchLexical(requester, index, 'text', 5)).rejects.toMatchObject({ code: 'abandoned' })
    await expect(pool.scoreLexical(requester, index, 'text', Int32Array.of(1))).rejects.toMatchObject({
      code: 'abandoned',
    })
  })
})
