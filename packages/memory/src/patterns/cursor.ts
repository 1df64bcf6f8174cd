import type { ListOrder } from '../schema.ts'

/** Where a page ends. */
export interface PageEnd {
  idx: number
  /** In an order by a time, that of the last pattern in ms since 1970. */
  at?: number | undefined
}

/** A page's end as an opaque text: callers keep it, and only this file reads it. */
export function encodeCursor(order: ListOrder, { idx, at }: PageEnd): string {
  const name = order === 'created_at' ? '' : `${order}:`
  return Buffer.from(`after:${name}${at === undefined ? '' : `${at}:`}${idx}`).toString('base64url')
}

/** @returns undefined for a text that `encodeCursor` did not give for that order */
export function decodeCursor(order: ListOrder, cursor: string): PageEnd | undefined {
  const match = /^after:(?:-?[a-z_]+:)?(?:(-?\d{1,15}):)?(\d{1,10})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  )
  if (match === null) return undefined
  const end = { idx: Number(match[2]), at: match[1] === undefined ? undefined : Number(match[1]) }
  return end.idx <= 0x7fffffff && encodeCursor(order, end) === cursor ? end : undefined
}
