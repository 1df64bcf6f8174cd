import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { lastMigration } from './migrations.ts'

/** The version of PostgreSQL (also of the embedded one), and the name of the last migration of the tables. */
export async function inspectDatabase(queries: Queries): Promise<{ version: string; migration: string }> {
  const query = async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(queries)).rows
  const [server] = await query<{ version: string }>("select current_setting('server_version') as version")
  return { version: server?.version ?? '', migration: (await lastMigration(query)) ?? '' }
}
