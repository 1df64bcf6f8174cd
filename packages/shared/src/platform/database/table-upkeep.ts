/** Statistics of a table's use. The counts of rows are since the database was started: each start resets them. */
export interface TableUse {
  /** Live rows. */
  live: number
  /** Rows that were deleted or replaced and are still in the files. */
  dead: number
  /** Rows changed since the table was analyzed. */
  changed: number
  /** Transactions since its oldest row was frozen. */
  age: number
  /** The size of the table; only read for the first check after a start, else 0. */
  bytes: number
  /** Milliseconds since the last vacuum or, without one, since the start. */
  keptMsAgo: number
}

/** Default thresholds of PostgreSQL's autovacuum: a number of rows plus a share of all rows. */
const rowsMin = 50
const deadShare = 0.2
const changedShare = 0.1
/** The default of `vacuum_freeze_table_age`, in transactions: from this age on a vacuum freezes all rows. */
export const ageMax = 150_000_000

/** Deleted rows, however few, are removed from the files after this time. */
const deadMaxMs = 3_600_000
/** Tables up to this size take milliseconds to vacuum. */
const smallBytes = 16 * 2 ** 20
/** One page and its maps: vacuuming it gains nothing. */
const tinyBytes = 32 * 2 ** 10

/**
 * The SQL command that a table needs now, if any.
 * @param isFirst whether this is the first check since the database was started: `dead` lacks rows deleted before that
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
