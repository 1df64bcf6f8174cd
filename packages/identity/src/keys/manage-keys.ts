import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { differing } from '@memory/shared/audit/differing'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { requireFuture } from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { asAdministrator, asMember } from '../organizations/membership.ts'
import { requireRoom } from '../organizations/plan-room.ts'
import { subjectScopes } from '../tokens/subject-token-schema.ts'
import type { ChangeKey, CreateKey, ListKeys, RevokeKey } from './schema.ts'
import { addKey } from './service.ts'
import * as store from './store.ts'

/**
 * Lists the organization's keys that are not revoked; any member may.
 * @param organization an id; undefined, here and below: the organization that the request is for
 * @throws ApiError organization_not_found
 */
export function listOrganizationKeys(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organization: string | undefined,
): Promise<Output<typeof ListKeys>> {
  return asMember(queries, caller, organization, async (trx, { organizationId }) =>
    (await store.list(trx, organizationId)).map(toApiKey),
  )
}

/**
 * Makes a key, for an administrator.
 * @throws ApiError organization_not_found, organization_admin_required, plan_exceeded, too_many_attempts; ValidationError
 *   for an expiry that has passed, `shared` without a subject, or scopes that a key with a subject can't have
 */
export async function createOrganizationKey(
  { queries, clock }: { queries: Queries; clock: Clock },
  caller: SignedIn,
  organization: string | undefined,
  { name, environment, scopes, expires_at, subject, shared }: Input<typeof CreateKey>['body'],
): Promise<Output<typeof CreateKey>> {
  requireFuture(expires_at, clock.now())
  if (shared && subject == null) {
    throw ValidationError.rule(['body', 'shared'], 'shared is for a key with a subject', shared)
  }
  if (subject != null) requireSubjectScopes(scopes)
  return asAdministrator(queries, caller, organization, async (trx, { organizationId, plan }) => {
    await requireFewMade(trx, organizationId)
    const request = {
      ...{ name, environment, scopes: distinct(scopes ?? null), expiresAt: expires_at ?? null },
      subject: subject == null ? undefined : { name: subject, isShared: shared },
    }
    const { key, listed } = await addKey(trx, { id: organizationId, plan }, request, caller.userId)
    await recordAudit(trx, {
      action: 'key_created',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId: caller.userId,
      target: listed.id,
      details: { key_name: name, environment },
    })
    const { last_used_at: _, expires_at: __, ...shown } = toApiKey(listed)
    return { ...shown, key, message: 'Keep the key: it is not shown again.' }
  })
}

/** @throws ValidationError for a scope that a caller bound to an end user can't use */
function requireSubjectScopes(given: readonly Scope[] | null | undefined): void {
  const allowed: readonly Scope[] = subjectScopes
  for (const [index, scope] of (given ?? []).entries()) {
    if (allowed.includes(scope)) continue
    const message = `a key with a subject can have the scopes ${allowed.join(' and ')} alone`
    throw ValidationError.rule(['body', 'scopes', index], message, scope)
  }
}

const hourS = 3_600

/**
 * Limits how many keys are made in an hour. Revoked keys do not count against the plan but stay in the database for a while, so
 * without this limit any number of rows could be made.
 * @throws ApiError too_many_attempts
 */
async function requireFewMade(trx: Trx, organizationId: string): Promise<void> {
  const { made, firstAgoS } = await store.countMade(trx, organizationId, hourS)
  if (made < limits.keysPerHour) return
  throw new ApiError('too_many_attempts', { retryAfterS: Math.max(1, Math.ceil(hourS - firstAgoS)) })
}

/**
 * Changes those properties of a key that are given. The change holds for all requests that begin after the answer, on every
 * process.
 * @throws ApiError organization_not_found, organization_admin_required, api_key_not_found, plan_exceeded (for an expired
 *   key that would be one more); ValidationError as `createOrganizationKey`
 */
export async function changeKey(
  { queries, clock }: { queries: Queries; clock: Clock },
  caller: SignedIn,
  organization: string | undefined,
  keyId: string,
  { name, scopes, expires_at }: Input<typeof ChangeKey>['body'],
): Promise<Output<typeof ChangeKey>> {
  requireFuture(expires_at, clock.now())
  return asAdministrator(queries, caller, organization, async (trx, { organizationId, plan }) => {
    const before = await store.find(trx, organizationId, keyId)
    if (before === undefined) throw new ApiError('api_key_not_found')
    if (before.listed.subject !== null) requireSubjectScopes(scopes)
    const given = {
      ...(name == null ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes: distinct(scopes) }),
      ...(expires_at === undefined ? {} : { expires_at }),
    }
    const change = differing(given, before.listed)
    if (Object.keys(change).length === 0) return toApiKey(before.listed)
    // An expired key does not count against the plan, but with a new expiry it counts again.
    if (before.expired && expires_at !== undefined) {
      requireRoom(plan, 'apiKeys', await store.countActive(trx, organizationId))
    }
    const changed = await store.change(trx, organizationId, keyId, change)
    await recordAudit(trx, {
      action: 'key_updated',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId: caller.userId,
      target: keyId,
      details: { key_name: changed.name, changed: Object.keys(change) },
    })
    return toApiKey(changed)
  })
}

/**
 * Revokes a key: requests that begin after the answer are refused everywhere.
 * @throws ApiError organization_not_found, organization_admin_required, api_key_not_found
 */
export function revokeOrganizationKey(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organization: string | undefined,
  keyId: string,
): Promise<Output<typeof RevokeKey>> {
  return asAdministrator(queries, caller, organization, async (trx, { organizationId }) => {
    const name = await store.revoke(trx, organizationId, keyId)
    if (name === undefined) throw new ApiError('api_key_not_found')
    await recordAudit(trx, {
      action: 'key_revoked',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId: caller.userId,
      target: keyId,
      details: { key_name: name },
    })
    return { message: 'API key revoked' }
  })
}

const distinct = (scopes: Scope[] | null) => scopes && [...new Set(scopes)]

/** A key as answers show it. */
export type ShownKey = Output<typeof ChangeKey>

export function toApiKey(row: store.ListedKey): ShownKey {
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.key_prefix,
    environment: row.environment,
    // Scopes are checked before they are stored.
    scopes: row.scopes as Scope[] | null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    subject: row.subject,
    shared: row.subject_shared,
  }
}
