import { type Conversion, convertedLines, linesAfter } from '@memory/shared/transfer/formats/convert'
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
    const [from, to] = [timeOf(item.valid_from ?? item.occurred_at), timeOf(item.valid_to)]
    return {
      expiresAt: timeOf(item.expires_at) ?? null,
      validityFault:
        from === undefined || to === undefined || to > from ? undefined : 'must be later than valid_from',
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
