/**
 * The filter language of all operations that select patterns: its syntax, and the parsed form. How filters are evaluated is in
 * `packages/memory/src/filter/matches.ts`.
 */
import { isObject, type JsonObject, type JsonValue } from './fields-json.ts'
import { parseTimestamp } from './fields-parsing.ts'
import { limits } from './limits.ts'

/**
 * A parsed filter, with validated operands. A field is a reserved name such as `$tier`; or it is `.` followed by a path into the
 * metadata, with keys separated by NUL, which no key contains.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  /** Equal to one of these values, none of which is a list. */
  | { readonly kind: 'equals'; readonly field: string; readonly values: readonly JsonValue[] }
  | { readonly kind: Comparison; readonly field: string; readonly than: string | number }
  | { readonly kind: 'exists'; readonly field: string }
  /** A list that contains `part`, or a string of which it is a substring; for `$text` both are folded by `foldCase`. */
  | { readonly kind: 'contains'; readonly field: string; readonly part: JsonValue }
  | { readonly kind: 'startsWith'; readonly field: string; readonly prefix: string }

export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

/** Whether a filter is empty, so that it matches every pattern. */
export const saysNothing = (filter: Filter): boolean => filter.kind === 'and' && filter.of.length === 0

/**
 * What a reserved field must be one of for a filter to hold, by which rows can be looked up before the filter is evaluated.
 * @returns undefined where the filter may hold with any value, or with none
 */
export function requiredValues(filter: Filter, field: '$subject' | '$external_id'): string[] | undefined {
  if (filter.kind === 'equals' && filter.field === field) {
    return filter.values.filter((value) => typeof value === 'string')
  }
  if (filter.kind !== 'and') return undefined
  for (const part of filter.of) {
    const values = requiredValues(part, field)
    if (values !== undefined) return values
  }
  return undefined
}

/** Whether a condition has an empty operand, probably one that was not filled in, so that it matches any value. */
export function hasEmptyOperand(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(hasEmptyOperand)
    case 'not':
      return (filter.of.kind === 'equals' && filter.of.values.length === 0) || hasEmptyOperand(filter.of)
    case 'contains':
      return filter.part === ''
    case 'startsWith':
      return filter.prefix === ''
    default:
      return false
  }
}

/** What is wrong with a filter, and where in it. */
interface FilterFault {
  path: (string | number)[]
  message: string
}

const words = ['$subject', '$external_id', '$category', '$tier'] as const
const times = ['$created_at', '$updated_at', '$occurred_at', '$expires_at'] as const
/** The fields that every pattern has, besides its metadata. */
const reservedFields = [...words, ...times, '$text'] as const
export type TimeField = (typeof times)[number]

const combinators = ['$and', '$or', '$not'] as const
const comparisons = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const
const operators = [
  '$eq',
  '$ne',
  ...Object.keys(comparisons),
  '$in',
  '$nin',
  '$exists',
  '$contains',
  '$startsWith',
]

const isWord = (name: string) => (words as readonly string[]).includes(name)
const isTime = (name: string) => (times as readonly string[]).includes(name)

class Fault extends Error {
  readonly path: (string | number)[]
  constructor(path: (string | number)[], message: string) {
    super(message)
    this.path = path
  }
}

