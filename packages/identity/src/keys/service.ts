import { recordAudit } from '@memory/shared/audit/audit'
import { type Allowance, ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Origin, SubjectBinding } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Use } from '@memory/shared/platform/last-use'
import { requireRoom } from '../organizations/plan-room.ts'
import { lockPlan } from '../organizations/service.ts'
import { hashApiKey, keyPrefixChars, newApiKey } from './api-key.ts'
import type { AuthBatcher } from './auth-batcher.ts'
import * as store from './store.ts'

/** Seconds to the next UTC midnight, when the day's queries start anew. */
export function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1_000))
}

/**
 * What is left of a day's queries.
 * @returns undefined where none had to be counted
 */
export function allowanceOf(
  row: { queries_limit: number | null; queries_used: number | null },
  now: Date,
): Allowance | undefined {
  const { queries_limit: limit, queries_used: used } = row
  if (limit === null || used === null) return undefined
  // A plan may have become smaller during the day.
  return { limit, remaining: Math.max(0, limit - used), resetS: secondsToMidnight(now) }
}

/** The caller, how many queries were counted for this request, and what is left of them. */
export interface Authenticated {
  keyId: string
  caller: Caller
  queriesCounted: number
  allowance: Allowance | undefined
}

/**
 * Who presents a key, with this request's queries counted where the plan limits them.
 * @param keyHash of a key with a valid checksum
 * @param scope null where any key will do
 * @throws ApiError invalid_api_key, insufficient_scope, query_limit_reached
 */
export async function authenticateKey(
  { authentication, now }: { authentication: AuthBatcher; now: Date },
  keyHash: string,
  scope: Scope | null,
  count: number,
  origin: Origin,
): Promise<Authenticated> {
  const row = await authentication.authenticate(keyHash, scope, count)
  switch (row.outcome) {
    case 'unknown_key':
      throw new ApiError('invalid_api_key')
    case 'missing_scope':
      throw new ApiError('insufficient_scope', { detail: `Insufficient scope: ${scope} required` })
    case 'queries_exhausted':
      // What the organization has left is no end user's to know.
      throw queriesExhausted(row.subject === null ? row : uncounted, now)
    case 'ok': {
      const { subject: name, subject_shared: isShared } = row
      return authenticatedBy(row, name === null ? undefined : { name, isShared }, origin, now)
    }
  }
}

/** What a token for an end user says that a key has made, and what a request with it asks for. */
export interface TokenOfKey {
  key: store.KeyOfToken
  subject: SubjectBinding
  scope: Scope
  count: number
  origin: Origin
}

/**
 * As `authenticateKey`, for whoever presents a token for an end user that a key has made.
 * @throws ApiError token_revoked, insufficient_scope, query_limit_reached
 */
export async function authenticateKeyOfToken(
  { queries, now }: { queries: Queries; now: Date },
  { key, subject, scope, count, origin }: TokenOfKey,
): Promise<Authenticated> {
  const { outcome, ...row } = await store.authenticateByToken(queries, key, scope, count)
  switch (outcome) {
    case 'missing_scope':
      throw new ApiError('insufficient_scope', { detail: `Insufficient scope: ${scope} required` })
    case 'queries_exhausted':
      throw queriesExhausted(uncounted, now)
    case 'ok':
      return authenticatedBy({ ...row, outcome }, subject, origin, now)
    default:
      throw new ApiError('token_revoked')
  }
}

/** The caller of a request that a key opens. @param subject whom the caller is bound to; undefined for nobody */
export function authenticatedBy(
  row: store.Authentication,
  subject: SubjectBinding | undefined,
  origin: Origin,
  now: Date,
): Authenticated {
  return {
    keyId: row.key_id,
    caller: {
      actor: { kind: 'key', keyId: row.key_id },
      origin,
      organizationId: row.organization_id,
      environment: row.environment,
      spaceId: row.space_id,
      spaceVersion: row.space_version,
      engineVersion: row.engine_version,
      user: row.key_id,
      patternsLimit: row.patterns_limit,
      // They are checked before they are stored.
      scopes: row.scopes as Scope[] | null,
      subject,
    },
    queriesCounted: row.queries_counted,
    allowance: allowanceOf(row, now),
  }
}

