import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { givenPassword, newPassword } from './schema.ts'

const tag = 'Users'

const User = z
  .object({
    id: z.guid(),
    email: z.email(),
    full_name: z.string().nullable(),
    email_verified: z.boolean(),
    mfa_enabled: z.boolean(),
    status: z.enum(['active', 'suspended', 'deleted']),
    created_at: z.iso.datetime(),
    last_login_at: z.iso.datetime(),
    avatar_url: z.string().nullable(),
    is_platform_admin: z.boolean(),
    organization_id: z.guid().nullable().meta({
      description:
        'The organization that the request is for: the one that it names, else the oldest membership’s; null without one.',
    }),
  })
  .meta({ id: 'User' })

export type User = z.output<typeof User>

export const GetProfile = operation({
  id: 'getProfile',
  method: 'get',
  path: '/v1/users/me',
  tag,
  summary: 'Who the user is',
  access: 'user',
  response: User,
})

export const ChangeProfile = operation({
  id: 'changeProfile',
  method: 'patch',
  path: '/v1/users/me',
  tag,
  summary: 'Change the user’s name',
  access: 'user',
  bodyBytes: limits.authBodyBytes,
  body: z
    .object({
      full_name: f.optionalText(limits.fullNameChars).meta({
        description: 'Null or blank takes the name away; left out, it stays.',
        examples: ['Ada Lovelace'],
      }),
    })
    .meta({ id: 'ChangeProfileRequest' }),
  response: User,
})

export const ChangePassword = operation({
  id: 'changePassword',
  method: 'put',
  path: '/v1/users/me/password',
  tag,
  summary: 'Change the user’s password',
  description: 'Every other session is signed out at once, and a mail tells the user.',
  access: 'user',
  bodyBytes: limits.authBodyBytes,
  body: z
    .object({
      current_password: givenPassword(),
      new_password: newPassword(),
    })
    .meta({ id: 'ChangePasswordRequest' }),
  response: Message,
  errors: ['wrong_password', 'too_many_attempts'],
})
