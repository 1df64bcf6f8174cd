import { ValidationError } from './errors.ts'

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
