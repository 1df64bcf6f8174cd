import type { AuditSearch } from '../../searches.ts'
import type { AuditEntry } from './audit-export.ts'

/** Entries that a page shows. */
export const entriesOnPage = 50
/** The log is paged to a bounded depth: after so many pages its time leads on. */
export const pagesInARow = 100

/** What the address of the page after one of the audit log says. */
export function nextOf(
  page: number,
  entries: readonly Pick<AuditEntry, 'timestamp'>[],
): Pick<AuditSearch, 'page' | 'until'> {
  const last = entries.at(-1)
  if (page < pagesInARow || last === undefined) return { page: page + 1 }
  // Others of the same millisecond may follow.
  return { page: undefined, until: new Date(Date.parse(last.timestamp) + 1).toISOString() }
}
