/** Rows of a table, or of what is stored outside its rows. The counts are since the database was started: each start resets them. */
export interface Rows {
  /** Live rows. */
  live: number
  /** Rows that were deleted or replaced and are still in the files. */
  dead: number
  /** Milliseconds since the last vacuum or, without one, since the start. */
  keptMsAgo: number
}

/** Statistics of a table's use. */
export interface TableUse extends Rows {
  /** Long values, which PostgreSQL stores in a table of their own (TOAST). */
  outside: Rows
  /** Rows changed since the table was analyzed. */
  changed: number
  /** Rows stored since it was vacuumed. */
  added: number
  /** Transactions since its oldest row was frozen. */
  age: number
  /** The size of the table; only read for the first check after a start, else 0. */
  bytes: number
}

/** Default thresholds of PostgreSQL's autovacuum: a number of rows plus a share of all rows. */
const rowsMin = 50
const deadShare = 0.2
const changedShare = 0.1
/** The default of `vacuum_freeze_table_age`, in transactions: from this age on a vacuum freezes all rows. */
export const ageMax = 150_000_000

/** From so many rows on a table is large: one vacuum of it would block all other statements for a second and more. */
const largeRows = 10_000
/** A large table's new rows are looked through when there are so many: some 100 ms, which a later vacuum need not spend on them. */
const addedMax = 20_000

/** Deleted rows, however few, are removed from the files after this time. */
const deadMaxMs = 3_600_000
/** Tables up to this size take milliseconds to vacuum. */
const smallBytes = 16 * 2 ** 20
/** One page and its maps: vacuuming it gains nothing. */
const tinyBytes = 32 * 2 ** 10

const vacuumAndAnalyze = ['vacuum (analyze)']
const vacuumOutside = 'vacuum (process_main false)'
/**
 * The same for a large table, in steps between which others get their turn: what is stored outside the rows; the rows, which leaves
 * their places in the indexes; the indexes and these places; and the sample.
 */
const inSteps = [
  vacuumOutside,
  'vacuum (index_cleanup off, truncate off, process_toast false)',
  'vacuum (index_cleanup on, process_toast false)',
  'analyze',
]
/** Reads the pages since the last vacuum, and marks those in which nothing is to be done. */
const lookThrough = 'vacuum (truncate off, process_toast false)'

/** Whether there are many dead rows, or they have been there for long. */
const isDue = ({ live, dead, keptMsAgo }: Rows): boolean =>
  dead > rowsMin + deadShare * live || (dead > 0 && keptMsAgo >= deadMaxMs)

/**
 * The SQL commands that a table needs now, each to be followed by the table's name.
 * @param isFirst whether this is the first check since the database was started: `dead` lacks rows deleted before that
 */
export function tableUpkeep(use: TableUse, isFirst: boolean): readonly string[] {
  const { live, dead, outside, changed, added, age, bytes } = use
  const isUnknown = isFirst && bytes > tinyBytes && bytes <= smallBytes
  if (isDue(use) || isUnknown || age > ageMax) {
    return live + dead > largeRows ? inSteps : vacuumAndAnalyze
  }
  return [
    // Of these the statistics of the table itself say nothing once its rows were looked through.
    ...(isDue(outside) ? [vacuumOutside] : []),
    ...(added > addedMax ? [lookThrough] : []),
    ...(changed > rowsMin + changedShare * live ? ['analyze'] : []),
  ]
}
