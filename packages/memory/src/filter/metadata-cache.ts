import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { accel } from '@memory/accel'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Queries } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { Log } from '@memory/shared/platform/log'
import type { PatternSet } from '../index/pattern-set.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import { listDocumentChanges, loadDocuments } from './document-store.ts'
import { JavascriptMetadata } from './javascript-metadata.ts'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'
import type { MetadataSnapshots, SavedMetadata } from './metadata-snapshots.ts'
import { NativeMetadata } from './native-metadata.ts'
import { rowsOfNext, turnsOf } from './rows-at-once.ts'

/** Patterns that are removed from an index in one turn: a few milliseconds where they have as many values as they may. */
const removedAtOnce = 16
/** Filters of a space whose results are kept: 125 kB each for a million patterns. */
const foundKept = 8
/** Smaller indexes are not saved: reading them from the database is fast. */
const savedBytesMin = 2 ** 20
/** Share of the budget that `loadSaved` may fill; the rest is for spaces that requests ask for. */
const loadedAheadShareMax = 0.5

const newIndex = (): MetadataIndex =>
  accel === null ? new JavascriptMetadata() : new NativeMetadata(new accel.Metadata())

/** The metadata of one space. */
export class SpaceMetadata {
  readonly #index: MetadataIndex
  #version: number
  /** Results of the latest filters since the last change: successive searches often use the same filter. */
  readonly #found = new Map<string, MetadataFound | Promise<MetadataFound>>()

  constructor(version: number, index = newIndex()) {
    this.#version = version
    this.#index = index
  }

