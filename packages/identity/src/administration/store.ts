import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Trx } from '@memory/shared/platform/database/database'
import { type SqlBool, sql } from 'kysely'
import type { Account } from '../accounts/user-store.ts'

/** The end of a page: the creation time of its last row, in microseconds since 1970 (a safe integer), and the row's id. */
export interface PageEnd {
  at: number
  id: string
}

const madeAt = sql<number>`(extract(epoch from created_at) * 1000000)::float8`.as('at')

const isAfter = ({ at, id }: PageEnd) =>
  sql<SqlBool>`(created_at, id) < ('epoch'::timestamptz + ${at}::float8 * interval '1 microsecond', ${id}::uuid)`

/** An SQL condition: whether a column contains the text, in any letter case. */
const has = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`

const isId = (text: string) => sql<SqlBool>`id::text = ${text.toLowerCase()}`

export interface WhichOrganizations {
  search: string | undefined
  plan: PlanName | undefined
}

/** A page of all organizations, newest first, with how much they store. */
export function listOrganizations(
  trx: Trx,
  { search, plan }: WhichOrganizations,
  after: PageEnd | undefined,
  limit: number,
) {
  return trx
    .withSchema('app')
    .selectFrom('organizations')
    .select(['id', 'name', 'plan', 'created_at', 'deleted_at', madeAt])
    .select([
      sql<number>`(select count(*)::int from app.memberships m join app.users u on u.id = m.user_id
        where m.organization_id = organizations.id and u.status <> 'deleted')`.as('members'),
      sql<number>`(select coalesce(sum(s.patterns_used), 0)::float8 from app.spaces s
        where s.organization_id = organizations.id)`.as('patterns'),
      sql<number>`(select coalesce(sum(s.storage_bytes), 0)::float8 from app.spaces s
        where s.organization_id = organizations.id)`.as('storage_bytes'),
    ])
    .$if(search !== undefined, (query) =>
      query.where((eb) => eb.or([has('name', search as string), isId(search as string)])),
    )
    .$if(plan !== undefined, (query) => query.where('plan', '=', plan as PlanName))
    .$if(after !== undefined, (query) => query.where(isAfter(after as PageEnd)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export interface WhichUsers {
  search: string | undefined
  status: Account['status'] | undefined
  /** Only members of this organization; undefined: all users. */
  organizationId: string | undefined
}

/** A page of all users, newest first. */
export function listUsers(
  trx: Trx,
  { search, status, organizationId }: WhichUsers,
  after: PageEnd | undefined,
  limit: number,
) {
  return trx
    .withSchema('app')
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'status', 'email_verified_at', 'is_platform_admin'])
    .select(['created_at', 'last_login_at', madeAt])
    .$if(search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([has('email', search as string), has('full_name', search as string), isId(search as string)]),
      ),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status as Account['status']))
    .$if(organizationId !== undefined, (query) =>
      query.where('id', 'in', (eb) =>
        eb
          .selectFrom('memberships')
          .select('user_id')
          .where('organization_id', '=', organizationId as string),
      ),
    )
    .$if(after !== undefined, (query) => query.where(isAfter(after as PageEnd)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Whether a user is a platform admin who can sign in. */
export async function isPlatformAdmin(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .withSchema('app')
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .where('is_platform_admin', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

/** How much all organizations that are not deleted store, and the number of users. */
export async function readTotals(trx: Trx) {
  const { rows } = await sql<{
    organizations: number
    users: number
    patterns: number
    storage_bytes: number
  }>`
    select
      (select count(*)::int from app.organizations where deleted_at is null) as organizations,
      (select count(*)::int from app.users where deleted_at is null) as users,
      coalesce(sum(s.patterns_used), 0)::float8 as patterns,
      coalesce(sum(s.storage_bytes), 0)::float8 as storage_bytes
    from app.spaces s join app.organizations o on o.id = s.organization_id where o.deleted_at is null`.execute(
    trx,
  )
  const [row] = rows
  if (row === undefined) throw new Error('A sum without groups has one row.')
  return row
}

/** The requests of each UTC day since a time; days without any are left out. */
export async function readDays(trx: Trx, since: Date) {
  const { rows } = await sql<{
    day: Date
    api_calls: number
    queries: number
    active_organizations: number
  }>`
    select app.day_of(c.at) as day,
      sum(c.stores + c.retrieves + c.recalls + c.explains + c.consolidations + c.other)::float8 as api_calls,
      sum(c.queries)::float8 as queries, count(distinct s.organization_id)::int as active_organizations
    from app.usage_calls c join app.spaces s on s.id = c.space_id
    where c.at >= ${since.toISOString()}::timestamptz group by 1`.execute(trx)
  return rows
}
