import type { MigrationConnection } from './migration-connection.ts'

/** The task under which the owner of the tables sees the rows of everybody. */
export const backupTask = 'backup'
/** The policy that says so, on each table with row level security. It names a role, so a dump is restored without it. */
export const backupPolicy = 'backup'

/**
 * Lets the owner of the tables, whom row level security holds for, read every row for a backup. The service's role is not
 * named by the policies, so its own statements are planned as if there were none. Who may bypass row level security
 * anyway needs none.
 */
export async function allowBackups(connection: MigrationConnection): Promise<void> {
  for (const table of await tablesWithoutPolicy(connection)) {
    await connection.exec(`drop policy if exists ${backupPolicy} on ${table};
      create policy ${backupPolicy} on ${table} for select to current_user
        using (app.current_task() = '${backupTask}')`)
  }
}

/** The tables of which whoever is connected does not see every row for a backup. */
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
