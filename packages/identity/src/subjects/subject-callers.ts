import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Origin, Output } from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Queries } from '@memory/shared/platform/database/database'
import { authenticateSession } from '../accounts/authentication.ts'
import { type Authenticated, authenticateKeyOfToken } from '../keys/service.ts'
import type { IssueSubjectToken } from '../tokens/subject-token-schema.ts'
import type { SubjectGrant, SubjectTokens } from '../tokens/subject-tokens.ts'

const grantable = ['memory:read', 'memory:write'] as const

/** Makes a token for an end user. @throws ApiError insufficient_scope for scopes that the caller does not have */
export async function issueSubjectToken(
  { subjectTokens }: { subjectTokens: SubjectTokens },
  caller: Caller,
  { subject, shared, ttl_s, ...wanted }: Input<typeof IssueSubjectToken>['body'],
): Promise<Output<typeof IssueSubjectToken>> {
  const { actor, organizationId, environment } = caller
  const own = caller.scopes
  const scopes = wanted.scopes ?? grantable.filter((scope) => own === null || own.includes(scope))
  const missing = scopes.find((scope) => own !== null && !own.includes(scope))
  if (missing !== undefined) {
    throw new ApiError('insufficient_scope', { detail: `Insufficient scope: ${missing} required` })
  }
  const maker =
    actor.kind === 'key'
      ? { kind: actor.kind, keyId: actor.keyId }
      : { kind: actor.kind, userId: actor.userId, sessionId: actor.sessionId }
  const grant = { organizationId, environment, subject: { name: subject, isShared: shared }, scopes, maker }
  const { token, expiresAt } = await subjectTokens.issue(grant, ttl_s)
  return {
    token,
    token_type: 'Bearer',
    subject,
    shared,
    scopes: [...new Set(scopes)],
    expires_at: expiresAt.toISOString(),
  }
}

interface Authenticating {
  queries: Queries
  now: Date
  origin: Origin
}

/** What a token allows. One without an end user (a program's) is for the whole space. */
type Granted = Omit<SubjectGrant, 'subject'> & { subject: SubjectGrant['subject'] | undefined }

/**
 * Authenticates a request by an end user's or a program's token and, where the plan limits queries, counts those of the request.
 * @throws ApiError token_revoked, insufficient_scope, query_limit_reached
 */
export async function authenticateSubject(
  { queries, now, origin }: Authenticating,
  { grant, kid }: { grant: Granted; kid: string },
  scope: Scope,
  count: number,
): Promise<Omit<Authenticated, 'keyId'>> {
  if (!grant.scopes.includes(scope)) throw insufficient(scope)
  const { organizationId, environment, subject, maker } = grant
  if (maker.kind === 'user') {
    const { userId, sessionId } = maker
    const request = { organizationId, environment, count }
    const session = await authenticateSession(
      { queries, known: undefined, now },
      { userId, sessionId, kid },
      request,
      origin,
    ).catch((error) => orRefused(error, subject))
    return { ...session, caller: { ...(session.caller as Caller), scopes: grant.scopes, subject } }
  }
  if (subject === undefined) throw new ApiError('invalid_token')
  const key = { organizationId, keyId: maker.keyId, kid }
  const made = await authenticateKeyOfToken({ queries, now }, { key, subject, scope, count, origin })
  // The key may have lost scopes since it made the token.
  const { scopes: left } = made.caller
  const scopes = grant.scopes.filter((each) => left === null || left.includes(each))
  return { ...made, caller: { ...made.caller, scopes } }
}

/**
 * The error for a user's token that is refused. It is for one organization: when its maker is no longer a member there, it is
 * revoked. An end user may not see what the organization has left of its quota.
 */
function orRefused(error: unknown, subject: Granted['subject']): never {
  if (!(error instanceof ApiError)) throw error
  const { code, allowance, retryAfterS } = error
  if (code === 'organization_not_found') throw new ApiError('token_revoked')
  throw subject === undefined || allowance === undefined ? error : new ApiError(code, { retryAfterS })
}

const insufficient = (scope: Scope) =>
  new ApiError('insufficient_scope', { detail: `Insufficient scope: ${scope} required` })
