import type { Hits, Matrix } from '@memory/engine/kernels/kernels'
import type { Tier } from '@memory/engine/tiers'

/** A pattern as a shard holds it. */
export interface ShardRow {
  idx: number
  /** As long as the shard has dimensions, not all zero. */
  key: Float32Array
  isText: boolean
  tier: Tier
}

/** What threads search. It can be posted to another thread, and stays valid while the shard is referred to here. */
export type SearchTarget = { kind: 'matrix'; matrix: Matrix } | { kind: 'native'; id: number }

export interface ShardSearch {
  k: number
  /**
   * So many of them, the best, are found as a search for these alone finds them; of the others a large shard may miss
   * one in ten, which costs less. undefined: all are found so.
   */
  exactK?: number | undefined
  /** Least cosine. */
  minScore: number
  textOnly: boolean
  /**
   * Bit idx % 8 of byte idx / 8 lets a pattern in (see `bitsOf`); undefined: all. By idx, since rows may come and move
   * before the search runs.
   */
  allowed?: Uint8Array | undefined
}

/** Whether two searches of one shard with the same vector find the same. */
export const isSameSearch = (a: ShardSearch, b: ShardSearch): boolean =>
  a.k === b.k &&
  a.exactK === b.exactK &&
  a.minScore === b.minScore &&
  a.textOnly === b.textOnly &&
  a.allowed === b.allowed

/** Results of a search, best first. */
export interface Found extends Hits {
  /**
   * 1 where the score is the cosine of the float32 key, 0 where it is an estimate. With estimates there may be more
   * than k results: whoever puts the cosines in, sorts anew and keeps k has the k best.
   */
  exact?: Uint8Array | undefined
}

export interface ShardKeys {
  values: Float32Array
  held: Uint8Array
}

export interface ShardCosines {
  /** A row of one for each direction. */
  values: Float64Array
  held: Uint8Array
}

/**
 * The resident keys of one space that have one length and were projected down from one dimension. One thread changes
 * it; any thread may search its target meanwhile.
 */
export interface Shard {
  readonly dimensions: number
  /** Dimension that the keys were projected down from; null when they were not. */
  readonly sourceDim: number | null
  /** The encoder of the embeddings of texts in it; undefined where nobody knows. */
  readonly modelId: string | undefined
  /** Patterns held. */
  readonly size: number
  /** About as many patterns as a search looks at: less than `size` where it is spared most of them. */
  readonly scannedRows: number
  /** Patterns that are sorted for searches, where that is done. */
  readonly listed?: number
  /** Memory held, in bytes. */
  readonly bytes: number
  readonly target: SearchTarget
  /** Adds patterns, and replaces those that are there. */
  put(rows: readonly ShardRow[]): void
  /** Removes patterns; those that are not there are ignored. */
  remove(indexes: readonly number[]): void
  /** Holds no pattern in a tier that takes more memory than this one, from now on. */
  limitTo?(tier: Tier): void
  /** Brings a large shard into an order that makes searches faster, when enough has come since; they go on meanwhile. */
  arrange?(): Promise<void>
  /** Ends `arrange`, for good and within milliseconds: it takes a minute for a million patterns. */
  stopArranging?(): void
  /**
   * Keys that are in memory as float32, a row of `dimensions` values for each label: `held` is 1 for these, 0 where the
   * pattern is unknown or its key must be read from the database.
   */
  keys(labels: Int32Array): ShardKeys
  /**
   * Cosines of patterns to directions, to the last bit as a search gives them, where the key is in memory as float32
   * (see `keys`); 0 elsewhere.
   * @param directions of `dimensions` values, none all zero
   */
  cosines(labels: Int32Array, directions: readonly Float32Array[]): ShardCosines
  /** Indexes of all patterns, in no order. */
  labels(): Int32Array
  /** Saves what the shard holds in a file that `loadShard` reads, with a whole number that tells it from others. */
  save?(path: string, mark: number): Promise<void>
}
