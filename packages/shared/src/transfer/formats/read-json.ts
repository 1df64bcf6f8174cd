import { JSONParser } from '@streamparser/json'
import { isObject } from '../../catalogue/fields-json.ts'
import type { SourceFile } from '../source-file.ts'
import { DamagedFile, UnexpectedShape } from './format.ts'
import { isEmpty, type Leftovers } from './leftovers.ts'

/** Whether a file has an object in each line: but for empty ones, a whole one in the first, and another that begins in the next. */
async function hasObjectALine(file: SourceFile): Promise<boolean> {
  const decoder = new TextDecoder()
  let [first, last, behind] = ['', '', '']
  let isFirstLine = true
  for await (const chunk of file.read()) {
    const read = decoder.decode(chunk, { stream: true })
    const text = first === '' ? read.trimStart() : read
    const end = isFirstLine ? text.indexOf('\n') : -1
    const line = isFirstLine ? (end === -1 ? text : text.slice(0, end)).trim() : ''
    if (first === '') first = line.slice(0, 1)
    if (first !== '' && first !== '{') return false
    if (line !== '') last = line.slice(-1)
    if (!isFirstLine) behind = text.trim()
    else if (end !== -1) {
      isFirstLine = false
      behind = text.slice(end).trim()
    }
    if (behind !== '') break
  }
  return last === '}' && behind.startsWith('{')
}

/**
 * The items of a file that is a JSON list or has an object a line, read one by one, with their numbers from 1 on; of one
 * that is an object, its members with their names.
 * @throws UnexpectedShape where it is no whole JSON
 */
export async function* readJson(file: SourceFile): AsyncGenerator<[place: number | string, value: unknown]> {
  const isLines = await hasObjectALine(file)
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
  if (fault !== undefined || isEmpty) throw toError(fault)
}

function toError(fault: Error | undefined): UnexpectedShape {
  if (fault === undefined) return new UnexpectedShape('it is empty')
  return /ended in (?:mid-parsing|the middle)/i.test(fault.message)
    ? new DamagedFile('it ends in the middle, so it is not whole')
    : new UnexpectedShape(`it is no JSON (${fault.message.split('\n')[0]})`)
}

/** The first bytes of a file without a byte order mark. */
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

interface ItemsIn {
  /** Members that hold lists of items, by their names; dots walk into objects. */
  members: readonly string[]
  /** Whether the root is itself an item: the only one of a file with an object in each line. */
  isItem: (root: Record<string, unknown>) => boolean
  /**
   * Called for each other member once all items are read. By default those that are not about the answer's pages are named in the
   * leftovers.
   * @param read how many items there were
   */
  onOther?: (name: string, value: unknown, read: number) => void
}

/** The items of a list, or of the lists that members of an object are; an object that has none may be one item. */
export async function* readItems(
  file: SourceFile,
  { members, isItem, onOther = (...other) => addUnlessPages(left, ...other) }: ItemsIn,
  left: Leftovers,
): AsyncGenerator<{ list: string | undefined; n: number; value: unknown }> {
  const others = new Map<string, unknown>()
  let hasList = false
  let read = 0
  function* taken(list: string | undefined, n: number, value: unknown) {
    read++
    if (value === null) left.add('items that are null')
    else yield { list, n, value }
  }
  for await (const [place, value] of readJson(file)) {
    if (typeof place === 'number') yield* taken(undefined, place, value)
    else
      for (const [name, held] of opened(place, value, members)) {
        if (members.includes(name) && Array.isArray(held)) {
          hasList = true
          for (const [i, item] of held.entries()) yield* taken(name, i + 1, item)
        } else others.set(name, held)
      }
  }
  const root: unknown = hasList ? undefined : Object.fromEntries(others)
  if (isObject(root) && isItem(root)) yield { list: undefined, n: 1, value: root }
  else for (const [name, value] of others) onOther(name, value, read)
}

function addUnlessPages(left: Leftovers, name: string, value: unknown, read: number): void {
  if (!tellsPages(name, value, read, left)) left.addMember(name, value)
}

/** A member by its name; in place of an object that a path leads through, the members that it has. */
function* opened(name: string, value: unknown, paths: readonly string[]): Generator<[string, unknown]> {
  const isOnTheWay = !paths.includes(name) && paths.some((path) => path.startsWith(`${name}.`))
  if (!isOnTheWay || !isObject(value)) yield [name, value]
  else for (const [each, held] of Object.entries(value)) yield* opened(`${name}.${each}`, held, paths)
}

const totals = ['count', 'total', 'total_count', 'total_size']
const links = ['next', 'previous', 'next_cursor']
const sizes = ['limit', 'offset', 'row_count']

/**
 * Whether a member of an answer is about its pages, not its items. When the answer was one page of several, the others are named in
 * `left`, since their items are not in the file.
 * @param read how many items are in the file
 */
export function tellsPages(name: string, value: unknown, read: number, left: Leftovers): boolean {
  const hasMore = totals.includes(name)
    ? typeof value === 'number' && value > read
    : links.includes(name) && !isEmpty(value)
  if (hasMore) left.addUncounted('further pages')
  return [...totals, ...links, ...sizes].includes(name)
}
