import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { Account } from './user-store.ts'

/** The most rows of one page. */
export const pageRows = 1_000

/** A user in a list for operators; times in ISO 8601. */
export interface ListedUser {
  id: string
  email: string
  status: Account['status']
  verifiedAt: string | null
  isPlatformAdmin: boolean
  createdAt: string
  lastLoginAt: string
  /** The role in the organization whose members are listed. */
  role?: Role
}

/** An organization in a list for operators; times in ISO 8601. */
export interface ListedOrganization {
  id: string
  name: string
  plan: PlanName
  members: number
  createdAt: string
  deletedAt: string | null
}

/** A page of all users or, with `organization`, of its members: by id, those after `from`. */
export async function listUsers(
  trx: Trx,
  organization: string | undefined,
  from: string | undefined,
): Promise<ListedUser[]> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('users as u')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('m.organization_id', '=', organization ?? null),
    )
    .select(['u.id', 'u.email', 'u.status', 'u.email_verified_at', 'u.is_platform_admin'])
    .select(['u.created_at', 'u.last_login_at', 'm.role'])
    .$if(organization !== undefined, (query) => query.where('m.role', 'is not', null))
    .$if(from !== undefined, (query) => query.where('u.id', '>', from as string))
    .orderBy('u.id')
    .limit(pageRows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    status: row.status,
    verifiedAt: row.email_verified_at?.toISOString() ?? null,
    isPlatformAdmin: row.is_platform_admin,
    createdAt: row.created_at.toISOString(),
    lastLoginAt: row.last_login_at.toISOString(),
    ...(row.role === null ? {} : { role: row.role }),
  }))
}

/** A page of all organizations, including deleted ones: by id, those after `from`. */
export async function listOrganizations(trx: Trx, from: string | undefined): Promise<ListedOrganization[]> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('organizations as o')
    .select(['o.id', 'o.name', 'o.plan', 'o.created_at', 'o.deleted_at'])
    .select((eb) =>
      eb
        .selectFrom('memberships as m')
        .select(sql<number>`count(*)::integer`.as('members'))
        .whereRef('m.organization_id', '=', 'o.id')
        .as('members'),
    )
    .$if(from !== undefined, (query) => query.where('o.id', '>', from as string))
    .orderBy('o.id')
    .limit(pageRows)
    .execute()
  return rows.map(({ id, name, plan, members, created_at, deleted_at }) => ({
    id,
    name,
    plan,
    members: members ?? 0,
    createdAt: created_at.toISOString(),
    deletedAt: deleted_at?.toISOString() ?? null,
  }))
}

/** Whether an organization exists; without `id`, whether any exists. */
export async function hasOrganization(trx: Trx, id?: string): Promise<boolean> {
  const found = await trx
    .withSchema('app')
    .selectFrom('organizations')
    .select('id')
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
