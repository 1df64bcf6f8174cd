import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Filter, foldCase, type TimeField } from '@memory/shared/catalogue/filter'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { startOf } from '@memory/shared/catalogue/pages'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import { findMatching, findMatchingPart } from '../filter/find-matching.ts'
import type { CountPatterns, ListOrder, ListPatterns, SearchPatterns } from '../schema.ts'
import { type PageEnd, pageCursors } from './cursor.ts'
import { countAt, listAt } from './past-store.ts'
import { findPatternsAt, listPatterns, type PatternRow } from './pattern-store.ts'
import { patternsJson } from './show-pattern.ts'

type Listing = Pick<MemoryContext, 'queries' | 'metadata' | 'clock'>

/** What is listed: see the schemas of the operations. */
interface Wanted {
  filter?: Filter | undefined
  q?: string | null | undefined
}

/** How a page is cut. */
interface Paging {
  order: ListOrder
  limit: number
  /** Where the page before ended. */
  after: PageEnd | undefined
  /** Those too that are not valid now. */
  all: boolean
}

interface Page {
  rows: PatternRow[]
  /** Where it ends, unless it is the last. */
  end: PageEnd | undefined
}

/** A page of patterns in an order. @throws ValidationError for a cursor that no page in this order gave */
export async function listPatternPage(
  context: Listing,
  caller: Caller,
  wanted: Input<typeof ListPatterns>['query'] | Input<typeof SearchPatterns>['body'],
  from: 'query' | 'body',
): Promise<JsonText<Output<typeof ListPatterns>>> {
  const { cursor, limit, order, include_superseded: all } = wanted
  const after = startOf(cursor, pageCursors(order).decode, from)
  const filter = filterOf(wanted)
  const paging = { order, limit, after, all }
  if (wanted.as_of != null) {
    if (order !== 'created_at') throw ValidationError.rule([from, 'order'], 'with as_of it is store order')
    return toList(paging, await readAt(context, caller, filter, { ...paging, at: wanted.as_of }))
  }
  const page =
    filter === undefined && order === 'created_at'
      ? await readInStoreOrder(context, caller, paging)
      : await readFiltered(context, caller, filter ?? everything, paging)
  return toList(paging, page)
}

function toList({ order }: Paging, { rows, end }: Page): JsonText<Output<typeof ListPatterns>> {
  const next = end === undefined ? null : pageCursors(order).encode(end)
  return new JsonText('{', ...patternsJson(rows), `,"next_cursor":${JSON.stringify(next)}}`)
}

/** How many patterns there are. */
export async function countPatterns(
  context: Listing,
  caller: Caller,
  wanted: Input<typeof CountPatterns>['body'],
): Promise<Output<typeof CountPatterns>> {
  const { as_of: at, include_superseded: all } = wanted
  const filter = filterOf(wanted)
  if (at != null) return { count: await countAt(context.queries, caller, { at, all }, filter) }
  const { count } = await findMatching(context, caller, filter ?? everything, { all })
  return { count }
}

const everything: Filter = { kind: 'and', of: [] }

async function readInStoreOrder(
  { queries }: Listing,
  { spaceId }: Caller,
  { limit, after, all }: Paging,
): Promise<Page> {
  await beginLongAnswer(limit)
  const found = await listPatterns(queries, spaceId, { after: after?.idx ?? -1, count: limit + 1, all })
  return { rows: found.slice(0, limit), end: endOf(found, limit) }
}

async function readAt(
  { queries }: Listing,
  caller: Caller,
  filter: Filter | undefined,
  { limit, after, all, at }: Paging & { at: Date },
): Promise<Page> {
  const moment = { at, all }
  await beginLongAnswer(limit)
  const found = await listAt(queries, caller, { moment, after: after?.idx ?? -1, count: limit + 1, filter })
  return { rows: found.slice(0, limit), end: endOf(found, limit) }
}

async function readFiltered(
  context: Listing,
  caller: Caller,
  filter: Filter,
  { order, limit, after, all }: Paging,
): Promise<Page> {
  const { queries, metadata } = context
  const { spaceId, spaceVersion } = caller
  const count = limit + 1
  let found: PageEnd[]
  if (order === 'created_at') {
    const part = { all, after: after?.idx ?? -1, count }
    found = (await findMatchingPart(context, caller, filter, part)).map((idx) => ({ idx }))
  } else {
    const among = await findMatching(context, caller, filter, { all })
    found = (await metadata.get(spaceId, spaceVersion)).page(among, {
      field: `$${order.replace('-', '')}` as TimeField,
      isDescending: order.startsWith('-'),
      count,
      after,
    })
  }
  const shown = found.slice(0, limit).map(({ idx }) => idx)
  await beginLongAnswer(shown.length)
  return { rows: await findPatternsAt(queries, spaceId, shown), end: endOf(found, limit) }
}

/** Where a page ends, of which one pattern more was looked for. */
const endOf = (found: readonly PageEnd[], limit: number): PageEnd | undefined =>
  found.length > limit ? found[limit - 1] : undefined

/** The filter, and the words that a text must contain. */
function filterOf({ filter, q }: Wanted): Filter | undefined {
  if (q == null) return filter
  const contains: Filter = { kind: 'contains', field: '$text', part: foldCase(q) }
  return filter === undefined ? contains : { kind: 'and', of: [filter, contains] }
}
