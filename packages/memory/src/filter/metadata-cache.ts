import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { accel } from '@memory/accel'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Queries } from '@memory/shared/platform/database/database'
import type { PatternSet } from '../index/pattern-set.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import { listDocumentChanges, loadDocuments } from './document-store.ts'
import { JavascriptMetadata } from './javascript-metadata.ts'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'
import { NativeMetadata } from './native-metadata.ts'

/** The embedded database reads so many in a few milliseconds, in which no other statement runs. */
const loadPageRows = 500

/** The metadata of one space. */
export class SpaceMetadata {
  readonly #index: MetadataIndex =
    accel === null ? new JavascriptMetadata() : new NativeMetadata(new accel.Metadata())
  #version: number

  constructor(version: number) {
    this.#version = version
  }

  /** Every change up to this version is in it. */
  get version(): number {
    return this.#version
  }

  get bytes(): number {
    return this.#index.bytes
  }

  put(rows: readonly DocumentRow[]): void {
    this.#index.put(rows)
  }

  /** Takes over what has changed since its version. */
  apply(version: number, stored: readonly DocumentRow[], removed: readonly number[]): void {
    this.#index.remove(removed)
    this.#index.put(stored)
    this.#version = version
  }

  /** Drops patterns that are gone; others may have changed too, so the version stays. */
  remove(indexes: readonly number[]): void {
    this.#index.remove(indexes)
  }

  /** See `MetadataIndex`. */
  page(among: PatternSet, page: TimePage): { idx: number; at: number }[] {
    return this.#index.page(among.bits, page)
  }

  /** See `MetadataIndex`. */
  find(filter: Filter, now: number, all: boolean): MetadataFound | Promise<MetadataFound> {
    return this.#index.find(filter, now, all)
  }
}

/** What is told of how filters do. */
export interface MetadataCacheEvents {
  /** A filter was answered, for which so many patterns had to be read: what it asks for is not in the index. */
  filtered?(read: number): void
}

/**
 * The metadata of the spaces that this process filters, read at the first filter of each. A caller gets one with at least
 * the version that it names: what has changed is read when it is next asked for.
 */
export class MetadataCache extends VersionedCache<SpaceMetadata> {
  readonly #queries: Queries
  readonly #events: MetadataCacheEvents

  constructor(options: { queries: Queries; budgetBytes: number; events?: MetadataCacheEvents | undefined }) {
    super(options.budgetBytes)
    this.#queries = options.queries
    this.#events = options.events ?? {}
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
    this.change(spaceId, async (metadata) => metadata.remove(indexes))
  }

  protected async read(spaceId: string, metadata: SpaceMetadata | undefined): Promise<SpaceMetadata> {
    if (metadata === undefined) return this.#load(spaceId)
    const changes = await listDocumentChanges(this.#queries, spaceId, metadata.version)
    if (changes === undefined || metadata.version < changes.historyFloor) return this.#load(spaceId)
    metadata.apply(changes.version, changes.stored, changes.removed)
    return metadata
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
