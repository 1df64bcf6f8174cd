import type { MigrationConnection } from './migration-connection.ts'

/** The schema of the job queue's own tables, which the library migrates and queries by itself. */
export const queueSchema = 'bullmq'

/** The version of that schema which the pinned release of the library makes. Reading it from there takes a start 0.2 s. */
export const queueSchemaVersion = 11

/** Whether the schema of the job queue is there as this release needs it. */
export async function isQueueMigrated(connection: Pick<MigrationConnection, 'query'>): Promise<boolean> {
  const [there] = await connection.query<{ there: boolean }>(
    `select to_regclass('${queueSchema}.migration') is not null as there`,
  )
  if (!there?.there) return false
  const [row] = await connection.query<{ version: number | null; granted: boolean }>(
    `select max(version) as version, has_schema_privilege('memory_app', '${queueSchema}', 'usage') as granted
      from ${queueSchema}.migration`,
  )
  return row?.granted === true && (row.version ?? 0) >= queueSchemaVersion
}

/**
 * Brings the schema of the job queue up to this release, in one transaction, and lets the application role work in it.
 * @returns whether there was anything to do
 */
export async function migrateQueue(connection: MigrationConnection): Promise<boolean> {
  if (await isQueueMigrated(connection)) return false
  const { runMigrations } = await import('bullmq')
  await runMigrations(
    {
      query: async <Row>(text: string, parameters: readonly unknown[] = []) => {
        // Files of many statements have neither parameters nor rows.
        if (parameters.length > 0 || /^\s*select\b/i.test(text)) {
          return { rows: await connection.query<Row>(text, [...parameters]) }
        }
        await connection.exec(text)
        return { rows: [] }
      },
    },
    queueSchema,
  )
  // The schema last: that it is open says that the rest is.
  await connection.exec(`
    grant select, insert, update, delete on all tables in schema ${queueSchema} to memory_app;
    grant usage, select on all sequences in schema ${queueSchema} to memory_app;
    grant execute on all functions in schema ${queueSchema} to memory_app;
    grant usage on schema ${queueSchema} to memory_app;`)
  return true
}
