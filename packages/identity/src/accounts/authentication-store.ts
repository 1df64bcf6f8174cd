import type { Role } from '@memory/shared/catalogue/roles'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import type { AccessClaims } from '../tokens/access-claims.ts'

/** The space that a request with an access token is for, and its queries. */
export interface SessionRequest {
  /** Undefined: the organization of the user's oldest membership. */
  organizationId: string | undefined
  environment: Environment
  /** Queries to count against the plan's daily quota. */
  count: number
}

export interface Authentication {
  outcome: 'ok' | 'token_revoked' | 'organization_not_found' | 'queries_exhausted'
  email: string
  email_verified: boolean
  is_platform_admin: boolean
  organization_id: string
  role: Role
  space_id: string
  space_version: number
  engine_version: number
  patterns_limit: number
  queries_counted: number
  queries_limit: number | null
  queries_used: number | null
  valid_until: Date | null
}

/** In one round trip: checks that a session is still valid, looks up the organization and space, and counts the queries. */
export async function authenticate(
  queries: Queries,
  { userId, sessionId, kid }: AccessClaims,
  { organizationId, environment, count }: SessionRequest,
): Promise<Authentication> {
  const { rows } = await sql<Authentication>`
    select * from app.caller_of_session(
      ${userId}, ${sessionId}, ${kid}, ${organizationId ?? null}, ${environment}, ${count})`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('Authentication gave no row.')
  return row
}

/** Stores when sessions were last used. */
export async function touch(
  queries: Queries,
  used: readonly { ownerId: string; id: string; at: Date }[],
): Promise<void> {
  await sql`select app.touch_sessions(
    ${used.map((u) => u.ownerId)}::uuid[], ${used.map((u) => u.id)}::uuid[],
    ${used.map((u) => u.at.toISOString())}::timestamptz[])`.execute(queries)
}
