import { hash } from 'node:crypto'
import type { Encoding } from '@memory/engine/encoder/encoder'
import { closeEncoderGate, newEncoderGate } from '@memory/engine/encoder/gate'
import type { Measurer } from '@memory/memory/acceleration/service'
import type { Measurement, Slice } from '@memory/memory/acceleration/stopwatch'
import { ApiError } from '@memory/shared/catalogue/errors'
// Before a thread is started that loads the encoder.
import '@memory/engine/encoder/no-telemetry'
import type { Iteration, IterationEnd } from '@memory/engine/energy'
import type { Compute, Requester, Urgency } from '@memory/memory/compute'
import type { LexicalFound, LexicalIndex } from '@memory/memory/index/lexical-index'
import { searchShardLater } from '@memory/memory/index/search-shard'
import type { Found, Shard, ShardSearch } from '@memory/memory/index/shard'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { ConfigError } from '@memory/shared/platform/config'
import { LRUCache } from 'lru-cache'
import { Piscina } from 'piscina'
import { again, FairQueue, type Wanted } from './fair-queue.ts'
import { LexicalSearches } from './lexical-searches.ts'
import { slicesOf } from './relax-slices.ts'
import { blockNumbersMax, blocksOf, numbersCompared } from './search-block.ts'
import { ShardSearches } from './shard-searches.ts'
import type { Result, Task, ThreadData } from './thread.ts'

export interface PoolOptions {
  encoderDir: string
  dimensions: number
  threads: number
  /** Memory for the embedding cache, in bytes. */
  cacheBytes: number
}

/** What operators see of the pool. */
export interface PoolObserver {
  encoded(seconds: number): void
  cacheLookup(hit: boolean): void
}

/** Tasks that may wait; more means that the process is overloaded. */
const waitingInAll = 2_000
/** A few full batches; an organization that wants more than that at a time waits its turn outside. */
const waitingPerTenant = 500
const inBackground: Wanted = { urgency: 'store', weight: 'heavy' }
const lightSearch: Wanted = { urgency: 'search', weight: 'light' }
/** What runs when the process ends may take so long. */
const closeGraceMs = 5_000
/** Texts of more UTF-16 code units may take longer to cut into tokens than short ones take to encode. */
const lightChars = 2_000
/** Texts that are encoded in part: each has 0.3 MB at most. */
const begunMost = 32
/** Object, key and list overhead of a cache entry, in bytes. */
const cacheEntryBytes = 250

/** The thread pool behind `Compute`, with a cache of embeddings in front. */
export class ThreadPool implements Compute, Measurer {
  readonly dimensions: number
  readonly modelId: string
  readonly #characters: ReadonlySet<string> | undefined
  readonly #pool: Piscina<Task, Result>
  readonly #queue: FairQueue
  readonly #observer: PoolObserver
  readonly #cache: LRUCache<string, Float32Array>
  readonly #embedding = new Map<string, Promise<Float32Array>>()
  // What was encoded of long texts whose clients hung up: who asks again finds it done.
  readonly #begun = new LRUCache<string, Encoding>({ max: begunMost })
  // A native index lives as long as its object: these are being searched, whatever else has dropped them.
  readonly #holds = new Set<{ index: Shard | LexicalIndex }>()
  readonly #closeGate: () => void
  readonly #threads: number
  readonly #searches: ShardSearches
  readonly #lexicalSearches: LexicalSearches

