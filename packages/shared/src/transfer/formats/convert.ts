import { limits } from '../../catalogue/limits.ts'
import { hashOf } from '../hash.ts'
import type { Line } from '../lines.ts'
import { encodingFaultOf, type SourceFile, startOf } from '../source-file.ts'
import { DamagedFile, type Mapping, type Memory, UnexpectedShape } from './format.ts'
import { type FormatName, formats, looksLike } from './formats.ts'
import type { Leftovers } from './leftovers.ts'
import { tooDeep } from './values.ts'

const encoder = new TextEncoder()

/** Another one whenever other lines are made of the same file: an import that was begun goes on by how long they were. */
export const converterRevision = 2

/** How a file of another product is read. */
export interface Conversion {
  from: FormatName
  mapping: Mapping
  /** The end user of everything in the file that names none. */
  subject: string | undefined
}

/** A file that is not what it is said to be. */
export class WrongFormat extends Error {
  readonly from: FormatName
  readonly why: string | undefined
  /** What it looks like instead. */
  readonly like: FormatName | undefined

  constructor(from: FormatName, start: string, cause?: UnexpectedShape) {
    const why = cause?.message
    super(`This is not ${formats[from].title}${why === undefined ? '' : `: ${why}`}`)
    this.from = from
    this.why = why
    const like = cause instanceof DamagedFile ? undefined : looksLike(start)
    this.like = like === from ? undefined : like
  }
}

/**
 * Converts a file of another product to the lines of an import. They are the same each time, so that an import can go on behind
 * the line that it stored last.
 * @throws WrongFormat
 */
export async function* convertedLines(
  file: SourceFile,
  { from, mapping, subject }: Conversion,
  left: Leftovers,
): AsyncGenerator<Line> {
  const start = await startOf(file)
  const fault = await encodingFaultOf(file)
  if (fault !== undefined) throw new WrongFormat(from, start, new DamagedFile(fault))
  const isEmpty = from !== 'csv' && from !== 'markdown' && holdsNothing(start)
  if (!isEmpty && !formats[from].isLike(start)) throw new WrongFormat(from, start)
  let [number, end] = [0, 0]
  const faulty = (place: string, fault: string): Line => {
    end += 1
    return { number: ++number, end, bytes: encoder.encode(''), place, fault }
  }
  try {
    for await (const memory of formats[from].convert({ file, mapping, subject }, left)) {
      const { fault } = memory
      if (fault !== undefined) {
        yield faulty(memory.place, fault)
        continue
      }
      for (const { place, ...line } of inParts({ ...memory, subject: memory.subject ?? subject })) {
        const bytes = encoded(line)
        if (bytes === undefined) {
          yield faulty(place, tooDeep)
          continue
        }
        end += bytes.length + 1
        yield { number: ++number, end, bytes, place }
      }
    }
  } catch (error) {
    if (error instanceof UnexpectedShape) throw new WrongFormat(from, start, error)
    throw error
  }
}

/** Whether a file is a list without items, or an object of such: an export of somebody who has nothing yet. */
function holdsNothing(start: string): boolean {
  try {
    const root: unknown = JSON.parse(start.replace(/^\uFEFF/, ''))
    const lists = (Array.isArray(root) ? [root] : Object.values(root ?? {})).filter(Array.isArray)
    return lists.length > 0 && lists.every((list) => list.length === 0)
  } catch {
    return false
  }
}

/** The lines after an offset, in bytes, at which an earlier run stopped. */
export async function* linesAfter(lines: AsyncIterable<Line>, offset: number): AsyncGenerator<Line> {
  for await (const line of lines) if (line.end > offset) yield line
}

/** A line as its bytes; undefined where it is nested so deep that it can't be written. */
function encoded(line: object): Uint8Array | undefined {
  try {
    return encoder.encode(JSON.stringify(line, keptNumber))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** Keeps a number that is too large so large that the API refuses it; JSON would turn infinity into null. */
const keptNumber = (_: string, value: unknown): unknown =>
  value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
    ? Math.sign(value) * Number.MAX_VALUE
    : value

/** A memory as it is; or when its text is longer than the service takes, in several parts with the same fields. */
function inParts(memory: Memory): Memory[] {
  const own = memory.external_id
  const texts = cut(memory.text)
  return texts.map((text, i) => {
    const part = texts.length === 1 ? {} : { part: i + 1, parts: texts.length }
    const metadata = { ...memory.metadata, ...part }
    return {
      ...memory,
      text,
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      external_id: own === undefined ? undefined : idOf(i === 0 ? own : `${own}#${i + 1}`),
    }
  })
}

/** In place of an own id that is too long, its hash. */
function idOf(id: string): string {
  if ([...id].length <= limits.externalIdChars) return id
  return `sha256:${hashOf(id, 'hex')}`
}

/** What a part ends with, the best first. */
const ends = ['\n\n', '\n', '. ', ' ']

const blankLines = /^(?:[^\S\n]*\n)+/

/** Parts of a text that are no longer than the service takes, cut where something ends. */
function cut(text: string): string[] {
  const parts: string[] = []
  for (let rest = text; ; ) {
    // A code point takes two units at most. No more of the text is looked at than a part may have, and one more.
    const points = [...rest.slice(0, 2 * limits.textChars + 2)]
    if (points.length <= limits.textChars) return [...parts, rest]
    const head = points.slice(0, limits.textChars).join('')
    const at =
      ends.map((end) => head.lastIndexOf(end) + end.length).find((found) => found > head.length / 2) ??
      head.length
    const part = rest.slice(0, at).trimEnd()
    if (part !== '') parts.push(part)
    rest = rest.slice(at)
    // Lines may be indented, as those of code are.
    rest = head[at - 1] === '\n' ? rest.replace(blankLines, '') : rest.trimStart()
    if (rest.trim() === '') return parts
  }
}
