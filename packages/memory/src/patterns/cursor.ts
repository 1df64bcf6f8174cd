import { ValidationError } from '@memory/shared/catalogue/errors'
import type { ListOrder } from '../schema.ts'

/**
 * Where a page begins, as its cursor says; undefined for the first.
 * @param from where the cursor stands @throws ValidationError for a cursor that no page gave
 */
export function startOf<Start>(
  cursor: string | null | undefined,
  decode: (cursor: string) => Start | undefined,
  from: 'query' | 'body' = 'query',
): Start | undefined {
  if (cursor == null) return undefined
  const start = decode(cursor)
  if (start !== undefined) return start
  throw ValidationError.rule([from, 'cursor'], 'cursor is not one that this endpoint gave', cursor)
}

/** A page of rows, of which one more than it has was looked for, and the cursor of the next. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  encode: (last: Row) => string,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: rows.length > limit && last !== undefined ? encode(last) : null }
}

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
