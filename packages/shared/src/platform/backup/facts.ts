import { lastMigration } from '../database/migrations.ts'
import { queueSchema } from '../database/queue-schema.ts'

/** What a backup says of its database, to compare a restored one with. */
export interface DatabaseFacts {
  /** Of PostgreSQL, also where it is embedded. */
  serverVersion: string
  /** The last of the tables' migrations. */
  migration: string
  /** Names of the master keys that its secrets are sealed under; not the keys. */
  masterKeys: string[]
  /** Rows of each table of the service, the job queue's among them. */
  tables: Record<string, number>
}

/** Runs a statement as a role that sees all rows. */
export type OwnerQuery = <Row>(statement: string) => Promise<Row[]>

/** The schemas that are the service's own. */
export const ownSchemas = ['app', queueSchema] as const

/** Reads the facts, by several statements: the caller makes sure that nothing changes between them. */
export async function readFacts(query: OwnerQuery): Promise<DatabaseFacts> {
  const [server] = await query<{ version: string }>("select current_setting('server_version') as version")
  const keys = await query<{ version: string }>('select version from app.master_keys order by created_at')
  return {
    serverVersion: server?.version ?? '',
    migration: (await lastMigration(query)) ?? '',
    masterKeys: keys.map((key) => key.version),
    tables: await countRows(query),
  }
}

async function countRows(query: OwnerQuery): Promise<Record<string, number>> {
  const schemas = ownSchemas.map((name) => `'${name}'`).join(', ')
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in (${schemas}) order by 1`,
  )
  const each = tables.map(({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name}`)
  const counts = await query<{ name: string; rows: number }>(each.join(' union all '))
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
}

/** A sentence part for each table that does not have as many rows as it should. */
export function differencesOf(expected: DatabaseFacts['tables'], found: DatabaseFacts['tables']): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()
  return names
    .filter((name) => expected[name] !== found[name])
    .map((name) => `${name} has ${found[name] ?? 'no'} rows instead of ${expected[name] ?? 'none'}`)
}
