import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Makes the tables of effects in an empty database, as its owner. */
export async function prepareEffects(queries: Queries): Promise<void> {
  await queries.transaction().execute(async (trx) => {
    await sql`set local role none`.execute(trx)
    await sql`create schema effects`.execute(trx)
    await sql`create table effects.keys (job_id text primary key)`.execute(trx)
    // No key: an effect that came twice would stand here twice.
    await sql`create table effects.effects (job_id text not null)`.execute(trx)
    await sql`grant usage on schema effects to memory_app`.execute(trx)
    await sql`grant select, insert on all tables in schema effects to memory_app`.execute(trx)
  })
}

/** What an idempotent job does: its key and its effect in one transaction, nothing where the key is there. */
export async function haveEffect(queries: Queries, jobId: string): Promise<void> {
  await queries.transaction().execute(async (trx) => {
    const key = await sql`insert into effects.keys values (${jobId}) on conflict do nothing`.execute(trx)
    if (key.numAffectedRows === 0n) return
    await sql`insert into effects.effects values (${jobId})`.execute(trx)
  })
}

/** How many jobs have had an effect, and how many of them more than one. */
export async function countEffects(queries: Queries): Promise<{ once: number; twice: number }> {
  const { rows } = await sql<{ once: number; twice: number }>`
    select count(*) filter (where times = 1) as once, count(*) filter (where times > 1) as twice
    from (select count(*) as times from effects.effects group by job_id) each`.execute(queries)
  return rows[0] as { once: number; twice: number }
}
