import { EventEmitter } from 'node:events'
import type { IndexedPattern, SpaceIndex } from '../index/space-index.ts'

/** What one commit changed in a space. */
export interface SpaceChange {
  stored?: IndexedPattern[] | undefined
  /** Indexes of patterns. */
  removed?: number[] | undefined
  /** Indexes of patterns whose key is unchanged and something else is not, such as the metadata. */
  touched?: number[] | undefined
}

/** The events, with the arguments that listeners get. */
export interface SpaceChangeEvents {
  /** This process committed a change, which gave the space this version. */
  committed: [spaceId: string, version: number, change: SpaceChange]
  /** Patterns were removed, at least one: by a commit of this process, or of another, as was read from the database. */
  removed: [spaceId: string, indexes: readonly number[]]
  /** Nothing that is cached of the space can be trusted any more. */
  dropped: [spaceId: string]
  /** The space is about to be read into memory. What was removed while it was not in memory, no event has said. */
  loading: [spaceId: string]
  /** A request needed a space whose embeddings are of another encoder than this process's. */
  refused: [spaceId: string]
  /** A pattern was put into an index, removed from it, or touched. */
  patternChanged: [index: SpaceIndex, idx: number]
  /** An index has left the cache. */
  released: [index: SpaceIndex]
}

/** Tells every other cache of this process what changes in spaces, whether by its own commits or as read from the database. */
export class SpaceChanges extends EventEmitter<SpaceChangeEvents> {}
