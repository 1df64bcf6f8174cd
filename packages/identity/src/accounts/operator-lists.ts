import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { z } from 'zod'
import { UserRefused } from './operator.ts'
import type { Account } from './user-store.ts'

/** Rows of one answer; who wants more asks on after the last of them. */
const pageRows = 1_000

const after = z.guid().optional()

/** What an operator may list, at the terminal or through the operators' listener: page by page, by id. */
export const ListRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('list-users'), organization: z.guid().optional(), after }),
  z.object({ command: z.literal('list-organizations'), after }),
])

export type ListRequest = z.output<typeof ListRequest>

/** Times in ISO 8601. */
export interface ListedUser {
  id: string
  email: string
  status: Account['status']
  verifiedAt: string | null
  isPlatformAdmin: boolean
  createdAt: string
  lastLoginAt: string
  /** In the organization that was asked for. */
  role?: Role
}

/** Times in ISO 8601. */
export interface ListedOrganization {
  id: string
  name: string
  plan: PlanName
  members: number
  createdAt: string
  deletedAt: string | null
}

/** `next` is the id to go on after; null at the end. */
export type ListAnswer =
  | { command: 'list-users'; users: ListedUser[]; next: string | null }
  | { command: 'list-organizations'; organizations: ListedOrganization[]; next: string | null }

/** A page of all users, of the members of an organization, or of all organizations. @throws UserRefused */
export function operateLists(queries: Queries, request: ListRequest): Promise<ListAnswer> {
  return asTask(queries, 'administer-accounts', async (trx): Promise<ListAnswer> => {
    if (request.command === 'list-organizations') {
      const organizations = await listOrganizations(trx, request.after)
      return { command: request.command, organizations, next: nextOf(organizations) }
    }
    const { command, organization } = request
    if (organization !== undefined) await requireOrganization(trx, organization)
    const users = await listUsers(trx, organization, request.after)
    return { command, users, next: nextOf(users) }
  })
}

const nextOf = (rows: readonly { id: string }[]): string | null =>
  rows.length < pageRows ? null : (rows.at(-1)?.id ?? null)

async function listUsers(
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

async function listOrganizations(trx: Trx, from: string | undefined): Promise<ListedOrganization[]> {
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

async function requireOrganization(trx: Trx, id: string): Promise<void> {
  const found = await trx
    .withSchema('app')
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw new UserRefused(`There is no organization ${id}.`)
}

/** Whether any organization was ever made: until then nobody has a key. */
export function hasOrganization(queries: Queries): Promise<boolean> {
  return asTask(queries, 'administer-accounts', async (trx) => {
    const found = await trx.withSchema('app').selectFrom('organizations').select('id').executeTakeFirst()
    return found !== undefined
  })
}
