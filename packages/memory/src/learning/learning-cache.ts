import { ApiError } from '@memory/shared/catalogue/errors'
import type { Queries } from '@memory/shared/platform/database/database'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import { findLearned, findOutline, loadLearnedPage } from './learning-store.ts'
import { SpaceLearning } from './space-learning.ts'

/** Patterns whose learning is read per statement: applying it blocks the event loop for a few ms. */
const pagePatterns = 2_000
/** A space of fewer is read anew where one statement does not tell all that changed: links come as often as one of them changes. */
const readAnewPatternsMax = 10 * pagePatterns

/** What spaces have learned, in memory, by engine version. (`Learning` holds what this process has yet to write.) */
export class LearningCache extends VersionedCache<SpaceLearning> {
  readonly #queries: Queries

  /** @param budgetBytes for all spaces together */
  constructor(queries: Queries, budgetBytes: number) {
    super(budgetBytes)
    this.#queries = queries
  }

  protected sizeOf({ bytes }: SpaceLearning): number {
    return bytes
  }

  /** Brings a copy up to an engine version that this process has just committed, so that the next request need not read it. */
  async takeOver(spaceId: string, engineVersion: number): Promise<void> {
    if (this.peek(spaceId) !== undefined) await this.get(spaceId, engineVersion)
  }

  /** Drops what is known of removed patterns, after a read that is under way: it may have begun before the removal. */
  forget(spaceId: string, indexes: readonly number[]): void {
    this.change(spaceId, (learning) => learning.forget(new Set(indexes)))
  }

  /** @throws ApiError when the space is gone */
  protected async read(spaceId: string, learning: SpaceLearning | undefined): Promise<SpaceLearning> {
    if (learning === undefined) return this.#load(spaceId)
    const since = await findLearned(this.#queries, spaceId, learning.version, learning.storedUpTo)
    if (since === undefined) throw new ApiError('invalid_api_key')
    learning.apply(since)
    return since.learned.more && since.end < readAnewPatternsMax ? this.#load(spaceId) : learning
  }

  /** Reads a space's learning page by page. What changes meanwhile has a later version, which the next `get` reads. */
  async #load(spaceId: string): Promise<SpaceLearning> {
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
