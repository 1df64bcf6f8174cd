import { type Hits, kernels } from '@memory/engine/kernels/kernels'
import type { Queries } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'
import type { SpaceIndex } from '../index/space-index.ts'
import * as store from '../store.ts'

/** What answers show of a pattern. */
export type Payload = store.PayloadRow

/** A payload just stored. The value is null for a text pattern, whose value is its key. */
export type NewPayload = Omit<Payload, 'value'> & { value: Float32Array | null }

/** Called as things happen, for metrics. */
export interface PatternCacheEvents {
  /** How many patterns of an answer were in memory, and how many were not. */
  lookedUp?(hits: number, misses: number): void
  /** An entry was removed to make room. */
  evicted?(): void
  /** Payloads were prefetched. */
  warmed?(count: number): void
  /** Prefetched payloads were needed by an answer for the first time. */
  warmedUsed?(count: number): void
}

/** Object, key and list overhead of an entry, in bytes. */
const entryBytes = 400
/** About the bytes of a number as text. */
const numberBytes = 12

/** Bookkeeping of the entries that belong to one index. */
class SpaceEntries {
  /** The idx of patterns whose payload is in memory. */
  readonly indexes = new Set<number>()
  /** Counts changes, to tell whether one came while payloads were being read: these may then be outdated. */
  changes = 0
  /** False once the index has left its cache. */
  isOpen = true
}

interface Entry {
  payload: Payload
  /** The value as numbers; when an answer first shows it, it is turned into text, in `payload`. */
  unserialized?: Float32Array | undefined
  space: SpaceEntries
  /** Whether no answer has needed it yet. */
  isPrefetched: boolean
}

/**
 * Payloads of patterns, cached within a memory budget. Any change that an index learns of evicts the pattern's entry, so an entry
 * is never older than the index, and an answer never older than the space's version when the request was authenticated.
 */
export class PatternCache {
  readonly #queries: Queries
  readonly #entries: LRUCache<string, Entry>
  readonly #spaces = new WeakMap<SpaceIndex, SpaceEntries>()
  readonly #events: PatternCacheEvents

