import { storelessRoutes, subjectPlaces } from './generated/facts.ts'
import { isInvisible } from './generated/invisible.ts'
import { asJson, halfCharacter } from './sendable.ts'

/**
 * The input of a call that is kept to an end user: theirs wherever the operation takes a subject.
 * @param ids of the path
 * @throws TypeError for another subject, and for an operation that takes none, or none beside ids, and works on what is stored
 */
export function keptTo(subject: string, route: string, ids: readonly unknown[], input: unknown): unknown {
  const place = subjectPlaces[route]
  if (place === undefined) {
    if (storelessRoutes.has(route)) return input
    throw takesNone(route)
  }
  if (place === 'path') {
    requireSame(subject, ids[0], place)
    return input
  }
  if (place === 'body' || place === 'query') {
    const kept = withSubject(subject, input === undefined ? {} : input, 'subject')
    if (isByIds(kept)) throw takesNone(`${route} by ids`)
    return kept
  }
  const fields = (asJson(input, '') ?? {}) as Record<string, unknown>
  const list = asJson(fields[place], place)
  // Whatever else JSON made a list of would hold items that are of nobody.
  if (!Array.isArray(list)) throw new TypeError(`${place} is no list`)
  const items = Array.from(list, (item, i) => withSubject(subject, item, `${place}[${i}].subject`))
  return withField(fields, place, items)
}

const takesNone = (what: string) =>
  new TypeError(`${what} takes no subject: it is for the client itself, which is of nobody`)

/** Whether an input names patterns, whosever they are, in place of a subject. */
function isByIds(input: unknown): boolean {
  const { pattern_ids, external_ids } = (input ?? {}) as Record<string, unknown>
  return pattern_ids != null || external_ids != null
}

function withSubject(subject: string, given: unknown, name: string): unknown {
  const fields = asJson(given, name)
  // What is no object is refused for what it is.
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields
  const { subject: other } = fields as { subject?: unknown }
  if (other !== undefined) requireSame(subject, other, name)
  return withField(fields, 'subject', subject)
}

/** Fields with another value of one. They are JSON's already: a `toJSON` among them would give them without it. */
function withField(fields: object, name: string, value: unknown): object {
  const { toJSON: _, ...rest } = fields as { toJSON?: unknown }
  return { ...rest, [name]: value }
}

function requireSame(subject: string, given: unknown, name: string): void {
  if (given === subject) return
  throw new TypeError(
    `${name} is ${JSON.stringify(given)}, and this client is that of ${JSON.stringify(subject)}`,
  )
}

/** @throws TypeError for what tells nobody apart, or can't be sent everywhere */
export function requireSubject(given: unknown): asserts given is string {
  if (typeof given === 'string' && !isInvisible(given) && !halfCharacter.test(given)) return
  throw new TypeError(`A subject is the name of an end user, not ${JSON.stringify(given) ?? String(given)}`)
}
