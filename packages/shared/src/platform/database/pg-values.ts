import pg from 'pg'
import { prepareValue } from 'pg/lib/utils'

/** Numbers of PostgreSQL's types. */
const typeId = { bytea: 17, bigint: 20, timestamptz: 1184 }

/** Reads a column of a type from the text that PostgreSQL gives. Counters are far below 2^53 and are numbers. */
export const readerOf = (type: number): ((text: string) => unknown) =>
  type === typeId.bigint ? Number : (pg.types.getTypeParser(type, 'text') as (text: string) => unknown)

/** `readerOf` for the embedded database, with own readers for two types whose usual ones take several times as long. */
export function embeddedReaderOf(type: number): (text: string) => unknown {
  if (type === typeId.bytea) return readBytes
  return type === typeId.timestamptz ? readTimestamp : readerOf(type)
}

function readBytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

/** The database's text as ISO 8601: JavaScript reads years below 100 in any other form as 19xx or 20xx. */
function readTimestamp(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}

/** A parameter as PostgreSQL's protocol has it: text, or bytes in the binary form of its type. */
export const toParameter = (value: unknown): string | Buffer | null => prepareValue(value)

/** A name for use in SQL. */
export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name)
