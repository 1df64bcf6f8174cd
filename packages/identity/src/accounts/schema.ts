import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

export const tag = 'Accounts'
const bodyBytes = limits.authBodyBytes

/** A password that is set; further rules stand in password-rules.ts. */
export const newPassword = () =>
  f.password(limits.passwordChars).meta({
    description: `At most ${limits.passwordBytes} bytes in UTF-8; measured and compared in Unicode NFKC, and not changed in any other way.`,
    format: 'password',
    examples: ['a difference engine'],
  })
/** A password that is checked: any string, because what is too short is simply wrong. */
export const givenPassword = () =>
  f.plainString().meta({ format: 'password', examples: ['an analytical engine'] })

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
      full_name: f.optionalText(limits.fullNameChars),
      name: f.optionalText(limits.fullNameChars).meta({ description: 'Another name of `full_name`.' }),
      organization_name: f.optionalText(limits.organizationNameChars),
    })
    .meta({
      id: 'RegisterRequest',
      examples: [
        {
          email: 'ada@example.com',
          password: 'an analytical engine',
          full_name: 'Ada Lovelace',
          organization_name: 'Analytical Engines',
        },
      ],
    }),
  response: z
    .object({
      user_id: z.guid(),
      organization_id: z.guid(),
      email: z.string(),
      access_token: z.string(),
      refresh_token: z.string(),
      message: z.string(),
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
    .meta({
      id: 'LoginRequest',
      examples: [{ email: 'ada@example.com', password: 'an analytical engine' }],
    }),
  response: TokenResponse,
  errors: ['invalid_login', 'invalid_mfa_code', 'account_deleted', 'account_suspended', 'too_many_attempts'],
})

/** A token that was given out: any string, because what can be none is simply invalid. */
const givenToken = (kind: 'verify' | 'reset' | 'rt') =>
  f.plainString().meta({ examples: [`${kind}_RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek`] })

export const VerifyEmail = operation({
  id: 'verifyEmail',
  method: 'post',
  path: '/v1/auth/verify-email',
  tag,
  summary: 'Verify the email address by the token that was sent to it',
  description: 'The token lives 24 hours and works once; a newer one takes its place.',
  access: 'anyone',
  bodyBytes,
  body: z.object({ token: givenToken('verify') }).meta({ id: 'VerifyEmailRequest' }),
  response: Message,
  errors: ['invalid_token', 'token_revoked'],
})

const EmailRequest = z
  .object({ email: f.email().meta({ examples: ['ada@example.com'] }) })
  .meta({ id: 'EmailRequest' })

export const ResendVerification = operation({
  id: 'resendVerification',
  method: 'post',
  path: '/v1/auth/resend-verification',
  tag,
  summary: 'Send the link that verifies an address once more',
  description: 'Answers 200 whether or not the address has an account. A few mails an hour are sent at most.',
  access: 'anyone',
  bodyBytes,
  body: EmailRequest,
  response: Message,
})

export const Refresh = operation({
  id: 'refresh',
  method: 'post',
  path: '/v1/auth/refresh',
  tag,
  summary: 'Exchange a refresh token for new tokens',
  description:
    'A refresh token works once and lives 30 days; a session lives 90 days. Presenting a spent token ends its session. Of several requests at the same time with one token, one succeeds and the others are answered 409.',
  access: 'anyone',
  bodyBytes,
  body: z.object({ refresh_token: givenToken('rt') }).meta({ id: 'RefreshRequest' }),
  response: TokenResponse,
  errors: ['invalid_token', 'token_expired', 'token_revoked', 'refresh_in_progress'],
})

export const Logout = operation({
  id: 'logout',
  method: 'post',
  path: '/v1/auth/logout',
  tag,
  summary: 'End this session',
  description: 'Its tokens are refused from the answer on.',
  access: 'user',
  response: Message,
})

export const LogoutAll = operation({
  id: 'logoutAll',
  method: 'post',
  path: '/v1/auth/logout-all',
  tag,
  summary: 'End all sessions of the user, this one too',
  access: 'user',
  response: Message,
})

export const ForgotPassword = operation({
  id: 'forgotPassword',
  method: 'post',
  path: '/v1/auth/forgot-password',
  tag,
  summary: 'Send a link to set a new password',
  description: 'Answers 200 whether or not the address has an account. A few mails an hour are sent at most.',
  access: 'anyone',
  bodyBytes,
  body: EmailRequest,
  response: Message,
})

export const ResetPassword = operation({
  id: 'resetPassword',
  method: 'post',
  path: '/v1/auth/reset-password',
  tag,
  summary: 'Set a new password by the token that was sent',
  description:
    'The token lives an hour and works once; a newer one takes its place. Every session ends, and a mail tells the user.',
  access: 'anyone',
  bodyBytes,
  body: z
    .object({ token: givenToken('reset'), new_password: newPassword() })
    .meta({ id: 'ResetPasswordRequest' }),
  response: Message,
  errors: ['invalid_token', 'token_revoked'],
})
