import { hash } from 'node:crypto'
import type { Encoding } from '@memory/engine/encoder/encoder'
import { closeEncoderGate, newEncoderGate } from '@memory/engine/encoder/gate'
import { ApiError } from '@memory/shared/catalogue/errors'
// Must be imported before a thread that loads the encoder is started.
import '@memory/engine/encoder/no-telemetry'
import type { Requester } from '@memory/memory/compute'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { ConfigError } from '@memory/shared/platform/config'
import { LRUCache } from 'lru-cache'
import { Piscina } from 'piscina'
import { again } from './fair-queue.ts'
import type { Results, Task, ThreadData } from './thread.ts'

export interface PoolOptions {
  encoderDir: string
  dimensions: number
  threads: number
  /** Memory for the embedding cache, in bytes. */
  cacheBytes: number
}

/** Receives the pool's measurements, for the operators' metrics. */
export interface PoolObserver {
  encoded(seconds: number): void
  cacheLookup(hit: boolean): void
}

/** Runs `step` when its turn comes, and in further turns for as long as it returns `again`. */
type RunInTurns = (step: () => Promise<Float32Array | typeof again>) => Promise<Float32Array>

/** Partly encoded texts that are kept: each takes 0.3 MB at most. */
const begunMost = 32
/** Object, key and list overhead of a cache entry, in bytes. */
const cacheEntryBytes = 250

/** Threads that each have an encoder. */
export interface Threads {
  readonly modelId: string
  /** All characters that the encoder knows, as one string; undefined when it knows every character. */
  readonly characters: string | undefined
  run(task: Task): Promise<Results[Task['kind']]>
  /** Ends the threads, once each has left the encoder's native runtime: ending it inside aborts the process. */
  close(): Promise<void>
}

export type StartThreads = (
  options: Pick<PoolOptions, 'encoderDir' | 'dimensions' | 'threads'>,
) => Promise<Threads>

/**
 * Starts the threads and waits until each has its encoder open and warm.
 * @throws ConfigError when the encoder's files can't be used
 */
export const startThreads: StartThreads = async ({ encoderDir, dimensions, threads: count }) => {
  const gate = newEncoderGate()
  const closeGate = () => void closeEncoderGate(gate)
  // A process that exits while a thread is inside the encoder's native runtime is aborted by that runtime.
  process.once('exit', closeGate)
  const threads = new Piscina<Task, Results[Task['kind']]>({
    filename: new URL('./thread.ts', import.meta.url).href,
    workerData: { encoderDir, dimensions, gate } satisfies ThreadData,
    minThreads: count,
    maxThreads: count,
    idleTimeout: Number.POSITIVE_INFINITY,
  })
  const close = async () => {
    // Ending a thread that is inside the runtime would abort the process.
    closeGate()
    process.off('exit', closeGate)
    await threads.destroy()
  }
  try {
    const descriptions = await Promise.all(
      Array.from({ length: count }, () => threads.run({ kind: 'describe' })),
    )
    const description = descriptions[0] as Results['describe']
    if ('problem' in description) throw new ConfigError(description.problem)
    return { ...description, run: (task) => threads.run(task), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The threads, behind a cache of embeddings. `Scheduler` decides when they run what. */
export class ThreadPool {
  readonly dimensions: number
  readonly modelId: string
  readonly #characters: ReadonlySet<string> | undefined
  readonly #threads: Threads
  readonly #observer: PoolObserver
  readonly #cache: LRUCache<string, Float32Array>
  readonly #embedding = new Map<string, Promise<Float32Array>>()
  // Long texts whose clients hung up when they were partly encoded: a retry goes on from there.
  readonly #begun = new LRUCache<string, Encoding>({ max: begunMost })
  // Native memory of an index is freed with its object: this keeps objects alive that threads are searching.
  readonly #searched = new Set<{ index: object }>()

  private constructor(threads: Threads, options: PoolOptions, observer: PoolObserver) {
    const { modelId, characters } = threads
    this.#threads = threads
    this.#observer = observer
    this.dimensions = options.dimensions
    this.modelId = modelId
    this.#characters = characters === undefined ? undefined : new Set(characters)
    this.#cache = new LRUCache({
      maxSize: options.cacheBytes,
      sizeCalculation: (embedding) => embedding.byteLength + cacheEntryBytes,
    })
  }

  /**
   * @param start the threads; tests give many services the same ones
   * @throws ConfigError when the encoder's files can't be used
   */
  static async start(
    options: PoolOptions,
    observer: PoolObserver,
    start: StartThreads = startThreads,
  ): Promise<ThreadPool> {
    return new ThreadPool(await start(options), options, observer)
  }

  /** Whether the encoder knows a character, see `Compute.knows`. */
  knows(character: string): boolean {
    const characters = this.#characters
    if (characters === undefined || characters.has(character)) return true
    // Invisible characters, such as the one between letters of a Persian word, have no meaning that could be unknown.
    return [...character.normalize('NFKC')].every((each) => characters.has(each) || isInvisible(each))
  }

  /** The size of the cache of embeddings; memory in bytes. */
  get cachedEmbeddings(): { entries: number; bytes: number } {
    return { entries: this.#cache.size, bytes: this.#cache.calculatedSize }
  }

  /**
   * The embedding of a text: from the cache, or encoded. A text of many tokens takes several steps.
   * @throws ApiError abandoned; whatever `runInTurns` throws
   */
  async embed(requester: Requester, text: string, runInTurns: RunInTurns): Promise<Float32Array> {
    const key = cacheKey(requester, text)
    for (let known = this.#lookUp(key); known !== undefined; known = this.#lookUp(key)) {
      const embedding = await unlessAbandoned(requester, known)
      if (embedding !== undefined) return embedding
    }
    return this.#remember(key, this.#encode(key, text, runInTurns))
  }

  /**
   * Runs a task in a thread, at once where one is idle.
   * @param index what the task searches; it is kept alive until the task is done
   */
  async run<Kind extends Task['kind']>(task: Task & { kind: Kind }, index?: object): Promise<Results[Kind]> {
    const searched = index && { index }
    if (searched) this.#searched.add(searched)
    try {
      return (await this.#threads.run(task)) as Results[Kind]
    } finally {
      if (searched) this.#searched.delete(searched)
    }
  }

  /** Ends the threads, once each has left the encoder's native runtime. */
  close(): Promise<void> {
    return this.#threads.close()
  }

  async #encode(key: string, text: string, runInTurns: RunInTurns): Promise<Float32Array> {
    let next: string | Encoding = this.#begun.get(key) ?? text
    let encodeMs = 0
    try {
      const embedding = await runInTurns(async () => {
        const step = await this.run({ kind: 'embed', text: next })
        encodeMs += step.encodeMs
        if ('embedding' in step) return step.embedding
        next = step.encoding
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

  #lookUp(key: string): Float32Array | Promise<Float32Array> | undefined {
    const known = this.#cache.get(key) ?? this.#embedding.get(key)
    this.#observer.cacheLookup(known !== undefined)
    return known
  }

  /** Lets further requests for the same text wait for this encoding instead of starting another. */
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
}

/** @returns undefined when the request that started the encoding was abandoned, but this one was not */
async function unlessAbandoned(
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
