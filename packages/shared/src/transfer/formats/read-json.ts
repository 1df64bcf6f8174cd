import { JSONParser } from '@streamparser/json'
import { type SourceFile, startOf } from '../source-file.ts'
import { UnexpectedShape } from './format.ts'

/** A whole object in the first line, and another in the next. */
const objectALine = /^\uFEFF?\{.*\}[ \t]*\r?\n\s*\{/

/**
 * The items of a file that is a JSON list or has an object a line, read one by one, with their numbers from 1 on; of one
 * that is an object, its members with their names.
 * @throws UnexpectedShape where it is no whole JSON
 */
export async function* readJson(file: SourceFile): AsyncGenerator<[place: number | string, value: unknown]> {
  const isLines = objectALine.test(await startOf(file))
  const parser = new JSONParser(
    isLines ? { paths: ['$'], separator: '\n' } : { paths: ['$.*'], keepStack: false },
  )
  let lines = 0
  let found: [number | string, unknown][] = []
  let fault: Error | undefined
  parser.onValue = ({ value, key }) => {
    found.push([isLines ? ++lines : typeof key === 'number' ? key + 1 : (key as string), value])
  }
  parser.onError = (error) => {
    fault ??= error
  }
  let isEmpty = true
  for await (const chunk of file.read()) {
    const bytes: Uint8Array = isEmpty ? withoutMark(chunk) : chunk
    isEmpty &&= bytes.length === 0
    // What follows the end of the JSON is a fault; the parser takes white space alone.
    parser.write(bytes)
    const items = found
    found = []
    yield* items
    if (fault !== undefined) break
  }
  if (fault === undefined && !parser.isEnded) parser.end()
  yield* found
  if (fault !== undefined || isEmpty) throw new UnexpectedShape(describe(fault))
}

function describe(fault: Error | undefined): string {
  if (fault === undefined) return 'it is empty'
  return /ended in (?:mid-parsing|the middle)/i.test(fault.message)
    ? 'it ends in the middle: is it whole?'
    : `it is no JSON (${fault.message.split('\n')[0]})`
}

/** Without the mark of UTF-8 at the beginning. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/**
 * The items of a list, or of the lists that members of an object are.
 * @param members names of members that hold such lists; the others are told to `onOther`
 */
export async function* readItems(
  file: SourceFile,
  members: readonly string[],
  onOther: (name: string, value: unknown) => void,
): AsyncGenerator<{ list: string | undefined; n: number; value: unknown }> {
  for await (const [place, value] of readJson(file)) {
    if (typeof place === 'number') yield { list: undefined, n: place, value }
    else if (members.includes(place) && Array.isArray(value)) {
      for (const [i, item] of value.entries()) yield { list: place, n: i + 1, value: item as unknown }
    } else onOther(place, value)
  }
}
