import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Filter, foldCase, type TimeField } from '@memory/shared/catalogue/filter'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { CountPatterns, ListOrder, ListPatterns, SearchPatterns } from '../schema.ts'
import { decodeCursor, encodeCursor, type PageEnd } from './cursor.ts'
import { findPatterns, listPatterns } from './pattern-store.ts'
import { toPattern } from './show-pattern.ts'

type Listing = Pick<MemoryContext, 'queries' | 'metadata' | 'clock'>

/** What is listed: see the schemas of the operations. */
type Wanted = { filter?: Filter | undefined; q?: string | null | undefined }

/** A page of patterns in an order. @throws ValidationError for a cursor that no page in this order gave */
export async function listPatternPage(
  context: Listing,
  caller: Caller,
  {
    cursor,
    limit,
    order,
    ...wanted
  }: Input<typeof ListPatterns>['query'] | Input<typeof SearchPatterns>['body'],
  from: 'query' | 'body',
): Promise<Output<typeof ListPatterns>> {
  const after = cursor == null ? undefined : decodeCursor(order, cursor)
  if (cursor != null && after === undefined) {
    throw ValidationError.rule(
      [from, 'cursor'],
      'cursor is not one that this endpoint gave in this order',
      cursor,
    )
  }
  const filter = filterOf(wanted)
  const isPlain = filter === undefined && order === 'created_at'
  const rows = isPlain
    ? await listPatterns(context.queries, caller.spaceId, after?.idx ?? -1, limit + 1)
    : undefined
  const ends: PageEnd[] =
    rows ?? (await findPage(context, caller, filter ?? everything, { limit, order, after }))
  const [page, last] = [ends.slice(0, limit), ends[limit - 1]]
  const isLast = last === undefined || ends.length <= limit
  const shown =
    rows?.slice(0, limit) ??
    (await findPatterns(
      context.queries,
      caller.spaceId,
      page.map(({ idx }) => idx),
    ))
  return {
    patterns: shown.map(toPattern),
    next_cursor: isLast ? null : encodeCursor(order, endOf(order, last)),
  }
}

const endOf = (order: ListOrder, { idx, at }: PageEnd): PageEnd =>
  order === 'created_at' ? { idx } : { idx, at }

/** How many patterns there are. */
export async function countPatterns(
  context: Listing,
  caller: Caller,
  wanted: Input<typeof CountPatterns>['body'],
): Promise<Output<typeof CountPatterns>> {
  const { count } = await findMatching(context, caller, filterOf(wanted) ?? everything)
  return { count }
}

const everything: Filter = { kind: 'and', of: [] }

/** Where the patterns of a page stand, and one more, if there is one. */
async function findPage(
  context: Listing,
  caller: Caller,
  filter: Filter,
  { limit, order, after }: { limit: number; order: ListOrder; after: PageEnd | undefined },
): Promise<PageEnd[]> {
  const among = await findMatching(context, caller, filter)
  const count = limit + 1
  if (order === 'created_at') return firstAfter(among, after?.idx ?? -1, count)
  const space = await context.metadata.get(caller.spaceId, caller.spaceVersion)
  const field = `$${order.replace('-', '')}` as TimeField
  return space.page(among, { field, isDescending: order.startsWith('-'), count, after })
}

/** The next patterns in store order. */
function firstAfter(among: PatternSet, after: number, count: number): PageEnd[] {
  const found: PageEnd[] = []
  for (const idx of among.from(after + 1)) {
    if (found.push({ idx }) === count) break
  }
  return found
}

/** The filter, and the words that a text must contain. */
function filterOf({ filter, q }: Wanted): Filter | undefined {
  if (q == null) return filter
  const contains: Filter = { kind: 'contains', field: '$text', part: foldCase(q) }
  return filter === undefined ? contains : { kind: 'and', of: [filter, contains] }
}
