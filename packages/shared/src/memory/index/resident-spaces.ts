import type { Clock } from '../../platform/clock.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import * as store from '../store.ts'
import { type IndexedPattern, SpaceIndex } from './space-index.ts'

const loadPageRows = 5_000

/**
 * The spaces this process holds in memory. A caller names the version that its authentication saw, and gets an index
 * that has at least that: what other processes wrote is read by version, so no answer is older than its request.
 */
export class ResidentSpaces {
  readonly #queries: Queries
  readonly #onChange: (index: SpaceIndex, idx: number) => void
  readonly #budgetBytes: number
  readonly #clock: Clock
  readonly #log: Log
  // In order of use: the first is the one unused for longest.
  readonly #spaces = new Map<string, SpaceIndex>()
  readonly #syncing = new Map<string, Promise<SpaceIndex>>()

  constructor(options: {
    queries: Queries
    /** Hears of every pattern that an index learns of a change of. */
    onChange?: (index: SpaceIndex, idx: number) => void
    budgetBytes: number
    clock: Clock
    log: Log
  }) {
    this.#queries = options.queries
    this.#onChange = options.onChange ?? (() => {})
    this.#budgetBytes = options.budgetBytes
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Memory held by all spaces, in bytes. */
  get bytes(): number {
    let bytes = 0
    for (const index of this.#spaces.values()) bytes += index.bytes
    return bytes
  }

  get count(): number {
    return this.#spaces.size
  }

  /** The index of a space with every change up to `version`, and nothing that has expired. */
  async get(spaceId: string, version: number): Promise<SpaceIndex> {
    let index = this.#spaces.get(spaceId)
    while (index === undefined || index.version < version) index = await this.#sync(spaceId)
    this.#spaces.delete(spaceId)
    this.#spaces.set(spaceId, index)
    index.expire(this.#clock.now())
    return index
  }

  /** Takes over what this process itself just committed; when something came between, the next `get` reads it. */
  committed(
    spaceId: string,
    version: number,
    change: {
      stored?: IndexedPattern[] | undefined
      removed?: number[] | undefined
      /** Patterns whose key is as it was. */
      touched?: number[] | undefined
    },
  ): void {
    const index = this.#spaces.get(spaceId)
    if (index === undefined || index.version !== version - 1) return
    index.put(change.stored ?? [])
    index.remove(change.removed ?? [])
    index.touch(change.touched ?? [])
    index.version = version
  }

  /** Drops a space, so that its next use reads it anew. */
  drop(spaceId: string): void {
    this.#spaces.delete(spaceId)
  }

  /** One reader a space: others wait for its result. */
  #sync(spaceId: string): Promise<SpaceIndex> {
    let syncing = this.#syncing.get(spaceId)
    if (syncing === undefined) {
      syncing = this.#read(spaceId).finally(() => this.#syncing.delete(spaceId))
      this.#syncing.set(spaceId, syncing)
    }
    return syncing
  }

  async #read(spaceId: string): Promise<SpaceIndex> {
    const index = this.#spaces.get(spaceId)
    if (index === undefined) return this.#load(spaceId, await store.getVersion(this.#queries, spaceId))
    const since = index.version
    const changes = await store.listChanges(this.#queries, spaceId, since)
    // This process committed meanwhile: the list is older than the index now, and the caller reads again.
    if (index.version !== since) return index
    if (since < changes.historyFloor) return this.#load(spaceId, changes.version)
    index.remove(changes.removed)
    index.put(changes.stored)
    index.version = changes.version
    return index
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string, version: number): Promise<SpaceIndex> {
    const started = performance.now()
    const index = new SpaceIndex(version, this.#onChange)
    let after = -1
    for (;;) {
      const page = await store.loadPage(this.#queries, spaceId, after, loadPageRows)
      index.put(page)
      const last = page.at(-1)
      if (last === undefined || page.length < loadPageRows) break
      after = last.idx
    }
    this.#spaces.set(spaceId, index)
    this.#log.debug({ spaceId, patterns: index.size, ms: performance.now() - started }, 'space loaded')
    this.#evict(spaceId)
    return index
  }

  #evict(kept: string): void {
    for (const spaceId of this.#spaces.keys()) {
      if (this.bytes <= this.#budgetBytes) return
      if (spaceId !== kept) this.#spaces.delete(spaceId)
    }
    if (this.bytes > this.#budgetBytes) {
      this.#log.warn(
        { spaceId: kept, bytes: this.bytes, budgetBytes: this.#budgetBytes },
        'one space is larger than MEMORY_INDEX_BUDGET; raise it',
      )
    }
  }
}
