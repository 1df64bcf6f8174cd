import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import { isAsOf, isForeignSelector } from '@memory/shared/catalogue/foreign-selectors'
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
   * Where a selector that is passed over would widen what is read or removed: what to say of one. It is refused whether
   * the request is strict or not.
   */
  onSelector: Fault | undefined
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

/** What is wrong with a field that a schema does not name; undefined for one that is ignored. */
function faultOf(name: string, { strict, onSelector }: Handling): Fault | undefined {
  if (onSelector !== undefined && isForeignSelector(name)) return onSelector
  if (onSelector !== undefined && isAsOf(name)) return faults.asOfForbidden
  return ifStrict(strict)
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
          ? note(faultOf(name, handling))
          : visit((value as Record<string, unknown>)[name], field)
      path.pop()
      if (!goesOn) return false
    }
    return true
  }

  if (schema !== undefined) visit(raw, knownOf(schema))
  // A list of ids, say.
  else if (typeof raw !== 'object' || Array.isArray(raw)) note(onSelector ?? ifStrict(strict))
  else visit(raw, nothing)
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
