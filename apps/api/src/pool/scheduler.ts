/**
 * Where each piece of work runs: the table of modes.
 *
 * Modes
 *
 * - main       On the main thread, at once.
 * - turnEnd    On the main thread later: when all that this turn of the event loop brings has been read. Vector searches
 *              are then decided about together, and what is for threads is handed to them first.
 * - libuv      In one of the four threads that Node has for files: there and back takes 0.05 ms.
 * - pool       In a thread of the pool: a message there and its answer take 0.15 to 0.2 ms, for texts 0.5 ms.
 * - poolHeavy  In a thread of the pool, after what is light, whoever asked for it (see `FairQueue`).
 *
 * In libuv, pool and poolHeavy organizations take turns, and within each the end users whom callers are bound to. Numbers
 * are those that a search compares with: the rows that it scans, in lists as many as late searches have, times their
 * dimensions, but 256 at least, of which the addon takes as long for a row as of fewer.
 *
 * | Work                     | Condition                            | Mode      | Measured                           |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | a vector search, as it   | over 32,000,000 numbers: it shares   | a block   | 83,000 rows of 384                 |
 * | comes                    | no block                             |           |                                    |
 * |                          | else: with others of the turn        | turnEnd   |                                    |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | vector searches that may | together 3,840,000 numbers at most,  | main      | 10,000 rows of 384 take 0.1 to 0.2 |
 * | share a block, at the    | without the addon 38,400             |           | ms, a thread 0.05 ms more at best; |
 * | end of their turn        |                                      |           | in JavaScript 250 rows take 0.15   |
 * |                          |                                      |           | ms                                 |
 * |                          | one, 2.5 times as much, and none in  | main      | 20,000 rows of 384, or 100,000 in  |
 * |                          | a thread: nothing is gained by one   |           | lists, take 0.25 to 0.5 ms         |
 * |                          | else                                 | a block   |                                    |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | a block of vector        | 64,000,000 numbers at most           | libuv     | takes 2 to 3 ms, less than         |
 * | searches                 |                                      |           | encoding a text                    |
 * |                          | longer, or without the addon         | pool      | the threads of libuv are four      |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | a lexical search         | 20,000 texts at most, or an index of | main      | 10,000 texts take 0.1 ms, 30,000   |
 * |                          | JavaScript, which is in one thread   |           | 0.2 ms, a thread and back 0.5 ms   |
 * |                          | texts times characters of the query  | turnEnd   | 100,000 texts and 60 characters    |
 * |                          | 8,000,000 at most, no other under    |           | take 0.5 ms                        |
 * |                          | way                                  |           |                                    |
 * |                          | else                                 | pool      |                                    |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | lexical scores           | 1,000 texts at most, or an index of  | main      |                                    |
 * |                          | JavaScript                           |           |                                    |
 * |                          | else                                 | pool      |                                    |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | a text to encode         | 2,000 UTF-16 units at most           | pool      | 128 tokens take up to 30 ms        |
 * |                          | longer: cutting it into tokens may   | poolHeavy | each window of 512 tokens, 170 ms, |
 * |                          | take longer than encoding a short    |           | is a turn of its own               |
 * |                          | one                                  |           |                                    |
 * |--------------------------|--------------------------------------|-----------|------------------------------------|
 * | relaxing                 | slices of 200,000 numbers at most    | poolHeavy | four among 128 keys of 384 take 4  |
 * |                          |                                      |           | ms                                 |
 * | a step of a map          | always                               | poolHeavy | 20,000 keys of 384: 50 steps of 10 |
 * |                          |                                      |           | to 450 ms                          |
 * | timing kernels           | always                               | poolHeavy |                                    |
 */

import type { Iteration, IterationEnd } from '@memory/engine/energy'
import { kernels } from '@memory/engine/kernels/kernels'
import type { Measurer } from '@memory/memory/acceleration/service'
import type { Measurement, Slice } from '@memory/memory/acceleration/stopwatch'
import type { Compute, Requester, Urgency } from '@memory/memory/compute'
import type { LexicalFound, LexicalIndex } from '@memory/memory/index/lexical-index'
import { scoreLexical, searchLexical } from '@memory/memory/index/search-lexical'
import { searchShardInLibuv, searchShardMany } from '@memory/memory/index/search-shard'
import { type Found, isSameSearch, type Shard, type ShardSearch } from '@memory/memory/index/shard'
import type { MapResults, MapStep } from '@memory/memory/map/map-step'
import { ApiError } from '@memory/shared/catalogue/errors'
import { requireAwaited, spending } from '@memory/shared/platform/asker'
import { TickBatcher } from '@memory/shared/platform/tick-batcher'
import { FairQueue, type PoolRequest, type Priority, type Shareable } from './fair-queue.ts'
import { type PoolObserver, type PoolOptions, type StartThreads, ThreadPool } from './thread-pool.ts'

