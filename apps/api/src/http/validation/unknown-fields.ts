import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import {
  because,
  faultOfMisspelt,
  faultOfSelector,
  useInstead,
} from '@memory/shared/catalogue/foreign-selectors'
import { limits } from '@memory/shared/catalogue/limits'
import type { z } from 'zod'
import { entriesMax } from './detail.ts'
import { unwrap } from './schema-path.ts'

type Issue = z.core.$ZodIssue

/** How fields are handled that an operation does not have. */
export interface Handling {
  /** Whether all of them are refused. */
  strict: boolean
  /**
   * Set for operations that would read or remove too much if they ignored a selector, such as `user_id`. Unknown selectors are
   * then refused even when the request is not strict.
   */
  onSelector: Selecting | undefined
  /**
   * Set for operations that change something: the places of their body's fields, by name. One of these in the query is refused
   * even when the request is not strict, since what is stored without it may be nobody's, or stay for ever.
   */
  ofBody?: Selecting['places'] | undefined
}

/** What is needed to recognize unknown selectors of an operation. */
export interface Selecting {
  /** Whether the operation removes something: then more names count as selectors, and those that are almost fields. */
  removes: boolean
  /** The places of the operation's fields, by name, for messages that name the right field. */
  places: ReadonlyMap<string, string>
}

/** The unknown fields of one part of a request. */
interface Unknown {
  refused: Issue[]
  /** Names in the form of the answer's header. */
  ignored: string[]
}

/** The fields that a value may have, by name, or those of a list's items; null where any JSON is allowed. */
type Known = { readonly fields: ReadonlyMap<string, Known> } | { readonly items: Known } | null

/**
 * The most unknown names of a part that are compared, letter by letter, with the operation's fields: nobody misspells thousands.
 * One more is refused without a comparison, since it may be a misspelt selector, which must not be ignored.
 */
export const misspeltMax = 200
const tooMany = because(`more than ${misspeltMax} unknown fields`)

/** What is known of a schema. */
interface Compiled {
  readonly known: Known
  /** Its fields; none where it is no object. */
  readonly fields: ReadonlyMap<string, Known>
  /** The places of the fields that the items of its lists have, such as `items.*.subject`, by name. */
  readonly inItems: ReadonlyMap<string, string>
}

/** Of a part that should be absent. */
const absent: Compiled = { known: { fields: new Map() }, fields: new Map(), inItems: new Map() }

const compiled = new WeakMap<z.ZodType, Compiled>()

/** Metadata, filters and vectors are not looked into: any JSON is allowed there. */
function compiledOf(schema: z.ZodType): Compiled {
  let entry = compiled.get(schema)
  if (entry === undefined) {
    const known = compile(schema)
    const fields = known !== null && 'fields' in known ? known.fields : absent.fields
    entry = { known, fields, inItems: placesInItems(fields) }
    compiled.set(schema, entry)
  }
  return entry
}

function compile(schema: z.core.$ZodType): Known {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod
  if (def.type === 'object') {
    return { fields: new Map(Object.entries(def.shape).map(([name, field]) => [name, compile(field)])) }
  }
  if (def.type !== 'array') return null
  const items = compile(def.element)
  return items && { items }
}

function placesInItems(fields: Compiled['fields']): Compiled['inItems'] {
  const places = new Map<string, string>()
  for (const [list, field] of fields) {
    if (field === null || !('items' in field) || field.items === null || !('fields' in field.items)) continue
    for (const name of field.items.fields.keys()) places.set(name, `${list}.*.${name}`)
  }
  return places
}

/**
 * The places of an operation's fields, such as `body.queries.*.filter`, by name. Outer fields take precedence over nested ones.
 */
export function fieldPlaces(parts: {
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
}): Selecting['places'] {
  const places = new Map<string, string>()
  function collect(known: Known, path: string): void {
    if (known === null) return
    if ('items' in known) {
      collect(known.items, `${path}.*`)
      return
    }
    for (const name of known.fields.keys()) if (!places.has(name)) places.set(name, `${path}.${name}`)
    for (const [name, field] of known.fields) collect(field, `${path}.${name}`)
  }
  for (const part of ['body', 'query'] as const) {
    const schema = parts[part]
    if (schema !== undefined) collect(compiledOf(schema).known, part)
  }
  return places
}

/**
 * The place of a field that stands on the wrong level of a batch, where it would have no effect: of the whole request within an
 * item, such as `on_conflict`, or of the items beside them, such as `subject`, without which what is stored is nobody's.
 */
