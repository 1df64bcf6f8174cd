import { type Allowance, ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Origin, SignedIn } from '@memory/shared/catalogue/operation'
import type { Role } from '@memory/shared/catalogue/roles'
import type { Queries } from '@memory/shared/platform/database/database'
import { allowanceOf, queriesExhausted } from '../keys/service.ts'
import type { AuthCache } from '../security/auth-cache.ts'
import type { AccessClaims } from '../tokens/access-claims.ts'
import * as store from './authentication-store.ts'

/** The user who sent a request, the space that it is for, and how many queries were counted. */
export interface AuthenticatedSession {
  signedIn: SignedIn
  /** Undefined for a user who belongs to no organization. */
  caller: Caller | undefined
  queriesCounted: number
  allowance: Allowance | undefined
}

export type SessionAuthCache = AuthCache<store.Authentication>

/**
 * Authenticates a request by the claims of its access token. The database is asked each time, in one round trip, so that an ended
 * session, account, membership or signing key is refused at once. Only with the embedded database `known` may save that.
 * @throws ApiError token_revoked, organization_not_found (when the request names one), query_limit_reached
 */
export async function authenticateSession(
  { queries, known, now }: { queries: Queries; known: SessionAuthCache | undefined; now: Date },
  claims: AccessClaims,
  request: store.SessionRequest,
  origin: Origin,
): Promise<AuthenticatedSession> {
  const row = await find(queries, known, claims, request)
  const { userId, sessionId } = claims
  const { email, email_verified: emailVerified, is_platform_admin: isPlatformAdmin } = row
  const user = { userId, sessionId, email, emailVerified, isPlatformAdmin, origin }
  switch (row.outcome) {
    case 'token_revoked':
      throw new ApiError('token_revoked')
    case 'queries_exhausted':
      throw queriesExhausted(row, now)
    case 'organization_not_found': {
      if (request.organizationId !== undefined) throw new ApiError('organization_not_found')
      return {
        signedIn: { ...user, organization: null },
        caller: undefined,
        queriesCounted: 0,
        allowance: undefined,
      }
    }
    case 'ok': {
      const { organization_id: organizationId, role } = row
      return {
        signedIn: { ...user, organization: { id: organizationId, role } },
        caller: {
          actor: { kind: 'user', userId, sessionId, email, role: role as Role },
          origin,
          organizationId,
          environment: request.environment,
          spaceId: row.space_id,
          spaceVersion: row.space_version,
          engineVersion: row.engine_version,
          user: sessionId,
          patternsLimit: row.patterns_limit,
          scopes: null,
        },
        queriesCounted: row.queries_counted,
        allowance: allowanceOf(row, now),
      }
    }
  }
}

async function find(
  queries: Queries,
  known: SessionAuthCache | undefined,
  claims: AccessClaims,
  request: store.SessionRequest,
): Promise<store.Authentication> {
  if (known === undefined) return store.authenticate(queries, claims, request)
  const { userId, sessionId, kid } = claims
  const { organizationId, environment, count } = request
  // Where the plan limits queries, the result of a request without any does not say whether queries are left.
  const name = [userId, sessionId, kid, organizationId, environment, count > 0].join(' ')
  const { changes } = known
  const found = known.get(name)
  if (found !== undefined) return found
  const row = await store.authenticate(queries, claims, request)
  known.keep(name, row, changes)
  return row
}
