import { type Cursors, cursorsOf } from '@memory/shared/catalogue/pages'
import type { ListOrder } from '../schema.ts'

/** An idx or a revision: an integer of PostgreSQL's from 0 on. @returns undefined for one that is too large, or none */
function readPlace(digits: string | undefined): number | undefined {
  const place = Number(digits)
  return place <= 0x7fffffff ? place : undefined
}

/** Cursors of lists in the order of an idx or a revision. */
export const placeCursors: Cursors<number> = cursorsOf(
  (place) => `after:${place}`,
  (text) => readPlace(/^after:(\d{1,10})$/.exec(text)?.[1]),
)

/** Where a page of patterns ends. */
export interface PageEnd {
  idx: number
  /** In an order other than that of storing, the time of the last pattern in ms since 1970. */
  at?: number
}

/** Cursors of patterns in an order. */
export function pageCursors(order: ListOrder): Cursors<PageEnd> {
  if (order === 'created_at') {
    return {
      encode: ({ idx }) => placeCursors.encode(idx),
      decode(cursor) {
        const idx = placeCursors.decode(cursor)
        return idx === undefined ? undefined : { idx }
      },
    }
  }
  return cursorsOf(
    ({ idx, at = 0 }) => `${order}:${at}:${idx}`,
    (text) => {
      const [, at, digits] = /:(-?\d{1,15}):(\d{1,10})$/.exec(text) ?? []
      const idx = readPlace(digits)
      return idx === undefined ? undefined : { at: Number(at), idx }
    },
  )
}
