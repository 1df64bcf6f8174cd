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
    const dumped: StoredRow[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select to_jsonb(t)::text as text from ${sql.table(`app.${name}`)} t order by 1`.execute(trx)
      dumped.push(...rows.map(({ text }) => ({ table: name, text })))
    }
    return dumped
  })
}