/** Parses a filter, which must have been checked already to be JSON within the limits of filters. */
export function parseFilter(filter: JsonObject): { filter: Filter } | { fault: FilterFault } {
  try {
    return { filter: new Reader().read(filter, [], 1) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { fault: { path: error.path, message: error.message } }
  }
}

/** Folds a text for comparison: texts that differ only in letter case become equal. */
export function foldCase(text: string): string {
  // Upper case turns ß into SS, but not ẞ, which is therefore first lowered to ß. A final sigma becomes the usual one.
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

type Place = (string | number)[]

class Reader {
  #conditions = 0

  read(filter: JsonObject, at: Place, depth: number): Filter {
    if (depth > limits.filterDepth)
      throw new Fault(at, `must not be nested deeper than ${limits.filterDepth} levels`)
    const parts = Object.entries(filter).map(([key, value]) =>
      this.#readEntry(key, value, [...at, key], depth),
    )
    return all(parts)
  }

  #readEntry(key: string, value: JsonValue, at: Place, depth: number): Filter {
    if (key === '$not') return { kind: 'not', of: this.#readNested(value, at, depth) }
    if (key === '$and' || key === '$or') {
      if (!Array.isArray(value) || value.length === 0) throw new Fault(at, `${key} takes a list of filters`)
      const of = value.map((each, i) => this.#readNested(each, [...at, i], depth))
      return { kind: key === '$and' ? 'and' : 'or', of }
    }
    const field = fieldOf(key, at)
    const isOperators = isObject(value) && Object.keys(value).some((name) => name.startsWith('$'))
    if (!isOperators) return this.#condition(field, Array.isArray(value) ? '$in' : '$eq', value, at)
    return all(
      Object.entries(value).map(([name, operand]) => this.#condition(field, name, operand, [...at, name])),
    )
  }

  #readNested(value: JsonValue, at: Place, depth: number): Filter {
    if (!isObject(value)) throw new Fault(at, 'must be a filter, an object')
    if (Object.keys(value).length === 0) throw new Fault(at, 'an empty filter says nothing; leave it out')
    return this.read(value, at, depth + 1)
  }

  #condition(field: string, operator: string, operand: JsonValue, at: Place): Filter {
    this.#conditions++
    if (this.#conditions > limits.filterConditions) {
      throw new Fault(at, `must have at most ${limits.filterConditions} conditions`)
    }
    if (field === '$text') return textCondition(operator, operand, at)
    if (operator in comparisons) {
      return {
        kind: comparisons[operator as keyof typeof comparisons],
        field,
        than: bound(field, operand, at),
      }
    }
    switch (operator) {
      case '$eq':
        return equals(field, [equalTo(field, operand, at)])
      case '$ne':
        return not(equals(field, [equalTo(field, operand, at)]))
      case '$in':
        return equals(field, anyOf(field, operand, operator, at))
      case '$nin':
        return not(equals(field, anyOf(field, operand, operator, at)))
      case '$exists':
        if (typeof operand !== 'boolean') throw new Fault(at, '$exists takes true or false')
        return operand ? { kind: 'exists', field } : not({ kind: 'exists', field })
      case '$contains':
        if (isTime(field)) throw new Fault(at, `$contains is not for ${field}`)
        return { kind: 'contains', field, part: equalTo(field, operand, at) }
      case '$startsWith':
        if (isTime(field)) throw new Fault(at, `$startsWith is not for ${field}`)
        if (typeof operand !== 'string') throw new Fault(at, '$startsWith takes a string')
        return { kind: 'startsWith', field, prefix: operand }
      default:
        throw new Fault(at, `unknown operator; there are ${operators.join(', ')}`)
    }
  }
}

const not = (of: Filter): Filter => ({ kind: 'not', of })

/** For a reserved field, null means that it is not set; in metadata null is a value. */
function equals(field: string, values: JsonValue[]): Filter {
  const condition = { kind: 'equals', field, values } as const
  if (!field.startsWith('$') || !values.includes(null)) return condition
  const given = { ...condition, values: values.filter((value) => value !== null) }
  return { kind: 'or', of: [given, not({ kind: 'exists', field })] }
}

function all(of: Filter[]): Filter {
  const [first] = of
  return of.length === 1 && first !== undefined ? first : { kind: 'and', of }
}

function fieldOf(key: string, at: Place): string {
  if (!key.startsWith('$')) return `.${splitPath(key).join('\0')}`
  if ((reservedFields as readonly string[]).includes(key)) return key
  throw new Fault(
    at,
    `unknown name; there are ${[...combinators, ...reservedFields].join(', ')}, and keys of the metadata, where one that begins with $ is written \\$`,
  )
}

/** Splits a path into its keys: dots separate them, and \. \$ \\ stand for the literal characters. */
function splitPath(path: string): string[] {
  const keys: string[] = []
  let key = ''
  for (const [part] of path.matchAll(/\\[.$\\]|./gs)) {
    if (part === '.') {
      keys.push(key)
      key = ''
    } else key += part.length === 2 ? part[1] : part
  }
  return [...keys, key]
}

function textCondition(operator: string, operand: JsonValue, at: Place): Filter {
  if (operator !== '$contains') throw new Fault(at, '$text has $contains alone')
  if (typeof operand !== 'string') throw new Fault(at, '$contains takes a string here')
  return { kind: 'contains', field: '$text', part: foldCase(operand) }
}

/** An operand of a comparison: a number or a string; for a field of time, milliseconds since 1970. */
function bound(field: string, operand: JsonValue, at: Place): string | number {
  if (isTime(field)) return moment(operand, at)
  if (isWord(field) && typeof operand !== 'string') throw new Fault(at, `${field} is compared with a string`)
  if (typeof operand !== 'string' && typeof operand !== 'number') {
    throw new Fault(at, 'must be compared with a number or a string')
  }
  return operand
}

function equalTo(field: string, operand: JsonValue, at: Place): JsonValue {
  if (Array.isArray(operand)) throw new Fault(at, 'must not be a list; $in takes one')
  if (operand === null) return null
  if (isTime(field)) return moment(operand, at)
  if (isWord(field) && typeof operand !== 'string') throw new Fault(at, `${field} is a string or null`)
  return operand
}

function anyOf(field: string, operand: JsonValue, operator: string, at: Place): JsonValue[] {
  if (!Array.isArray(operand)) throw new Fault(at, `${operator} takes a list`)
  return operand.map((value, i) => {
    if (Array.isArray(value)) throw new Fault(at, 'lists must not hold lists')
    return equalTo(field, value, [...at, i])
  })
}

function moment(operand: JsonValue, at: Place): number {
  const time = typeof operand === 'string' ? parseTimestamp(operand) : undefined
  if (time === undefined || !('value' in time)) throw new Fault(at, 'must be an ISO 8601 date and time')
  return time.value.getTime()
}
