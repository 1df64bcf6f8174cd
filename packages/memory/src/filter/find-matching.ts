import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { MemoryContext } from '../context.ts'
import { PatternSet } from '../index/pattern-set.ts'
import { findDocuments, listDocumentChanges } from './document-store.ts'
import { documentOf } from './javascript-metadata.ts'
import { matches } from './matches.ts'

/** Rows that are read at once where the index can't know: the embedded database takes some milliseconds for them. */
const rowsAtOnce = 500

type Finding = Pick<MemoryContext, 'metadata' | 'queries' | 'clock'>
type Asking = Pick<Caller, 'spaceId' | 'spaceVersion' | 'signal'>

/** Which patterns are looked at. */
interface Which {
  /** Those too that are not valid now. */
  all?: boolean
  /** Those too that have expired, and are not erased yet. */
  expired?: boolean
}

/** The patterns of a caller's space that are what a filter says. @throws ApiError abandoned */
export async function findMatching(
  context: Finding,
  caller: Asking,
  filter: Filter,
  which?: Which,
): Promise<PatternSet> {
  return (await findMatchingAt(context, caller, filter, which)).among
}

/** What is what a filter says, in the space as it was at a version. */
export interface MatchingAt {
  among: PatternSet
  version: number
}

/** As `findMatching`, and of which version of the space that is true. */
export async function findMatchingAt(
  { metadata, queries, clock }: Finding,
  { spaceId, spaceVersion, signal }: Asking,
  filter: Filter,
  { all = false, expired = false }: Which = {},
): Promise<MatchingAt> {
  const space = await metadata.get(spaceId, spaceVersion)
  const { version } = space
  const { sure, count, unsure } = await space.find(
    filter,
    expired ? Number.NEGATIVE_INFINITY : clock.now().getTime(),
    all,
  )
  metadata.tell(unsure.length)
  const matching: number[] = []
  for (let first = 0; first < unsure.length; first += rowsAtOnce) {
    if (signal?.aborted) throw new ApiError('abandoned')
    const rows = await findDocuments(queries, spaceId, [...unsure.subarray(first, first + rowsAtOnce)])
    for (const { text, ...row } of rows) if (matches(filter, documentOf(row, text))) matching.push(row.idx)
    await yieldToEventLoop()
  }
  return { among: PatternSet.joined(sure, count, matching), version }
}

/** The same of the space as it is now. @param trx a transaction that has locked the space, so that it stays so */
export async function matchingNow(
  trx: Trx,
  spaceId: string,
  filter: Filter,
  { among, version }: MatchingAt,
): Promise<PatternSet> {
  const changes = await listDocumentChanges(trx, spaceId, version)
  const changed = new Set(changes?.stored.map(({ idx }) => idx))
  if (changed.size === 0) return among
  const rows = await findDocuments(trx, spaceId, [...changed])
  const matching = rows.filter(({ text, ...row }) => matches(filter, documentOf(row, text)))
  const unchanged = [...among.from(0)].filter((idx) => !changed.has(idx))
  return PatternSet.of([...unchanged, ...matching.map(({ idx }) => idx)])
}
