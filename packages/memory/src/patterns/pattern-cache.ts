import { type Hits, kernels } from '@memory/engine/kernels/kernels'
import type { Queries } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'
import type { SpaceIndex } from '../index/space-index.ts'
import * as store from '../store.ts'

/** What answers show of a pattern. */
export type Payload = store.PayloadRow

/** A payload as it was stored; of a text, which its key stands for, without a value. */
export type NewPayload = Omit<Payload, 'value'> & { value: Float32Array | null }

/** What is told of how a cache does. */
export interface PatternCacheEvents {
  /** Patterns of answers that were in memory, and that were not. */
  lookedUp?(hits: number, misses: number): void
  /** An entry made room for another. */
  evicted?(): void
  /** Payloads that were read before an answer needed them. */
  warmed?(count: number): void
  /** How many of those an answer has needed since, the first time that one did. */
  warmedUsed?(count: number): void
}

/** Object, key and list overhead of an entry, in bytes. */
const entryBytes = 400
/** Of a number as text. */
const numberBytes = 12

/** What is in memory of the space of one index. */
class SpaceEntries {
  readonly indexes = new Set<number>()
  /** Counts what was found to have changed: what is being read meanwhile may be from before. */
  changes = 0
  /** False once the index is in use no more. */
  isOpen = true
}

interface Entry {
  payload: Payload
  /** The payload's value, until an answer shows it, which takes it as text. */
  unserialized?: Float32Array | undefined
  space: SpaceEntries
  /** Whether no answer has needed it yet. */
  isPrefetched: boolean
}

/**
 * What answers show of patterns, kept within a memory budget. An entry is as new as the index beside it: a change that
 * the index learns of evicts it, so what a request gets is never older than the version that it was authenticated at.
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
        // What is set anew is still there.
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
   * Payloads by idx, with values when asked for; a pattern that is deleted or expired by now may be missing. What is
   * not in memory is read in one round trip.
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
   * Reads the payloads that are not in memory, before an answer needs them, in one round trip.
   * @returns how many are in memory now that were not, or not with the value that is asked for
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
   * Takes payloads that were stored just now, while the budget has room: none makes room for what nobody asked for yet.
   * In the same turn of the event loop in which the index took these patterns, so that they are as new.
   * @param stored not read further than there is room
   */
  keep(index: SpaceIndex, stored: Iterable<NewPayload>): void {
    const space = this.#spaceOf(index)
    for (const { value, ...payload } of stored) {
      // The array may be part of a larger one, of all numbers of a request.
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

  /** Whether the value of a pattern is in memory: of one that was answered, whether the answer showed it. */
  hasValue(index: SpaceIndex, idx: number): boolean {
    return this.#entries.peek(keyOf(index, idx))?.payload.value != null
  }

  /** Drops what is known of a pattern that has changed. */
  evict(index: SpaceIndex, idx: number): void {
    this.#spaceOf(index).changes++
    this.#entries.delete(keyOf(index, idx))
  }

  /** Drops everything of an index's space. @returns how many payloads there were */
  clear(index: SpaceIndex): number {
    const indexes = this.indexesOf(index)
    for (const idx of indexes) this.#entries.delete(keyOf(index, idx))
    this.#spaceOf(index).changes++
    return indexes.length
  }

  /** Drops everything of an index that is in use no more, also what is still being read for it. */
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
    // What was read may be from before a change that became known meanwhile.
    if (!space.isOpen || space.changes !== changes) return { payloads, kept: 0 }
    let kept = 0
    for (const payload of payloads) {
      const key = keyOf(index, payload.idx)
      this.#entries.set(key, { payload, space, isPrefetched })
      // One that is larger than the budget is not taken, and those that are there make room for others.
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

/** JSON text of the field of a result that names a pattern as its caller does; nothing for one without a name. */
export const ownNameJson = ({ external_id }: Pick<Payload, 'external_id'>): string =>
  external_id === null ? '' : `,"external_id":${JSON.stringify(external_id)}`

/** What answers show of patterns, for those who answer. */
export type Payloads = Pick<
  PatternCache,
  'find' | 'warm' | 'keep' | 'indexesOf' | 'hasValue' | 'clear' | 'size'
>

/** The patterns of an answer: those that were found and are still there. */
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
