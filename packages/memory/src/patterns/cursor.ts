import type { ListOrder } from '../schema.ts'

/** A page's end as an opaque text: callers keep it, and only this file reads it. */
export function encodeCursor(idx: number): string {
  return Buffer.from(`after:${idx}`).toString('base64url')
}

/** @returns the idx, or undefined for a text that `encodeCursor` did not give. */
export function decodeCursor(cursor: string): number | undefined {
  const match = /^after:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())
  const idx = match === null ? Number.NaN : Number(match[1])
  return idx <= 0x7fffffff && encodeCursor(idx) === cursor ? idx : undefined
}

/** Where a page of patterns ends. */
export interface PageEnd {
  idx: number
  /** In an order other than that of storing, the time of the last pattern in ms since 1970. */
  at?: number
}

/** The end of a page in some order. */
export function encodePageEnd(order: ListOrder, { idx, at = 0 }: PageEnd): string {
  if (order === 'created_at') return encodeCursor(idx)
  return Buffer.from(`${order}:${at}:${idx}`).toString('base64url')
}

/** @returns undefined for a text that `encodePageEnd` did not give for that order */
export function decodePageEnd(order: ListOrder, cursor: string): PageEnd | undefined {
  if (order === 'created_at') {
    const idx = decodeCursor(cursor)
    return idx === undefined ? undefined : { idx }
  }
  const match = /:(-?\d{1,15}):(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (match === null) return undefined
  const end = { at: Number(match[1]), idx: Number(match[2]) }
  return end.idx <= 0x7fffffff && encodePageEnd(order, end) === cursor ? end : undefined
}
