import { limits } from '@memory/shared/catalogue/limits'
import type { Metadata, StoreItem } from './client.ts'
import { count } from './format.ts'
import type { Line } from './lines.ts'

export type ParsedLine =
  | { kind: 'item'; item: StoreItem }
  | { kind: 'blank' }
  /** Its expires_at has passed, so nobody would ever see it. */
  | { kind: 'expired' }
  | { kind: 'invalid'; reason: string }

class Invalid extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads one line of an import by the service's own rules, so that a bad line is named before anything is sent.
 * Fields other than the four are left out: an export's pattern_id and created_at are of the old pattern.
 */
export function parseLine(line: Line, now: number): ParsedLine {
  try {
    if (line.bytes === undefined) throw new Invalid('the line is too long')
    const source = decode(line.bytes).trim()
    if (source === '') return { kind: 'blank' }
    const value = parseObject(source)
    const item: StoreItem = { text: checkText(value.text) }
    if (value.metadata != null) item.metadata = checkMetadata(value.metadata)
    if (value.occurred_at != null) item.occurred_at = checkTime(value.occurred_at, 'occurred_at')
    if (value.expires_at != null) {
      item.expires_at = checkTime(value.expires_at, 'expires_at')
      if (readTime(item.expires_at) <= now) return { kind: 'expired' }
    }
    return { kind: 'item', item }
  } catch (error) {
    if (error instanceof Invalid) return { kind: 'invalid', reason: error.message }
    throw error
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Invalid('it is not UTF-8')
  }
}

function parseObject(source: string): Metadata {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw new Invalid('it is not JSON')
  }
  if (!isObject(value)) throw new Invalid('it is not a JSON object')
  return value
}

function checkText(text: unknown): string {
  if (text === undefined) throw new Invalid('it has no text')
  if (typeof text !== 'string') throw new Invalid('text is not a string')
  if (text.trim() === '') throw new Invalid('text is empty')
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Invalid('text has a NUL or half a surrogate pair')
  }
  // Code points are at most as many as UTF-16 units: most texts need no counting.
  if (text.length > limits.textChars && [...text].length > limits.textChars) {
    throw new Invalid(`text is longer than ${count(limits.textChars)} characters`)
  }
  return text
}

function checkMetadata(metadata: unknown): Metadata {
  if (!isObject(metadata)) throw new Invalid('metadata is not an object')
  if (Buffer.byteLength(JSON.stringify(metadata)) > limits.metadataBytes) {
    throw new Invalid(`metadata is larger than ${limits.metadataBytes / 1024} KiB`)
  }
  if (depth(metadata) > limits.metadataDepth) {
    throw new Invalid(`metadata is nested more than ${limits.metadataDepth} deep`)
  }
  return metadata
}

function checkTime(value: unknown, name: string): string {
  if (typeof value !== 'string' || Number.isNaN(readTime(value)))
    throw new Invalid(`${name} is not a timestamp`)
  return value
}

/** A timestamp without an offset is UTC, as the service reads it. */
function readTime(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/.test(text)) return Number.NaN
  return Date.parse(/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function depth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depth))
}