const uncounted = { queries_limit: null, queries_used: null }

/** The refusal of a request that has more queries than are left of the day. */
export function queriesExhausted(row: Parameters<typeof allowanceOf>[0], now: Date): ApiError {
  const retryAfterS = secondsToMidnight(now)
  return new ApiError('query_limit_reached', { retryAfterS, allowance: allowanceOf(row, now) })
}

/** A request that was counted and did not succeed gives its queries back. */
export function returnQueries(queries: Queries, spaceId: string, counted: number): Promise<void> {
  return store.returnQueries(queries, spaceId, counted)
}

/** Notes when keys were last used; `ownerId` is a key's organization. */
export function recordKeyUse(queries: Queries, used: readonly Use[]): Promise<void> {
  return store.touch(queries, used)
}

export interface KeyRequest {
  name: string
  environment: Environment
  scopes: Scope[] | null
  expiresAt: Date | null
  /** Whom it is bound to; undefined for none. */
  subject?: SubjectBinding | undefined
}

/** A key that can't be made; the message says why. */
export class KeyRefused extends Error {
  override name = 'KeyRefused'
}

/** A new key. Its value is here and nowhere else: only a hash is stored. */
export interface CreatedKey {
  key: string
  listed: store.ListedKey
}

/**
 * Makes a key in a transaction of its organization, whose plan is locked: of two creations that both see one slot left
 * the second waits.
 * @param createdBy user; null for an operator
 * @throws ApiError plan_exceeded where there are as many keys as the plan allows
 */
export async function addKey(
  trx: Trx,
  { id: organizationId, plan }: { id: string; plan: PlanName },
  request: KeyRequest,
  createdBy: string | null,
): Promise<CreatedKey> {
  requireRoom(plan, 'apiKeys', await store.countActive(trx, organizationId))
  const key = newApiKey(request.environment)
  const listed = await store.insert(trx, {
    ...request,
    organizationId,
    key,
    prefix: key.slice(0, keyPrefixChars),
    hash: hashApiKey(key),
    createdBy,
  })
  return { key, listed }
}

/**
 * Makes a key for an operator.
 * @throws KeyRefused for an unknown organization, or one with as many keys as its plan allows
 */
export async function createKey(
  queries: Queries,
  organizationId: string,
  request: KeyRequest,
): Promise<CreatedKey> {
  try {
    return await asTenant(queries, { organizationId }, async (trx) => {
      const plan = await lockPlan(trx, organizationId)
      if (plan === undefined) throw new KeyRefused(`There is no organization ${organizationId}`)
      const created = await addKey(trx, { id: organizationId, plan }, request, null)
      await recordAudit(trx, {
        action: 'key_created',
        actor: { kind: 'system' },
        organizationId,
        target: created.listed.id,
        details: { key_name: request.name, environment: request.environment },
      })
      return created
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new KeyRefused(error.detail, { cause: error })
  }
}

export function listKeys(queries: Queries, organizationId: string): Promise<store.ListedKey[]> {
  return asTenant(queries, { organizationId }, (trx) => store.list(trx, organizationId))
}

/** The names of an organization's keys by their ids, revoked ones too. */
export function nameKeys(queries: Queries, organizationId: string): Promise<Map<string, string>> {
  return asTenant(queries, { organizationId }, (trx) => store.listNames(trx, organizationId))
}

/** Revokes a key for an operator; requests that arrive afterwards are refused everywhere. @returns whether it was there. */
export function revokeKey(queries: Queries, organizationId: string, keyId: string): Promise<boolean> {
  return asTenant(queries, { organizationId }, async (trx) => {
    const name = await store.revoke(trx, organizationId, keyId)
    if (name === undefined) return false
    await recordAudit(trx, {
      action: 'key_revoked',
      actor: { kind: 'system' },
      organizationId,
      target: keyId,
      details: { key_name: name },
    })
    return true
  })
}

/** Drops keys that were revoked, or expired, long ago. */
export function purgeKeys(queries: Queries): Promise<void> {
  return store.purge(queries)
}
