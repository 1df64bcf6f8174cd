/** How a table was used since its statistics were last started anew, which each start of the database does. */
export interface TableUse {
  /** Rows. */
  live: number
  /** Rows that were deleted or replaced and are still in the files. */
  dead: number
  /** Rows changed since the table was analyzed. */
  changed: number
  /** Transactions since its oldest row was frozen. */
  age: number
  /** Looked at only the first time. */
  bytes: number
  /** Since it was vacuumed, or else since the start. */
  keptMsAgo: number
}

/** Thresholds and shares at which PostgreSQL's autovacuum acts by default. */
const rowsMin = 50
const deadShare = 0.2
const changedShare = 0.1
/** Of `vacuum_freeze_table_age`: from there on a vacuum freezes all rows. */
export const ageMax = 150_000_000

/** However few, what was deleted leaves the files by then. */
const deadMaxMs = 3_600_000
/** Tables up to this size take milliseconds to vacuum. */
const smallBytes = 16 * 2 ** 20
/** One page and its maps: nothing to win. */
const tinyBytes = 32 * 2 ** 10

/**
 * What a table needs now, as SQL's command for it.
 * @param isFirst since the database was started: what was deleted before is not counted any more
 */
export function tableUpkeep(
  { live, dead, changed, age, bytes, keptMsAgo }: TableUse,
  isFirst: boolean,
): 'vacuum (analyze)' | 'analyze' | undefined {
  const isStale = dead > 0 && keptMsAgo >= deadMaxMs
  const isUnknown = isFirst && bytes > tinyBytes && bytes <= smallBytes
  if (dead > rowsMin + deadShare * live || isStale || isUnknown || age > ageMax) return 'vacuum (analyze)'
  if (changed > rowsMin + changedShare * live) return 'analyze'
  return undefined
}
