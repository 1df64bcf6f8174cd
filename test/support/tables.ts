import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { asOwner } from '../platform/open-database.ts'

/** One row of any table, as JSON text; bytes are in hexadecimal. */
export interface StoredRow {
  table: string
  text: string
}

/** Every row of every table of the service, whoever it belongs to, as the database's owner sees them. */
export function dumpTables(queries: Queries): Promise<StoredRow[]> {
  return asOwner(queries, async (trx) => {
    const { rows: tables } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'app' and c.relkind = 'r' order by 1`.execute(trx)
    const rowsOf = tables.map(
      ({ name }) =>
        sql`select ${sql.lit(name)} as table, to_jsonb(t)::text as text from ${sql.table(`app.${name}`)} t`,
    )
    const { rows } = await sql<StoredRow>`${sql.join(rowsOf, sql` union all `)} order by 1, 2`.execute(trx)
    return rows
  })
}
