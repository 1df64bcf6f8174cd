import { validityFault } from '@memory/memory/patterns/address'
import { BatchStoreTexts } from '@memory/memory/schema'
import { BatchStoreVectors, sourceDimFault } from '@memory/memory/vectors/vector-schema'
import { faults } from '@memory/shared/catalogue/fields-faults'
import { isObject } from '@memory/shared/catalogue/fields-json'
import { membersOf } from './json-members.ts'
import type { Line } from './lines.ts'

/** What a line can be stored as: the operation that stores many, and how its body is made up. */
export const kinds = {
  text: {
    route: `POST ${BatchStoreTexts.path}`,
    body: BatchStoreTexts.body,
    list: 'items',
    fields: Object.keys(BatchStoreTexts.body.shape.items.out.element.shape),
  },
  vector: {
    route: `POST ${BatchStoreVectors.path}`,
    body: BatchStoreVectors.body,
    list: 'patterns',
    fields: Object.keys(BatchStoreVectors.body.shape.patterns.out.element.shape),
  },
} as const

type Kind = keyof typeof kinds

export interface Item {
  kind: Kind
  /** What the service is sent: the line's own text of each field, in which no number was rounded. */
  json: string
}

export type ParsedLine =
  | {
      kind: 'item'
      item: Item
      /** Fields with a value that the service does not store. */
      dropped: string[]
    }
  | { kind: 'blank' }
  /** The item's `expires_at` has passed, or it was superseded before it was valid, so nobody would ever see it. */
  | { kind: 'expired' }
  | { kind: 'invalid'; reason: string }

class Invalid extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads one line of an import by the service's own rules, so that a bad line is named before anything is sent. */
export function parseLine(line: Line, now: number): ParsedLine {
  try {
    if (line.bytes === undefined) throw new Invalid('the line is too long')
    const source = decode(line.bytes).trim()
    if (source === '') return { kind: 'blank' }
    const value = parseObject(source)
    // An export gives the vectors of texts as well; the service makes them anew.
    const kind = value.text == null && value.key != null ? 'vector' : 'text'
    const { fields } = kinds[kind]
    const sources = new Map<string, string>()
    const dropped: string[] = []
    for (const [name, text] of membersOf(source)) {
      if (sources.has(name)) dropped.push(`${name} (the first of two)`)
      if (fields.includes(name)) sources.set(name, text)
      else if (text !== 'null') dropped.push(name)
    }
    // As an export writes a pattern whose value is its key.
    if (kind === 'vector' && value.value === null) {
      value.value = value.key
      sources.set('value', sources.get('key') as string)
    }
    const item = check(kind, value)
    if (item.expires_at != null && item.expires_at.getTime() <= now) return { kind: 'expired' }
    const fault = validityFault(item)
    if (fault !== undefined && value.superseded_by != null) return { kind: 'expired' }
    if (fault !== undefined) throw new Invalid(`valid_to: ${fault}`)
    const members = [...sources].map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    return { kind: 'item', item: { kind, json: `{${members.join(',')}}` }, dropped }
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

function parseObject(source: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw new Invalid('it is not JSON')
  }
  if (!isObject(value)) throw new Invalid('it is not a JSON object')
  return value
}

/** Faults of one line that are told. */
const faultsTold = 3

type Times = 'expires_at' | 'occurred_at' | 'valid_from' | 'valid_to'

/** The times of the line, as the operation that stores it reads it. */
function check(kind: Kind, value: Record<string, unknown>): { [name in Times]?: Date | null | undefined } {
  if (kind === 'text' && value.text == null) {
    const names = Object.keys(value).slice(0, 10).join(', ')
    throw new Invalid(`it has neither a text nor a key${names === '' ? '' : `; its fields are ${names}`}`)
  }
  const item = Object.fromEntries(kinds[kind].fields.map((name) => [name, value[name]]))
  if (kind === 'vector') {
    const parsed = parse(BatchStoreVectors.body, { patterns: [item] }).patterns[0]
    const fault = parsed && sourceDimFault(parsed)
    if (fault !== undefined) throw new Invalid(fault)
    return parsed ?? {}
  }
  return parse(BatchStoreTexts.body, { items: [item] }).items[0] ?? {}
}

function parse<Output>(
  body: { safeParse(value: unknown): { data?: Output | undefined; error?: { issues: Issue[] } | undefined } },
  value: unknown,
): Output {
  const { data, error } = body.safeParse(value)
  if (error === undefined) return data as Output
  const told = error.issues.slice(0, faultsTold).map((issue) => {
    // The line is the first item of the list.
    const [, , ...field] = issue.path
    const missing = issue.code === 'invalid_type'
    const reason = missing ? faults.missing.msg : issue.message.replace(/^Value error, /, '')
    return `${field.map(String).join('.')}: ${reason}`
  })
  throw new Invalid(told.join('; '))
}

interface Issue {
  code?: string | undefined
  path: PropertyKey[]
  message: string
}
