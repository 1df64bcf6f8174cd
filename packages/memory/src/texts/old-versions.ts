import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { listDocumentChanges } from '../filter/document-store.ts'
import { documentOf } from '../filter/javascript-metadata.ts'
import { matches } from '../filter/matches.ts'
import { type KeptRow, listKept, redactVersions, type VersionPlace } from '../patterns/version-store.ts'
import * as store from '../store.ts'
import type { ForgetGuard } from './forget-guard.ts'
import { isSameText } from './text-identity.ts'

/** What versions are that are to be erased: all of what is given. */
export interface WantedVersions {
  query?: { text: string; vector: Float32Array; threshold: number } | undefined
  filter?: Filter | undefined
  category?: string | undefined
  guard?: ForgetGuard | undefined
}

/** Versions that one statement looks at: the embedded database answers nobody else meanwhile. */
const pageRows = 500
/** Whatever threshold is asked for, the same text is found: it is nearer than this, whatever rounding says. */
const sameTextMin = 0.9

/**
 * Versions of patterns that are what is to be erased although the patterns, as they are now, may not be. They are looked for
 * before the space is locked, since each is compared; what has changed since then is looked at where they are erased.
 */
export class OldVersions {
  readonly #spaceId: string
  readonly #wanted: WantedVersions
  /** Version of the space when they were looked for. */
  readonly #since: number
  readonly #found: VersionPlace[] = []

  private constructor(spaceId: string, wanted: WantedVersions, since: number) {
    this.#spaceId = spaceId
    this.#wanted = wanted
    this.#since = since
  }

  /** @throws ApiError abandoned */
  static async find(
    queries: Queries,
    { spaceId, signal }: Pick<Caller, 'spaceId' | 'signal'>,
    wanted: WantedVersions,
  ): Promise<OldVersions> {
    const old = new OldVersions(spaceId, wanted, await store.getVersion(queries, spaceId))
    for (let after: VersionPlace | undefined = { idx: -1, revision: 0 }; after !== undefined; ) {
      if (signal?.aborted) throw new ApiError('abandoned')
      after = await old.#look(queries, { after, count: pageRows })
      await yieldToEventLoop()
    }
    return old
  }

  /** How many there are but for those of patterns that are to go themselves. */
  countBut(gone: ReadonlySet<number>): number {
    return this.#found.filter(({ idx }) => !gone.has(idx)).length
  }

  /**
   * Takes everything out of them but for those of patterns that are to go themselves.
   * @param trx of the space, which it has locked @returns how many there were
   */
  async redactBut(trx: Trx, gone: ReadonlySet<number>): Promise<number> {
    const changes = await listDocumentChanges(trx, this.#spaceId, this.#since)
    const changed = changes?.stored.map(({ idx }) => idx) ?? []
    if (changed.length > 0) await this.#look(trx, changed)
    const doomed = this.#found.filter(({ idx }) => !gone.has(idx))
    return doomed.length === 0 ? 0 : redactVersions(trx, this.#spaceId, doomed)
  }

  async #look(
    queries: Queries,
    of: readonly number[] | { after: VersionPlace; count: number },
  ): Promise<VersionPlace | undefined> {
    const { query } = this.#wanted
    const near = query && { vector: query.vector, least: Math.min(query.threshold, sameTextMin) }
    const { rows, last } = await listKept(queries, this.#spaceId, { near, of })
    for (const row of rows) {
      if (isWanted(this.#wanted, row)) this.#found.push({ idx: row.idx, revision: row.revision })
    }
    return last
  }
}

function isWanted(
  { query, filter, category, guard }: WantedVersions,
  { text, cosine, ...row }: KeptRow,
): boolean {
  if (category !== undefined && row.category !== category) return false
  if (filter !== undefined && !matches(filter, documentOf(row, text))) return false
  if (query === undefined) return true
  if (text === null || cosine === null) return false
  if (isSameText(text, query.text)) return true
  return cosine >= query.threshold && guard?.reasonToKeep(text) === undefined
}
