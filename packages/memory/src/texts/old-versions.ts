import { ApiError } from '@memory/shared/catalogue/errors'
import { type Filter, requiredValues } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { listChangedSince } from '../filter/document-store.ts'
import { documentOf } from '../filter/javascript-metadata.ts'
import { matches } from '../filter/matches.ts'
import { type KeptRow, listKept, redactVersions, type VersionPlace } from '../patterns/version-store.ts'
import * as store from '../store.ts'
import type { ForgetGuard } from './forget-guard.ts'
import { isSameText } from './text-identity.ts'

/** Which earlier revisions are to be erased: those that meet all conditions given. */
export interface WantedVersions {
  query?: { text: string; vector: Float32Array; threshold: number } | undefined
  filter?: Filter | undefined
  category?: string | undefined
  guard?: ForgetGuard | undefined
}

/**
 * Revisions read per statement: all other queries of the embedded database wait meanwhile. More where no cosine is computed and
 * few are returned.
 */
const pageRows = { compared: 500, lookedUp: 4_000 }
/** The database is asked for this cosine at most, so that the same text is found despite rounding, whatever the threshold. */
const sameTextMin = 0.9

/**
 * Earlier revisions of patterns that are to be erased, even if the patterns as they are now are not. They are searched before the
 * space is locked, since comparing each takes long; patterns that change in between are looked at again under the lock.
 */
export class OldVersions {
  readonly #spaceId: string
  readonly #wanted: WantedVersions
  /** The space's version when the search began. */
  readonly #since: number
  /** What the filter asks for that the database can look at by itself; undefined: nothing. */
  readonly #subjects: string[] | undefined
  readonly #externalIds: string[] | undefined
  readonly #found: VersionPlace[] = []

  private constructor(spaceId: string, wanted: WantedVersions, since: number) {
    this.#spaceId = spaceId
    this.#wanted = wanted
    this.#subjects = wanted.filter && requiredValues(wanted.filter, '$subject')
    this.#externalIds = wanted.filter && requiredValues(wanted.filter, '$external_id')
    this.#since = since
  }

  /** Searches the revisions. @throws ApiError abandoned */
  static async find(
    queries: Queries,
    { spaceId, signal }: Pick<Caller, 'spaceId' | 'signal'>,
    wanted: WantedVersions,
  ): Promise<OldVersions> {
    const old = new OldVersions(spaceId, wanted, await store.getVersion(queries, spaceId))
    const count = wanted.query === undefined && old.#isNarrow ? pageRows.lookedUp : pageRows.compared
    for (let after: VersionPlace | undefined = { idx: -1, revision: 0 }; after !== undefined; ) {
      if (signal?.aborted) throw new ApiError('abandoned')
      after = await old.#look(queries, { after, count })
      await yieldToEventLoop()
    }
    return old
  }

  get #isNarrow(): boolean {
    return (
      this.#wanted.category !== undefined || this.#subjects !== undefined || this.#externalIds !== undefined
    )
  }

  /** How many were found, without those of patterns that are removed as a whole. */
  countBut(gone: ReadonlySet<number>): number {
    return this.#found.filter(({ idx }) => !gone.has(idx)).length
  }

  /**
   * Erases the contents of the revisions found, except those of patterns that are removed as a whole.
   * @param trx a transaction that has locked the space
   * @returns how many were erased
   */
  async redactBut(trx: Trx, gone: ReadonlySet<number>): Promise<number> {
    const changed = await listChangedSince(trx, this.#spaceId, this.#since)
    if (changed.size > 0) await this.#look(trx, [...changed])
    const doomed = this.#found.filter(({ idx }) => !gone.has(idx))
    return doomed.length === 0 ? 0 : redactVersions(trx, this.#spaceId, doomed)
  }

  async #look(
    queries: Queries,
    of: readonly number[] | { after: VersionPlace; count: number },
  ): Promise<VersionPlace | undefined> {
    const { query, category } = this.#wanted
    const near = query && { vector: query.vector, least: Math.min(query.threshold, sameTextMin) }
    const page = { near, category, subjects: this.#subjects, externalIds: this.#externalIds, of }
    const { rows, last } = await listKept(queries, this.#spaceId, page)
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
