import pg from 'pg'
import { prepareValue } from 'pg/lib/utils'

/** Object ids of PostgreSQL's types. */
const typeId = { bytea: 17, bigint: 20, timestamptz: 1184 }

/** A function that parses PostgreSQL's text form of a type. A bigint becomes a number: our counters stay far below 2^53. */
export const readerOf = (type: number): ((text: string) => unknown) =>
  type === typeId.bigint ? Number : (pg.types.getTypeParser(type, 'text') as (text: string) => unknown)

/** `readerOf` for the embedded database, with own parsers for two types, several times as fast as the usual ones. */
export function embeddedReaderOf(type: number): (text: string) => unknown {
  if (type === typeId.bytea) return readBytes
  return type === typeId.timestamptz ? readTimestamp : readerOf(type)
}

function readBytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Parses a timestamp by way of ISO 8601: in any other form, JavaScript would read years below 100 as 19xx or 20xx. */
function readTimestamp(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}

/** Converts a parameter for PostgreSQL's protocol: to text, or for bytes, to the binary form of its type. */
export const toParameter = (value: unknown): string | Buffer | null => prepareValue(value)

/** Quotes a name for use in SQL. */
export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name)
