import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** How far consolidation of a space has come. */
export interface Progress {
  /** The idx at which the next run of sleep begins. */
  nextIdx: number
  /** Number of explorations so far. */
  explored: number
}

/** Takes the lease of a space for `seconds`. @returns undefined if another holder has it */
export function take(
  queries: Queries,
  spaceId: string,
  holder: string,
  seconds: number,
): Promise<Progress | undefined> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ next_idx: number; explored: number }>`
      insert into app.consolidations as c (space_id, holder, held_until)
        values (${spaceId}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}))
        on conflict (space_id) do update set holder = excluded.holder, held_until = excluded.held_until
          where c.held_until is null or c.held_until <= now()
        returning c.next_idx, c.explored`.execute(trx)
    const [row] = rows
    return row && { nextIdx: row.next_idx, explored: row.explored }
  })
}

/** Extends the lease to `seconds` from now. @returns false if another holder has taken it */
export async function renew(trx: Trx, spaceId: string, holder: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    update app.consolidations c set held_until = clock_timestamp() + make_interval(secs => ${seconds})
      where c.space_id = ${spaceId} and c.holder = ${holder} returning 1`.execute(trx)
  return rows.length > 0
}

/** Saves the progress, if the lease is still the holder's. */
export async function save(
  trx: Trx,
  spaceId: string,
  holder: string,
  { nextIdx, explored }: Progress,
): Promise<void> {
  await sql`
    update app.consolidations c set next_idx = ${nextIdx}, explored = ${explored}
      where c.space_id = ${spaceId} and c.holder = ${holder}`.execute(trx)
}

/** Ends the lease and saves the progress, unless another holder has taken it. */
export function release(
  queries: Queries,
  spaceId: string,
  holder: string,
  { nextIdx, explored }: Progress,
): Promise<void> {
  return asTenant(queries, { spaceId }, async (trx) => {
    await sql`
      update app.consolidations c
        set holder = null, held_until = null, next_idx = ${nextIdx}, explored = ${explored}
        where c.space_id = ${spaceId} and c.holder = ${holder}`.execute(trx)
  })
}

/** Reads the progress, and whether anybody holds the lease now. */
export function read(queries: Queries, spaceId: string): Promise<Progress & { running: boolean }> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ next_idx: number; explored: number; running: boolean }>`
      select c.next_idx, c.explored, coalesce(c.held_until > now(), false) as running
        from app.consolidations c where c.space_id = ${spaceId}`.execute(trx)
    const [row] = rows
    return { nextIdx: row?.next_idx ?? 0, explored: row?.explored ?? 0, running: row?.running ?? false }
  })
}
