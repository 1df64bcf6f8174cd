import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { planNames } from '@memory/shared/catalogue/plans'
import { roles } from '@memory/shared/catalogue/roles'
import { z } from 'zod'

const tag = 'Organizations'
const when = z.iso.datetime()
const count = z.int().meta({ description: '-1 stands for unlimited.' })
const role = z.enum(roles)
const roleIn = f.choice(roles)

const organization = { org_id: f.uuid() }

const subjectLimitMax = 2 ** 31 - 1

const described = {
  id: z.guid(),
  name: z.string(),
  plan: z.enum(planNames),
  limits: z.object({ patterns: count, queries_per_day: count, api_keys: count, members: count }),
  subject_limits: z
    .object({ patterns: z.int().nullable(), queries_per_day: z.int().nullable() })
    .meta({ description: 'What each subject may have and ask; null for what the plan leaves.' }),
  created_at: when,
}

const Organization = z
  .object({ ...described, role: role.meta({ description: 'What the caller is in it.' }) })
  .meta({ id: 'Organization' })

const Member = z
  .object({
    user_id: z.guid(),
    email: z.string(),
    full_name: z.string().nullable(),
    role,
    joined_at: when,
  })
  .meta({ id: 'Member' })

const Invitation = z
  .object({ id: z.guid(), email: z.string(), role, created_at: when, expires_at: when })
  .meta({ id: 'Invitation' })

export const ListOrganizations = operation({
  id: 'listOrganizations',
  method: 'get',
  path: '/v1/organizations',
  tag,
  summary: 'List your organizations',
  description: 'Those that the caller is a member of, oldest membership first.',
  access: 'user',
  response: z.object({ organizations: z.array(Organization) }),
})

export const GetOrganization = operation({
  id: 'getOrganization',
  method: 'get',
  path: '/v1/organizations/{org_id}',
  tag,
  summary: 'Read an organization',
  access: 'user',
  params: z.object(organization),
  response: Organization,
})

export const ChangeOrganization = operation({
  id: 'changeOrganization',
  method: 'patch',
  path: '/v1/organizations/{org_id}',
  tag,
  summary: 'Change an organization',
  description: 'For administrators.',
  access: 'user',
  params: z.object(organization),
  body: z
    .object({
      name: f
        .text(1, limits.organizationNameChars)
        .nullable()
        .optional()
        .meta({ description: 'null: stays.', examples: ['Analytical Engines'] }),
      subject_limits: z
        .object({
          patterns: f.integer(0, subjectLimitMax).nullable().optional(),
          queries_per_day: f.integer(0, subjectLimitMax).nullable().optional(),
        })
        .optional()
        .meta({
          description: 'What each subject may have and ask. What is absent stays; null ends a limit.',
          examples: [{ patterns: 10_000, queries_per_day: 1_000 }],
        }),
    })
    .meta({ id: 'ChangeOrganizationRequest' }),
  response: Organization,
  errors: ['organization_admin_required'],
})

export const ListMembers = operation({
  id: 'listMembers',
  method: 'get',
  path: '/v1/organizations/{org_id}/members',
  tag,
  summary: 'List members',
  description: 'Oldest membership first. For every member.',
  access: 'user',
  params: z.object(organization),
  response: z.object({ members: z.array(Member) }),
})

export const ChangeMember = operation({
  id: 'changeMember',
  method: 'patch',
  path: '/v1/organizations/{org_id}/members/{user_id}',
  tag,
  summary: 'Change a member’s role',
  description: 'For administrators; who becomes an owner or ceases to be one is for owners to say.',
  access: 'user',
  params: z.object({ ...organization, user_id: f.uuid() }),
  body: z.object({ role: roleIn }).meta({ id: 'ChangeMemberRequest', examples: [{ role: 'admin' }] }),
  response: Member,
  errors: ['organization_admin_required', 'organization_owner_required', 'member_not_found', 'last_owner'],
})

export const RemoveMember = operation({
  id: 'removeMember',
  method: 'delete',
  path: '/v1/organizations/{org_id}/members/{user_id}',
  tag,
  summary: 'Remove a member, or leave',
  description:
    'For administrators, and for every member on themselves. Owners are removed by owners. The last owner stays. Whoever is a member of no other organization keeps the account, which then opens no memory until somebody invites them.',
  access: 'user',
  params: z.object({ ...organization, user_id: f.uuid() }),
  response: Message,
  errors: ['organization_admin_required', 'organization_owner_required', 'member_not_found', 'last_owner'],
})

export const ListInvitations = operation({
  id: 'listInvitations',
  method: 'get',
  path: '/v1/organizations/{org_id}/invitations',
  tag,
  summary: 'List pending invitations',
  description: 'Those that can still be accepted, oldest first. For administrators.',
  access: 'user',
  params: z.object(organization),
  response: z.object({ invitations: z.array(Invitation) }),
  errors: ['organization_admin_required'],
})

export const Invite = operation({
  id: 'invite',
  method: 'post',
  path: '/v1/organizations/{org_id}/invitations',
  tag,
  summary: 'Invite somebody',
  description:
    'Mails a link that works once, for 7 days. Inviting an address again takes the place of its earlier invitation. For administrators; owners are invited by owners.',
  access: 'user',
  params: z.object(organization),
  body: z
    .object({ email: f.email(), role: roleIn.default('member') })
    .meta({ id: 'InviteRequest', examples: [{ email: 'ben@example.com', role: 'member' }] }),
  response: Invitation,
  status: 201,
  errors: [
    'organization_admin_required',
    'organization_owner_required',
    'plan_exceeded',
    'already_member',
    'too_many_attempts',
  ],
})

export const WithdrawInvitation = operation({
  id: 'withdrawInvitation',
  method: 'delete',
  path: '/v1/organizations/{org_id}/invitations/{invitation_id}',
  tag,
  summary: 'Withdraw an invitation',
  description: 'Its link works no longer. For administrators.',
  access: 'user',
  params: z.object({ ...organization, invitation_id: z.string() }),
  response: Message,
  errors: ['organization_admin_required', 'invitation_not_found'],
})

export const AcceptInvitation = operation({
  id: 'acceptInvitation',
  method: 'post',
  path: '/v1/invitations/accept',
  tag,
  summary: 'Accept an invitation',
  description: 'With the token of the link, by the user whose email address was invited.',
  access: 'user',
  body: z.object({ token: f.plainString() }).meta({
    id: 'AcceptInvitationRequest',
    examples: [{ token: 'inv_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek' }],
  }),
  bodyBytes: limits.authBodyBytes,
  response: z
    .object({ organization_id: z.guid(), role, message: z.string() })
    .meta({ id: 'AcceptInvitationResponse' }),
  errors: ['invitation_not_found', 'invitation_of_another', 'already_member', 'plan_exceeded'],
})

export const ChangePlan = operation({
  id: 'changePlan',
  method: 'put',
  path: '/v1/admin/organizations/{org_id}/plan',
  tag: 'Administration',
  summary: 'Change an organization’s plan',
  description: 'A smaller plan keeps what is stored and refuses more of it.',
  access: 'platform_admin',
  params: z.object(organization),
  body: z
    .object({ plan: f.choice(planNames) })
    .meta({ id: 'ChangePlanRequest', examples: [{ plan: 'starter' }] }),
  response: z.object(described).meta({ id: 'ChangePlanResponse' }),
})