export type Mode = 'main' | 'turnEnd' | 'libuv' | 'pool' | 'poolHeavy'

/** Work as far as its mode depends on it. */
export type Work =
  /** A vector search, as it comes. */
  | { kind: 'vector'; numbers: number; isNative: boolean }
  /** Those of a turn of the event loop that may share a block, and how many searches the turn brought in all. */
  | { kind: 'vectors'; numbers: number; isNative: boolean; inTurn: number }
  /** Vector searches that a thread does in one pass. */
  | { kind: 'block'; numbers: number; isNative: boolean }
  | { kind: 'lexical'; texts: number; queryChars: number; isNative: boolean }
  | { kind: 'lexicalScores'; texts: number; isNative: boolean }
  | { kind: 'encode'; chars: number }
  | { kind: 'relax' | 'map' | 'measure' }

/** Numbers up to which vector searches of one turn are done on the main thread. */
export const smallNumbers = (kernels.name === 'native' ? 10_000 : 100) * 384
/** The same of one search, while no other is in a thread. */
export const smallAloneNumbers = 2.5 * smallNumbers
/** Numbers of a block of several vector searches at most. */
export const blockNumbersMax = 64_000_000
/** Texts up to which a lexical search is done on the main thread. */
export const smallTexts = 20_000
/** Texts times characters of the query up to which it is done there while no other is under way. */
export const smallAloneLexical = 8_000_000
/** Texts that are scored on the main thread at most. */
const fewScores = 1_000
/** The addon takes as long for a row of fewer numbers: 12 ns. */
const rowNumbersMin = 256
/** UTF-16 units of a text whose encoding is light at most. */
const lightChars = 2_000
/** Numbers among which the iterations of one slice relax. */
export const sliceNumbersMax = 200_000

/**
 * Where work runs, by the table at the head of this file.
 * @param underWay vector searches in threads; for a lexical search, other lexical searches that are not done at once
 */
export function modeOf(work: Work, underWay = 0): Mode {
  switch (work.kind) {
    case 'vector':
      return work.numbers > blockNumbersMax / 2 ? modeOf({ ...work, kind: 'block' }) : 'turnEnd'
    case 'vectors': {
      const isAlone = work.inTurn === 1 && underWay === 0
      const isSmall = work.numbers <= (isAlone ? smallAloneNumbers : smallNumbers)
      return isSmall ? 'main' : modeOf({ ...work, kind: 'block' })
    }
    case 'block':
      return work.isNative && work.numbers <= blockNumbersMax ? 'libuv' : 'pool'
    case 'lexical':
      if (!work.isNative || work.texts <= smallTexts) return 'main'
      return underWay === 0 && work.texts * work.queryChars <= smallAloneLexical ? 'turnEnd' : 'pool'
    case 'lexicalScores':
      return !work.isNative || work.texts <= fewScores ? 'main' : 'pool'
    case 'encode':
      return work.chars <= lightChars ? 'pool' : 'poolHeavy'
    case 'relax':
    case 'map':
    case 'measure':
      return 'poolHeavy'
  }
}

/** More searches in one block make none of them cheaper. */
const blockSearchesMax = 32
/** Fewer of one call in a block make each dearer, where rows come from memory. */
const blockSearchesMin = 8
/** Searches that a block must have room for to be waited for, see `oneAtATime`. */
const waitedFor = 8
/** Tasks that may wait; more means that the process is overloaded. */
const waitingInAll = 2_000
/**
 * A few full batches; an organization that wants more than that at a time waits its turn outside. Of its callers those who
 * are bound to no end user may fill 500, those bound to the same one half of it, and less where others wait (see
 * `FairQueue`).
 */
const waitingPerTenant = 625
/** What runs when the process ends may take so long. */
const closeGraceMs = 5_000

/** A search of a shard with one vector. */
export interface VectorSearch {
  shard: Shard
  query: Float32Array
  search: ShardSearch
}

/** A vector search that somebody waits for. */
interface PendingSearch extends PoolRequest<VectorSearch> {
  resolve(found: Found | Promise<Found>): void
  reject(error: unknown): void
}

