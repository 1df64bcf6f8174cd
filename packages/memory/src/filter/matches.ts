import type { JsonValue } from '@memory/shared/catalogue/fields-json'
import { type Comparison, type Filter, foldCase, type TimeField } from '@memory/shared/catalogue/filter'
import { canonicalJson } from '@memory/shared/platform/canonical-json'
import { hasPart } from './has-part.ts'

/** A pattern as filters look at it. */
export interface FilterDocument {
  /** Null for none. */
  metadata: JsonValue
  /** The reserved fields; times in ms since 1970. */
  reserved: Readonly<Record<'$subject' | '$external_id' | '$category', string | null>> & {
    readonly $tier: string
  } & Readonly<Record<TimeField, number | null>>
  text: string | null
  /** The text as `foldCase` folds it, kept from the first time on: of a batch, many filters ask for it. */
  folded?: string
}

/**
 * Whether a pattern matches a filter. This function defines what filters mean; an index may only find the same faster.
 *
 * A condition holds for a list if it holds for one of its elements. `not` (and so $ne and $nin) holds if the negated condition
 * does not. Numbers are compared with numbers, and strings with strings by code points; other values are neither less nor
 * greater.
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
      return contains(heldIn(filter.field, document), filter)
    case 'equals': {
      const wanted = wantedBy(filter, filter.values)
      return elementsOf(heldIn(filter.field, document)).some((value) => wanted.has(value))
    }
    default:
      return elementsOf(heldIn(filter.field, document)).some((value) => holds(filter, value))
  }
}

type Condition<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>

function holds(condition: Condition<Comparison | 'startsWith'>, value: JsonValue): boolean {
  switch (condition.kind) {
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

/** The value of a field; undefined if there is none. A reserved field that is null does not exist. */
function heldIn(field: string, document: FilterDocument): JsonValue | undefined {
  const { metadata, reserved, text } = document
  if (field === '$text') {
    if (text !== null) document.folded ??= foldCase(text)
    return document.folded
  }
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

function contains(value: JsonValue | undefined, condition: Condition<'contains'>): boolean {
  const { part } = condition
  if (Array.isArray(value)) {
    const wanted = wantedBy(condition, [part])
    return value.some((element) => wanted.has(element))
  }
  return typeof value === 'string' && typeof part === 'string' && hasPart(value, part)
}

/** By condition, the values that it looks for: made once for all documents. */
const wanted = new WeakMap<Filter, ValueSet>()

function wantedBy(condition: Filter, values: readonly JsonValue[]): ValueSet {
  const known = wanted.get(condition) ?? new ValueSet(values)
  wanted.set(condition, known)
  return known
}

/** Values that are deeply different; a look for one takes as long as that one is large, however many there are. */
class ValueSet {
  readonly #scalars: Set<JsonValue>
  /** Of objects and lists the JSON text, with the fields of objects in order. */
  readonly #composites: Set<string>

  constructor(values: readonly JsonValue[]) {
    this.#scalars = new Set(values.filter((value) => !isComposite(value)))
    this.#composites = new Set(values.filter(isComposite).map(canonicalJson))
  }

  has(value: JsonValue): boolean {
    if (!isComposite(value)) return this.#scalars.has(value)
    return this.#composites.size > 0 && this.#composites.has(canonicalJson(value))
  }
}

const isComposite = (value: JsonValue): boolean => typeof value === 'object' && value !== null

/** Less than, equal to or greater than 0, as `a` compares to `b`; undefined if they can't be compared. */
function compareValues(a: JsonValue, b: JsonValue): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return undefined
}

/**
 * Compares strings by code points, as their UTF-8 bytes compare. `<` compares UTF-16 units, by which U+10000 is before U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Ranks surrogates after all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
