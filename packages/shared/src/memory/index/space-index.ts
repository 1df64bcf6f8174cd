import { Shard } from './shard.ts'

/** A pattern as the index holds it. */
export interface IndexedPattern {
  idx: number
  key: Float32Array
  isText: boolean
  /** Dimension that the key was projected down from; null when it was not. */
  sourceDim: number | null
  expiresAt: Date | null
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
  readonly #shards = new Map<string, Shard>()
  readonly #shardOf = new Map<number, Shard>()
  readonly #expiries = new Map<number, number>()
  #nextExpiry = Number.POSITIVE_INFINITY

  /** @param onChange hears of every pattern that is put or removed */
  constructor(version: number, onChange: (index: SpaceIndex, idx: number) => void = () => {}) {
    this.version = version
    this.#onChange = onChange
  }

  get size(): number {
    return this.#shardOf.size
  }

  get bytes(): number {
    let bytes = 0
    for (const shard of this.#shards.values()) bytes += shard.bytes
    return bytes
  }

  shard(dimensions: number, sourceDim: number | null = null): Shard | undefined {
    return this.#shards.get(nameOf(dimensions, sourceDim))
  }

  /** The shards that a query of this length searches; those of another length hold keys projected down from it. */
  shardsFor(dimensions: number): Shard[] {
    return [...this.#shards.values()].filter(
      (shard) => shard.size > 0 && (shard.dimensions === dimensions || shard.sourceDim === dimensions),
    )
  }

  put({ idx, key, isText, sourceDim, expiresAt }: IndexedPattern): void {
    const shard = this.#shardFor(key.length, sourceDim === key.length ? null : sourceDim)
    const before = this.#shardOf.get(idx)
    if (before !== shard) before?.remove(idx)
    this.#shardOf.set(idx, shard)
    shard.put(idx, key, isText)
    this.#expiries.delete(idx)
    if (expiresAt !== null) {
      this.#expiries.set(idx, expiresAt.getTime())
      this.#nextExpiry = Math.min(this.#nextExpiry, expiresAt.getTime())
    }
    this.#onChange(this, idx)
  }

  remove(idx: number): void {
    this.#shardOf.get(idx)?.remove(idx)
    this.#shardOf.delete(idx)
    this.#expiries.delete(idx)
    this.#onChange(this, idx)
  }

  /** Says that something of a pattern has changed that the index itself does not hold. */
  touch(idx: number): void {
    this.#onChange(this, idx)
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

  #shardFor(dimensions: number, sourceDim: number | null): Shard {
    const name = nameOf(dimensions, sourceDim)
    let shard = this.#shards.get(name)
    if (shard === undefined) {
      shard = new Shard(dimensions, sourceDim)
      this.#shards.set(name, shard)
    }
    return shard
  }
}

function nameOf(dimensions: number, sourceDim: number | null): string {
  return `${dimensions}/${sourceDim ?? ''}`
}
