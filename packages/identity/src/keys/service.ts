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
 * What is left of the day's queries.
 * @returns undefined when none had to be counted, or the plan has no limit
 */
export function allowanceOf(
  row: { queries_limit: number | null; queries_used: number | null },
  now: Date,
): Allowance | undefined {
  const { queries_limit: limit, queries_used: used } = row
  if (limit === null || used === null) return undefined
  // Not below 0: the plan may have been changed to a smaller one during the day.
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
 * Runs `work` in a transaction of an organization, for one of its keys. The organization is locked, so that nobody takes over
 * until the transaction ends, and then the key is read: it may have been revoked since the request was authenticated.
 * @throws ApiError organization_not_found, invalid_api_key
 */
export function asKey<T>(
  queries: Queries,
  { organizationId, keyId }: { organizationId: string; keyId: string },
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  return asTenant(queries, { organizationId }, async (trx) => {
    if ((await lockPlan(trx, organizationId)) === undefined) throw new ApiError('organization_not_found')
    if ((await store.find(trx, organizationId, keyId)) === undefined) throw new ApiError('invalid_api_key')
    return work(trx)
  })
}

/**
 * Authenticates a request by its API key and, where the plan limits queries, counts those of the request.
 * @param keyHash in hex, of a key with a valid checksum
 * @param scope the scope that the key must have; null: none
 * @param count the queries of the request
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
      // An end user may not see what the organization has left of its quota.
      throw queriesExhausted(row.subject === null ? row : uncounted, now)
    case 'ok': {
      const { subject: name, subject_shared: isShared } = row
      return authenticatedBy(row, name === null ? undefined : { name, isShared }, origin, now)
    }
  }
}

/** The contents of an end user's token that was made with an API key, and what a request with it asks for. */
export interface TokenOfKey {
  key: store.KeyOfToken
  subject: SubjectBinding
  scope: Scope
  count: number
  origin: Origin
}

/**
 * Like `authenticateKey`, for a request with an end user's token that was made with an API key.
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

/** The caller of a request authenticated by a key. @param subject the end user to whom the caller is bound, if any */
function authenticatedBy(
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
      // Validated before they were stored.
      scopes: row.scopes as Scope[] | null,
      subject,
    },
    queriesCounted: row.queries_counted,
    allowance: allowanceOf(row, now),
  }
}

/** In place of a row's counts: the answer then says nothing about the quota. */
const uncounted = { queries_limit: null, queries_used: null }

/** The error for a request with more queries than are left of the day's quota. */
export function queriesExhausted(row: Parameters<typeof allowanceOf>[0], now: Date): ApiError {
  const retryAfterS = secondsToMidnight(now)
  return new ApiError('query_limit_reached', { retryAfterS, allowance: allowanceOf(row, now) })
}

/** Uncounts the queries of a request that failed. */
export function returnQueries(queries: Queries, spaceId: string, counted: number): Promise<void> {
  return store.returnQueries(queries, spaceId, counted)
}

/** Stores when keys were last used; `ownerId` is a key's organization. */
export function recordKeyUse(queries: Queries, used: readonly Use[]): Promise<void> {
  return store.touch(queries, used)
}

export interface KeyRequest {
  name: string
  environment: Environment
  scopes: Scope[] | null
  expiresAt: Date | null
  /** The end user to whom the key is bound; undefined: not bound. */
  subject?: SubjectBinding | undefined
}

/** Thrown when a key can't be made or listed for an operator; the message says why. */
export class KeyRefused extends Error {
  override name = 'KeyRefused'
}

/** A new key. Its value is available only here, since only a hash of it is stored. */
export interface CreatedKey {
  key: string
  listed: store.ListedKey
}

/**
 * Makes a key, in a transaction in which the organization's plan is locked (see `lockPlan`), so that concurrent requests can't
 * exceed the plan.
 * @param createdBy the user's id; null for an operator
 * @throws ApiError plan_exceeded when there are as many keys as the plan allows
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

/** Revokes a key for an operator; later requests with it are refused by every process. @returns whether it existed */
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

/** Deletes keys of users that were revoked, or have expired, long ago. */
export function purgeKeys(queries: Queries): Promise<void> {
  return store.purge(queries)
}
