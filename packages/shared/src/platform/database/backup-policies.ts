import type { MigrationConnection } from './migration-connection.ts'

/** The task (see `asTask`) under which the tables' owner sees the rows of all tenants. */
export const backupTask = 'backup'
/** The policy that allows it, on each table with row level security. It names a role, so dumps are restored without it. */
export const backupPolicy = 'backup'

/**
 * Lets the tables' owner, to whom row level security applies too, read every row for a backup. The policies do not name the
 * service's role, so they do not affect the plans of its statements. A role that bypasses row level security needs none.
 */
export async function allowBackups(connection: MigrationConnection): Promise<void> {
  for (const table of await tablesWithoutPolicy(connection)) {
    await connection.exec(`drop policy if exists ${backupPolicy} on ${table};
      create policy ${backupPolicy} on ${table} for select to current_user
        using (app.current_task() = '${backupTask}')`)
  }
}

/** The tables of which the connected role would not see every row in a backup. */
export async function tablesWithoutPolicy(connection: Pick<MigrationConnection, 'query'>): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    `select format('app.%I', c.relname) as name from pg_class c
      where c.relnamespace = to_regnamespace('app') and c.relkind in ('r', 'p') and row_security_active(c.oid)
        and not exists (
          select from pg_policy p
            where p.polrelid = c.oid and p.polname = $1
              and exists (select from unnest(p.polroles) role where pg_has_role(current_user, role, 'usage'))
        )
      order by 1`,
    [backupPolicy],
  )
  return rows.map(({ name }) => name)
}
