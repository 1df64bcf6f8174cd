import { sql } from 'kysely'
import { asTask, type Queries } from '../platform/database/database.ts'

/** One of the counts that an attempt is taken from. */
export interface Bucket {
  hash: Uint8Array
  limit: number
  windowS: number
}

/**
 * Takes an attempt from each bucket, or from none when one of them is used up.
 * @returns 0 when it was taken, else the seconds until those are empty again
 */
export async function take(queries: Queries, buckets: readonly Bucket[]): Promise<number> {
  const { rows } = await sql<{ wait_s: number }>`
    select ${asyncCommit}, app.take_attempt(${hashesOf(buckets)}::bytea[], ${buckets.map((b) => b.limit)}::integer[],
      ${buckets.map((b) => b.windowS)}::integer[]) as wait_s`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('Taking an attempt gave no row.')
  return row.wait_s
}

/**
 * Counts need not reach the disk before the answer: a power failure may forgive the last attempts. In the embedded
 * database, which everybody else waits for meanwhile, that takes 0.5 ms each time.
 */
const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

/** Buckets dropped in one transaction: after a flood there are more than one statement has time for. */
const purgedAtOnce = 5_000

/** Drops the buckets whose time is over. @returns how many. */
export async function purge(queries: Queries): Promise<number> {
  for (let purged = 0; ; ) {
    const { numAffectedRows = 0n } = await asTask(queries, 'throttle', (trx) =>
      sql`delete from app.attempts where ends_at <= now() and bucket in (
        select bucket from app.attempts where ends_at <= now() limit ${purgedAtOnce})`.execute(trx),
    )
    purged += Number(numAffectedRows)
    if (numAffectedRows < BigInt(purgedAtOnce)) return purged
  }
}

/** Gives an attempt back to each bucket, or empties those to be cleared. */
export async function giveBack(
  queries: Queries,
  buckets: readonly { hash: Uint8Array; clear: boolean }[],
): Promise<void> {
  await sql`select ${asyncCommit}, app.return_attempt(${hashesOf(buckets)}::bytea[],
    ${buckets.map((b) => b.clear)}::boolean[])`.execute(queries)
}

const hashesOf = (buckets: readonly { hash: Uint8Array }[]): Buffer[] =>
  buckets.map(({ hash }) => Buffer.from(hash))