const placeInBatch = (
  { fields, inItems }: Compiled,
  [where, ...path]: readonly (string | number)[],
  name: string,
): string | undefined => {
  if (path.length > 1) return name !== path[0] && fields.has(name) ? `${where}.${name}` : undefined
  const place = inItems.get(name)
  return place && `${where}.${place}`
}

const ifStrict = (strict: boolean): Fault | undefined => (strict ? faults.extraForbidden : undefined)

/**
 * Finds fields that a schema does not have. Each field costs one look-up, and the first `misspeltMax` unknown ones a comparison
 * where the operation removes something. It stops once the answer can name no more, unless what is refused may follow.
 * @param schema the part's schema; undefined: the part should be absent
 */
export function findUnknown(
  schema: z.ZodType | undefined,
  raw: unknown,
  where: 'query' | 'body',
  handling: Handling,
): Unknown {
  const { strict, onSelector, ofBody } = handling
  const refused: Unknown['refused'] = []
  const ignored: string[] = []
  const path: (string | number)[] = []
  let compared = 0
  const whole = schema === undefined ? absent : compiledOf(schema)
  const misplaced = where === 'query' ? ofBody : undefined
  const mayRefuse = onSelector !== undefined || misplaced !== undefined || whole.inItems.size > 0

  /** The fault of the unknown field at `path`; undefined when it is ignored. */
  function faultOf(name: string, siblings: ReadonlyMap<string, Known>): Fault | undefined {
    const place = placeInBatch(whole, [where, ...path], name) ?? misplaced?.get(name)
    if (place !== undefined) return useInstead(place)
    if (onSelector === undefined) return ifStrict(strict)
    const { removes, places } = onSelector
    // A sibling of the right name is preferred, since a field elsewhere may be about something else.
    const placeOf = (other: string) =>
      siblings.has(other) ? [where, ...path.slice(0, -1), other].join('.') : places.get(other)
    const fault = faultOfSelector(name, removes, placeOf)
    if (fault !== undefined || !removes) return fault ?? ifStrict(strict)
    if (compared === misspeltMax) return tooMany
    compared++
    return faultOfMisspelt(name, [...siblings.keys(), ...places.keys()], placeOf) ?? ifStrict(strict)
  }

  /** Refuses or ignores the field at `path`. @returns whether to go on */
  function record(fault: Fault | undefined): boolean {
    if (fault !== undefined) {
      refused.push({ code: 'custom', message: fault.msg, params: { fault }, path: [...path] })
    } else if (ignored.length < limits.ignoredFields) ignored.push([where, ...path].map(headerName).join('.'))
    if (refused.length === entriesMax || fault === tooMany) return false
    return fault !== undefined || mayRefuse || ignored.length < limits.ignoredFields
  }

  function visit(value: unknown, known: Known): boolean {
    if (known === null || typeof value !== 'object' || value === null) return true
    if ('items' in known) {
      if (!Array.isArray(value)) return true
      return value.every((item, index) => {
        path.push(index)
        const goesOn = visit(item, known.items)
        path.pop()
        return goesOn
      })
    }
    if (Array.isArray(value)) return true
    for (const name of Object.keys(value)) {
      const field = known.fields.get(name)
      // A known field without nested fields, as most are.
      if (field === null) continue
      path.push(name)
      const goesOn =
        field === undefined
          ? record(faultOf(name, known.fields))
          : visit((value as Record<string, unknown>)[name], field)
      path.pop()
      if (!goesOn) return false
    }
    return true
  }

  if (schema !== undefined) visit(raw, whole.known)
  // Neither an object nor absent, for example a list of ids.
  else if (typeof raw !== 'object' || Array.isArray(raw)) {
    record(onSelector ? faults.selectorForbidden(onSelector.places.get('filter')) : ifStrict(strict))
  } else visit(raw, whole.known)
  return { refused, ignored }
}

/** The most characters of a name in the header. */
const headerNameChars = 100

/** A name for the header: percent-encoded, including the characters that separate names, and cut when it is long. */
function headerName(name: string | number): string {
  let shown = ''
  for (const character of String(name)) {
    const next = shown + encoded(character)
    if (next.length > headerNameChars) return `${shown}${encoded('…')}`
    shown = next
  }
  return shown
}

const encoded = (character: string): string =>
  /[.!~*'()]/.test(character)
    ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    : encodeURIComponent(character.toWellFormed())
