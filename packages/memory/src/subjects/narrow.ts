import type { Filter } from '@memory/shared/catalogue/filter'
import type { SubjectBinding } from '@memory/shared/catalogue/operation'

/** Whose patterns are asked for: those of one or several end users; null: those without an end user; undefined: all. */
export type SubjectSelector = string | readonly string[] | null | undefined

/** Narrows a filter to the patterns of some end users. */
export function ofSubjects(filter: Filter | undefined, selector: SubjectSelector): Filter | undefined {
  if (selector === undefined) return filter
  return both(filter, selector === null ? ofNone : isOf(typeof selector === 'string' ? [selector] : selector))
}

/** Narrows a filter to what a caller who is bound to an end user may see. */
export function seenBy(filter: Filter | undefined, { name, isShared }: SubjectBinding): Filter {
  const own = isOf([name])
  return both(filter, isShared ? { kind: 'or', of: [own, ofNone] } : own)
}

const field = '$subject'
const isOf = (values: readonly string[]): Filter => ({ kind: 'equals', field, values })
const ofNone: Filter = { kind: 'not', of: { kind: 'exists', field } }

const both = (filter: Filter | undefined, other: Filter): Filter =>
  filter === undefined ? other : { kind: 'and', of: [other, filter] }
