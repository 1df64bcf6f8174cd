import type { MigrationConnection } from './migration-connection.ts'

/** The schema of the job queue's own tables, which the library migrates and queries by itself. */
export const queueSchema = 'bullmq'

/** The version of that schema in the pinned release of the library. A constant, since loading the library takes 0.2 s. */
export const queueSchemaVersion = 11

/** Whether the job queue's schema exists in the version that this release needs. */
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
        // Everything else is a file of several statements, without parameters or rows.
        if (parameters.length > 0 || /^\s*select\b/i.test(text)) {
          return { rows: await connection.query<Row>(text, [...parameters]) }
        }
        await connection.exec(text)
        return { rows: [] }
      },
    },
    queueSchema,
  )
  // The right on the schema comes last: `isQueueMigrated` takes it as the sign that all is done.
  await connection.exec(`
    grant select, insert, update, delete on all tables in schema ${queueSchema} to memory_app;
    grant usage, select on all sequences in schema ${queueSchema} to memory_app;
    grant execute on all functions in schema ${queueSchema} to memory_app;
    grant usage on schema ${queueSchema} to memory_app;`)
  return true
}
