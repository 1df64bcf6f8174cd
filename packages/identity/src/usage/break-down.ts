import { ValidationError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { type Caller, type Input, type Output, usageClasses } from '@memory/shared/catalogue/operation'
import { nameCursors, pageOf, startOf } from '@memory/shared/catalogue/pages'
import { requireScope } from '@memory/shared/catalogue/require-scope'
import { retention } from '@memory/shared/catalogue/retention'
import { nameKeys } from '../keys/service.ts'
import { dayMs, floorTo, hourMs, monthOf } from './calendar.ts'
import type { BreakDownUsage } from './schema.ts'
import { describeCaller, percentageOf, type UsageContext } from './service.ts'
import * as store from './store.ts'
import { counterOf } from './usage-log.ts'

type Answer = Output<typeof BreakDownUsage>
type Asked = Input<typeof BreakDownUsage>['query']
type Share = Pick<Answer['items'][number], 'of' | 'name' | 'count' | 'stored'>
type Shares = { total: number; items: Share[]; next_cursor: string | null }

/**
 * Divides the use of the caller's space by what `by` names.
 * @throws ApiError insufficient_scope when a caller without the right to read memories asks for subjects
 * @throws ValidationError for a period that ends before it begins, and for an invalid cursor
 */
export async function breakDownUsage(context: UsageContext, caller: Caller, asked: Asked): Promise<Answer> {
  const span = spanOf(asked, context.clock.now())
  const { total, items, next_cursor } =
    asked.by === 'subject'
      ? await bySubject(context, caller, asked, span)
      : await byCalls(context, caller, asked, span)
  return {
    by: asked.by,
    since: span.since.toISOString(),
    until: span.until?.toISOString() ?? null,
    total,
    items: items.map((each) => ({ ...each, percentage: percentageOf(each.count, total) })),
    next_cursor,
  }
}

/**
 * The period, with both ends rounded down to the hour or day for which usage of that time is still stored: what one ends with, the
 * next begins with, and none counts a request of the other. Within one hour or day it is empty.
 */
function spanOf({ since, until }: Asked, now: Date): store.Span {
  const begin = since ?? monthOf(now).start
  if (until !== undefined && until <= begin)
    throw ValidationError.rule(['query', 'until'], 'until must be later than since', until.toISOString())
  const oldMs = now.getTime() - retention.hoursMs
  const round = (at: Date) => new Date(floorTo(at, at.getTime() < oldMs ? dayMs : hourMs))
  return { since: round(begin), until: until && round(until) }
}

async function byCalls(
  { queries, log }: UsageContext,
  { spaceId, organizationId }: Caller,
  { by, cursor, limit }: Asked,
  span: store.Span,
): Promise<Shares> {
  const cursors = cursorsBy(by)
  await log.flushForReader([spaceId])
  const callers = await store.readCallsOfCallers(queries, spaceId, span)
  const shares =
    by === 'key' ? ofKeys(callers, await nameKeys(queries, organizationId)) : ofOperations(callers)
  const sorted = shares.sort((a, b) => b.count - a.count || (a.of < b.of ? -1 : 1))
  const placeOf = (after: string | undefined) => {
    const place = sorted.findIndex(({ of }) => of === after)
    return place === -1 ? undefined : place + 1
  }
  const start = startOf(cursor, (given) => placeOf(cursors.decode(given))) ?? 0
  const { page, next_cursor } = pageOf(sorted.slice(start, start + limit + 1), limit, ({ of }) =>
    cursors.encode(of),
  )
  return { total: shares.reduce((sum, { count }) => sum + count, 0), items: page, next_cursor }
}

function ofOperations(callers: readonly store.Calls[]): Share[] {
  const counters = [
    ...usageClasses.map((each) => [each, counterOf[each]] as const),
    ['other', 'other'] as const,
  ]
  return counters.map(([of, counter]) => ({
    of,
    name: null,
    count: callers.reduce((sum, calls) => sum + calls[counter], 0),
    stored: null,
  }))
}

function ofKeys(
  callers: readonly (store.Calls & { caller: string })[],
  names: ReadonlyMap<string, string>,
): Share[] {
  return callers.map(({ caller, ...calls }) => {
    const { key_id: of, name } = describeCaller(caller, names)
    return { of, name, count: store.totalOf(calls), stored: null }
  })
}

async function bySubject(
  { queries }: UsageContext,
  caller: Caller,
  { by, cursor, limit }: Asked,
  span: store.Span,
): Promise<Shares> {
  requireScope(caller, 'memory:read')
  const { spaceId } = caller
  const cursors = cursorsBy(by)
  const after = startOf(cursor, cursors.decode)
  const { held, subjects } = await store.readSubjects(queries, spaceId, { ...span, after, count: limit + 1 })
  const { page, next_cursor } = pageOf(subjects, limit, ({ subject }) => cursors.encode(subject))
  const items = page.map(({ subject, patterns, stored }) => ({
    of: subject,
    name: null,
    count: patterns,
    stored,
  }))
  return { total: held.patterns, items, next_cursor }
}

/** Cursors of a division: of subjects as they are named, of all else as it is shown. */
const cursorsBy = (by: Asked['by']) => nameCursors(by, limits.subjectChars)
