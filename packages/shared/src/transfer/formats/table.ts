import { CsvError, parse } from 'csv-parse'
import { isObject } from '../../catalogue/fields-json.ts'
import { type SourceFile, startOf } from '../source-file.ts'
import { DamagedFile, type Format, type Mapping, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems, readJson } from './read-json.ts'
import { beside, nameOf, objectAt, orFault, textOf, timeOf, WrongValue } from './values.ts'

type Json = Record<string, unknown>

const nameFields = ['external_id', 'subject'] as const
const times = ['occurred_at', 'expires_at', 'valid_from', 'valid_to'] as const
/** What `--map` can name, beside `metadata.NAME`. */
export const mappedFields: readonly string[] = ['text', ...nameFields, ...times, 'protected']
const ofMetadata = 'metadata.'
/** In place of the name of the column of `metadata`: all columns that no other field takes. */
const allOthers = '*'

export const csv: Format = {
  title: 'CSV',
  takes: 'a table with a line of names, separated by commas, semicolons or tabs',
  seen: 'RFC 4180, as csv-parse 7 reads it',
  // A table of one column begins with a single name.
  isLike: (start) =>
    !/^\s*[[{]/.test(start) &&
    /^[\r\n]*(?:[^\r\n]*[,;\t][^\r\n]*|\uFEFF?"?[\w.-]+"?[ \t]*(?:\r?\n|$))/.test(start),
  isSurely: (start) => !/^\s*[[{]/.test(start) && /^[\r\n]*[^\r\n]*[,;\t]/.test(start),
  async *convert({ file, mapping }, left): AsyncGenerator<Memory> {
    const missing = missingOf(mapping)
    for await (const { record, info } of rowsOf(file)) {
      missing.look(record)
      const place = `Line ${info.lines}`
      yield* orFault(place, () => memoryOf(trimmed(record, mapping), mapping, place, left))
    }
    missing.refuse()
  },
}

export const json: Format = {
  title: 'a JSON list',
  takes:
    'a list of objects, or the list that a member of an object is (`--items NAME`); dots walk into objects',
  seen: 'RFC 8259',
  isLike: (start) => /^\uFEFF?\s*[[{]/.test(start),
  async *convert({ file, mapping }, left): AsyncGenerator<Memory> {
    const { items } = mapping
    let isFound = false
    const missing = missingOf(mapping)
    const others = new Map<string, unknown>()
    const onOther = (name: string, value: unknown) => {
      others.set(name, value)
      left.add(`member ${name}`)
    }
    const isItem = (root: Json) => {
      const text = at(root, mapping.columns.text ?? 'text')
      // A list is not the text of one item, but a column of texts.
      return items === undefined && text !== undefined && !Array.isArray(text)
    }
    const members = items === undefined ? [] : [items]
    for await (const { list, n, value } of readItems(file, { members, isItem, onOther }, left)) {
      isFound ||= list === items
      const item = objectAt(value, `item ${n}`)
      missing.look(item)
      const place = `Item ${n}`
      yield* orFault(place, () => memoryOf(item, mapping, place, left))
    }
    missing.refuse()
    if (items === undefined && others.size > 0) throw new UnexpectedShape(listSought(others))
    if (items !== undefined && !isFound) {
      const [other] = listsIn(others)
      throw new UnexpectedShape(
        `it has no list ${items}${other === undefined ? '' : `; there is ${other.name}`}`,
      )
    }
  },
}

/** Why an object can't be read when no member of it was named as the list. */
function listSought(members: ReadonlyMap<string, unknown>): string {
  const [first] = listsIn(members)
  if (first === undefined) return 'it is an object, and no member of it is a list'
  const columns = [...members].filter(
    ([, value]) => Array.isArray(value) && value.length === first.list.length,
  )
  if (columns.length > 1 && !first.list.every(isObject)) {
    const names = columns.map(([name]) => name).join(', ')
    return `it is a table of columns (${names}): write an object for each row of it, as docs/guides/importing.md shows`
  }
  return `it is an object: name the member that holds the list with --items, such as ${first.name}`
}

/** The lists among the members of an object; where there is none, those that lie deeper. */
function listsIn(members: Iterable<[string, unknown]>): { name: string; list: unknown[] }[] {
  const all = [...members]
  const lists = all.flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []))
  if (lists.length > 0) return lists
  const within = all.flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).map(([each, held]): [string, unknown] => [`${name}.${each}`, held])
      : [],
  )
  return within.length === 0 ? [] : listsIn(within)
}

/**
 * Finds out what a mapping asks for and no row has: columns that are nowhere (with a misspelt one for the subject, memories would
 * be nobody's), columns without a usable value, and texts.
 */
function missingOf({ columns }: Mapping) {
  const asked = Object.entries(columns).filter(([, column]) => column !== allOthers)
  const missing = new Set(asked.map(([, column]) => column))
  const takers = new Map(asked.filter(([field]) => Object.hasOwn(lenient, field)))
  const unfit = new Set<string>()
  const textColumn = columns.text ?? 'text'
  const names = new Set<string>()
  let [hasItems, hasText] = [false, false]
  return {
    look(row: Json): void {
      hasItems = true
      hasText ||= lenient.text?.(at(row, textColumn)) !== undefined
      if (!hasText) for (const name of Object.keys(row)) if (names.size < namesShown) names.add(name)
      for (const column of missing) if (at(row, column) !== undefined) missing.delete(column)
      for (const [field, column] of takers) {
        const value = at(row, column)
        if (lenient[field]?.(value) !== undefined) {
          takers.delete(field)
          unfit.delete(field)
        } else if (value !== undefined && value !== null && value !== '') unfit.add(field)
      }
    },
    /** @throws UnexpectedShape */
    refuse(): void {
      if (hasItems && missing.size > 0)
        throw new UnexpectedShape(`nothing in it is called ${[...missing].join(' or ')}`)
      for (const field of unfit)
        throw new UnexpectedShape(`nothing in ${takers.get(field)} can be ${field}: ${faultsOf[field]}`)
      if (hasItems && !hasText)
        throw new UnexpectedShape(
          `no item has a text in ${textColumn}: name what holds it with --map text=NAME; there are ${[...names].join(', ')}`,
        )
    },
  }
}

/** The most columns that are named when none holds a text. */
const namesShown = 20

/** A text; a number may be one. @throws WrongValue for one that was rounded */
const wordsOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? nameOf(value, 'text') : textOf(value)

/** Metadata, which a cell of a table has as JSON. */
function fieldsOf(value: unknown): Json | undefined {
  if (isObject(value)) return value
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined
  try {
    const read: unknown = JSON.parse(value)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** How those fields are read that leave out a wrong value; all others refuse it. */
const lenient: Readonly<Record<string, (value: unknown) => unknown>> = {
  // Any number, also one that was rounded, for which `wordsOf` refuses the item.
  text: (value) => (typeof value === 'number' ? value : textOf(value)),
  metadata: fieldsOf,
}
const faultsOf: Readonly<Record<string, string>> = {
  text: 'it holds no text',
  metadata: 'it holds no JSON object',
}

interface Row {
  record: Json
  info: { lines: number }
}

/** The rows of a table, each with the number of its last line. @throws UnexpectedShape */
async function* rowsOf(file: SourceFile): AsyncGenerator<Row> {
  const separated = await separationOf(file)
  const parser = parse({ columns: named, bom: true, ...separated, skip_empty_lines: true, info: true })
  let rows: Row[] = []
  let fault: Error | undefined
  const ended = new Promise<void>((resolve) => {
    parser.on('data', (row: Row) => rows.push(row))
    parser.on('end', () => resolve())
    parser.on('error', (error: Error) => {
      fault = error
      resolve()
    })
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of file.read()) {
    await new Promise((done) => parser.write(decoded(decoder, chunk), done))
    const found = rows
    rows = []
    yield* found
    if (fault !== undefined) break
  }
  if (fault === undefined) parser.end(decoded(decoder))
  await ended
  yield* rows
  if (fault instanceof CsvError) throw new UnexpectedShape(fault.message)
  if (fault !== undefined) throw fault
}

/** @throws UnexpectedShape where it is another encoding: its letters would be stored as question marks */
function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new DamagedFile('it is not UTF-8: save it as “CSV UTF-8”')
  }
}

/**
 * Names of columns without the space around them, with which `subject` would be nobody's, and made unique, so that both of two with
 * the same name are kept: the second becomes `name (2)`.
 */
function named(names: string[]): string[] {
  const times = new Map<string, number>()
  return names.map((given) => {
    const name = given.trim()
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return time === 1 ? name : `${name} (${time})`
  })
}

/** A row without the space around names and times, as behind a comma, with which ` ada` would be another end user than `ada`. */
function trimmed(row: Json, { columns }: Mapping): Json {
  const cells = [...nameFields, ...times].flatMap((field) => {
    const column = columns[field] ?? field
    const cell = row[column]
    return typeof cell === 'string' ? [[column, cell.trim()]] : []
  })
  return { ...row, ...Object.fromEntries(cells) }
}

/** What a mapping can name of a table: the columns of its first row, and the lists that its root has. */
export async function shapeOf(
  file: SourceFile,
  from: 'csv' | 'json',
  items: string | undefined,
): Promise<{ columns: string[]; lists: string[] }> {
  if (from === 'csv') {
    for await (const { record } of rowsOf(file)) return { columns: Object.keys(record), lists: [] }
    return { columns: [], lists: [] }
  }
  const lists: string[] = []
  let columns: string[] = []
  for await (const [place, value] of readJson(file)) {
    const isItem = typeof place === 'number'
    if (!isItem && Array.isArray(value)) lists.push(place)
    const first: unknown = isItem ? value : place === items && Array.isArray(value) ? value[0] : undefined
    if (isObject(first)) columns = Object.keys(first)
    if (isItem) break
  }
  return { columns, lists }
}

/** The separator, and the number of the line with the names: 2 after a line such as `sep=;`, which Excel writes. */
async function separationOf(file: SourceFile): Promise<{ delimiter: string; from_line: number }> {
  const start = await startOf(file)
  const said = /^sep=([,;\t])\r?\n/i.exec(start)?.[1]
  if (said !== undefined) return { delimiter: said, from_line: 2 }
  // A separator in quotes is part of a name.
  const names = /[^\r\n]+/.exec(start.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ''
  const counts = [',', ';', '\t'].map((mark) => [mark, names.split(mark).length] as const)
  return { delimiter: counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0], from_line: 1 }
}

function* memoryOf(row: Json, { columns }: Mapping, place: string, left: Leftovers): Generator<Memory> {
  const columnOf = (field: string) => columns[field] ?? field
  const held = (field: string) => at(row, columnOf(field))
  const metadata = metadataOf(row, columns, left)
  const text = wordsOf(held('text'))
  if (text === undefined) {
    left.add(`items without a text in ${columnOf('text')}`)
    return
  }
  const fields = Object.fromEntries([
    ...nameFields.map((field) => [field, nameOf(held(field), field)]),
    ...times.map((field) => [field, momentOf(held(field), field)]),
    ['protected', flagOf(held('protected'), 'protected')],
  ]) as Partial<Memory>
  yield { ...fields, text, metadata, place }
}

/**
 * The metadata of a row: the columns that the mapping names for it, the members of the column that holds metadata, and all other
 * columns if the mapping asks for them. Of an object of which a mapped path takes a part, the rest counts as a column. What of the
 * row is in no field is named in `left`.
 */
function metadataOf(row: Json, columns: Mapping['columns'], left: Leftovers): Json {
  const columnOf = (field: string) => columns[field] ?? field
  const named = Object.entries(columns).filter(([field]) => field.startsWith(ofMetadata))
  const hasOthers = columns.metadata === allOthers
  const whole = hasOthers ? 'metadata' : columnOf('metadata')
  const used = [...mappedFields.map(columnOf), ...named.map(([, column]) => column)]
  const rest = without(row, used)
  const fields = fieldsOf(at(rest, whole))
  const others = fields === undefined ? rest : without(rest, [whole])
  const byName = Object.fromEntries(
    named.map(([field, column]) => [field.slice(ofMetadata.length), at(row, column)]),
  )
  if (!hasOthers)
    for (const [name, value] of Object.entries(others)) nameLeft(value, name, [...used, whole], left)
  return beside({ ...(hasOthers ? others : {}), ...byName }, fields ?? {}, left, 'items')
}

/** A row without these columns; where one is a path into an object, the object stays without what the path names. */
function without(row: Json, columns: readonly string[]): Json {
  return withoutPaths(
    row,
    columns.map((column) => (Object.hasOwn(row, column) ? [column] : column.split('.'))),
  )
}

function withoutPaths(object: Json, paths: readonly string[][]): Json {
  const rest = Object.entries(object).flatMap(([name, value]) => {
    const within = paths.filter(([first]) => first === name).map(([, ...path]) => path)
    if (within.some((path) => path.length === 0)) return []
    if (within.length === 0 || !isObject(value)) return [[name, value]]
    const held = withoutPaths(value, within)
    return Object.keys(held).length === 0 ? [] : [[name, held]]
  })
  return Object.fromEntries(rest)
}

/** Names a field that is not taken; of an object into which the path of a column leads, each member that is not taken. */
function nameLeft(value: unknown, path: string, columns: readonly string[], left: Leftovers): void {
  if (isObject(value) && columns.some((column) => column.startsWith(`${path}.`)))
    for (const [name, each] of Object.entries(value)) nameLeft(each, `${path}.${name}`, columns, left)
  else left.addFields({ [path]: value }, [], 'items')
}

/** A column by its name, or a field within an object by dots. */
function at(row: Json, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column]
  return column.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row)
}

/** A time. Tables have numbers as text, so digits alone count as a number. */
function momentOf(value: unknown, field: string): string | undefined {
  const text = typeof value === 'string' ? textOf(value) : undefined
  return timeOf(text !== undefined && /^\d{9,13}(\.\d+)?$/.test(text.trim()) ? Number(text) : value, field)
}

/** A boolean, also as databases write it into tables (`t`, `f`). @throws WrongValue where it is neither true nor false */
function flagOf(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const word = String(value).trim().toLowerCase()
  if (['true', 't', 'yes', '1'].includes(word)) return true
  if (['false', 'f', 'no', '0'].includes(word)) return false
  throw new WrongValue(`${field}: ${JSON.stringify(value)} is neither true nor false`)
}
