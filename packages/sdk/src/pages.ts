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

/** Every item of a list with numbered pages, from the page of the query on. */
export async function* byNumber<Item, Query extends { page?: number }, Answer>(
  page: PageOf<Query, Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
  hasMore: (answer: Answer, page: number) => boolean,
  query?: Query,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  for (let number = query?.page ?? 1; ; number++) {
    const answer = await page({ ...(query as Query), page: number }, options)
    yield* itemsOf(answer)
    if (!hasMore(answer, number)) return
  }
}