  constructor(options: { queries: Queries; budgetBytes: number; events?: PatternCacheEvents | undefined }) {
    this.#queries = options.queries
    this.#events = options.events ?? {}
    this.#entries = new LRUCache({
      maxSize: options.budgetBytes,
      sizeCalculation: sizeOf,
      dispose: ({ payload, space }, _key, reason) => {
        // An entry that is set again stays in the cache.
        if (reason !== 'set') space.indexes.delete(payload.idx)
        if (reason === 'evict') this.#events.evicted?.()
      },
    })
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  /** Patterns of an index's space whose payloads are in memory. */
  indexesOf(index: SpaceIndex): number[] {
    return [...(this.#spaces.get(index)?.indexes ?? [])]
  }

  /**
   * Payloads by idx, with values if asked for. Those not in memory are read in one round trip. Patterns that are deleted or
   * expired by now may be missing.
   */
  async find(
    spaceId: string,
    index: SpaceIndex,
    indexes: ArrayLike<number>,
    { value }: { value: boolean },
  ): Promise<Map<number, Payload>> {
    const found = new Map<number, Payload>()
    const missing: number[] = []
    let usedFirst = 0
    for (let i = 0; i < indexes.length; i++) {
      const idx = indexes[i] as number
      const entry = this.#entries.get(keyOf(index, idx))
      if (entry === undefined || !isEnough(entry, value)) missing.push(idx)
      else {
        if (value && entry.unserialized !== undefined) serialize(entry, entry.unserialized)
        found.set(idx, entry.payload)
        if (entry.isPrefetched) usedFirst++
        entry.isPrefetched = false
      }
    }
    this.#events.lookedUp?.(found.size, missing.length)
    if (usedFirst > 0) this.#events.warmedUsed?.(usedFirst)
    if (missing.length === 0) return found
    const { payloads } = await this.#read(spaceId, index, missing, { value, isPrefetched: false })
    for (const payload of payloads) found.set(payload.idx, payload)
    return found
  }

  /**
   * Prefetches: reads the payloads that are not in memory in one round trip.
   * @returns how many were added, or got the value that is asked for
   */
  async warm(
    spaceId: string,
    index: SpaceIndex,
    indexes: readonly number[],
    { value }: { value: boolean },
  ): Promise<number> {
    const missing = indexes.filter((idx) => {
      const entry = this.#entries.peek(keyOf(index, idx))
      return entry === undefined || !isEnough(entry, value)
    })
    if (missing.length === 0) return 0
    const { kept } = await this.#read(spaceId, index, missing, { value, isPrefetched: true })
    if (kept > 0) this.#events.warmed?.(kept)
    return kept
  }

  /**
   * Adds payloads that were stored just now, as long as there is room: nothing is evicted for them, since nobody has asked for
   * them yet. Must be called in the same turn of the event loop in which the index took the patterns, so that both are equally
   * new.
   * @param stored read only as far as there is room
   */
  keep(index: SpaceIndex, stored: Iterable<NewPayload>): void {
    const space = this.#spaceOf(index)
    for (const { value, ...payload } of stored) {
      // Copied, since the array may be a view of all numbers of a request, which it would keep in memory.
      const entry = {
        payload: { ...payload, value: null },
        unserialized: value?.slice(),
        space,
        isPrefetched: false,
      }
      if (this.#entries.calculatedSize + sizeOf(entry) > this.#entries.maxSize) return
      this.#entries.set(keyOf(index, payload.idx), entry)
      space.indexes.add(payload.idx)
    }
  }

  /** Whether the value of a pattern is in memory as text, as it is once an answer has shown it. */
  hasValue(index: SpaceIndex, idx: number): boolean {
    return this.#entries.peek(keyOf(index, idx))?.payload.value != null
  }

  /** Drops the payload of a pattern that has changed. */
  evict(index: SpaceIndex, idx: number): void {
    this.#spaceOf(index).changes++
    this.#entries.delete(keyOf(index, idx))
  }

  /** Drops all payloads of an index. @returns how many there were */
  clear(index: SpaceIndex): number {
    const indexes = this.indexesOf(index)
    for (const idx of indexes) this.#entries.delete(keyOf(index, idx))
    this.#spaceOf(index).changes++
    return indexes.length
  }

  /** Drops all payloads of an index that has left its cache, also those still being read. */
  release(index: SpaceIndex): void {
    this.#spaceOf(index).isOpen = false
    this.clear(index)
  }

  async #read(
    spaceId: string,
    index: SpaceIndex,
    indexes: readonly number[],
    { value, isPrefetched }: { value: boolean; isPrefetched: boolean },
  ): Promise<{ payloads: Payload[]; kept: number }> {
    const space = this.#spaceOf(index)
    const { changes } = space
    const payloads = await store.findPayloads(this.#queries, spaceId, indexes, value)
    // A change became known meanwhile, so what was read may be outdated.
    if (!space.isOpen || space.changes !== changes) return { payloads, kept: 0 }
    let kept = 0
    for (const payload of payloads) {
      const key = keyOf(index, payload.idx)
      this.#entries.set(key, { payload, space, isPrefetched })
      // The cache does not take a payload larger than its budget.
      if (this.#entries.has(key)) {
        space.indexes.add(payload.idx)
        kept++
      } else space.indexes.delete(payload.idx)
    }
    return { payloads, kept }
  }

  #spaceOf(index: SpaceIndex): SpaceEntries {
    let space = this.#spaces.get(index)
    if (space === undefined) {
      space = new SpaceEntries()
      this.#spaces.set(index, space)
    }
    return space
  }
}

/** The field `external_id` of a result as JSON text with a leading comma; empty for a pattern without an own name. */
export const ownNameJson = ({ external_id }: Pick<Payload, 'external_id'>): string =>
  external_id === null ? '' : `,"external_id":${JSON.stringify(external_id)}`

/** The part of the cache that services use. */
export type Payloads = Pick<
  PatternCache,
  'find' | 'warm' | 'keep' | 'indexesOf' | 'hasValue' | 'clear' | 'size'
>

/** The patterns found by a search that still exist. @param there by idx */
export function answered(
  { labels, scores }: Hits,
  there: ReadonlyMap<number, unknown>,
): { idx: number; cosine: number }[] {
  return Array.from(labels, (idx, i) => ({ idx, cosine: scores[i] as number })).filter(({ idx }) =>
    there.has(idx),
  )
}

const isEnough = ({ payload, unserialized }: Entry, value: boolean): boolean =>
  !value || payload.value !== null || unserialized !== undefined

function sizeOf({ payload: { text, metadata, value }, unserialized }: Entry): number {
  const characters = (text?.length ?? 0) + (metadata?.length ?? 0)
  return entryBytes + 2 * characters + (value?.length ?? numberBytes * (unserialized?.length ?? 0))
}

function serialize(entry: Entry, value: Float32Array): void {
  entry.payload = { ...entry.payload, value: kernels.vectorTexts(value, value.length)[0] as string }
  entry.unserialized = undefined
}

const keyOf = (index: SpaceIndex, idx: number): string => `${index.id}/${idx}`
