import { sql } from 'kysely'
import type { Queries } from '../platform/database/database.ts'
import { purgeRows } from '../platform/database/purge.ts'

/** One of the counters of an attempt. */
export interface Bucket {
  hash: Uint8Array
  limit: number
  windowS: number
}

/**
 * Counts an attempt in each bucket, or in none when one of them is full.
 * @returns 0 when it was counted, else the seconds until the full ones are reset
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
 * Counts need not be on the disk before the answer: after a power failure it is fine if the last attempts are not counted.
 * Writing them durably would block the embedded database for 0.5 ms each time.
 */
const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

/** Deletes expired buckets. */
export function purge(queries: Queries): Promise<void> {
  return purgeRows(queries, 'throttle', 'attempts', sql`t.ends_at <= now()`)
}

/** Uncounts an attempt in each bucket, or resets those that are to be cleared. */
export async function giveBack(
  queries: Queries,
  buckets: readonly { hash: Uint8Array; clear: boolean }[],
): Promise<void> {
  await sql`select ${asyncCommit}, app.return_attempt(${hashesOf(buckets)}::bytea[],
    ${buckets.map((b) => b.clear)}::boolean[])`.execute(queries)
}

const hashesOf = (buckets: readonly { hash: Uint8Array }[]): Buffer[] =>
  buckets.map(({ hash }) => Buffer.from(hash))
