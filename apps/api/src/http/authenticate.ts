import { authenticateSession } from '@memory/identity/accounts/authentication'
import { authenticateKey } from '@memory/identity/keys/service'
import { authenticateSubject } from '@memory/identity/subjects/subject-callers'
import { type Allowance, ApiError } from '@memory/shared/catalogue/errors'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'
import {
  type Access,
  type Caller,
  isScope,
  type Origin,
  type SignedIn,
} from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Environment } from '@memory/shared/platform/database/tables'
import { isLoopback, readAddress } from '@memory/shared/throttle/address'
import type { Request, Response } from 'express'
import type { Context } from '../context.ts'
import type { Credentials } from './credentials.ts'
import { forwarding } from './forwarding.ts'

export function originOf(req: Request, res: Response): Origin {
  return {
    requestId: res.locals.requestId as string,
    // The client's address as a trusted proxy gives it; when that is no address, the proxy's own.
    ip: readAddress(req.ip ?? '') ?? readAddress(req.socket.remoteAddress ?? '') ?? null,
    userAgent: req.headers['user-agent'] ?? null,
    isLocal: isLocal(req),
  }
}

/**
 * Whether a request came from this machine itself. A proxy on this machine forwards requests of anybody: when it is one of
 * TRUSTED_PROXIES, `req.ip` is the client's address; otherwise a forwarded request never counts as local.
 */
function isLocal(req: Request): boolean {
  const isTrusted = req.app.get('trust proxy fn') as (address: string, hops: number) => boolean
  const isProxied = forwarding.some((name) => name in req.headers)
  if (isProxied && !isTrusted(req.socket.remoteAddress ?? '', 0)) return false
  return isLoopback(req.ip ?? null)
}

/** The space that a request is for, and its queries. Organization and environment are used with access tokens only. */
export interface AuthTarget {
  organizationId: string | undefined
  environment: Environment
  /** Queries to count against the plan's daily quota. */
  count: number
}

/** What an operation requires of a caller, and what the caller asks for. */
interface AuthRequest {
  access: Exclude<Access, 'anyone'>
  target: AuthTarget
  origin: Origin
}

export interface Authenticated {
  /** A `Caller` for operations that need a scope, else a `SignedIn`. */
  caller: Caller | SignedIn
  /** The space whose queries were counted; undefined for operations on no space. */
  spaceId: string | undefined
  queriesCounted: number
  /** What is left of the day's queries; undefined when none were counted or the plan has no limit. */
  allowance: Allowance | undefined
}

/**
 * Finds out whose credentials these are, checks that the operation is open to them, and counts the queries.
 * @throws ApiError when it is not open to them; query_limit_reached
 */
export function authenticate(
  context: Context,
  res: Response,
  { credentials, ...request }: AuthRequest & { credentials: Credentials },
): Promise<Authenticated> {
  return orForget(context, credentials, by(context, res, credentials, request))
}

/**
 * Forgets whose credentials were once they are refused, such as those of a revoked key: who goes on presenting them must not
 * take the turns of the organization that they belonged to.
 */
async function orForget<T>(
  { admission }: Pick<Context, 'admission'>,
  credentials: Credentials,
  authenticating: Promise<T>,
): Promise<T> {
  try {
    return await authenticating
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) admission.forget(credentials)
    throw error
  }
}

function by(
  context: Context,
  res: Response,
  credentials: Credentials,
  request: AuthRequest,
): Promise<Authenticated> {
  switch (credentials.kind) {
    case 'key':
      return byKey(context, res, credentials.keyHash, request)
    case 'token':
      return byToken(context, res, credentials.token, request)
    case 'subject':
    case 'client':
      return byGrant(context, res, verifyGrant(context, credentials), request)
  }
}

/**
 * For routes that are no `Endpoint`: requires valid credentials of any kind.
 * @returns what they allow
 * @throws ApiError for credentials that are not valid
 */
export function requireCaller(
  context: Context,
  res: Response,
  credentials: Credentials,
  origin: Origin,
): Promise<Required> {
  return orForget(context, credentials, required(context, res, credentials, origin))
}

/** What valid credentials allow. */
interface Required {
  scopes: readonly Scope[] | null
  isBound: boolean
}

async function required(
  context: Context,
  res: Response,
  credentials: Credentials,
  origin: Origin,
): Promise<Required> {
  switch (credentials.kind) {
    case 'key': {
      const { caller } = await knownKey(context, res, credentials.keyHash, { scope: null, count: 0, origin })
      return { scopes: caller.scopes, isBound: caller.subject !== undefined }
    }
    case 'token': {
      const { signedIn } = await bySession(context, credentials.token, noTarget, origin)
      Object.assign(res.locals, { organizationId: signedIn.organization?.id, userId: signedIn.userId })
      return { scopes: null, isBound: false }
    }
    case 'subject':
    case 'client': {
      const verifying = verifyGrant(context, credentials)
      const { scopes } = (await verifying).grant
      const [access = 'memory:read'] = scopes
      await byGrant(context, res, verifying, { access, target: noTarget, origin })
      return { scopes, isBound: credentials.kind === 'subject' }
    }
  }
}

/** For authenticating a caller before it is known which space they ask for. */
export const noTarget: AuthTarget = { organizationId: undefined, environment: 'live', count: 0 }

