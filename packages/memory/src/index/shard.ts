import type { Hits, Matrix } from '@memory/engine/kernels/kernels'
import type { Tier } from '@memory/engine/tiers'

/** A pattern as a shard holds it. */
export interface ShardRow {
  idx: number
  /** Of the shard's `dimensions`, not all zero. */
  key: Float32Array
  isText: boolean
  tier: Tier
}

/** Handle of a shard for `searchShard`. It can be posted to any thread and is valid as long as its owner references the shard. */
export type SearchTarget = { kind: 'matrix'; matrix: Matrix } | { kind: 'native'; id: number }

export interface ShardSearch {
  k: number
  /**
   * The best `exactK` of the k are found as reliably as by a search for `exactK` alone; of the rest a large shard may miss one in
   * ten, which is faster. undefined: all k are found reliably.
   */
  exactK?: number | undefined
  /** Least cosine. */
  minScore: number
  textOnly: boolean
  /**
   * Bit idx % 8 of byte idx / 8 lets a pattern in (see `bitsOf`); undefined: all. By idx and not by row, since rows may move
   * before the search runs.
   */
  allowed?: Uint8Array | undefined
}

/** Whether two searches are equal, so that with the same shard and vector they give the same results. */
export const isSameSearch = (a: ShardSearch, b: ShardSearch): boolean =>
  a.k === b.k &&
  a.exactK === b.exactK &&
  a.minScore === b.minScore &&
  a.textOnly === b.textOnly &&
  a.allowed === b.allowed

/** Results of a search, best first. */
export interface Found extends Hits {
  /**
   * For each result 1 if its score is the cosine of the float32 key, 0 if it is an estimate; undefined: all are exact. With
   * estimates there may be more than k results: the caller computes their cosines, sorts again and keeps k (see `rescore`).
   */
  exact?: Uint8Array | undefined
}

/** See `Shard.keys`. */
export interface ShardKeys {
  /** Row after row, `dimensions` values for each label; zeros where `held` is 0. */
  values: Float32Array
  /** 1 for each label whose key is in memory as float32, else 0. */
  held: Uint8Array
}

/** See `Shard.cosines`. */
export interface ShardCosines {
  /** Row after row, one cosine per direction for each label; zeros where `held` is 0. */
  values: Float64Array
  /** 1 for each label whose key is in memory as float32, else 0. */
  held: Uint8Array
}

/**
 * The keys of one space that have the same length and the same `sourceDim`, in memory. One thread changes a shard; any thread
 * may search its `target` meanwhile. A pattern's idx is its label.
 */
export interface Shard {
  readonly dimensions: number
  /** The dimension that the keys were projected down from; null if they were not. */
  readonly sourceDim: number | null
  /** The encoder of the text embeddings among its keys; undefined in a process without an encoder. */
  readonly modelId: string | undefined
  /** Number of patterns. */
  readonly size: number
  /** About how many patterns a search scans: fewer than `size` where inverted lists let it skip most. */
  readonly scannedRows: number
  /** Number of patterns in inverted lists, in a shard that has them. */
  readonly listed?: number
  /** Memory, in bytes. */
  readonly bytes: number
  readonly target: SearchTarget
  /** Adds or replaces patterns. */
  put(rows: readonly ShardRow[]): void
  /** Removes patterns; an unknown idx is ignored. */
  remove(indexes: readonly number[]): void
  /** From now on holds every pattern in this tier or one that takes less memory. */
  limitTo?(tier: Tier): void
  /** Builds the inverted lists of a large shard if enough patterns came since they were last built. Searches go on meanwhile. */
  arrange?(): Promise<void>
  /** Ends an `arrange` under way within milliseconds, and prevents later ones: one takes a minute for a million patterns. */
  stopArranging?(): void
  /** The keys that are in memory as float32. Others are unknown, or have to be read from the database. */
  keys(labels: Int32Array): ShardKeys
  /**
   * Cosines between patterns and directions, bit for bit equal to those of a search, for keys that are in memory as float32.
   * @param directions of `dimensions` values, none all zero
   */
  cosines(labels: Int32Array, directions: readonly Float32Array[]): ShardCosines
  /** The idx of every pattern, in no order. */
  labels(): Int32Array
  /** Saves the shard as a file that `loadShard` reads. @param mark a whole number that identifies this save */
  save?(path: string, mark: number): Promise<void>
}
