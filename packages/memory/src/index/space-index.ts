import { type Tier, tiers } from '@memory/engine/tiers'
import type { StoredPassage } from '../lexical/passage-store.ts'
import { Expiries } from './expiries.ts'
import type { PatternSet } from './pattern-set.ts'
import type { Shard } from './shard.ts'
import { newShard } from './shards.ts'

/** A pattern as the index holds it. */
export interface IndexedPattern {
  idx: number
  key: Float32Array
  isText: boolean
  /** The dimension that the key was projected down from; null if it was not. */
  sourceDim: number | null
  expiresAt: Date | null
  tier: Tier
  /** Given when a text is stored, for `TextCache`; this index does not hold it. */
  text?: string
  /** Passages of a long text, for `TextCache` too. */
  passages?: readonly StoredPassage[] | undefined
  /** The end user whose text it is, for `TextCache` too; null: none; undefined: unchanged. */
  subject?: string | null | undefined
}

/** What a snapshot saves of an index. */
export interface IndexContents {
  version: number
  /** See `SpaceIndex.limit`. */
  limit: Tier
  shards: readonly Shard[]
  /** See `Expiries.all`. */
  expiries: Float64Array<ArrayBuffer>
  /** See `Expiries.leftOutBy`. */
  leftOutBy: number
}

let spacesMade = 0

/**
 * The keys of one space in memory, in one shard for each pair of key length and `sourceDim`. Holds no texts, and does not read
 * the clock.
 */
export class SpaceIndex {
  /** Identifies this object within the process: the same space, loaded again, gets another id. */
  readonly id = spacesMade++
  /** Every change of the space up to this version is in the index. */
  version: number
  readonly #onChange: (index: SpaceIndex, idx: number) => void
  readonly #modelId: string | undefined
  readonly #shards: Shard[] = []
  /** By `nameOf` a shard: its place, which is its position in `#shards` + 1. */
  readonly #places = new Map<string, number>()
  /** By idx: the place of the shard that holds the pattern; 0 if it is not stored. */
  #placeOf = new Uint32Array(64)
  /** See `end`. */
  #end = 0
  /** By idx: the value of `#changes` when the pattern was last put or removed. */
  #changedAt = new Uint32Array(64)
  #changes = 0
  readonly #expiries = new Expiries()
  #limit: Tier = 'hot'

  /**
   * @param onChange called for every pattern that is put, removed or touched
   * @param modelId the encoder of the text embeddings; undefined in a process without an encoder
   */
  constructor(
    version: number,
    onChange: (index: SpaceIndex, idx: number) => void = () => {},
    modelId?: string,
  ) {
    this.version = version
    this.#onChange = onChange
    this.#modelId = modelId
  }

  /** Makes an index from what `contents` returned. */
  static restore(
    { version, limit, shards, expiries, leftOutBy }: IndexContents,
    onChange: (index: SpaceIndex, idx: number) => void,
    modelId?: string,
  ): SpaceIndex {
    const index = new SpaceIndex(version, onChange, modelId)
    for (const shard of shards) {
      const place = index.#shards.push(shard)
      index.#places.set(nameOf(shard.dimensions, shard.sourceDim), place)
      const labels = shard.labels()
      // A pattern whose key changed its length while the shards were being saved may be in two of them. That change is later
      // than the saved version, so it will be read from the database and put again: until then either will do.
      index.#removeFromShards(Array.from(labels.filter((idx) => index.#place(idx) !== 0)))
      for (const idx of labels) index.#setPlace(idx, place)
    }
    index.limitTo(limit)
    index.leftOut(new Date(leftOutBy))
    for (let i = 0; i < expiries.length; i += 2) {
      const idx = expiries[i] as number
      if (index.isStored(idx)) index.#expiries.set(idx, new Date(expiries[i + 1] as number))
    }
    return index
  }

