import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { accel } from '@memory/accel'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import type { PatternSet } from '../index/pattern-set.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import { listDocumentChanges, loadDocuments } from './document-store.ts'
import { JavascriptMetadata } from './javascript-metadata.ts'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'
import type { MetadataSnapshots, SavedMetadata } from './metadata-snapshots.ts'
import { NativeMetadata } from './native-metadata.ts'

/** The embedded database reads so many in a few milliseconds, in which no other statement runs. */
const loadPageRows = 500
/** Filters of a space whose results are kept: of a million patterns 125 kB each. */
const foundKept = 8
/** What takes less is read from the database in a moment. */
const savedBytesMin = 2 ** 20
/** The rest of the budget is for spaces that somebody asks for. */
const loadedAheadShareMax = 0.5

const newIndex = (): MetadataIndex =>
  accel === null ? new JavascriptMetadata() : new NativeMetadata(new accel.Metadata())

/** The metadata of one space. */
export class SpaceMetadata {
  readonly #index: MetadataIndex
  #version: number
  /** What filters have found since the last change: those of a page of searches are mostly the same. */
  readonly #found = new Map<string, MetadataFound | Promise<MetadataFound>>()

  constructor(version: number, index = newIndex()) {
    this.#version = version
    this.#index = index
  }

  /** What a snapshot of it holds; undefined for one that has none. */
  get saved(): SavedMetadata | undefined {
    const index = this.#index
    return index instanceof NativeMetadata ? { index, version: this.#version } : undefined
  }

  /** Every change up to this version is in it. */
  get version(): number {
    return this.#version
  }

  get bytes(): number {
    return this.#index.bytes
  }

  put(rows: readonly DocumentRow[]): void {
    this.#found.clear()
    this.#index.put(rows)
  }

  /** Takes over what has changed since its version. */
  apply(version: number, stored: readonly DocumentRow[], removed: readonly number[]): void {
    this.#found.clear()
    this.#index.remove(removed)
    this.#index.put(stored)
    this.#version = version
  }

  /** Drops patterns that are gone; others may have changed too, so the version stays. */
  remove(indexes: readonly number[]): void {
    this.#found.clear()
    this.#index.remove(indexes)
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
    // Put in anew: the first is the one asked for longest ago.
    this.#found.delete(asked)
    this.#found.set(asked, known)
    for (const first of this.#found.keys()) {
      if (this.#found.size <= foundKept) break
      this.#found.delete(first)
    }
    return known
  }
}

/** What is told of how filters do. */
export interface MetadataCacheEvents {
  /** A filter was answered, for which so many patterns had to be read: what it asks for is not in the index. */
  filtered?(read: number): void
}

export interface MetadataCacheOptions {
  queries: Queries
  budgetBytes: number
  events?: MetadataCacheEvents | undefined
  /** Where large spaces are kept for the next start. */
  snapshots?: MetadataSnapshots | undefined
  log: Log
}

/**
 * The metadata of the spaces that this process filters, read at the first filter of each. A caller gets one with at least
 * the version that it names: what has changed is read when it is next asked for.
 */
export class MetadataCache extends VersionedCache<SpaceMetadata> {
  readonly #queries: Queries
  readonly #events: MetadataCacheEvents
  readonly #snapshots: MetadataSnapshots | undefined
  readonly #log: Log
  /** Versions of the snapshots that this process wrote or read. */
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

  /** Tells of a filter that it has answered but for so many patterns, which had to be read. */
  tell(unsure: number): void {
    this.#events.filtered?.(unsure)
  }

  /** Forgets at once what was removed from a space. */
  removed(spaceId: string, indexes: readonly number[]): void {
    if (indexes.length === 0) return
    void this.#discard(spaceId)
    this.change(spaceId, async (metadata) => metadata.remove(indexes))
  }

  /** Lets go of a space, also of its snapshot. */
  override drop(spaceId: string): void {
    super.drop(spaceId)
    void this.#discard(spaceId)
  }

  /** Saves the large spaces, as they are now, unless they are saved so. */
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
   * Takes saved spaces into memory before somebody asks for them, until half of the budget is taken, and discards the snapshots
   * of those of which something was forgotten since.
   * @param isEnding whether to leave it
   */
  async loadSaved(isEnding: () => boolean): Promise<void> {
    for (const spaceId of (await this.#snapshots?.list()) ?? []) {
      if (isEnding()) return
      // One that there is no room for is looked at all the same: something of it may have been forgotten.
      if (this.size < loadedAheadShareMax * this.budget) await this.sync(spaceId)
      else await this.#readSnapshot(spaceId)
    }
  }

  /** A snapshot that can be used; one that can't, or of whose space something was forgotten since, goes. */
  async #readSnapshot(spaceId: string): Promise<SavedMetadata | undefined> {
    let saved: SavedMetadata | undefined
    try {
      saved = await this.#snapshots?.load(spaceId)
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'saved metadata not usable; reading the database instead')
      await this.#discard(spaceId)
    }
    if (saved === undefined) return undefined
    // Also one from the future, saved beside another database or before this one was restored from a backup.
    if (!(await store.hasForgotten(this.#queries, spaceId, saved.version))) return saved
    await this.#discard(spaceId)
    return undefined
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
    metadata.apply(changes.version, changes.stored, changes.removed)
    return metadata
  }

  async #restore(spaceId: string): Promise<SpaceMetadata | undefined> {
    const saved = await this.#readSnapshot(spaceId)
    if (saved === undefined) return undefined
    this.#kept.set(spaceId, saved.version)
    return new SpaceMetadata(saved.version, saved.index)
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string): Promise<SpaceMetadata> {
    const metadata = new SpaceMetadata(await store.getVersion(this.#queries, spaceId))
    for (let after = -1; ; ) {
      const page = await loadDocuments(this.#queries, spaceId, after, loadPageRows)
      metadata.put(page)
      const last = page.at(-1)
      if (last === undefined || page.length < loadPageRows) return metadata
      after = last.idx
      await turnOfOthers()
    }
  }
}