/** Searches that share a block, at least one. */
type Group = [PendingSearch, ...PendingSearch[]]

/** What is started when a turn of the event loop ends: a vector search, or what waits for the threads to have theirs. */
type Arrival = PendingSearch | (() => void)

type Threads = Pick<
  ThreadPool,
  'dimensions' | 'modelId' | 'knows' | 'embed' | 'cachedEmbeddings' | 'run' | 'close'
>

/**
 * The heavy work of the process: decides where each piece of it runs, and in what order. Vector searches that have all
 * but the vector in common are answered together: those that one turn of the event loop brings, and in threads also
 * those that have come while others were searching.
 */
export class Scheduler implements Compute, Measurer {
  readonly dimensions: number
  readonly modelId: string
  readonly #pool: Threads
  readonly #threads: number
  readonly #queue: FairQueue
  readonly #arriving = new TickBatcher<Arrival>((arrived) => this.#startAll(arrived))
  readonly #blocks: Shareable<VectorSearch, Found>
  #vectorsInThreads = 0
  #lexicalUnderWay = 0

  /** @param threads of the pool */
  constructor(pool: Threads, threads: number) {
    this.dimensions = pool.dimensions
    this.modelId = pool.modelId
    this.#pool = pool
    this.#threads = threads
    this.#queue = new FairQueue({ concurrency: threads, waitingPerTenant, waitingInAll })
    this.#blocks = {
      joins: mayShareBlock,
      most: blockMost,
      only: oneAtATime,
      work: (block) => outcomesOf(block, (some) => this.#searchBlock(...togetherOf(some))),
    }
  }

  /**
   * Starts the threads and waits until each has its encoder open and warm.
   * @param start the threads, if not its own
   * @throws ConfigError when the encoder's files can't be used
   */
  static async start(options: PoolOptions, observer: PoolObserver, start?: StartThreads): Promise<Scheduler> {
    return new Scheduler(await ThreadPool.start(options, observer, start), options.threads)
  }

  /** Tasks that wait for a thread. */
  get queued(): number {
    return this.#queue.waiting
  }

  get cachedEmbeddings(): { entries: number; bytes: number } {
    return this.#pool.cachedEmbeddings
  }

  knows(character: string): boolean {
    return this.#pool.knows(character)
  }

  embed(requester: Requester, text: string, urgency: Urgency = 'store'): Promise<Float32Array> {
    const priority = priorityOf(modeOf({ kind: 'encode', chars: text.length }), urgency)
    return spending('encode', () =>
      this.#pool.embed(requester, text, (step) => this.#queue.runInTurns(requester, priority, step)),
    )
  }

  countTokens(requester: Requester, texts: readonly string[], urgency: Urgency = 'store'): Promise<number[]> {
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    const priority = priorityOf(modeOf({ kind: 'encode', chars }), urgency)
    return spending('encode', () =>
      this.#queue.run(requester, priority, () => this.#pool.run({ kind: 'tokens', texts })),
    )
  }

  search(requester: Requester, shard: Shard, query: Float32Array, search: ShardSearch): Promise<Found> {
    const searching = () =>
      new Promise<Found>((resolve, reject) => {
        const pending = { requester, item: { shard, query, search }, resolve, reject }
        if (modeOf({ kind: 'vector', ...sizeOf(shard) }) === 'turnEnd') this.#arriving.add(pending)
        else this.#searchInThreads([pending])
      })
    return spending('search', searching)
  }

