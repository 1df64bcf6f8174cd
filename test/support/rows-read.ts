import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Whether statistics of what statements read are complete at once, as in the embedded database, which has one session. */
export const isReadKnown = process.env.TEST_DATABASE_URL === undefined

/** Rows that statements have read so far, and entries of indexes, by table. */
export async function rowsRead(queries: Queries): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(queries)
  const { rows } = await sql<{ name: string; read: number }>`
    select t.relname as name, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as read
      from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
      where t.schemaname = 'app' group by t.relid, t.relname, t.seq_tup_read`.execute(queries)
  return new Map(rows.map(({ name, read }) => [name, read]))
}
