import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { differing } from '@memory/shared/audit/differing'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import { type PlanName, plans } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { asAdministrator, asMember } from './membership.ts'
import type { ChangeOrganization, ChangePlan, GetOrganization, ListOrganizations } from './schema.ts'
import * as store from './store.ts'

/** The organizations of a user. */
export async function listOrganizations(
  { queries }: { queries: Queries },
  { userId }: SignedIn,
): Promise<Output<typeof ListOrganizations>> {
  const rows = await asTenant(queries, { userId }, (trx) => store.listOf(trx, userId))
  return { organizations: rows.map((row) => ({ ...describeOrganization(row), role: row.role })) }
}

/** @throws ApiError organization_not_found */
export function getOrganization(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
): Promise<Output<typeof GetOrganization>> {
  return asMember(queries, caller, organizationId, async (trx, { role }) =>
    withRole(await store.find(trx, organizationId), role),
  )
}

/**
 * Changes the name of an organization, and the limits for each of its end users.
 * @throws ApiError organization_not_found, organization_admin_required
 */
export function changeOrganization(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
  { name, subject_limits }: Input<typeof ChangeOrganization>['body'],
): Promise<Output<typeof ChangeOrganization>> {
  return asAdministrator(queries, caller, organizationId, async (trx, { role }) => {
    const before = await store.find(trx, organizationId)
    const given = {
      ...(name != null && { name }),
      ...(subject_limits?.patterns !== undefined && { subject_patterns: subject_limits.patterns }),
      ...(subject_limits?.queries_per_day !== undefined && {
        subject_queries_per_day: subject_limits.queries_per_day,
      }),
    }
    const change = differing(given, { ...before })
    if (Object.keys(change).length === 0) return withRole(before, role)
    const changed = await store.change(trx, organizationId, change)
    await recordAudit(trx, {
      action: 'organization_updated',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId: caller.userId,
      target: organizationId,
      details: change,
    })
    return withRole(changed, role)
  })
}

/** @throws ApiError organization_not_found when there is no row */
function withRole(row: store.Organization | undefined, role: Role): Output<typeof GetOrganization> {
  if (row === undefined) throw new ApiError('organization_not_found')
  return { ...describeOrganization(row), role }
}

/** A plan's limits, in the form of answers. */
export function describePlan(name: PlanName): Output<typeof ChangePlan>['limits'] {
  const { patterns, queriesPerDay, apiKeys, members } = plans[name]
  return { patterns, queries_per_day: queriesPerDay, api_keys: apiKeys, members }
}

/** An organization, in the form of answers to any caller. */
export function describeOrganization(row: store.Organization): Output<typeof ChangePlan> {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: describePlan(row.plan),
    subject_limits: { patterns: row.subject_patterns, queries_per_day: row.subject_queries_per_day },
    created_at: row.created_at.toISOString(),
  }
}