  async searchMany(
    requester: Requester,
    shard: Shard,
    queries: readonly Float32Array[],
    search: ShardSearch,
  ): Promise<Found[]> {
    const found: Found[][] = []
    const blocks = blocksOf(shard, queries, this.#threads).entries()
    // One iterator for all threads, so that no more blocks wait for a turn than there are threads.
    const takeTurns = async () => {
      for (const [i, block] of blocks) {
        found[i] = await this.#queue.run(requester, lightSearch, () =>
          this.#searchBlock(shard, block, search),
        )
      }
    }
    await spending('search', () => Promise.all(Array.from({ length: this.#threads }, takeTurns)))
    return found.flat()
  }

  searchLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    k: number,
    allowed?: Uint8Array,
  ): Promise<LexicalFound> {
    return spending('search', () => this.#searchLexical(requester, index, query, k, allowed))
  }

  async #searchLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    k: number,
    allowed: Uint8Array | undefined,
  ): Promise<LexicalFound> {
    requireAwaited(requester.signal)
    const { target, size } = index
    const work = { texts: size, queryChars: query.length, isNative: target.kind === 'native' }
    const mode = modeOf({ kind: 'lexical', ...work }, this.#lexicalUnderWay)
    if (mode === 'main') return searchLexical(target, query, k, allowed)
    this.#lexicalUnderWay++
    try {
      if (mode === 'turnEnd') {
        await new Promise<void>((resolve) => this.#arriving.add(resolve))
        requireAwaited(requester.signal)
        return searchLexical(target, query, k, allowed)
      }
      return await this.#queue.run(requester, lightSearch, () =>
        this.#pool.run({ kind: 'lexical', target, query, k, allowed }, index),
      )
    } finally {
      this.#lexicalUnderWay--
    }
  }

  async scoreLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    labels: Int32Array,
  ): Promise<Float64Array> {
    requireAwaited(requester.signal)
    const { target } = index
    const work = { texts: labels.length, isNative: target.kind === 'native' }
    if (modeOf({ kind: 'lexicalScores', ...work }) === 'main') return scoreLexical(target, query, labels)
    return this.#queue.run(requester, lightSearch, () =>
      this.#pool.run({ kind: 'lexicalScores', target, query, labels }, index),
    )
  }

  async relax(requester: Requester, iterations: readonly Iteration[]): Promise<IterationEnd[]> {
    const priority = priorityOf(modeOf({ kind: 'relax' }), 'store')
    const ends: IterationEnd[] = []
    for (const slice of slicesOf(iterations)) {
      const relaxed = await this.#queue.run(requester, priority, () =>
        this.#pool.run({ kind: 'relax', iterations: slice }),
      )
      ends.push(...relaxed)
    }
    return ends
  }

  async mapStep<Kind extends MapStep['kind']>(
    requester: Requester,
    step: MapStep & { kind: Kind },
  ): Promise<MapResults[Kind]> {
    const priority = priorityOf(modeOf({ kind: 'map' }), 'search')
    const done = await this.#queue.run(requester, priority, () => this.#pool.run({ kind: 'map', step }))
    return done as MapResults[Kind]
  }

  measure(requester: Requester, slice: Slice): Promise<Measurement> {
    const priority = priorityOf(modeOf({ kind: 'measure' }), 'store')
    return this.#queue.run(requester, priority, () => this.#pool.run({ kind: 'measure', slice }))
  }

  /** Starts what this turn of the event loop has brought so far, without waiting for its end. */
  flush(): void {
    this.#arriving.flush()
  }

  /** Finishes what runs, for a few seconds at most, and refuses what waits. */
  async close(): Promise<void> {
    this.flush()
    await this.#queue.close(closeGraceMs)
    await this.#pool.close()
  }

  #startAll(arrived: readonly Arrival[]): void {
    const searches = arrived.filter((one) => typeof one !== 'function')
    const inMain: Group[] = []
    for (const group of groupsOf(searches)) {
      const size = sizeOf(group[0].item.shard, group.length)
      const mode = modeOf({ kind: 'vectors', ...size, inTurn: searches.length }, this.#vectorsInThreads)
      if (mode === 'main') inMain.push(group)
      else this.#searchInThreads(group)
    }
    for (const group of inMain) void searchInMain(group)
    for (const resume of arrived) if (typeof resume === 'function') resume()
  }

  #searchInThreads(group: Group): void {
    const found = this.#queue.runTogether(group, this.#blocks)
    this.#vectorsInThreads += group.length
    const ended = () => {
      this.#vectorsInThreads--
    }
    for (const [i, { resolve }] of group.entries()) {
      const one = found[i] as Promise<Found>
      one.then(ended, ended)
      resolve(one)
    }
  }

  #searchBlock(shard: Shard, queries: readonly Float32Array[], search: ShardSearch): Promise<Found[]> {
    const { target } = shard
    const mode = modeOf({ kind: 'block', ...sizeOf(shard, queries.length) })
    if (mode === 'libuv' && target.kind === 'native') return searchShardInLibuv(target, queries, search)
    return this.#pool.run({ kind: 'search', target, queries, search }, shard)
  }
}

const priorityOf = (mode: Mode, urgency: Urgency): Priority => ({
  urgency,
  weight: mode === 'poolHeavy' ? 'heavy' : 'light',
})

const lightSearch = priorityOf('pool', 'search')

