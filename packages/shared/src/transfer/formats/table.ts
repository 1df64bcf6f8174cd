import { CsvError, parse } from 'csv-parse'
import { isObject } from '../../catalogue/fields-json.ts'
import { type SourceFile, startOf } from '../source-file.ts'
import { type Format, type Mapping, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { readItems, readJson } from './read-json.ts'
import { nameOf, objectAt, present, textOf, timeOf } from './values.ts'

type Json = Record<string, unknown>

const texts = ['text', 'external_id', 'subject'] as const
const times = ['occurred_at', 'expires_at', 'valid_from', 'valid_to'] as const
/** What `--map` can name, beside `metadata.NAME`. */
export const mappedFields: readonly string[] = [...texts, ...times, 'protected']
const ofMetadata = 'metadata.'
/** As the column of the metadata: all that nothing else is made of. */
const allOthers = '*'

export const csv: Format = {
  title: 'CSV',
  takes: 'a table with a line of names, separated by commas, semicolons or tabs',
  seen: 'RFC 4180, as csv-parse 7 reads it',
  isLike: (start) => !/^\s*[[{]/.test(start) && /^[^\r\n]*[,;\t][^\r\n]*/.test(start),
  async *convert({ file, mapping }, left): AsyncGenerator<Memory> {
    for await (const { record, info } of rowsOf(file))
      yield* memoryOf(record, mapping, `Line ${info.lines}`, left)
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
    const other = (name: string) => {
      if (items === undefined)
        throw new UnexpectedShape(
          `it is an object: name the member that holds the list with --items, such as ${name}`,
        )
      left.add(`member ${name}`)
    }
    for await (const { list, n, value } of readItems(file, items === undefined ? [] : [items], other)) {
      isFound ||= list === items
      yield* memoryOf(objectAt(value, `item ${n}`), mapping, `Item ${n}`, left)
    }
    if (items !== undefined && !isFound) throw new UnexpectedShape(`it has no list ${items}`)
  },
}

interface Row {
  record: Json
  info: { lines: number }
}

/** The rows of a table, with where each ends. @throws UnexpectedShape */
async function* rowsOf(file: SourceFile): AsyncGenerator<Row> {
  const delimiter = await delimiterOf(file)
  const parser = parse({ columns: true, bom: true, delimiter, skip_empty_lines: true, info: true })
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
  const decoder = new TextDecoder()
  for await (const chunk of file.read()) {
    await new Promise((done) => parser.write(decoder.decode(chunk, { stream: true }), done))
    const found = rows
    rows = []
    yield* found
    if (fault !== undefined) break
  }
  if (fault === undefined) parser.end(decoder.decode())
  await ended
  yield* rows
  if (fault instanceof CsvError) throw new UnexpectedShape(fault.message)
  if (fault !== undefined) throw fault
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

/** The most frequent in the line of names. */
async function delimiterOf(file: SourceFile): Promise<string> {
  const names = (await startOf(file)).split(/\r?\n/, 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((mark) => [mark, names.split(mark).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

function* memoryOf(row: Json, { columns }: Mapping, place: string, left: Leftovers): Generator<Memory> {
  const columnOf = (field: string) => columns[field] ?? field
  const held = (field: string) => at(row, columnOf(field))
  const text = nameOf(held('text'))
  const named = Object.entries(columns).filter(([field]) => field.startsWith(ofMetadata))
  const metadata: Json = Object.fromEntries(
    named.map(([field, column]) => [field.slice(ofMetadata.length), at(row, column)]),
  )
  const used = new Set([...mappedFields.map(columnOf), ...named.map(([, column]) => column)].map(rootOf))
  const others = Object.entries(row).filter(([name]) => !used.has(name) && !used.has(rootOf(name)))
  if (columns.metadata === allOthers) Object.assign(metadata, Object.fromEntries(others))
  else {
    const whole = at(row, columnOf('metadata'))
    if (isObject(whole)) Object.assign(metadata, whole)
    for (const [name, value] of others) {
      if (name === columnOf('metadata') && isObject(value)) continue
      left.addFields({ [name]: value }, [], 'items')
    }
  }
  if (text === undefined) {
    left.add(`items without a text in ${columnOf('text')}`)
    return
  }
  const fields = Object.fromEntries([
    ...(['external_id', 'subject'] as const).map((field) => [field, nameOf(held(field))]),
    ...times.map((field) => [field, momentOf(held(field))]),
    ['protected', flagOf(held('protected'), place)],
  ]) as Partial<Memory>
  yield { ...fields, text, metadata: present(metadata), place }
}

const rootOf = (column: string): string => column.split('.')[0] as string

/** A column by its name, or a field within an object by dots. */
function at(row: Json, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column]
  return column.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row)
}

/** In a table digits alone are a number too. */
function momentOf(value: unknown): string | undefined {
  const text = textOf(value)
  return timeOf(text !== undefined && /^\d{9,13}(\.\d+)?$/.test(text.trim()) ? Number(text) : value)
}

function flagOf(value: unknown, place: string): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const word = String(value).trim().toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  if (['false', 'no', '0'].includes(word)) return false
  throw new UnexpectedShape(
    `${place}: protected is ${JSON.stringify(value)}, which is neither true nor false`,
  )
}
