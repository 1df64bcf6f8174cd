import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { planNames } from '@memory/shared/catalogue/plans'
import { roles } from '@memory/shared/catalogue/roles'
import { z } from 'zod'

const tag = 'Administration'
const access = 'platform_admin'
const when = z.iso.datetime()
const count = z.int()
const plan = z.enum(planNames)
const storage = z.number().meta({ description: 'Megabytes of 1,000,000 bytes.' })

const pages = {
  cursor: f.queryString(0, 1_000).optional().meta({ description: '`next_cursor` of the page before.' }),
  limit: f.queryInteger(1, limits.listMax, limits.listDefault),
}
const next_cursor = z.string().nullable()

const planCount = z.int().meta({ description: '-1 stands for unlimited.' })

export const ListPlans = operation({
  id: 'listPlans',
  method: 'get',
  path: '/v1/admin/plans',
  tag,
  summary: 'The plans and what they allow',
  description: 'Cheapest first. They are the same in every installation of a release.',
  access,
  response: z
    .object({
      plans: z.array(
        z
          .object({
            name: plan,
            limits: z.object({
              patterns: planCount,
              queries_per_day: planCount,
              api_keys: planCount,
              members: planCount,
            }),
          })
          .meta({ id: 'Plan' }),
      ),
      default_plan: plan.meta({ description: 'Of the organizations that registrations make.' }),
    })
    .meta({ id: 'Plans' }),
})

export const ListAllOrganizations = operation({
  id: 'listAllOrganizations',
  method: 'get',
  path: '/v1/admin/organizations',
  tag,
  summary: 'All organizations',
  description:
    'Newest first, the deleted ones until they are erased. What they hold is that of their live and test spaces together.',
  access,
  query: z.object({
    ...pages,
    search: f.queryString(1, 255).optional().meta({ description: 'Part of the name, or the whole id.' }),
    plan: f.queryEnum(planNames).optional(),
  }),
  response: z
    .object({
      organizations: z.array(
        z
          .object({
            id: z.guid(),
            name: z.string(),
            plan,
            members: count,
            patterns: count,
            storage_mb: storage,
            created_at: when,
            deleted_at: when.nullable(),
          })
          .meta({ id: 'AdministeredOrganization' }),
      ),
      next_cursor,
    })
    .meta({ id: 'AdministeredOrganizations' }),
})

export const userStatuses = ['active', 'suspended', 'deleted'] as const

const listed = {
  id: z.guid(),
  email: z.string(),
  full_name: z.string().nullable(),
  status: z.enum(userStatuses),
  email_verified: z.boolean(),
  is_platform_admin: z.boolean(),
  created_at: when,
  last_login_at: when,
}

export const ListAllUsers = operation({
  id: 'listAllUsers',
  method: 'get',
  path: '/v1/admin/users',
  tag,
  summary: 'All users',
  description: 'Newest first, the deleted ones until they are erased.',
  access,
  query: z.object({
    ...pages,
    search: f
      .queryString(1, 255)
      .optional()
      .meta({ description: 'Part of the address or of the name, or the whole id.' }),
    status: f.queryEnum(userStatuses).optional(),
    organization_id: f.uuid().optional().meta({ description: 'Members of this one only.' }),
  }),
  response: z
    .object({ users: z.array(z.object(listed).meta({ id: 'AdministeredUser' })), next_cursor })
    .meta({ id: 'AdministeredUsers' }),
})

const params = z.object({ user_id: f.uuid() })

export const GetAnyUser = operation({
  id: 'getAnyUser',
  method: 'get',
  path: '/v1/admin/users/{user_id}',
  tag,
  summary: 'Read a user',
  access,
  params,
  response: z
    .object({
      ...listed,
      mfa_enabled: z.boolean(),
      organizations: z.array(
        z.object({ id: z.guid(), name: z.string(), plan, role: z.enum(roles) }).meta({ id: 'Membership' }),
      ),
    })
    .meta({ id: 'AdministeredUserDetails' }),
  errors: ['user_not_found'],
})

export const SuspendUser = operation({
  id: 'suspendUser',
  method: 'post',
  path: '/v1/admin/users/{user_id}/suspend',
  tag,
  summary: 'Suspend a user',
  description:
    'Refuses the user’s access tokens and sign-in until the account is activated. API keys of organizations go on. Of a suspended account nothing changes.',
  access,
  params,
  body: z
    .object({
      reason: f
        .text(1, limits.reasonChars)
        .nullable()
        .optional()
        .meta({
          description: 'Stands in the audit log, which the user can read.',
          examples: ['Asked for by the user'],
        }),
    })
    .meta({ id: 'SuspendUserRequest' }),
  response: Message,
  errors: ['user_not_found', 'account_is_deleted', 'own_account'],
})

export const ActivateUser = operation({
  id: 'activateUser',
  method: 'post',
  path: '/v1/admin/users/{user_id}/activate',
  tag,
  summary: 'End the suspension of a user',
  description: 'Of an active account nothing changes.',
  access,
  params,
  response: Message,
  errors: ['user_not_found', 'account_is_deleted'],
})

export const ReadTotalUsage = operation({
  id: 'readTotalUsage',
  method: 'get',
  path: '/v1/admin/usage',
  tag,
  summary: 'What all organizations hold and ask',
  description:
    'What is there now, without deleted organizations and users; and the requests under /v1/memory that succeeded by UTC day, oldest first. Each process counts its own every few seconds.',
  access,
  query: z.object({
    days: f.queryInteger(1, 90, 30).meta({ description: 'The last of them is today.' }),
  }),
  response: z
    .object({
      organizations: count,
      users: count,
      patterns: count,
      storage_mb: storage,
      days: z.array(
        z
          .object({
            date: z.iso.date(),
            api_calls: count,
            queries: count.meta({ description: 'What they counted against the plans’ queries a day.' }),
            active_organizations: count.meta({ description: 'That sent at least one of them.' }),
          })
          .meta({ id: 'TotalUsageDay' }),
      ),
    })
    .meta({ id: 'TotalUsage' }),
})