/** Searches on the main thread, for those who still wait. */
async function searchInMain(group: Group): Promise<void> {
  const awaited = group.filter(({ requester }) => !requester.signal?.aborted)
  for (const { requester, reject } of group) if (requester.signal?.aborted) reject(new ApiError('abandoned'))
  const outcomes = await outcomesOf(
    awaited.map(({ item }) => item),
    async (some) => {
      const [{ target }, queries, search] = togetherOf(some)
      return searchShardMany(target, queries, search)
    },
  )
  for (const [i, outcome] of outcomes.entries()) {
    const { resolve, reject } = awaited[i] as PendingSearch
    if (outcome.status === 'fulfilled') resolve(outcome.value)
    else reject(outcome.reason)
  }
}

/**
 * Does a block at once and, should that fail, each of it alone, so that one that can't be done spoils no other.
 * @param work what it gives has the order of what it is given
 */
export async function outcomesOf<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result[]>,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    return items.length === 0 ? [] : (await work(items)).map((value) => ({ status: 'fulfilled', value }))
  } catch (reason) {
    if (items.length === 1) return [{ status: 'rejected', reason }]
    const outcomes: PromiseSettledResult<Result>[] = []
    for (const item of items) outcomes.push(...(await outcomesOf([item], work)))
    return outcomes
  }
}

/** What the searches of a block have in common, and their queries. */
function togetherOf(block: readonly VectorSearch[]): [Shard, Float32Array[], ShardSearch] {
  const [{ shard, search }] = block as [VectorSearch]
  return [shard, block.map(({ query }) => query), search]
}

/** Searches of one organization that may share a block, those of one shard one after the other, in the order they came. */
function groupsOf(searches: readonly PendingSearch[]): Group[] {
  return [...Map.groupBy(searches, ({ item }) => item.shard).values()].flatMap((ofShard) => {
    const groups: Group[] = []
    for (const one of ofShard) {
      const joined = groups.find(
        ([first]) =>
          first.requester.organizationId === one.requester.organizationId &&
          mayShareBlock(first.item, one.item),
      )
      if (joined === undefined) groups.push([one])
      else joined.push(one)
    }
    return groups
  })
}

/** Searches of one shard that differ in their queries alone: answered in one pass, each finds what it would alone. */
export const mayShareBlock = (a: VectorSearch, b: VectorSearch): boolean =>
  a.shard === b.shard && a.query.length === b.query.length && isSameSearch(a.search, b.search)

/** Most searches of a block of this one's kind, at least 1. */
export function blockMost({ shard }: VectorSearch): number {
  const most = Math.floor(blockNumbersMax / sizeOf(shard).numbers)
  return Math.max(1, Math.min(most, blockSearchesMax))
}

/** Searches of one call as blocks of which each is worth a thread, at least one a thread, and none takes long. */
export function blocksOf(
  shard: Shard,
  queries: readonly Float32Array[],
  threads: number,
): (readonly Float32Array[])[] {
  const { numbers } = sizeOf(shard)
  const most = Math.max(blockSearchesMin, Math.floor(blockNumbersMax / numbers))
  const worth = Math.floor((queries.length * numbers) / smallNumbers)
  const length = Math.min(most, Math.ceil(queries.length / Math.max(1, Math.min(worth, threads))))
  const blocks: (readonly Float32Array[])[] = []
  for (let at = 0; at < queries.length; at += length) blocks.push(queries.slice(at, at + length))
  return blocks
}

/** What so many searches of a shard are, about. */
function sizeOf({ scannedRows, dimensions, target }: Shard, searches = 1) {
  const isNative = target.kind === 'native'
  return {
    numbers: searches * scannedRows * (isNative ? Math.max(dimensions, rowNumbersMin) : dimensions),
    isNative,
  }
}

/**
 * What only one block at a time is searched of: then more searches come together in the next one, which saves
 * threads being woken and the main thread being notified (50 us in all). None of a shard whose searches take so long that
 * several threads do more, nor of searches among some patterns, which share no block with others.
 */
export function oneAtATime(one: VectorSearch): Shard | undefined {
  return one.search.allowed === undefined && blockMost(one) >= waitedFor ? one.shard : undefined
}

/** Cuts iterations into slices of a few milliseconds, of one iteration at least, in their order. */
export function* slicesOf<T extends Pick<Iteration, 'values'>>(iterations: readonly T[]): Generator<T[]> {
  let slice: T[] = []
  let numbers = 0
  for (const iteration of iterations) {
    if (slice.length > 0 && numbers + iteration.values.length > sliceNumbersMax) {
      yield slice
      slice = []
      numbers = 0
    }
    slice.push(iteration)
    numbers += iteration.values.length
  }
  if (slice.length > 0) yield slice
}
