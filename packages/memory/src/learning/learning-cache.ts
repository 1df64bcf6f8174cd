import { ApiError } from '@memory/shared/catalogue/errors'
import type { Queries } from '@memory/shared/platform/database/database'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import { findLearned, findOutline, loadLearnedPage } from './learning-store.ts'
import { SpaceLearning } from './space-learning.ts'

/** Spaces whose learning is held in memory, least recently used ones removed. */
const spacesMax = 2_000
/** Patterns whose learning is read per statement: applying it blocks the event loop for a few ms. */
const pagePatterns = 2_000

/** What spaces have learned, in memory, by engine version. (`Learning` holds what this process has yet to write.) */
export class LearningCache extends VersionedCache<SpaceLearning> {
  readonly #queries: Queries

  constructor(queries: Queries) {
    super(spacesMax)
    this.#queries = queries
  }

  protected sizeOf(): number {
    return 1
  }

  /** Brings a copy up to an engine version that this process has just committed, so that the next request need not read it. */
  async takeOver(spaceId: string, engineVersion: number): Promise<void> {
    if (this.peek(spaceId) !== undefined) await this.get(spaceId, engineVersion)
  }

  /** Drops what is known of removed patterns. */
  forget(spaceId: string, indexes: readonly number[]): void {
    const gone = new Set(indexes)
    this.peek(spaceId)?.forget(gone)
    // A read that is under way may have begun before the removal.
    this.working(spaceId)?.then(
      (learning) => learning?.forget(gone),
      () => {},
    )
  }

  /** @throws ApiError when the space is gone */
  protected async read(spaceId: string, learning: SpaceLearning | undefined): Promise<SpaceLearning> {
    if (learning === undefined) return this.#load(spaceId)
    const since = await findLearned(this.#queries, spaceId, learning.version, learning.storedUpTo)
    if (since === undefined) throw new ApiError('invalid_api_key')
    learning.apply(since)
    return learning
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
