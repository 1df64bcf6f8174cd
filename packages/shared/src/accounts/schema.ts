import { z } from 'zod'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { operation } from '../catalogue/operation.ts'

export const tag = 'Accounts'
const bodyBytes = limits.authBodyBytes

/** A password that is set; further rules stand in password-rules.ts. */
export const newPassword = () =>
  f.plainString(limits.passwordChars).meta({
    description: `At most ${limits.passwordBytes} bytes in UTF-8; kept and compared byte for byte.`,
    format: 'password',
  })
/** A password that is checked: any string, because what is too short is simply wrong. */
export const givenPassword = () => f.plainString().meta({ format: 'password' })

const message = z.string()
export const MessageResponse = z.object({ message }).meta({ id: 'MessageResponse' })

const name = (max: number) => f.text(1, max).nullable().optional()

export const TokenResponse = z
  .object({
    access_token: z.string().nullable().meta({ description: 'JWT; null when a second factor is needed.' }),
    refresh_token: z.string().nullable().meta({ description: 'Works once; each refresh gives a new one.' }),
    token_type: z.literal('bearer'),
    expires_in: z.int().meta({ description: 'Seconds that the access token lives.' }),
    mfa_required: z.boolean(),
    mfa_token: z.string().optional().meta({
      description: 'For POST /v1/auth/mfa/login, when a second factor is needed; five minutes.',
    }),
  })
  .meta({ id: 'TokenResponse' })

export const Register = operation({
  id: 'register',
  method: 'post',
  path: '/v1/auth/register',
  tag,
  summary: 'Create an account and an organization that it owns',
  description: 'The account can be used at once. A link that verifies the address is sent to it.',
  access: 'anyone',
  bodyBytes,
  status: 201,
  body: z
    .object({
      email: f.email(),
      password: newPassword(),
      full_name: name(limits.fullNameChars),
      name: name(limits.fullNameChars).meta({ description: 'Another name of `full_name`.' }),
      organization_name: name(limits.organizationNameChars),
    })
    .meta({ id: 'RegisterRequest' }),
  response: z
    .object({
      user_id: z.guid(),
      organization_id: z.guid(),
      email: z.string(),
      access_token: z.string(),
      refresh_token: z.string(),
      message,
    })
    .meta({ id: 'RegisterResponse' }),
  errors: ['email_taken', 'too_many_attempts'],
})

export const Login = operation({
  id: 'login',
  method: 'post',
  path: '/v1/auth/login',
  tag,
  summary: 'Sign in',
  description:
    'With a second factor, send its code along, or finish with POST /v1/auth/mfa/login. Attempts that fail are limited.',
  access: 'anyone',
  bodyBytes,
  body: z
    .object({
      email: f.email(),
      password: givenPassword(),
      mfa_code: f
        .matching(/^[0-9]{6}$/)
        .nullable()
        .optional(),
      recovery_code: f.plainString().nullable().optional(),
    })
    .meta({ id: 'LoginRequest' }),
  response: TokenResponse,
  errors: ['invalid_login', 'invalid_mfa_code', 'account_deleted', 'account_suspended', 'too_many_attempts'],
})
