import { ApiError } from '@memory/shared/catalogue/errors'
import { regardless } from '@memory/shared/platform/asker'
import type { Queries } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'
import { findLearned, findOutline, loadLearnedPage } from './learning-store.ts'
import { SpaceLearning } from './space-learning.ts'

/** Spaces whose learning is kept in memory: what is unused for longest is read again. */
const spacesMax = 2_000
/** Patterns of which is read at a time what was learned: taking them over holds up the event loop a few ms. */
const pagePatterns = 2_000

/**
 * What spaces have learned, as far as this process holds it. A caller names the engine version that its authentication
 * saw, and gets at least that.
 */
export class LearningCache {
  readonly #queries: Queries
  readonly #spaces = new LRUCache<string, SpaceLearning>({ max: spacesMax })
  readonly #reading = new Map<string, Promise<SpaceLearning>>()

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** What this process holds of what a space has learned, if anything. */
  peek(spaceId: string): SpaceLearning | undefined {
    return this.#spaces.peek(spaceId)
  }

  /** What a space has learned up to `engineVersion`, and maybe since. @throws ApiError when the space is gone */
  async get(spaceId: string, engineVersion: number): Promise<SpaceLearning> {
    let learning = this.#spaces.get(spaceId)
    while (learning === undefined || learning.engineVersion < engineVersion)
      learning = await this.#read(spaceId)
    return learning
  }

  /** Takes over what this process itself has just committed, for the requests to come. */
  async refresh(spaceId: string, engineVersion: number): Promise<void> {
    if (this.#spaces.has(spaceId)) await this.get(spaceId, engineVersion)
  }

  /** Drops what is known of patterns that are gone. */
  forget(spaceId: string, indexes: readonly number[]): void {
    if (indexes.length === 0) return
    const gone = new Set(indexes)
    this.#spaces.peek(spaceId)?.forget(gone)
    // What is being read may be from before.
    this.#reading.get(spaceId)?.then(
      (learning) => learning.forget(gone),
      () => {},
    )
  }

  drop(spaceId: string): void {
    this.#spaces.delete(spaceId)
    this.#reading.delete(spaceId)
  }

  /** One reader a space: others wait for its result. */
  #read(spaceId: string): Promise<SpaceLearning> {
    const before = this.#reading.get(spaceId)
    if (before !== undefined) return before
    // What was dropped meanwhile is not kept.
    const isKept = () => this.#reading.get(spaceId) === reading
    const reading: Promise<SpaceLearning> = regardless(() => this.#load(spaceId))
      .then((learning) => {
        if (isKept()) this.#spaces.set(spaceId, learning)
        return learning
      })
      .finally(() => {
        if (isKept()) this.#reading.delete(spaceId)
      })
    this.#reading.set(spaceId, reading)
    return reading
  }

  async #load(spaceId: string): Promise<SpaceLearning> {
    const known = this.#spaces.get(spaceId)
    if (known === undefined) return this.#loadAll(spaceId)
    const since = await findLearned(this.#queries, spaceId, known.engineVersion, known.storedUpTo)
    if (since === undefined) throw new ApiError('invalid_api_key')
    known.apply(since)
    return known
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #loadAll(spaceId: string): Promise<SpaceLearning> {
    const outline = await findOutline(this.#queries, spaceId)
    if (outline === undefined) throw new ApiError('invalid_api_key')
    const learning = new SpaceLearning(outline.createdAt.getTime())
    learning.apply(outline)
    for (let from = 0; from < outline.end; from += pagePatterns) {
      learning.add(await loadLearnedPage(this.#queries, spaceId, from, from + pagePatterns))
    }
    return learning
  }
}
