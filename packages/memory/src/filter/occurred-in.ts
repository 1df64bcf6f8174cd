import type { Filter } from '@memory/shared/catalogue/filter'

const field = '$occurred_at'

/** A period in ms since 1970, from `from` up to before `to`; open where one is undefined. */
export interface Period {
  from?: number | undefined
  to?: number | undefined
}

/** Narrows a filter to patterns that occurred in a period. */
export function occurredIn(filter: Filter | undefined, { from, to }: Period): Filter | undefined {
  const bounds: Filter[] = []
  if (from !== undefined) bounds.push({ kind: 'gte', field, than: from })
  if (to !== undefined) bounds.push({ kind: 'lt', field, than: to })
  if (bounds.length === 0) return filter
  return { kind: 'and', of: filter === undefined ? bounds : [...bounds, filter] }
}
