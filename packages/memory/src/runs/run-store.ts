import { limits } from '@memory/shared/catalogue/limits'
import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { RunKind, runCauses } from './schema.ts'

export type Counts = Readonly<Record<string, number>>

/** A recorded sleep or exploration. */
export interface RunRow {
  id: string
  kind: RunKind
  cause: (typeof runCauses)[number]
  began_at: Date
  /** Null while unfinished. */
  ended_at: Date | null
  counts: Counts
  error: string | null
}

/** Writes a new run, or updates one, and drops the oldest beyond `limits.runRecords`. @param trx of the space's tenant */
export async function saveRun(
  trx: Trx,
  spaceId: string,
  { id, kind, cause, began_at, ended_at, counts, error }: RunRow,
): Promise<void> {
  const ended = ended_at === null ? null : ended_at.toISOString()
  await sql`
    insert into app.space_runs (space_id, id, kind, cause, began_at, ended_at, counts, error)
      values (${spaceId}, ${id}, ${kind}, ${cause}, ${began_at.toISOString()}::timestamptz, ${ended}::timestamptz,
        ${JSON.stringify(counts)}::jsonb, ${error})
      on conflict (space_id, id) do update set ended_at = excluded.ended_at, counts = excluded.counts`.execute(
    trx,
  )
  await sql`
    delete from app.space_runs r where r.space_id = ${spaceId} and r.id <= (
      select o.id from app.space_runs o where o.space_id = ${spaceId} order by o.id desc offset ${limits.runRecords} limit 1
    )`.execute(trx)
}

/** The newest scheduled run of a kind, if it is unfinished. */
export async function findUnfinished(trx: Trx, spaceId: string, kind: RunKind): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select n.* from (
      select r.id, r.kind, r.cause, r.began_at, r.ended_at, r.counts, r.error from app.space_runs r
        where r.space_id = ${spaceId} and r.kind = ${kind} and r.cause = 'scheduled' and r.error is null
        order by r.id desc limit 1
    ) as n where n.ended_at is null`.execute(trx)
  return rows[0]
}

/** Which runs to list. */
export interface RunPage {
  /** Only runs with a lower id, since the newest come first. */
  before: string | undefined
  count: number
  kind: RunKind | undefined
}

/** A page of runs, newest first. */
export async function listRuns(
  trx: Trx,
  spaceId: string,
  { before, count, kind }: RunPage,
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.id, r.kind, r.cause, r.began_at, r.ended_at, r.counts, r.error from app.space_runs r
      where r.space_id = ${spaceId}
        and (${before ?? null}::text is null or r.id < ${before ?? null})
        and (${kind ?? null}::text is null or r.kind = ${kind ?? null})
      order by r.id desc limit ${count}`.execute(trx)
  return rows
}
