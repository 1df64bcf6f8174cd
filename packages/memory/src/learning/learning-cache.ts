import { ApiError } from '@memory/shared/catalogue/errors'
import type { Queries } from '@memory/shared/platform/database/database'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import { findLearned, findOutline, loadLearnedPage } from './learning-store.ts'
import { SpaceLearning } from './space-learning.ts'

/** Spaces whose learning is kept in memory: what is unused for longest is read again. */
const spacesMax = 2_000
/** Patterns of which is read at a time what was learned: taking them over holds up the event loop a few ms. */
const pagePatterns = 2_000

/** What spaces have learned, as far as this process holds it, as of at least the engine version that a caller names. */
export class LearningCache extends VersionedCache<SpaceLearning> {
  readonly #queries: Queries

  constructor(queries: Queries) {
    super(spacesMax)
    this.#queries = queries
  }

  protected sizeOf(): number {
    return 1
  }

  /** Takes over what this process itself has just committed, for the requests to come. */
  async takeOver(spaceId: string, engineVersion: number): Promise<void> {
    if (this.peek(spaceId) !== undefined) await this.get(spaceId, engineVersion)
  }

  /** Drops what is known of patterns that are gone. */
  forget(spaceId: string, indexes: readonly number[]): void {
    if (indexes.length === 0) return
    const gone = new Set(indexes)
    this.peek(spaceId)?.forget(gone)
    // What is being read may be from before.
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

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
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