  /** What a snapshot saves; undefined without the native addon, which alone can save. */
  get saved(): SavedMetadata | undefined {
    const index = this.#index
    return index instanceof NativeMetadata ? { index, version: this.#version } : undefined
  }

  /** Every change up to this version is included. */
  get version(): number {
    return this.#version
  }

  get bytes(): number {
    return this.#index.bytes
  }

  /** Adds or replaces patterns. Others have turns meanwhile. */
  async put(rows: readonly DocumentRow[]): Promise<void> {
    for (const some of turnsOf(rows)) {
      this.#found.clear()
      this.#index.put(some)
      await yieldToEventLoop()
    }
  }

  /** Applies what has changed since its version. Others have turns meanwhile, and find some of it and some not. */
  async apply(version: number, stored: readonly DocumentRow[], removed: readonly number[]): Promise<void> {
    await this.remove(removed)
    await this.put(stored)
    this.#version = version
  }

  /** Drops removed patterns. The version stays, since others may have changed too. Others have turns meanwhile. */
  async remove(indexes: readonly number[]): Promise<void> {
    for (let first = 0; first < indexes.length; first += removedAtOnce) {
      this.#found.clear()
      this.#index.remove(indexes.slice(first, first + removedAtOnce))
      await yieldToEventLoop()
    }
  }

  /** See `MetadataIndex`. */
  page(among: PatternSet, page: TimePage): { idx: number; at: number }[] {
    return this.#index.page(among.bits, page)
  }

  /** See `MetadataIndex`. */
  find(filter: Filter, now: number, all: boolean): MetadataFound | Promise<MetadataFound> {
    if (!this.#index.isTimeless) return this.#index.find(filter, now, all)
    const asked = JSON.stringify([filter, all])
    const known = this.#found.get(asked) ?? this.#index.find(filter, now, all)
    // Inserted anew, so that the first of the map is the least recently used.
    this.#found.delete(asked)
    this.#found.set(asked, known)
    for (const first of this.#found.keys()) {
      if (this.#found.size <= foundKept) break
      this.#found.delete(first)
    }
    return known
  }
}

/** Called as things happen, for metrics. */
export interface MetadataCacheEvents {
  /** A filter was answered. `read` patterns had to be read from the database, since the index could not judge them. */
  filtered?(read: number): void
}

export interface MetadataCacheOptions {
  queries: Queries
  budgetBytes: number
  events?: MetadataCacheEvents | undefined
  /** Where large indexes are saved for the next start. */
  snapshots?: MetadataSnapshots | undefined
  log: Log
}

/** The metadata indexes of spaces in memory, by version. Read at the first filter of a space. */
export class MetadataCache extends VersionedCache<SpaceMetadata> {
  readonly #queries: Queries
  readonly #events: MetadataCacheEvents
  readonly #snapshots: MetadataSnapshots | undefined
  readonly #log: Log
  /** By space: the version of the snapshot that this process last wrote or read. */
  readonly #kept = new Map<string, number>()

  constructor(options: MetadataCacheOptions) {
    super(options.budgetBytes)
    this.#queries = options.queries
    this.#events = options.events ?? {}
    this.#snapshots = options.snapshots
    this.#log = options.log
  }

  protected sizeOf({ bytes }: SpaceMetadata): number {
    return bytes
  }

  /** Reports an answered filter, with the number of patterns that had to be read. */
  tell(unsure: number): void {
    this.#events.filtered?.(unsure)
  }

  /** Drops removed patterns from the index, and the snapshot. */
  removed(spaceId: string, indexes: readonly number[]): void {
    if (indexes.length === 0) return
    void this.#discard(spaceId)
    this.change(spaceId, (metadata) => metadata.remove(indexes))
  }

  /** Drops a space's index and its snapshot. */
  override drop(spaceId: string): void {
    super.drop(spaceId)
    void this.#discard(spaceId)
  }

  /** Saves the large indexes, after bringing them up to date, unless that version is saved already. */
  async save(): Promise<void> {
    for (const [spaceId] of this.all) {
      await this.refresh(spaceId)
      const metadata = this.peek(spaceId)
      if (metadata?.saved === undefined || metadata.bytes < savedBytesMin) continue
      if (this.#kept.get(spaceId) === metadata.version) continue
      try {
        await this.#snapshots?.save(spaceId, metadata.saved)
        this.#kept.set(spaceId, metadata.version)
      } catch (error) {
        this.#log.warn({ err: error, spaceId }, 'metadata not saved')
      }
    }
  }

  /**
   * Loads saved indexes before a request asks for them, up to half of the budget; and discards snapshots as `checkSnapshots` does,
   * and what saves that were killed have left.
   * @param isEnding asked before each space, to stop
   */
  async loadSaved(now: Date, isEnding: () => boolean): Promise<void> {
    await this.#snapshots?.cleanUp(now)
    await this.#eachSaved(async (spaceId) => {
      if (isEnding()) return
      // Without room it is only checked, and discarded if something was deleted since.
      if (this.size < loadedAheadShareMax * this.budget) await this.sync(spaceId)
      else await this.#readSnapshot(spaceId)
    })
  }

  /** Discards the snapshots of spaces that are gone, or of which anything was deleted since the save, by any process. */
  async checkSnapshots(): Promise<void> {
    await this.#eachSaved(async (spaceId) => {
      const version = this.#kept.get(spaceId)
      // Another process of the same folder has saved it.
      if (version === undefined) await this.#readSnapshot(spaceId)
      else if (await store.hasForgotten(this.#queries, spaceId, version)) await this.#discard(spaceId)
    })
  }

  /** Does something about each space that has a snapshot, also after it failed for one. */
  async #eachSaved(take: (spaceId: string) => Promise<void>): Promise<void> {
    for (const spaceId of (await this.#snapshots?.list()) ?? []) {
      try {
        await take(spaceId)
      } catch (error) {
        this.#log.warn({ err: error, spaceId }, 'saved metadata not checked')
      }
    }
  }

  /** Reads a space's snapshot. Discards, and does not return, one that is unusable or older than a deletion in its space. */
  async #readSnapshot(spaceId: string): Promise<SavedMetadata | undefined> {
    let saved: SavedMetadata | undefined
    try {
      saved = await this.#snapshots?.load(spaceId)
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'saved metadata not usable; reading the database instead')
      await this.#discard(spaceId)
    }
    if (saved === undefined) return undefined
    // `hasForgotten` is also true for a snapshot newer than the space, of another database or from before a restore.
    if (await store.hasForgotten(this.#queries, spaceId, saved.version)) {
      await this.#discard(spaceId)
      return undefined
    }
    this.#kept.set(spaceId, saved.version)
    return saved
  }

  async #discard(spaceId: string): Promise<void> {
    this.#kept.delete(spaceId)
    try {
      await this.#snapshots?.discard(spaceId)
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'saved metadata not removed')
    }
  }

  protected async read(spaceId: string, metadata: SpaceMetadata | undefined): Promise<SpaceMetadata> {
    if (metadata === undefined) return (await this.#restore(spaceId)) ?? this.#load(spaceId)
    const changes = await listDocumentChanges(this.#queries, spaceId, metadata.version)
    if (changes === undefined || metadata.version < changes.historyFloor) return this.#load(spaceId)
    await metadata.apply(changes.version, changes.stored, changes.removed)
    return metadata
  }

  async #restore(spaceId: string): Promise<SpaceMetadata | undefined> {
    const saved = await this.#readSnapshot(spaceId)
    return saved && new SpaceMetadata(saved.version, saved.index)
  }

  /** Reads a space's metadata page by page. What changes meanwhile has a later version, which the next `get` reads. */
  async #load(spaceId: string): Promise<SpaceMetadata> {
    const metadata = new SpaceMetadata(await store.getVersion(this.#queries, spaceId))
    let count = rowsOfNext()
    for (let after = -1; ; ) {
      const page = await loadDocuments(this.#queries, spaceId, after, count)
      await metadata.put(page)
      const last = page.at(-1)
      if (last === undefined || page.length < count) return metadata
      after = last.idx
      count = rowsOfNext(page)
      await turnOfOthers()
    }
  }
}
