import type { Filter } from '@memory/shared/catalogue/filter'

const field = '$occurred_at'

/** A time in ms since 1970, from the one (included) to before the other; without end where there is none. */
export interface Period {
  from?: number | undefined
  to?: number | undefined
}

/** What a filter says, of the patterns alone that tell of something in a period. */
export function occurredIn(filter: Filter | undefined, { from, to }: Period): Filter | undefined {
  const bounds: Filter[] = []
  if (from !== undefined) bounds.push({ kind: 'gte', field, than: from })
  if (to !== undefined) bounds.push({ kind: 'lt', field, than: to })
  if (bounds.length === 0) return filter
  return { kind: 'and', of: filter === undefined ? bounds : [...bounds, filter] }
}
