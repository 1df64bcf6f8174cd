import type { CallOptions } from './operations.ts'

/** A method that answers one page. */
type PageOf<Query, Answer> = (query?: Query, options?: CallOptions) => Promise<Answer>

/** Every item of a list that goes on at `next_cursor`, page after page as they are asked for. */
export async function* byCursor<
  Item,
  Query extends { cursor?: string },
  Answer extends { next_cursor: string | null },
>(
  page: PageOf<Query, Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
  query?: Query,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let next = query
  for (;;) {
    const answer = await page(next, options)
    yield* itemsOf(answer)
    if (answer.next_cursor === null) return
    next = { ...(query as Query), cursor: answer.next_cursor }
  }
}

/**
 * Every item of a list with numbered pages, newest first, each once, whatever is added or removed meanwhile: items that are
 * there all the time are not left out either. Whoever deletes or marks as read what they are given moves what comes after it to
 * an earlier page. So each page is asked for with the last item of the one before in it: where none that is known is there,
 * something may have moved past it, and an earlier page is read.
 */
export async function* byNumber<
  Item extends { id: string },
  Query extends { page?: number; per_page?: number },
>(
  list: PageOf<Query, { data: readonly Item[]; pagination: { page: number; per_page: number } }>,
  query?: Query,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>()
  let most: number | undefined
  for (let next = query; ; ) {
    const { data, pagination } = await list(next, options)
    const { page, per_page: size } = pagination
    most ??= Math.max(size, pageItems)
    const known = data.findIndex(({ id }) => seen.has(id))
    const goesOn = known >= 0 || page === 1 || seen.size === 0
    if (goesOn) {
      // Before the first that is known is only what is new.
      for (const item of data.slice(known + 1)) {
        if (seen.has(item.id)) continue
        seen.add(item.id)
        yield item
      }
      if (data.length < size) return
    }
    const read = goesOn ? page * size : (page - 1) * size - most
    next = { ...(query as Query), ...pageAcross(read, most) }
  }
}

/** So many items have enough page sizes below them for `pageAcross` to find one. */
const pageItems = 20

/** The page that has the last of the first `read` items of a list, and the most after it; the first where there are none. */
function pageAcross(read: number, most: number): { page: number; per_page: number } {
  let across = { page: 1, per_page: most }
  let gain = 0
  for (let size = 2; read > 0 && size <= most; size++) {
    const before = read % size
    if (before === 0 || size - before <= gain) continue
    gain = size - before
    across = { page: Math.ceil(read / size), per_page: size }
  }
  return across
}

/**
 * Every entry of a log with numbered pages, newest first, each once: what is recorded after the first answer, and would push
 * entries from one page onto the next, is left out. From a later page on than the first it is what is no newer than its newest.
 * Each page is asked for by the time of the last entry that is known, since pages far into a log are refused.
 */
export async function* byTime<
  Entry extends { timestamp: string },
  Query extends { page?: number; until?: string },
>(
  log: PageOf<Query, { entries: readonly Entry[]; has_more: boolean }>,
  query?: Query,
  options?: CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  const upTo = (time: string, page: number) =>
    log({ ...(query as Query), until: new Date(Date.parse(time) + 1).toISOString(), page }, options)
  let answer = await log(query, options)
  const [newest] = answer.entries
  if (newest !== undefined && (query?.page ?? 1) > 1) answer = await upTo(newest.timestamp, 1)
  /** Of the time of the last entry, which the next page may begin with, so many were given. */
  let last: string | undefined
  let alike = 0
  for (let given = 0; ; ) {
    const entries = answer.entries.slice(given)
    yield* entries
    const end = entries.at(-1)?.timestamp
    if (end === undefined || !answer.has_more) return
    alike = entries.filter(({ timestamp }) => timestamp === end).length + (end === last ? alike : 0)
    last = end
    const size = answer.entries.length
    given = alike % size
    answer = await upTo(end, Math.floor(alike / size) + 1)
  }
}
