import { type Conversion, convertedLines, linesAfter } from '@memory/shared/transfer/formats/convert'
import { type FormatName, looksLike } from '@memory/shared/transfer/formats/formats'
import { Leftovers } from '@memory/shared/transfer/formats/leftovers'
import { InvalidLine, type LineRules, parseLine as parseBy } from '@memory/shared/transfer/import-line'
import { type Line, readLines } from '@memory/shared/transfer/lines'
import type { SourceFile } from '@memory/shared/transfer/source-file'
import { protectedCategories, storeFields, textCharsMax } from 'memory-service-sdk'
import { UnreadableFile } from '../../parts/unreadable-file.ts'

/** After so long the page gets a turn: it must not stand still while a large file is read. */
const turnMs = 25

/** A file of the reader's, of which never more than a piece is in memory. @param signal stops reading */
export const sourceFile = (file: File, signal: AbortSignal): SourceFile => ({
  name: file.name,
  async *read(from = 0, to = file.size) {
    const reader = file.slice(from, to).stream().getReader()
    let since = performance.now()
    try {
      for (;;) {
        signal.throwIfAborted()
        const { value, done } = await reader.read().catch((cause: unknown) => {
          throw new UnreadableFile(String(cause), { cause })
        })
        if (done) return
        yield value
        if (performance.now() - since < turnMs) continue
        await new Promise((goOn) => setTimeout(goOn))
        since = performance.now()
      }
    } finally {
      // A stream that failed refuses this too, which would hide why it failed.
      await reader.cancel().catch(() => {})
    }
  },
})

/** Lines of JSON as an export writes them, or a file of another product. */
export type Read = FormatName | 'lines'

/** What a file is read as, by how it begins, unless its reader says otherwise. */
export const guess = (start: string): Read => (isOwn(start) ? 'lines' : (looksLike(start) ?? 'lines'))

/** What a line of an export, of an archive or of an account's data begins with; it may be longer than what was read. */
const ownLines = /^\uFEFF?\s*\{[ \t]*"(?:text|key|external_id|pattern_id)"\s*:/

/** Whether the first line is a memory as an export writes it, or with such fields alone in whatever order. */
function isOwn(start: string): boolean {
  if (ownLines.test(start)) return true
  const [first] = start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n', 1)
  const line = parsed(first ?? '')
  const isText = typeof line?.text === 'string'
  if (!line || (!isText && !Array.isArray(line.key))) return false
  const fields: readonly string[] = isText ? storeFields.text : storeFields.vector
  return Object.keys(line).every((name) => fields.includes(name))
}

function parsed(json: string): { text?: unknown; key?: unknown } | null | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Where the lines of an import come from, as often as they are read. */
export interface LineSource {
  /** @param offset behind which they are wanted */
  lines(offset: number, place: { line: number }): AsyncIterable<Line>
  /** What of the file is in no line, once these were read. */
  left(): Leftovers
}

/** @param conversion undefined for a file of lines */
export function lineSourceOf(file: SourceFile, conversion: Conversion | undefined): LineSource {
  let left = new Leftovers()
  return {
    lines: (offset, { line }) => {
      if (conversion === undefined) return readLines(file.read(offset), { offset, line })
      left = new Leftovers()
      return linesAfter(convertedLines(file, conversion, left), offset)
    },
    left: () => left,
  }
}

/** What can be told of an item before the service sees it, which has the last word. */
const rules: LineRules = {
  fields: storeFields,
  protectedCategories,
  check(kind, item) {
    if (kind === 'text') {
      const { text } = item
      if (typeof text !== 'string') throw new InvalidLine('text: it is no string')
      if (text === '') throw new InvalidLine('text: it is empty')
      if (text.length > textCharsMax && [...text].length > textCharsMax)
        throw new InvalidLine(`text: it has more than ${textCharsMax} characters`)
    }
    const begin = item.valid_from == null ? 'occurred_at' : 'valid_from'
    const [from, to] = [timeOf(item[begin]), timeOf(item.valid_to)]
    return {
      expiresAt: timeOf(item.expires_at) ?? null,
      validityFault:
        from === undefined || to === undefined || to > from ? undefined : `must be later than ${begin}`,
    }
  },
}

const timePattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt _](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\-\u2212])(\d\d)(?::?(\d\d))?)?)?$/

/** A time as the service reads it, to which one without an offset is UTC, not the time of where the browser is. */
function timeOf(value: unknown): Date | undefined {
  const parts = typeof value === 'string' ? timePattern.exec(value) : null
  if (parts === null) return undefined
  const [, date, clock = '00:00', seconds = '00', fraction = '', sign = '+', hours = '00', minutes = '00'] =
    parts
  const ms = fraction.padEnd(3, '0').slice(0, 3)
  const time = new Date(`${date}T${clock}:${seconds}.${ms}${sign === '+' ? '+' : '-'}${hours}:${minutes}`)
  return Number.isNaN(time.getTime()) ? undefined : time
}

export const parseLine = (line: Line, now: number) => parseBy(line, now, rules)
