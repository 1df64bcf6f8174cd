import type { InputOf, RouteOf } from './operations.ts'
import { asJson, jsonOf, requireInput, requireSendableQuery } from './sendable.ts'
import { requireSubject } from './subject.ts'

/** Operations whose query has a filter beside the subject. */
type FilteredRoute = {
  [R in RouteOf<'query'>]: 'filter' | 'subject' extends keyof InputOf<R> ? R : never
}[RouteOf<'query'>]

const filteredRoutes: Readonly<Record<FilteredRoute, true>> = {
  'GET /v1/memory/map': true,
  'GET /v1/memory/patterns': true,
}

/**
 * What an operation is asked for in its address, with the question mark. A filter goes as JSON; an address has room for one
 * subject, so that the filter says when several are meant, or nobody.
 * @throws TypeError for what would be sent as something else than was meant (see `requireSendable`)
 */
export function queryOf(route: string, given: object = {}): string {
  requireInput(given)
  const { subject, ...rest } = given as { subject?: unknown; filter?: unknown }
  const subjects = asJson(subject, 'subject')
  const isInFilter = route in filteredRoutes && (subjects === null || Array.isArray(subjects))
  requireSendableQuery(isInFilter ? rest : given)
  const query = isInFilter ? { ...rest, filter: ofSubjects(subjects, rest.filter) } : given
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    parameters.set(name, typeof value === 'object' ? jsonOf(value) : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** A filter that is met by patterns of these subjects alone, or of nobody. */
function ofSubjects(subjects: readonly unknown[] | null, given: unknown): object {
  if (subjects?.length === 0) throw new TypeError('subject is an empty list')
  // A null among names would be nobody.
  for (const each of subjects ?? []) requireSubject(each)
  const filter = given === undefined ? {} : filterOf(given)
  const own = { $subject: subjects }
  return '$subject' in filter ? { $and: [own, filter] } : { ...filter, ...own }
}

/** A filter that is given as JSON, or as the object. */
function filterOf(given: unknown): object {
  let filter: unknown = asJson(given, 'filter')
  try {
    if (typeof filter === 'string') filter = JSON.parse(filter)
  } catch {
    filter = undefined
  }
  if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) return filter
  throw new TypeError('filter is no JSON object')
}
