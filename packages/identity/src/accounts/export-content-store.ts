import type { Role } from '@memory/shared/catalogue/roles'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Everything that is stored about a user, except secrets. */
export async function readProfile(queries: Queries, userId: string) {
  return asTenant(queries, { userId }, async (trx) => {
    const { rows } = await sql<Record<string, unknown> & { email: string; status: string }>`
      select u.id, u.email, u.full_name, u.avatar_url, u.email_verified_at is not null as email_verified,
          u.email_verified_at, u.status, u.is_platform_admin, u.created_at, u.last_login_at,
          exists (select from app.mfa_factors f where f.user_id = u.id and f.confirmed_at is not null) as mfa_enabled
        from app.users u where u.id = ${userId}`.execute(trx)
    return rows[0]
  })
}

export interface OwnOrganization {
  id: string
  name: string
  plan: string
  created_at: Date
  role: Role
  joined_at: Date
}

/** The organizations of a user, oldest membership first. */
export async function listOrganizations(queries: Queries, userId: string): Promise<OwnOrganization[]> {
  const { rows } = await asTenant(queries, { userId }, (trx) =>
    sql<OwnOrganization>`
      select o.id, o.name, o.plan, o.created_at, m.role, m.joined_at
        from app.memberships m join app.organizations o on o.id = m.organization_id
        where m.user_id = ${userId} and o.deleted_at is null
        order by m.joined_at, o.id`.execute(trx),
  )
  return rows
}

/** All stored sessions, oldest first, without their tokens. */
export async function listSessions(queries: Queries, userId: string): Promise<object[]> {
  const { rows } = await asTenant(queries, { userId }, (trx) =>
    sql<object>`
      select id, ip_address, user_agent, created_at, last_active_at, expires_at, revoked_at
        from app.sessions where user_id = ${userId} order by created_at, id`.execute(trx),
  )
  return rows
}

/** Up to `count` entries of the user's audit log after the entry with the id `after`, oldest first. */
export async function listAudit(
  queries: Queries,
  userId: string,
  after: number,
  count: number,
): Promise<({ id: number } & Record<string, unknown>)[]> {
  // IP address, device and session of another user who acted on this one are that user's personal data, and left out.
  const isTheirs = sql`(actor <> 'user' or actor_id is null or actor_id = ${userId})`
  const { rows } = await asTenant(queries, { userId }, (trx) =>
    sql<{ id: number }>`
      select id, at as timestamp, action, success, organization_id, actor, actor_id, actor_email,
          case when ${isTheirs} then session_id end as session_id, case when ${isTheirs} then ip end as ip,
          case when ${isTheirs} then user_agent end as user_agent, case when ${isTheirs} then request_id end as request_id,
          target, details
        from app.audit_log where user_id = ${userId} and id > ${after} order by id limit ${count}`.execute(
      trx,
    ),
  )
  return rows
}
