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
  /** Dimension that the key was projected down from; null when it was not. */
  sourceDim: number | null
  expiresAt: Date | null
  tier: Tier
  /** Of a text pattern, where it is known; the index itself holds none. */
  text?: string
  /** Of a long text, beside it. */
  passages?: readonly StoredPassage[] | undefined
  /** Whose a text is, null: nobody's; undefined: that of what it replaces. */
  subject?: string | null | undefined
}

export interface IndexContents {
  version: number
  /** The tier that takes most memory of those that patterns are held in. */
  limit: Tier
  shards: readonly Shard[]
  /** Indexes of patterns that expire, and when, in ms since 1970. */
  expiries: [number, number][]
}

let spacesMade = 0

/**
 * The resident keys of one space, a shard for each key length and dimension that keys were projected down from. Holds
 * no text and reads no clock.
 */
export class SpaceIndex {
  /** Names this object in the process; one that is loaded again has another. */
  readonly id = spacesMade++
  /** Every change of the space up to this version is in the index. */
  version: number
  readonly #onChange: (index: SpaceIndex, idx: number) => void
  readonly #modelId: string | undefined
  readonly #shards: Shard[] = []
  readonly #places = new Map<string, number>()
  // By idx, which counts up from 0 in a space: the shard's place in `#shards` + 1, or 0.
  #placeOf = new Uint32Array(64)
  #end = 0
  /** By idx: which change of the index was the last that put or removed it. */
  #changedAt = new Uint32Array(64)
  #changes = 0
  readonly #expiries = new Expiries()
  #limit: Tier = 'hot'

  /**
   * @param onChange hears of every pattern that is put or removed
   * @param modelId the encoder of the embeddings of texts; undefined where nobody knows
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

  /** An index as `contents` described it. */
  static restore(
    { version, limit, shards, expiries }: IndexContents,
    onChange: (index: SpaceIndex, idx: number) => void,
    modelId?: string,
  ): SpaceIndex {
    const index = new SpaceIndex(version, onChange, modelId)
    for (const shard of shards) {
      const place = index.#shards.push(shard)
      index.#places.set(nameOf(shard.dimensions, shard.sourceDim), place)
      const labels = shard.labels()
      // A pattern whose key got another length while the shards were saved is in two of them; what it is now, it became
      // after the version that was saved, so it is put again.
      index.#removeFromShards(Array.from(labels.filter((idx) => index.#place(idx) !== 0)))
      for (const idx of labels) index.#setPlace(idx, place)
    }
    index.limitTo(limit)
    for (const [idx, at] of expiries) index.#expiries.set(idx, new Date(at))
    return index
  }

  /** What the index holds. */
  contents(): IndexContents {
    const { version, limit } = this
    return { version, limit, shards: [...this.#shards], expiries: this.#expiries.all }
  }

  /** The tier that takes most memory of those that patterns are held in. */
  get limit(): Tier {
    return this.#limit
  }

  get size(): number {
    return this.#shards.reduce((size, shard) => size + shard.size, 0)
  }

  get bytes(): number {
    return this.#shards.reduce((bytes, shard) => bytes + shard.bytes, 2 * this.#placeOf.byteLength)
  }

  /** About the memory that it takes to hold all keys as float32, as bytes and as codes, with room to grow. */
  get hotBytes(): number {
    return this.#shards.reduce((bytes, { size, dimensions }) => bytes + size * (6 * dimensions + 64), 0)
  }

  shard(dimensions: number, sourceDim: number | null = null): Shard | undefined {
    return this.#shards[(this.#places.get(nameOf(dimensions, sourceDim)) ?? 0) - 1]
  }

  /** The shards that a query of this length searches; those of another length hold keys projected down from it. */
  shardsFor(dimensions: number): Shard[] {
    return this.#shards.filter(
      (shard) => shard.size > 0 && (shard.dimensions === dimensions || shard.sourceDim === dimensions),
    )
  }

  /** All shards, those of every key length. */
  get shards(): readonly Shard[] {
    return this.#shards
  }

  /** The shard that holds a pattern. */
  shardOf(idx: number): Shard | undefined {
    return this.#shards[this.#place(idx) - 1]
  }

  /** Whether a pattern is there. */
  isStored(idx: number): boolean {
    return this.#place(idx) !== 0
  }

  /** Whether a shard of this index holds a pattern. */
  isIn(shard: Shard, idx: number): boolean {
    return this.#shards[this.#place(idx) - 1] === shard
  }

  /** The idx after that of the last pattern. */
  get end(): number {
    return this.#end
  }

  /** How many changes there were: of what was changed since, `isChanged` tells. */
  get changes(): number {
    return this.#changes
  }

  /** Whether a pattern was put or removed after so many changes. */
  isChanged(idx: number, since: number): boolean {
    return (this.#changedAt[idx] ?? 0) > since
  }

  /** The pattern stored next after one, of those that are there. */
  nextInOrder(idx: number): number | undefined {
    for (let at = idx + 1; at < this.#end; at++) if (this.#place(at) !== 0) return at
    return undefined
  }

  /** Up to `count` patterns of a shard, evenly spread over those it holds in store order. */
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

  /** Restricts a search of one of the shards to those of these patterns that it holds. */
  allow(shard: Shard, among: PatternSet): PatternSet {
    return this.#shards.length === 1 ? among : among.filter((idx) => this.isIn(shard, idx))
  }

  /** Adds patterns, and replaces those that are there. */
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

  /** Holds no pattern in a tier that takes more memory than this one, where shards have tiers. */
  limitTo(tier: Tier): void {
    if (tiers.indexOf(tier) <= tiers.indexOf(this.#limit)) return
    for (const shard of this.#shards) shard.limitTo?.(tier)
    this.#limit = tier
  }

  /** Patterns that are sorted for searches. */
  get listed(): number {
    return this.#shards.reduce((sum, { listed = 0 }) => sum + listed, 0)
  }

  /** Brings large shards into an order that makes searches faster. */
  async arrange(): Promise<void> {
    for (const shard of this.#shards) await shard.arrange?.()
  }

  stopArranging(): void {
    for (const shard of this.#shards) shard.stopArranging?.()
  }

  /** Says that something of patterns has changed that the index itself does not hold. */
  touch(indexes: readonly number[]): void {
    for (const idx of indexes) this.#onChange(this, idx)
  }

  /** Removes the patterns whose time is over. */
  expire(now: Date): void {
    const due = this.#expiries.due(now)
    if (due.length > 0) this.remove(due)
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
