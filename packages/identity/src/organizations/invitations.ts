import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import { isUuid } from '@memory/shared/catalogue/fields-parsing'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import { isAdministrator, type Role, roles } from '@memory/shared/catalogue/roles'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { notify } from '@memory/shared/notifications/notify'
import { type Queries, type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { Throttle } from '@memory/shared/throttle/throttle'
import { hashToken, newToken } from '../tokens/single-use-token.ts'
import * as store from './invitation-store.ts'
import { asAdministrator, asMember, requireAdministrator } from './membership.ts'
import * as memberships from './membership-store.ts'
import { requireRoom } from './plan-room.ts'
import type { AcceptInvitation, Invite, ListInvitations, WithdrawInvitation } from './schema.ts'
import { lockPlan } from './service.ts'
import { find as findOrganization } from './store.ts'

/** What is needed to send invitations. */
export interface InvitationContext {
  queries: Queries
  secrets: Secrets
  throttle: Throttle
  settings: {
    /** The base URL of links in mails, without a trailing slash; never taken from a request. */
    publicBaseUrl: string
  }
}

/** An invitation can be accepted for this long. */
const validDays = 7

/** @throws ApiError organization_not_found, organization_admin_required */
export function listInvitations(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
): Promise<Output<typeof ListInvitations>> {
  return asMember(queries, caller, organizationId, async (trx, { role }) => {
    requireAdministrator(role)
    return { invitations: (await store.listPending(trx, organizationId)).map(toInvitation) }
  })
}

/**
 * Invites an email address. The answer does not reveal whether the address has an account, nor whether it is mailed: to one address
 * only a few invitations an hour are, whoever invites it. Later ones hold all the same, by the token of an earlier mail if there is
 * one. An invitation that is refused counts for nothing.
 * @throws ApiError organization_not_found, organization_admin_required, organization_owner_required, already_member,
 *   plan_exceeded, too_many_attempts
 */
export function invite(
  context: InvitationContext,
  caller: SignedIn,
  organizationId: string,
  invited: Invited,
): Promise<Output<typeof Invite>> {
  const { throttle } = context
  const add = async () => {
    const mail = [{ rule: 'invitationMail', of: [invited.email] }] as const
    const isMailed = await throttle.tryTake(mail)
    try {
      return await addInvitation(context, caller, organizationId, invited, isMailed)
    } catch (error) {
      if (isMailed) await throttle.giveBack(mail)
      throw error
    }
  }
  return throttle.attempt([{ rule: 'invitation', of: [caller.userId] }], add, () => false)
}

type Invited = Input<typeof Invite>['body']

function addInvitation(
  context: InvitationContext,
  caller: SignedIn,
  organizationId: string,
  { email, role }: Invited,
  isMailed: boolean,
): Promise<Output<typeof Invite>> {
  const { token, hash } = newToken('inv')
  return asAdministrator(context.queries, caller, organizationId, async (trx, membership) => {
    if (!mayInvite(membership.role, role)) throw new ApiError('organization_owner_required')
    const organization = await findOrganization(trx, organizationId)
    if (organization === undefined) throw new ApiError('organization_not_found')
    if (await memberships.hasEmail(trx, organizationId, email)) throw new ApiError('already_member')
    const members = await memberships.count(trx, organizationId)
    const pending = await store.countPending(trx, organizationId, email)
    requireRoom(membership.plan, 'members', members + pending)
    await store.removeExpired(trx, organizationId)
    const invitation = await store.insert(trx, {
      organizationId,
      email,
      role,
      tokenHash: isMailed ? hash : undefined,
      invitedBy: caller.userId,
      validDays,
    })
    if (isMailed)
      await mailInvitation(context, trx, { organization, inviter: caller.email, invitation, token })
    await recordAudit(trx, {
      action: 'member_invited',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId: caller.userId,
      target: invitation.id,
      details: { email, role },
    })
    return toInvitation(invitation)
  })
}

function mailInvitation(
  { secrets, settings }: InvitationContext,
  trx: Trx,
  {
    organization,
    inviter,
    invitation,
    token,
  }: {
    organization: { id: string; name: string }
    inviter: string
    invitation: store.Invitation
    token: string
  },
): Promise<void> {
  return enqueueMail(trx, secrets, {
    to: invitation.email,
    template: 'invitation',
    organizationId: organization.id,
    parameters: {
      organization: organization.name,
      inviter,
      role: invitation.role,
      link: `${settings.publicBaseUrl}/accept-invitation#token=${token}`,
      until: invitation.expires_at.toISOString(),
    },
  })
}

/** Whether a member with the role `of` may invite somebody to the role `role`. */
const mayInvite = (of: Role, role: Role) => isAdministrator(of) && (role !== 'owner' || of === 'owner')

/** @throws ApiError organization_not_found, organization_admin_required, invitation_not_found */
export function withdrawInvitation(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
  invitationId: string,
): Promise<Output<typeof WithdrawInvitation>> {
  return asAdministrator(queries, caller, organizationId, async (trx) => {
    const removed = isUuid(invitationId) ? await store.remove(trx, organizationId, invitationId) : undefined
    if (removed === undefined) throw new ApiError('invitation_not_found')
    await recordWithdrawn(trx, caller, organizationId, removed)
    return { message: 'Invitation withdrawn' }
  })
}

/**
 * After a member was demoted or removed: withdraws those of their invitations that they may no longer send. Otherwise they could
 * have invited themselves beforehand, and so regain their membership or role.
 * @param caller who made the change, in whose transaction this runs
 */
export async function withdrawInvitationsOf(
  trx: Trx,
  caller: SignedIn,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role | undefined },
): Promise<void> {
  if (role === 'owner') return
  const removed = await store.removeSentBy(trx, organizationId, userId, role === 'admin' ? ['owner'] : roles)
  for (const invitation of removed) await recordWithdrawn(trx, caller, organizationId, invitation)
}

