import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { Queries } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PlaceInTime } from '../filter/metadata-index.ts'
import { findPatternsAt, type PatternRow } from '../patterns/pattern-store.ts'
import type { Line } from './line.ts'
import { findEnded, findTextsAmong } from './standing-store.ts'

type Finding = Pick<MemoryContext, 'queries' | 'metadata' | 'clock'>

interface Wanted {
  since: Date
  filter: Filter | undefined
  /** Whose, as `standingSubjects` tells them: what has ended is looked for among theirs. */
  subjects: (string | null)[] | null
  count: number
}

/**
 * Texts that were added or changed since a time, or have ended since, the last first. What was erased has left nothing.
 * @param count of those added or changed, and of those ended, at most
 */
export async function changesSince(
  context: Finding,
  caller: Caller,
  { since, filter, subjects, count }: Wanted,
): Promise<Line[]> {
  const { queries, metadata } = context
  const { spaceId, spaceVersion } = caller
  const isLater: Filter = { kind: 'gte', field: '$updated_at', than: since.getTime() }
  const changed: Filter = { kind: 'and', of: filter === undefined ? [isLater] : [filter, isLater] }
  const [among, seen, endedOfAll] = await Promise.all([
    findMatching(context, caller, changed, { all: true }),
    filter && findMatching(context, caller, filter, { all: true }),
    findEnded(queries, spaceId, { subjects, since, count: filter === undefined ? count : endedMax }),
  ])
  const space = await metadata.get(spaceId, spaceVersion)
  const last = await lastTexts(queries, caller, count, (after) =>
    space.page(among, { field: '$updated_at', isDescending: true, count: lookedAtOnce, after }),
  )
  const ended = new Set(endedOfAll.filter((idx) => seen?.has(idx) ?? true).slice(0, count))
  const shown = [...new Set([...last, ...ended])]
  await beginLongAnswer(shown.length)
  const rows = await findPatternsAt(queries, spaceId, shown)
  const now = context.clock.now()
  const lines = rows.flatMap((row) => lineOf(row, since, now, ended.has(row.idx)) ?? [])
  return lines.sort((a, b) => b.changedAt - a.changedAt || b.idx - a.idx)
}

/** Patterns that are looked at together for texts among them. */
const lookedAtOnce = 1_000
/** Most patterns that have ended of which a filter picks. */
const endedMax = 10_000

/** The first `count` texts of pages of patterns, in their order. @throws ApiError abandoned */
async function lastTexts(
  queries: Queries,
  { spaceId, signal }: Pick<Caller, 'spaceId' | 'signal'>,
  count: number,
  pageAfter: (place: PlaceInTime | undefined) => PlaceInTime[],
): Promise<number[]> {
  const texts: number[] = []
  for (let after: PlaceInTime | undefined; ; ) {
    if (signal?.aborted) throw new ApiError('abandoned')
    const page = pageAfter(after)
    if (page.length === 0) return texts
    const indexes = page.map(({ idx }) => idx)
    const found = new Set(await findTextsAmong(queries, spaceId, indexes))
    texts.push(...indexes.filter((idx) => found.has(idx)))
    if (texts.length >= count || page.length < lookedAtOnce) return texts.slice(0, count)
    after = page.at(-1)
    await yieldToEventLoop()
  }
}

/** @param hasEnded whether it has by the database's clock, by which the next `since` goes */
function lineOf(
  row: PatternRow,
  since: Date,
  now: Date,
  hasEnded: boolean,
): (Line & { changedAt: number }) | undefined {
  const { idx, id, external_id, text, created_at, updated_at, valid_from, valid_to } = row
  if (text === null) return undefined
  const isEnded = valid_to !== null && (hasEnded || valid_to <= now)
  // What was over before, or is yet to come, is no news now.
  const saidAt = updated_at ?? created_at
  if (isEnded ? valid_to <= since && saidAt < since : valid_from !== null && valid_from > now)
    return undefined
  // What is said to have ended long ago is news from when it was said.
  const changedAt = isEnded && valid_to > saidAt ? valid_to : saidAt
  return {
    kind: isEnded ? 'ended' : created_at >= since ? 'added' : 'changed',
    ...{ idx, id, external_id, text },
    at: row.occurred_at.getTime(),
    isCut: false,
    changedAt: changedAt.getTime(),
  }
}
