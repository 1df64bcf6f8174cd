import { Shard } from './shard.ts'

/** A pattern as the index holds it. */
export interface IndexedPattern {
  idx: number
  key: Float32Array
  isText: boolean
  expiresAt: Date | null
}

/** The resident keys of one space, a shard for each key length. Holds no text and reads no clock. */
export class SpaceIndex {
  /** Every change of the space up to this version is in the index. */
  version: number
  readonly #shards = new Map<number, Shard>()
  readonly #dimensionsOf = new Map<number, number>()
  readonly #expiries = new Map<number, number>()
  #nextExpiry = Number.POSITIVE_INFINITY

  constructor(version: number) {
    this.version = version
  }

  get size(): number {
    return this.#dimensionsOf.size
  }

  get bytes(): number {
    let bytes = 0
    for (const shard of this.#shards.values()) bytes += shard.bytes
    return bytes
  }

  shard(dimensions: number): Shard | undefined {
    return this.#shards.get(dimensions)
  }

  put({ idx, key, isText, expiresAt }: IndexedPattern): void {
    const dimensions = key.length
    const before = this.#dimensionsOf.get(idx)
    if (before !== undefined && before !== dimensions) this.#shards.get(before)?.remove(idx)
    this.#dimensionsOf.set(idx, dimensions)
    let shard = this.#shards.get(dimensions)
    if (shard === undefined) {
      shard = new Shard(dimensions)
      this.#shards.set(dimensions, shard)
    }
    shard.put(idx, key, isText)
    this.#expiries.delete(idx)
    if (expiresAt !== null) {
      this.#expiries.set(idx, expiresAt.getTime())
      this.#nextExpiry = Math.min(this.#nextExpiry, expiresAt.getTime())
    }
  }

  remove(idx: number): void {
    const dimensions = this.#dimensionsOf.get(idx)
    if (dimensions === undefined) return
    this.#shards.get(dimensions)?.remove(idx)
    this.#dimensionsOf.delete(idx)
    this.#expiries.delete(idx)
  }

  /** Removes the patterns whose time is over. */
  expire(now: Date): void {
    if (now.getTime() < this.#nextExpiry) return
    this.#nextExpiry = Number.POSITIVE_INFINITY
    for (const [idx, at] of this.#expiries) {
      if (at <= now.getTime()) this.remove(idx)
      else this.#nextExpiry = Math.min(this.#nextExpiry, at)
    }
  }
}