function recordWithdrawn(
  trx: Trx,
  caller: SignedIn,
  organizationId: string,
  { id, email, role }: store.Invitation,
): Promise<void> {
  return recordAudit(trx, {
    action: 'invitation_withdrawn',
    actor: actorOf(caller),
    origin: caller.origin,
    organizationId,
    userId: caller.userId,
    target: id,
    details: { email, role },
  })
}

/**
 * Makes the caller a member, by the token of an invitation to their address. What may have changed since it was sent is checked
 * again: the plan's number of members, and whether the inviter could still send it (their account may be suspended).
 * @param prove marks the caller's address as verified: the token was mailed there. It runs in the same transaction.
 * @throws ApiError invitation_not_found, invitation_of_another, already_member, plan_exceeded
 */
export async function acceptInvitation(
  { queries }: { queries: Queries },
  caller: SignedIn,
  token: string,
  prove: (trx: Trx) => Promise<void>,
): Promise<Output<typeof AcceptInvitation>> {
  const { userId } = caller
  const tokenHash = hashToken(token)
  const accepted = await withTokenHash(queries, { tokenHash }, async (trx, switchTenant) => {
    const invitation = await store.findByTokenHash(trx, tokenHash)
    if (invitation === undefined) throw new ApiError('invitation_not_found')
    const { organization_id: organizationId, role } = invitation
    if (mailboxOf(invitation.email) !== mailboxOf(caller.email)) throw new ApiError('invitation_of_another')
    await switchTenant({ organizationId, userId })
    const plan = await lockPlan(trx, organizationId)
    const of = await memberships.findActiveRole(trx, organizationId, invitation.invited_by)
    if (of === undefined || !mayInvite(of, role)) throw new ApiError('invitation_not_found')
    if (plan === undefined || (await store.remove(trx, organizationId, invitation.id)) === undefined) {
      throw new ApiError('invitation_not_found')
    }
    if (!caller.emailVerified) await prove(trx)
    const before = await memberships.count(trx, organizationId)
    // Already a member. The transaction commits nevertheless: the invitation is of no use any more.
    if (!(await memberships.insert(trx, { organizationId, userId, role }))) return undefined
    requireRoom(plan, 'members', before)
    await recordAudit(trx, {
      action: 'member_joined',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId,
      target: userId,
      details: { role },
    })
    await notify(trx, organizationId, 'organization.member_joined', { userId, role })
    return { organization_id: organizationId, role, message: 'You have joined the organization' }
  })
  if (accepted === undefined) throw new ApiError('already_member')
  return accepted
}

/** Deletes invitations that have expired. */
export function purgeInvitations(queries: Queries): Promise<void> {
  return store.purge(queries)
}

function toInvitation(row: store.Invitation): Output<typeof Invite> {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}
