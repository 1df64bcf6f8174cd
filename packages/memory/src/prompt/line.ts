import { fence, fencedLine } from '@memory/shared/platform/fence'
import type { ContextFormat, LineKind } from './schema.ts'

/** A text of a context. */
export interface Line {
  kind: LineKind
  idx: number
  id: string
  external_id: string | null
  /** When it occurred, in ms since 1970. */
  at: number
  text: string
  /** Whether the text is a part of what is stored. */
  isCut: boolean
}

/** What a model reads of a text, in front of it how to name it and when it was said. */
export function shown({ kind, id, at, text, isCut }: Line): string {
  const note = kind === 'added' || kind === 'changed' || kind === 'ended' ? `, ${kind}` : ''
  return `[${id}] (${new Date(at).toISOString().slice(0, 10)}${note}) ${text}${isCut ? ' …' : ''}`
}

/** The same as the fence has it. */
export const fencedShown = (line: Line): string => `${fencedLine(shown(line))}\n`

/** The fenced texts that a context is sent as. As messages what was found stands apart, since it is another each time. */
export function contentsOf(format: ContextFormat, lines: readonly Line[]): string[] {
  const isFound = ({ kind }: Line) => kind === 'found'
  const parts =
    format === 'messages' ? [lines.filter((line) => !isFound(line)), lines.filter(isFound)] : [lines]
  return parts.filter((part) => part.length > 0).map((part) => fence(part.map(shown)))
}

/** Code points that are worth showing of a text. */
const leastShown = 16

/** At most so many code points of a text, to the end of a word; undefined where too little would be left. */
export function cutTo(line: Line, codePoints: number): Line | undefined {
  if (codePoints < leastShown) return undefined
  const kept = [...line.text].slice(0, codePoints).join('')
  if (kept.length === line.text.length) return line
  const wordEnd = kept.search(/\s\S*$/u)
  return {
    ...line,
    text: kept.slice(0, wordEnd > 0.7 * kept.length ? wordEnd : undefined).trimEnd(),
    isCut: true,
  }
}
