import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import { email } from '@memory/shared/catalogue/fields'
import { asTask, type Queries, type Tenant, type Trx } from '@memory/shared/platform/database/database'
import { z } from 'zod'
import { localOrganizationId } from '../keys/bootstrap.ts'
import { addOwner, lockOrganization, membershipsOf, type ShownMembership } from '../organizations/operator.ts'
import { findFactor, removeFactor } from './mfa-store.ts'
import * as profiles from './profile-store.ts'
import { type Changing, changeStatus } from './user-status.ts'
import { type Account, findByEmail, lockUser } from './user-store.ts'

/** What an operator may ask about users, at the terminal or through the operators' listener. */
export const UserRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('find'), email: email() }),
  z.object({ command: z.literal('suspend'), email: email() }),
  z.object({ command: z.literal('activate'), email: email() }),
  z.object({ command: z.literal('disable-mfa'), email: email() }),
  z.object({ command: z.literal('add-owner'), email: email(), organization: z.guid().optional() }),
])

export type UserRequest = z.output<typeof UserRequest>

/** A user as operators see them; times in ISO 8601. */
export interface ShownUser {
  id: string
  email: string
  status: Account['status']
  verifiedAt: string | null
  hasMfa: boolean
  isPlatformAdmin: boolean
  createdAt: string
  lastLoginAt: string
  organizations: ShownMembership[]
}

/** The answer to an operator. `changed` is false when there was nothing to change. */
export type UserAnswer =
  | { command: 'find'; user: ShownUser }
  | { command: 'suspend'; changed: boolean; organizations: ShownMembership[] }
  | { command: 'activate' | 'disable-mfa'; changed: boolean }
  | { command: 'add-owner'; changed: boolean; organization: string }

/** Thrown when a request can't be done; the message says why. */
export class UserRefused extends Error {
  override name = 'UserRefused'
}

/** Does what the operator asks, by default in the local organization. @throws UserRefused */
export async function operateUsers(queries: Queries, request: UserRequest): Promise<UserAnswer> {
  const { command } = request
  switch (command) {
    case 'find':
      return asAccount(queries, request.email, {}, async (trx, { id }) => ({
        command,
        user: await showUser(trx, id),
      }))
    case 'suspend':
      return asAccount(queries, request.email, {}, async (trx, account, switchTenant) => {
        const changed = await setStatus({ trx, switchTenant }, account, 'suspended')
        return { command, changed, organizations: await membershipsOf(trx, account.id) }
      })
    case 'activate':
      return asAccount(queries, request.email, {}, async (trx, account, switchTenant) => ({
        command,
        changed: await setStatus({ trx, switchTenant }, account, 'active'),
      }))
    case 'disable-mfa':
      return asAccount(queries, request.email, {}, async (trx, account) => ({
        command,
        changed: await disableMfa(trx, account),
      }))
    case 'add-owner': {
      const organizationId = request.organization ?? localOrganizationId
      const changed = await asAccount(queries, request.email, { organizationId }, (trx, account) =>
        makeOwner(trx, account, organizationId),
      )
      return { command, changed, organization: organizationId }
    }
  }
}

/** Runs `work` in a transaction of the account with this email, whose row is locked, after the tenant's organization. @throws UserRefused when there is none */
function asAccount<T>(
  queries: Queries,
  email: string,
  tenant: Pick<Tenant, 'organizationId'>,
  work: (trx: Trx, account: Account, switchTenant: Changing['switchTenant']) => Promise<T>,
): Promise<T> {
  return asTask(queries, 'administer-accounts', async (trx, switchTenant) => {
    if (tenant.organizationId !== undefined) {
      await switchTenant(tenant)
      await lockOrganization(trx, tenant.organizationId)
    }
    const found = await findByEmail(trx, email)
    const account = found && (await lockUser(trx, found.id))
    if (account === undefined) throw new UserRefused(`There is no user ${email}.`)
    await switchTenant({ ...tenant, userId: account.id })
    return work(trx, account, switchTenant)
  })
}

/** A user's profile and organizations; undefined when the user does not exist. */
export async function profileOf(trx: Trx, userId: string) {
  const profile = await profiles.find(trx, userId)
  return profile && { profile, organizations: await membershipsOf(trx, userId) }
}

async function showUser(trx: Trx, userId: string): Promise<ShownUser> {
  const found = await profileOf(trx, userId)
  if (found === undefined) throw new Error(`The locked user ${userId} has no row.`)
  const { profile, organizations } = found
  return {
    id: profile.id,
    email: profile.email,
    status: profile.status,
    verifiedAt: profile.email_verified_at?.toISOString() ?? null,
    hasMfa: Boolean(profile.mfa_enabled),
    isPlatformAdmin: profile.is_platform_admin,
    createdAt: profile.created_at.toISOString(),
    lastLoginAt: profile.last_login_at.toISOString(),
    organizations,
  }
}

function setStatus(changing: Changing, account: Account, to: 'active' | 'suspended'): Promise<boolean> {
  refuseDeleted(account)
  return changeStatus(changing, account, to, { actor: { kind: 'system' } })
}

/**
 * Removes the second factor of a user who has lost both the authenticator app and the recovery codes. The password is still
 * needed, and sessions go on.
 */
async function disableMfa(trx: Trx, { id: userId }: Account): Promise<boolean> {
  const factor = await findFactor(trx, userId)
  if (factor === undefined || factor.confirmed_at === null) return false
  await removeFactor(trx, userId)
  await recordAudit(trx, { action: 'mfa_disabled', actor: { kind: 'system' }, userId, target: userId })
  return true
}

async function makeOwner(trx: Trx, account: Account, organizationId: string): Promise<boolean> {
  refuseDeleted(account)
  if (account.status === 'suspended') {
    throw new UserRefused(`The account of ${account.email} is suspended: activate it first.`)
  }
  try {
    return await addOwner(trx, organizationId, account)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const unknown = error.code === 'organization_not_found'
    throw new UserRefused(unknown ? `There is no organization ${organizationId}.` : `${error.detail}.`, {
      cause: error,
    })
  }
}

function refuseDeleted({ id, email, status }: Account): void {
  if (status !== 'deleted') return
  throw new UserRefused(
    `The account of ${email} is deleted. Until it is erased, a platform admin restores it with POST /v1/admin/users/${id}/restore.`,
  )
}
