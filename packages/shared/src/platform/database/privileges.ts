import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Queries } from './database.ts'

/**
 * Checks that statements run as the application role, that row level security holds for it (it does not for the owner
 * of a table), and that without a tenant no row is seen.
 * @throws ConfigError when another organization's data could be read
 */
export async function requireRowLevelSecurity(queries: Queries): Promise<void> {
  const { rows } = await sql<{ name: string; free: boolean; visible: boolean }>`
    select current_user::text as name,
           r.rolname <> 'memory_app' or r.rolsuper or r.rolbypassrls or exists (
             select from pg_class c
               where c.relnamespace = to_regnamespace('app') and c.relkind in ('r', 'p') and c.relowner = r.oid
           ) as free,
           exists (select from app.spaces) or not row_security_active('app.patterns') as visible
      from pg_roles r where r.rolname = current_user`.execute(queries)
  const [role] = rows
  if (role === undefined || role.free || role.visible) {
    throw new ConfigError(
      `Row level security does not hold for the database role ${role?.name ?? 'of this connection'}: let DATABASE_URL name a user that may SET ROLE memory_app, a role without privileges that owns no table.`,
    )
  }
}
