import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import { faultOfSelector, useInstead } from '@memory/shared/catalogue/foreign-selectors'
import { limits } from '@memory/shared/catalogue/limits'
import type { z } from 'zod'
import { entriesMax } from './detail.ts'
import { unwrap } from './schema-path.ts'

type Issue = z.core.$ZodIssue

/** What is done about fields that an operation does not have. */
export interface Handling {
  /** All of them are refused. */
  strict: boolean
  /**
   * Of an operation that would read or remove more than was meant where it passed over a selector. One is refused whether
   * the request is strict or not.
   */
  onSelector: Selecting | undefined
}

/** What an operation selects by. */
export interface Selecting {
  /** Whether it removes something: more names are selectors then. */
  removes: boolean
  /** Where it has its fields, by their names. */
  places: ReadonlyMap<string, string>
}

/** What was found in one part of a request. */
export interface Unknown {
  refused: Issue[]
  /** As an answer's header names them. */
  ignored: string[]
}

/** What a value may have: fields by their names, or a list of such; null where any JSON may stand. */
type Known = { readonly fields: ReadonlyMap<string, Known> } | { readonly items: Known } | null

/** What a part may have that should be absent. */
const nothing: Known = { fields: new Map() }

const compiled = new WeakMap<z.ZodType, { known: Known }>()

/** What a schema names. Metadata, filters and vectors are leaves: whatever is in them is theirs. */
function knownOf(schema: z.ZodType): Known {
  let entry = compiled.get(schema)
  if (entry === undefined) {
    entry = { known: compile(schema) }
    compiled.set(schema, entry)
  }
  return entry.known
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

/** Where an operation has its fields, by their names: `body.queries.*.filter`. An object's own come before those within. */
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
    if (schema !== undefined) collect(knownOf(schema), part)
  }
  return places
}

const ifStrict = (strict: boolean): Fault | undefined => (strict ? faults.extraForbidden : undefined)

/**
 * Looks for fields that a schema does not name. Each field costs a look-up, and those that an answer need not tell any
 * more hardly another.
 * @param schema of the part; without one it should be absent
 */
export function findUnknown(
  schema: z.ZodType | undefined,
  raw: unknown,
  where: 'query' | 'body',
  handling: Handling,
): Unknown {
  const { strict, onSelector } = handling
  const refused: Unknown['refused'] = []
  const ignored: string[] = []
  const path: (string | number)[] = []
  const whole = schema && knownOf(schema)
  const ofWhole = whole && 'fields' in whole ? whole.fields : new Map<string, Known>()

  /** What is wrong with the field at `path`, which its object does not have; undefined for one that is ignored. */
  function faultOf(name: string, siblings: ReadonlyMap<string, Known>): Fault | undefined {
    // As `on_conflict` of one item of a batch: what it asks for would not be done.
    if (path.length > 1 && ofWhole.has(name)) return useInstead(`${where}.${name}`)
    if (onSelector === undefined) return ifStrict(strict)
    const { removes, places } = onSelector
    // A sibling selects what the field was to select; what stands elsewhere may be of something else.
    const placeOf = (other: string) =>
      siblings.has(other) ? [where, ...path.slice(0, -1), other].join('.') : places.get(other)
    return faultOfSelector(name, removes, placeOf) ?? ifStrict(strict)
  }

  /** @returns whether to go on */
  function note(fault: Fault | undefined): boolean {
    if (fault !== undefined) {
      refused.push({ code: 'custom', message: fault.msg, params: { fault }, path: [...path] })
    } else if (ignored.length < limits.ignoredFields) ignored.push([where, ...path].map(headerName).join('.'))
    if (refused.length === entriesMax) return false
    return fault !== undefined || onSelector !== undefined || ignored.length < limits.ignoredFields
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
      // Most fields are known, and have none within.
      if (field === null) continue
      path.push(name)
      const goesOn =
        field === undefined
          ? note(faultOf(name, known.fields))
          : visit((value as Record<string, unknown>)[name], field)
      path.pop()
      if (!goesOn) return false
    }
    return true
  }

  if (schema !== undefined) visit(raw, knownOf(schema))
  // A list of ids, say.
  else if (typeof raw !== 'object' || Array.isArray(raw)) {
    note(onSelector ? faults.selectorForbidden(onSelector.places.get('filter')) : ifStrict(strict))
  } else visit(raw, nothing)
  return { refused, ignored }
}

/** What a name takes in a header at most. */
const headerNameChars = 100

/** A name percent-encoded, with the signs too that stand between names, and cut where it is long. */
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
