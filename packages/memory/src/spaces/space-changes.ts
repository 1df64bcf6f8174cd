import { EventEmitter } from 'node:events'
import type { IndexedPattern, SpaceIndex } from '../index/space-index.ts'

/** What a commit has changed in a space. */
export interface SpaceChange {
  stored?: IndexedPattern[] | undefined
  removed?: number[] | undefined
  /** Patterns whose key is as it was. */
  touched?: number[] | undefined
}

/** The kinds of changes, each with what its subscribers are given. */
export interface SpaceChangeEvents {
  /** This process has committed a change; the space has this version with it. */
  committed: [spaceId: string, version: number, change: SpaceChange]
  /** Others have removed patterns. */
  removed: [spaceId: string, indexes: readonly number[]]
  /** What is known of a space may not be so any more. */
  dropped: [spaceId: string]
  /** A space is read that was not in memory: what was removed from it since it last was, no event says. */
  loading: [spaceId: string]
  /** Somebody wanted a space whose embeddings are of another encoder. */
  refused: [spaceId: string]
  /** A pattern of an index was put, removed or touched. */
  patternChanged: [index: SpaceIndex, idx: number]
  /** An index is in use no more. */
  released: [index: SpaceIndex]
}

/** What a process finds out of changes of spaces, for whatever keeps something of a space beside its index. */
export class SpaceChanges extends EventEmitter<SpaceChangeEvents> {}
