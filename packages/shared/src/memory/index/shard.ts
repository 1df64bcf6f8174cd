import type { Hits, Matrix } from '../../engine/kernels/kernels.ts'
import { JavascriptShard } from './javascript-shard.ts'

/** A pattern as a shard holds it. */
export interface ShardRow {
  idx: number
  /** As long as the shard has dimensions, not all zero. */
  key: Float32Array
  isText: boolean
}

/** What threads search. It can be posted to another thread, and stays valid while the shard is referred to here. */
export type SearchTarget = { kind: 'matrix'; matrix: Matrix }

/** Which of a shard's patterns a search looks at, in the form that the shard reads. */
export interface Allowed {
  rows: Uint8Array
  /** Patterns of the shard that are allowed. */
  count: number
}

export interface ShardSearch {
  k: number
  /** Least cosine. */
  minScore: number
  textOnly: boolean
  allowed?: Uint8Array | undefined
}

/** Results of a search, best first. */
export interface Found extends Hits {
  /**
   * 1 where the score is the cosine of the float32 key, 0 where it is an estimate. With estimates there may be more
   * than k results: whoever puts the cosines in, sorts anew and keeps k has the k best.
   */
  exact?: Uint8Array | undefined
}

/**
 * The resident keys of one space that have one length and were projected down from one dimension. One thread changes
 * it; any thread may search its target meanwhile.
 */
export interface Shard {
  readonly dimensions: number
  /** Dimension that the keys were projected down from; null when they were not. */
  readonly sourceDim: number | null
  /** Patterns held. */
  readonly size: number
  /** Memory held, in bytes. */
  readonly bytes: number
  readonly target: SearchTarget
  /** Adds patterns, and replaces those that are there. */
  put(rows: readonly ShardRow[]): void
  /** Removes patterns; those that are not there are ignored. */
  remove(indexes: readonly number[]): void
  /** @param indexes patterns, those of other shards among them */
  allow(indexes: readonly number[]): Allowed
}

/** A shard in native memory, or without the addon in JavaScript's. */
export function newShard(dimensions: number, sourceDim: number | null): Shard {
  return new JavascriptShard(dimensions, sourceDim)
}