  /** What a snapshot has to save. */
  contents(): IndexContents {
    const { version, limit } = this
    const { all: expiries, leftOutBy } = this.#expiries
    return { version, limit, shards: [...this.#shards], expiries, leftOutBy }
  }

  /** The tier that takes the most memory of those allowed: every pattern is held in this one or a lower one. See `limitTo`. */
  get limit(): Tier {
    return this.#limit
  }

  /** Number of patterns. */
  get size(): number {
    return this.#shards.reduce((size, shard) => size + shard.size, 0)
  }

  get bytes(): number {
    const own = 2 * this.#placeOf.byteLength + this.#expiries.bytes
    return this.#shards.reduce((bytes, shard) => bytes + shard.bytes, own)
  }

  /** About the bytes that all patterns would take in the hot tier: keys as float32, int8 and binary codes, with room to grow. */
  get hotBytes(): number {
    return this.#shards.reduce((bytes, { size, dimensions }) => bytes + size * (6 * dimensions + 64), 0)
  }

  shard(dimensions: number, sourceDim: number | null = null): Shard | undefined {
    return this.#shards[(this.#places.get(nameOf(dimensions, sourceDim)) ?? 0) - 1]
  }

  /** The shards that a query of this length searches: keys of its length, and keys that were projected down from its length. */
  shardsFor(dimensions: number): Shard[] {
    return this.#shards.filter(
      (shard) => shard.size > 0 && (shard.dimensions === dimensions || shard.sourceDim === dimensions),
    )
  }

  /** All shards, of every key length. */
  get shards(): readonly Shard[] {
    return this.#shards
  }

  /** The shard that holds a pattern. */
  shardOf(idx: number): Shard | undefined {
    return this.#shards[this.#place(idx) - 1]
  }

  /** Whether a pattern is in the index. */
  isStored(idx: number): boolean {
    return this.#place(idx) !== 0
  }

  /** Whether a shard of this index holds a pattern. */
  isIn(shard: Shard, idx: number): boolean {
    return this.#shards[this.#place(idx) - 1] === shard
  }

  /** One more than the greatest idx stored. */
  get end(): number {
    return this.#end
  }

  /** How many puts and removals there were so far. A value to pass to `isChanged` later. */
  get changes(): number {
    return this.#changes
  }

  /** Whether a pattern was put or removed since `changes` had the value `since`. */
  isChanged(idx: number, since: number): boolean {
    return (this.#changedAt[idx] ?? 0) > since
  }

  /** The next stored pattern after this idx, in store order. */
  nextInOrder(idx: number): number | undefined {
    for (let at = idx + 1; at < this.#end; at++) if (this.#place(at) !== 0) return at
    return undefined
  }

  /** Up to `count` patterns of a shard, evenly spread over its patterns in store order. */
  spread(shard: Shard, count: number): number[] {
    const place = this.#shards.indexOf(shard) + 1
    const step = Math.max(1, shard.size / count)
    const spread: number[] = []
    let seen = 0
    for (let idx = 0; idx < this.#end && spread.length < count; idx++) {
      if (this.#place(idx) !== place) continue
      if (seen >= Math.floor(spread.length * step)) spread.push(idx)
      seen++
    }
    return spread
  }

  /** The patterns of a set that a shard holds. */
  allow(shard: Shard, among: PatternSet): PatternSet {
    return this.#shards.length === 1 ? among : among.filter((idx) => this.isIn(shard, idx))
  }

  /** Adds or replaces patterns. */
  put(patterns: readonly IndexedPattern[]): void {
    for (const [place, group] of Map.groupBy(patterns, (pattern) => this.#placeFor(pattern))) {
      this.#removeFromShards(group.filter(({ idx }) => this.#place(idx) !== place).map(({ idx }) => idx))
      this.#shards[place - 1]?.put(group)
      for (const { idx, expiresAt } of group) {
        this.#setPlace(idx, place)
        this.#expiries.set(idx, expiresAt)
        this.#onChange(this, idx)
      }
    }
  }

  remove(indexes: readonly number[]): void {
    this.#removeFromShards(indexes)
    for (const idx of indexes) {
      this.#expiries.set(idx, null)
      this.#onChange(this, idx)
    }
  }

  /** From now on holds every pattern in this tier or one that takes less memory, where shards have tiers. Never undone. */
  limitTo(tier: Tier): void {
    if (tiers.indexOf(tier) <= tiers.indexOf(this.#limit)) return
    for (const shard of this.#shards) shard.limitTo?.(tier)
    this.#limit = tier
  }

  /** Number of patterns in inverted lists. */
  get listed(): number {
    return this.#shards.reduce((sum, { listed = 0 }) => sum + listed, 0)
  }

  /** Builds the inverted lists of large shards where worthwhile, see `Shard.arrange`. */
  async arrange(): Promise<void> {
    for (const shard of this.#shards) await shard.arrange?.()
  }

  stopArranging(): void {
    for (const shard of this.#shards) shard.stopArranging?.()
  }

  /** Tells `onChange` that something of these patterns has changed that the index does not hold, such as metadata. */
  touch(indexes: readonly number[]): void {
    for (const idx of indexes) this.#onChange(this, idx)
  }

  /** Says that patterns which had expired or ended at this time were left out when others were read. */
  leftOut(by: Date): void {
    this.#expiries.leftOut(by)
  }

  /** See `Expiring`. */
  expire(now: Date): boolean {
    if (this.#expiries.isSetBack(now)) return false
    const due = this.#expiries.due(now)
    if (due.length > 0) this.remove(due)
    return true
  }

  #place(idx: number): number {
    return this.#placeOf[idx] ?? 0
  }

  #setPlace(idx: number, place: number): void {
    if (idx >= this.#placeOf.length) {
      if (place === 0) return
      const capacity = Math.max(idx + 1, Math.ceil(this.#placeOf.length * 1.5))
      this.#placeOf = grown(this.#placeOf, capacity)
      this.#changedAt = grown(this.#changedAt, capacity)
    }
    this.#placeOf[idx] = place
    this.#changedAt[idx] = ++this.#changes
    this.#end = Math.max(this.#end, place === 0 ? 0 : idx + 1)
    while (this.#end > 0 && this.#placeOf[this.#end - 1] === 0) this.#end--
  }

  #removeFromShards(indexes: readonly number[]): void {
    for (const [place, group] of Map.groupBy(indexes, (idx) => this.#place(idx))) {
      this.#shards[place - 1]?.remove(group)
      for (const idx of group) this.#setPlace(idx, 0)
    }
  }

  #placeFor({ key, sourceDim }: IndexedPattern): number {
    const from = sourceDim === key.length ? null : sourceDim
    const name = nameOf(key.length, from)
    const known = this.#places.get(name)
    if (known !== undefined) return known
    const shard = newShard(key.length, from, this.#modelId)
    if (this.#limit !== 'hot') shard.limitTo?.(this.#limit)
    const place = this.#shards.push(shard)
    this.#places.set(name, place)
    return place
  }
}

function nameOf(dimensions: number, sourceDim: number | null): string {
  return `${dimensions}/${sourceDim ?? ''}`
}

function grown(array: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity)
  larger.set(array)
  return larger
}