  private constructor(
    pool: Piscina<Task, Result>,
    encoder: { modelId: string; characters: string | undefined },
    closeGate: () => void,
    options: PoolOptions,
    observer: PoolObserver,
  ) {
    this.#pool = pool
    this.#queue = new FairQueue({ concurrency: options.threads, waitingPerTenant, waitingInAll })
    this.#searches = new ShardSearches(this.#queue, (...block) => this.#searchInThread(...block))
    this.#lexicalSearches = new LexicalSearches((requester, index, task) =>
      this.#queue.run(requester, lightSearch, () => this.#runHolding(index, task)),
    )
    this.#closeGate = closeGate
    this.#threads = options.threads
    this.#observer = observer
    this.dimensions = options.dimensions
    this.modelId = encoder.modelId
    this.#characters = encoder.characters === undefined ? undefined : new Set(encoder.characters)
    this.#cache = new LRUCache({
      maxSize: options.cacheBytes,
      sizeCalculation: (embedding) => embedding.byteLength + cacheEntryBytes,
    })
  }

  /**
   * Starts the threads and waits until each has its encoder open and warm.
   * @throws ConfigError when the encoder's files can't be used
   */
  static async start(options: PoolOptions, observer: PoolObserver): Promise<ThreadPool> {
    const gate = newEncoderGate()
    const closeGate = () => void closeEncoderGate(gate)
    // A process that exits while a thread is inside the runtime is aborted by it.
    process.once('exit', closeGate)
    const pool = new Piscina<Task, Result>({
      filename: new URL('./thread.ts', import.meta.url).href,
      workerData: {
        encoderDir: options.encoderDir,
        dimensions: options.dimensions,
        gate,
      } satisfies ThreadData,
      minThreads: options.threads,
      maxThreads: options.threads,
      idleTimeout: Number.POSITIVE_INFINITY,
    })
    try {
      const descriptions = await Promise.all(
        Array.from({ length: options.threads }, () => pool.run({ kind: 'describe' })),
      )
      const [description] = descriptions
      if (description?.kind !== 'description') throw new Error('A pool thread gave no description.')
      if (description.problem !== undefined) throw new ConfigError(description.problem)
      return new ThreadPool(pool, description, closeGate, options, observer)
    } catch (error) {
      closeGate()
      process.off('exit', closeGate)
      await pool.destroy()
      throw error
    }
  }

  knows(character: string): boolean {
    const characters = this.#characters
    if (characters === undefined || characters.has(character)) return true
    // What is invisible, as between the letters of a Persian word, has no meaning that could be unknown.
    return [...character.normalize('NFKC')].every((each) => characters.has(each) || isInvisible(each))
  }

  /** Tasks that wait for a thread. */
  get queued(): number {
    return this.#queue.waiting
  }

  get cachedEmbeddings(): { entries: number; bytes: number } {
    return { entries: this.#cache.size, bytes: this.#cache.calculatedSize }
  }

  async embed(requester: Requester, text: string, urgency: Urgency = 'store'): Promise<Float32Array> {
    const key = cacheKey(requester, text)
    for (let known = this.#lookUp(key); known !== undefined; known = this.#lookUp(key)) {
      const embedding = await stillWanted(requester, known)
      if (embedding !== undefined) return embedding
    }
    return this.#remember(key, this.#encode(requester, key, text, urgency))
  }

  search(requester: Requester, shard: Shard, query: Float32Array, search: ShardSearch): Promise<Found> {
    return this.#searches.search(requester, { shard, query, search })
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
          this.#searchInThread(shard, block, search),
        )
      }
    }
    await Promise.all(Array.from({ length: this.#threads }, takeTurns))
    return found.flat()
  }

  searchLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    k: number,
    allowed?: Uint8Array,
  ): Promise<LexicalFound> {
    return this.#lexicalSearches.search(requester, index, query, k, allowed)
  }

  scoreLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    labels: Int32Array,
  ): Promise<Float64Array> {
    return this.#lexicalSearches.score(requester, index, query, labels)
  }

  async relax(requester: Requester, iterations: readonly Iteration[]): Promise<IterationEnd[]> {
    const ends: IterationEnd[] = []
    for (const slice of slicesOf(iterations)) {
      const result = await this.#run(requester, inBackground, { kind: 'relax', iterations: slice })
      if (result.kind !== 'relaxed') throw unexpected(result)
      ends.push(...result.ends)
    }
    return ends
  }

  async measure(requester: Requester, slice: Slice): Promise<Measurement> {
    const result = await this.#run(
      requester,
      { urgency: 'store', weight: 'heavy' },
      { kind: 'measure', slice },
    )
    if (result.kind !== 'measurement') throw unexpected(result)
    return result.measurement
  }

  /** Finishes what runs, for a few seconds at most, and refuses what waits. */
  async close(): Promise<void> {
    this.#searches.start()
    await this.#queue.close(closeGraceMs)
    // Ending a thread that is inside the runtime would abort the process.
    this.#closeGate()
    process.off('exit', this.#closeGate)
    await this.#pool.destroy()
  }

  /** A text of many tokens takes several turns. */
  async #encode(requester: Requester, key: string, text: string, urgency: Urgency): Promise<Float32Array> {
    let next: string | Encoding = this.#begun.get(key) ?? text
    let encodeMs = 0
    const weight = text.length > lightChars ? 'heavy' : 'light'
    try {
      const embedding = await this.#queue.runInTurns(requester, { urgency, weight }, async () => {
        const result = await this.#pool.run({ kind: 'embed', text: next })
        if (result.kind !== 'embedding' && result.kind !== 'encoding') throw unexpected(result)
        encodeMs += result.encodeMs
        if (result.kind === 'embedding') return result.embedding
        next = result.encoding
        return again
      })
      this.#begun.delete(key)
      this.#observer.encoded(encodeMs / 1_000)
      return embedding
    } catch (error) {
      if (typeof next !== 'string' && next.outputs.length > 0) this.#begun.set(key, next)
      throw error
    }
  }

  async #searchInThread(
    shard: Shard,
    queries: readonly Float32Array[],
    search: ShardSearch,
  ): Promise<Found[]> {
    if (queries.length * numbersCompared(shard) <= blockNumbersMax) {
      // It holds the shard's memory by itself.
      const found = searchShardLater(shard.target, queries, search)
      if (found !== undefined) return found
    }
    const result = await this.#runHolding(shard, { kind: 'search', target: shard.target, queries, search })
    if (result.kind !== 'found') throw unexpected(result)
    return result.found
  }

  async #runHolding(index: Shard | LexicalIndex, task: Task): Promise<Result> {
    const hold = { index }
    this.#holds.add(hold)
    try {
      return await this.#pool.run(task)
    } finally {
      this.#holds.delete(hold)
    }
  }

  #lookUp(key: string): Float32Array | Promise<Float32Array> | undefined {
    const known = this.#cache.get(key) ?? this.#embedding.get(key)
    this.#observer.cacheLookup(known !== undefined)
    return known
  }

  /** Requests for a text that is being encoded wait for that instead of encoding it again. */
  #remember(key: string, encoding: Promise<Float32Array>): Promise<Float32Array> {
    const remembered = encoding
      .then((embedding) => {
        this.#cache.set(key, embedding)
        return embedding
      })
      .finally(() => this.#embedding.delete(key))
    this.#embedding.set(key, remembered)
    return remembered
  }

  #run(requester: Requester, how: Wanted, task: Task): Promise<Result> {
    return this.#queue.run(requester, how, () => this.#pool.run(task))
  }
}

/** @returns undefined when the client that the embedding was made for hung up while this one still waits. */
async function stillWanted(
  { signal }: Requester,
  embedding: Float32Array | Promise<Float32Array>,
): Promise<Float32Array | undefined> {
  try {
    return await embedding
  } catch (error) {
    if (error instanceof ApiError && error.code === 'abandoned' && !signal?.aborted) return undefined
    throw error
  }
}

function cacheKey({ organizationId }: Requester, text: string): string {
  return hash('sha256', `${organizationId}\0${text}`, 'base64')
}

function unexpected(result: Result): Error {
  return new Error(`A pool thread answered with ${result.kind}.`)
}
