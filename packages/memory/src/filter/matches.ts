import type { JsonValue } from '@memory/shared/catalogue/fields-json'
import { type Filter, foldCase, type TimeField } from '@memory/shared/catalogue/filter'

/** What a filter looks at of a pattern. */
export interface FilterDocument {
  /** Null for none. */
  metadata: JsonValue
  /** The reserved fields; times in ms since 1970. */
  reserved: Readonly<Record<'$subject' | '$external_id' | '$category', string | null>> & {
    readonly $tier: string
  } & Readonly<Record<TimeField, number | null>>
  text: string | null
}

/**
 * Whether a pattern is what a filter says. This is the meaning of filters: an index may only find sooner what this finds.
 *
 * A condition holds of a list when it holds of an element; `not`, and with it $ne and $nin, when the condition it turns
 * round does not. Order is that of numbers, or that of strings by code points; among other values nothing is less or more.
 */
export function matches(filter: Filter, document: FilterDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((each) => matches(each, document))
    case 'or':
      return filter.of.some((each) => matches(each, document))
    case 'not':
      return !matches(filter.of, document)
    case 'exists':
      return heldIn(filter.field, document) !== undefined
    case 'contains':
      return contains(heldIn(filter.field, document), filter.part)
    default:
      return elementsOf(heldIn(filter.field, document)).some((value) => holds(filter, value))
  }
}

type ValueCondition = Extract<Filter, { kind: 'equals' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' }>

function holds(condition: ValueCondition, value: JsonValue): boolean {
  switch (condition.kind) {
    case 'equals':
      return condition.values.some((wanted) => isEqual(wanted, value))
    case 'startsWith':
      return typeof value === 'string' && value.startsWith(condition.prefix)
    default: {
      const order = compareValues(value, condition.than)
      if (order === undefined) return false
      const isLess = order < 0 ? 'lt' : 'gt'
      if (order === 0) return condition.kind === 'gte' || condition.kind === 'lte'
      return condition.kind.startsWith(isLess)
    }
  }
}

/** What a field holds; undefined where there is nothing. A reserved field that is not set is null, and does not exist. */
function heldIn(field: string, { metadata, reserved, text }: FilterDocument): JsonValue | undefined {
  if (field === '$text') return text === null ? undefined : foldCase(text)
  if (field.startsWith('$')) return reserved[field as keyof typeof reserved] ?? undefined
  let value: JsonValue | undefined = metadata
  for (const key of field.slice(1).split('\0')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

const elementsOf = (value: JsonValue | undefined): JsonValue[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

function contains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (Array.isArray(value)) return value.some((element) => isEqual(element, part))
  return typeof value === 'string' && typeof part === 'string' && value.includes(part)
}

/** Whether two values are equal, objects by what they hold in whatever order. */
export function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((value, i) => isEqual(value, b[i] as JsonValue))
    )
  }
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] as JsonValue, b[key] as JsonValue))
  )
}

/** Below, at or above 0 as `a` is less, equal or more; undefined where neither can be said. */
export function compareValues(a: JsonValue, b: JsonValue): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return undefined
}

/** The order of strings by code points, which is that of their UTF-8; `<` goes by UTF-16, in which U+10000 is before U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Puts surrogates behind all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
