import { ValidationError } from './errors.ts'
import { characterFault } from './fields-json.ts'

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

/** Where pages of a list end, as texts that clients keep and give back. */
export interface Cursors<End> {
  encode(end: End): string
  /** @returns undefined for a text that `encode` can't have made */
  decode(cursor: string): End | undefined
}

/**
 * Anybody can write a cursor, so each part of one is looked at as what any request says is.
 * @param read what `write` made a text of; undefined where a part of it is none that a page may end with
 */
export function cursorsOf<End>(
  write: (end: End) => string,
  read: (text: string) => End | undefined,
): Cursors<End> {
  const encode = (end: End) => Buffer.from(write(end)).toString('base64url')
  return {
    encode,
    decode(cursor) {
      const text = Buffer.from(cursor, 'base64url').toString()
      const end = characterFault(text) === undefined ? read(text) : undefined
      return end !== undefined && encode(end) === cursor ? end : undefined
    },
  }
}

/** Cursors of a list in the order of names. @param mark of the list, so that a cursor of another is none of it */
export function nameCursors(mark: string, lengthMax: number): Cursors<string> {
  const isName = (name: string) => name !== '' && [...name].length <= lengthMax
  return cursorsOf(
    (name) => `${mark} ${name}`,
    (text) => {
      const name = text.startsWith(`${mark} `) ? text.slice(mark.length + 1) : ''
      return isName(name) ? name : undefined
    },
  )
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
