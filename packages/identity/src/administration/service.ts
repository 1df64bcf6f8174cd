import { actorOf } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import { cursorsOf, pageOf, startOf } from '@memory/shared/catalogue/pages'
import { planNames } from '@memory/shared/catalogue/plans'
import type { Clock } from '@memory/shared/platform/clock'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import { z } from 'zod'
import type { AccountsContext } from '../accounts/context.ts'
import { profileOf } from '../accounts/operator.ts'
import { changeStatus } from '../accounts/user-status.ts'
import { type Account, lockUser } from '../accounts/user-store.ts'
import { describePlan } from '../organizations/manage-organizations.ts'
import { dayMs, floorTo } from '../usage/calendar.ts'
import { megabytes } from '../usage/service.ts'
import type * as schema from './schema.ts'
import * as store from './store.ts'

interface Context {
  queries: Queries
}

const cursors = cursorsOf<store.PageEnd>(
  ({ at, id }) => `${at} ${id}`,
  (text) => {
    const [, digits, id] = /^(\d{1,16}) ([0-9a-f-]{36})$/.exec(text) ?? []
    const at = Number(digits)
    return Number.isSafeInteger(at) && z.guid().safeParse(id).success ? { at, id: id as string } : undefined
  },
)

/** Lists the plans and their limits, cheapest first, for a platform admin. */
export function listPlans({
  settings: { defaultPlan },
}: Pick<AccountsContext, 'settings'>): Output<typeof schema.ListPlans> {
  return {
    plans: planNames.map((name) => ({ name, limits: describePlan(name) })),
    default_plan: defaultPlan,
  }
}

/** Lists a page of all organizations, for a platform admin. @throws ValidationError for an invalid cursor */
export async function listAllOrganizations(
  { queries }: Context,
  { cursor, limit, search, plan }: Input<typeof schema.ListAllOrganizations>['query'],
): Promise<Output<typeof schema.ListAllOrganizations>> {
  const after = startOf(cursor, cursors.decode)
  const rows = await asTask(queries, 'administer-accounts', (trx) =>
    store.listOrganizations(trx, { search, plan }, after, limit + 1),
  )
  const { page, next_cursor } = pageOf(rows, limit, cursors.encode)
  const organizations = page.map(({ id, name, plan, members, patterns, storage_bytes, ...times }) => ({
    ...{ id, name, plan, members, patterns },
    storage_mb: megabytes(storage_bytes),
    created_at: times.created_at.toISOString(),
    deleted_at: times.deleted_at?.toISOString() ?? null,
  }))
  return { organizations, next_cursor }
}

/** Lists a page of all users, for a platform admin. @throws ValidationError for an invalid cursor */
export async function listAllUsers(
  { queries }: Context,
  { cursor, limit, search, status, organization_id }: Input<typeof schema.ListAllUsers>['query'],
): Promise<Output<typeof schema.ListAllUsers>> {
  const after = startOf(cursor, cursors.decode)
  const rows = await asTask(queries, 'administer-accounts', (trx) =>
    store.listUsers(trx, { search, status, organizationId: organization_id }, after, limit + 1),
  )
  const { page, next_cursor } = pageOf(rows, limit, cursors.encode)
  const users = page.map(({ email_verified_at, created_at, last_login_at, at: _, ...user }) => ({
    ...user,
    email_verified: email_verified_at !== null,
    created_at: created_at.toISOString(),
    last_login_at: last_login_at.toISOString(),
  }))
  return { users, next_cursor }
}

/** A user with their organizations, for a platform admin. @throws ApiError user_not_found */
export function getAnyUser({ queries }: Context, userId: string): Promise<Output<typeof schema.GetAnyUser>> {
  return asTask(queries, 'administer-accounts', async (trx, switchTenant) => {
    await switchTenant({ userId })
    const found = await profileOf(trx, userId)
    if (found === undefined) throw new ApiError('user_not_found')
    const { profile, organizations } = found
    const { email_verified_at, mfa_enabled, created_at, last_login_at, avatar_url: _, ...user } = profile
    return {
      ...user,
      email_verified: email_verified_at !== null,
      mfa_enabled: Boolean(mfa_enabled),
      created_at: created_at.toISOString(),
      last_login_at: last_login_at.toISOString(),
      organizations,
    }
  })
}

/** @throws ApiError own_account, user_not_found, account_is_deleted, platform_admin_required */
export async function suspendUser(
  context: Context,
  caller: SignedIn,
  userId: string,
  { reason }: Input<typeof schema.SuspendUser>['body'],
): Promise<Output<typeof schema.SuspendUser>> {
  // Only another platform admin could undo it.
  if (userId === caller.userId) throw new ApiError('own_account')
  await setStatus(context, caller, userId, 'suspended', reason == null ? undefined : { reason })
  return { message: 'User suspended' }
}

/** @throws ApiError user_not_found, account_is_deleted, platform_admin_required */
export async function activateUser(
  context: Context,
  caller: SignedIn,
  userId: string,
): Promise<Output<typeof schema.ActivateUser>> {
  await setStatus(context, caller, userId, 'active')
  return { message: 'User activated' }
}

/**
 * Changes a user's status. When two platform admins suspend each other at the same time, only one may succeed, or none would be
 * left. So both accounts are locked, always in the same order to avoid deadlocks, and the second request then finds that its
 * caller is no platform admin any more.
 */
function setStatus(
  { queries }: Context,
  caller: SignedIn,
  userId: string,
  to: 'active' | 'suspended',
  details?: Record<string, unknown>,
): Promise<boolean> {
  return asTask(queries, 'administer-accounts', async (trx, switchTenant) => {
    const locked = new Map<string, Account | undefined>()
    for (const id of [caller.userId, userId].toSorted()) locked.set(id, await lockUser(trx, id))
    if (!(await store.isPlatformAdmin(trx, caller.userId))) throw new ApiError('platform_admin_required')
    const account = locked.get(userId)
    if (account === undefined) throw new ApiError('user_not_found')
    if (account.status === 'deleted') throw new ApiError('account_is_deleted')
    await switchTenant({ userId })
    const changing = { trx, switchTenant }
    return changeStatus(changing, account, to, { actor: actorOf(caller), origin: caller.origin, details })
  })
}

/** The totals of what all organizations store and use, for a platform admin. */
export async function readTotalUsage(
  { queries, clock }: Context & { clock: Clock },
  { days }: Input<typeof schema.ReadTotalUsage>['query'],
): Promise<Output<typeof schema.ReadTotalUsage>> {
  const first = floorTo(clock.now(), dayMs) - (days - 1) * dayMs
  const { totals, used } = await asTask(queries, 'administer-accounts', async (trx) => ({
    totals: await store.readTotals(trx),
    used: await store.readDays(trx, new Date(first)),
  }))
  const byDay = new Map(used.map(({ day, ...counts }) => [day.getTime(), counts]))
  const { storage_bytes, ...held } = totals
  return {
    ...held,
    storage_mb: megabytes(storage_bytes),
    days: Array.from({ length: days }, (_, n) => {
      const at = first + n * dayMs
      const { api_calls = 0, queries = 0, active_organizations = 0 } = byDay.get(at) ?? {}
      return { date: new Date(at).toISOString().slice(0, 10), api_calls, queries, active_organizations }
    }),
  }
}