/** What a token that was issued by an organization or a user allows, and the key that signed it. */
type VerifiedGrant = Parameters<typeof authenticateSubject>[1]

/** Verifies the token of an end user or of a program. A program may do what its user allowed, in the space that the user chose. */
async function verifyGrant(
  { callers }: Pick<Context, 'callers'>,
  { kind, token }: Extract<Credentials, { kind: 'subject' | 'client' }>,
): Promise<VerifiedGrant> {
  if (kind === 'subject') return callers.subjectTokens.verify(token)
  const { grant, kid } = await callers.clientTokens.verify(token)
  const { userId, sessionId, organizationId, environment, scopes } = grant
  const maker = { kind: 'user' as const, userId, sessionId }
  return { grant: { organizationId, environment, scopes, subject: undefined, maker }, kid }
}

async function byGrant(
  { callers, clock, database }: Context,
  res: Response,
  verifying: Promise<VerifiedGrant>,
  { access, target, origin }: AuthRequest,
): Promise<Authenticated> {
  const verified = await verifying
  if (!isScope(access)) throw new ApiError('user_token_required')
  const authenticating = { queries: database.queries, now: clock.now(), origin }
  const { caller, queriesCounted, allowance } = await authenticateSubject(
    authenticating,
    verified,
    access,
    target.count,
  )
  const { organizationId, spaceId, actor } = caller
  if (actor.kind === 'key') callers.keyUse.record(organizationId, actor.keyId)
  else callers.sessionUse.record(actor.userId, actor.sessionId)
  Object.assign(res.locals, { organizationId, ...(actor.kind === 'key' && { keyId: actor.keyId }) })
  return { caller, spaceId, queriesCounted, allowance }
}

async function byKey(
  context: Context,
  res: Response,
  keyHash: string,
  { access, target, origin }: AuthRequest,
): Promise<Authenticated> {
  const scope: Scope | null = isScope(access) ? access : null
  const count = scope === null ? 0 : target.count
  const { caller, queriesCounted, allowance } = await knownKey(context, res, keyHash, {
    scope,
    count,
    origin,
  })
  if (scope === null) throw new ApiError('user_token_required')
  return { caller, spaceId: caller.spaceId, queriesCounted, allowance }
}

async function knownKey(
  { callers: { authentication, keyUse }, clock }: Context,
  res: Response,
  keyHash: string,
  { scope, count, origin }: { scope: Scope | null; count: number; origin: Origin },
) {
  const by = { authentication, now: clock.now() }
  const authenticated = await authenticateKey(by, keyHash, scope, count, origin)
  const { organizationId } = authenticated.caller
  keyUse.record(organizationId, authenticated.keyId)
  Object.assign(res.locals, { organizationId, keyId: authenticated.keyId })
  return authenticated
}

/** What is needed to check an access token. */
export type TokenContext = Pick<Context, 'config' | 'callers' | 'clock' | 'database'>

async function byToken(
  context: Context,
  res: Response,
  token: string,
  { access, target, origin }: AuthRequest,
): Promise<Authenticated> {
  const { signedIn, caller, queriesCounted, allowance } = await bySession(
    context,
    token,
    isScope(access) ? target : { ...target, environment: 'live', count: 0 },
    origin,
  )
  const { userId, organization } = signedIn
  Object.assign(res.locals, { organizationId: organization?.id, userId })
  if (access === 'platform_admin') requirePlatformAdmin(context, signedIn)
  if (!isScope(access)) return { caller: signedIn, spaceId: undefined, queriesCounted, allowance }
  if (caller === undefined) throw new ApiError('organization_not_found')
  return { caller, spaceId: caller.spaceId, queriesCounted, allowance }
}

async function bySession(
  { callers, clock, database }: TokenContext,
  token: string,
  target: AuthTarget,
  origin: Origin,
) {
  const { accessTokens, knownSessions, sessionUse } = callers
  const claims = await accessTokens.verify(token)
  const now = clock.now()
  const { queries } = database
  const session = await authenticateSession({ queries, known: knownSessions, now }, claims, target, origin)
  sessionUse.record(session.signedIn.userId, session.signedIn.sessionId)
  return session
}

/**
 * For routes that are no `Endpoint`: requires the access token of a platform admin.
 * @throws ApiError for anybody else
 */
export async function requirePlatformAdminOf(
  context: TokenContext,
  token: string,
  origin: Origin,
): Promise<void> {
  const { signedIn } = await bySession(context, token, noTarget, origin)
  requirePlatformAdmin(context, signedIn)
}

/**
 * Anybody could register with an admin's email address. So on public services (`verifiedAdminsOnly`) they become an admin
 * only once the address is verified by a mail.
 */
function requirePlatformAdmin(
  { config }: Pick<Context, 'config'>,
  { email, isPlatformAdmin, emailVerified }: SignedIn,
): void {
  if (isPlatformAdmin && (emailVerified || !config.verifiedAdminsOnly)) return
  const isListed = isPlatformAdmin || config.platformAdmins.includes(mailboxOf(email))
  throw new ApiError(
    'platform_admin_required',
    isListed && !emailVerified ? { detail: 'Platform admins must verify their email address first' } : {},
  )
}
