import { type Conversion, convertedLines, linesAfter } from '@memory/shared/transfer/formats/convert'
import { Leftovers } from '@memory/shared/transfer/formats/leftovers'
import { InvalidLine, type LineRules, parseLine as parseBy } from '@memory/shared/transfer/import-line'
import { type Line, readLines } from '@memory/shared/transfer/lines'
import type { SourceFile } from '@memory/shared/transfer/source-file'
import { storeFields, textCharsMax } from 'memory-service-sdk'

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
        const { value, done } = await reader.read()
        if (done) return
        yield value
        if (performance.now() - since < turnMs) continue
        await new Promise((goOn) => setTimeout(goOn))
        since = performance.now()
      }
    } finally {
      await reader.cancel()
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

function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time
}

export const parseLine = (line: Line, now: number) => parseBy(line, now, rules)
