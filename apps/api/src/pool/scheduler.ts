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
 * In libuv, pool and poolHeavy, organizations take turns, and within each organization its end users (see `FairQueue`).
 *
 * The size of a vector search is given in numbers: the rows that it scans (with inverted lists: about as many as recent
 * searches scanned) times their dimensions. With the addon a row counts as 256 dimensions at least, since a shorter row
 * takes it just as long.
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

type Mode = 'main' | 'turnEnd' | 'libuv' | 'pool' | 'poolHeavy'

/** Those properties of a piece of work that decide its mode. */
type Work =
  /** A vector search when it arrives. */
  | { kind: 'vector'; numbers: number; isNative: boolean }
  /** Vector searches of one turn of the event loop that may share a block; `inTurn` counts all searches of that turn. */
  | { kind: 'vectors'; numbers: number; isNative: boolean; inTurn: number }
  /** Vector searches that a thread answers in one pass over the rows. */
  | { kind: 'block'; numbers: number; isNative: boolean }
  | { kind: 'lexical'; texts: number; queryChars: number; isNative: boolean }
  | { kind: 'lexicalScores'; texts: number; isNative: boolean }
  | { kind: 'encode'; chars: number }
  | { kind: 'relax' | 'map' | 'measure' }

/** The most numbers of vector searches, sharing a block, that are done on the main thread. */
export const smallNumbers = (kernels.name === 'native' ? 10_000 : 100) * 384
/** The same for a search that is alone: no other in its turn, none in a thread. */
export const smallAloneNumbers = 2.5 * smallNumbers
/** The most numbers of a block of several vector searches. */
export const blockNumbersMax = 64_000_000
/** The most texts for which a lexical search is always done on the main thread. */
export const smallTexts = 20_000
/** Texts times characters of the query: up to this, a lexical search is done on the main thread while no other is under way. */
export const smallAloneLexical = 8_000_000
/** The most texts that are scored on the main thread. */
const fewScores = 1_000
/** The addon takes 12 ns for a row of this many numbers or fewer. */
const rowNumbersMin = 256
/** The most UTF-16 units of a text whose encoding counts as light. */
const lightChars = 2_000
/** The most numbers of stored keys in one slice of relaxing; an iteration with more has a slice of its own. */
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

/** Beyond this many searches in a block, a further one makes none of them cheaper. */
const blockSearchesMax = 32
/** With fewer searches in a block each is dearer, since every block reads the rows from main memory again. */
const blockSearchesMin = 8
/** Only where a block has room for this many searches do later searches wait for the next block, see `oneAtATime`. */
const waitedFor = 8
/** Tasks that may wait; more means that the process is overloaded. */
const waitingInAll = 2_000
/**
 * Waiting tasks of one organization: enough for a few full batches; more are refused with 503. The callers who are bound to
 * no end user may fill 4/5 of this (500), those bound to the same end user half, and less while others of the organization
 * wait (see `FairQueue`).
 */
const waitingPerTenant = 625
/** When the process ends, tasks in hand may take this long to finish. */
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

/**
 * What is started when a turn of the event loop ends: a vector search, or a function that resumes work for the main thread,
 * which is called once the threads have been given theirs.
 */
type Arrival = PendingSearch | (() => void)

type Threads = Pick<
  ThreadPool,
  'dimensions' | 'modelId' | 'knows' | 'embed' | 'cachedEmbeddings' | 'run' | 'close'
>

/**
 * Decides where each piece of the process's heavy work runs, and in what order. Vector searches that differ only in their
 * query vector are answered together: those that arrive in one turn of the event loop and, in threads, also those that
 * arrive while earlier ones are being searched.
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

  /** @param threads how many threads the pool has */
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
   * @param start starts the threads; tests share a set of their own between services
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

  /** Starts the searches that have arrived in this turn of the event loop, without waiting for its end. */
  flush(): void {
    this.#arriving.flush()
  }

  /** Finishes the tasks in hand, for a few seconds at most, and refuses those left. */
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

/** Does searches on the main thread, but for those whose client has hung up. */
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
 * Does all items of a block together. When that fails, does each alone, so that an item that fails makes no other fail.
 * @param work gives its results in the order of its items
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

/** Groups searches of one organization that may share a block; the groups of a shard, and their searches, stay in order. */
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

/** Whether two searches differ only in their query vector: one pass then finds for each what it would find alone. */
export const mayShareBlock = (a: VectorSearch, b: VectorSearch): boolean =>
  a.shard === b.shard && a.query.length === b.query.length && isSameSearch(a.search, b.search)

/** The most searches like this one that a block may have: at least 1. */
export function blockMost({ shard }: VectorSearch): number {
  return Math.max(1, Math.min(searchesWithinMax(shard), blockSearchesMax))
}

/** How many searches of a shard a block of `blockNumbersMax` has; 0 where one is more than that already. */
const searchesWithinMax = (shard: Shard): number => Math.floor(blockNumbersMax / sizeOf(shard).numbers)

/**
 * Divides the queries of one call into blocks of equal length: one for each thread; fewer where a block would have so little work
 * that it is not worth a thread; more where a block would be longer than it may be.
 */
export function blocksOf(
  shard: Shard,
  queries: readonly Float32Array[],
  threads: number,
): (readonly Float32Array[])[] {
  const worthwhile = Math.floor(sizeOf(shard, queries.length).numbers / smallNumbers)
  const wanted = Math.max(1, Math.min(worthwhile, threads))
  const longest = Math.max(blockSearchesMin, searchesWithinMax(shard))
  const length = Math.min(Math.ceil(queries.length / wanted), longest)
  const blocks: (readonly Float32Array[])[] = []
  for (let at = 0; at < queries.length; at += length) blocks.push(queries.slice(at, at + length))
  return blocks
}

/** The approximate size of this many searches of a shard, as the table of modes counts it. */
function sizeOf({ scannedRows, dimensions, target }: Shard, searches = 1) {
  const isNative = target.kind === 'native'
  return {
    numbers: searches * scannedRows * (isNative ? Math.max(dimensions, rowNumbersMin) : dimensions),
    isNative,
  }
}

/**
 * The shard, when only one block of it is to be searched at a time. Searches that arrive meanwhile then share the next
 * block, which saves waking a thread and notifying the main thread (50 us) for each. Undefined for a shard whose searches
 * take so long that several threads get more done, and for searches among a few allowed patterns, which share no block.
 */
export function oneAtATime(one: VectorSearch): Shard | undefined {
  return one.search.allowed === undefined && blockMost(one) >= waitedFor ? one.shard : undefined
}

/** Cuts iterations into slices of a few milliseconds, each of at least one iteration, in their order. */
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
