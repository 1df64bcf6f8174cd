import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { TokenResponse, tag } from '../schema.ts'

const bodyBytes = limits.authBodyBytes

/** A code from the authenticator app. */
const totpCode = () => f.matching(/^[0-9]{6}$/).meta({ examples: ['123456'] })

/** What may be a recovery code; whether it is one, only its hash tells. */
const recoveryCode = '(?=.*[A-Za-z-])[0-9A-Za-z -]{8,64}'

export const EnableMfa = operation({
  id: 'enableMfa',
  method: 'post',
  path: '/v1/auth/mfa/enable',
  tag,
  summary: 'Begin to enrol an authenticator app',
  description: 'Repeated, it changes nothing.',
  access: 'user',
  response: Message,
  errors: ['mfa_enabled'],
})

export const SetUpMfa = operation({
  id: 'setUpMfa',
  method: 'post',
  path: '/v1/auth/mfa/setup',
  tag,
  summary: 'Get the secret for the authenticator app',
  description: 'Begins enrolment where it has not begun. Repeated, it answers the same secret.',
  access: 'user',
  response: z
    .object({
      secret: z.string().meta({ description: '160 bits in Base32.' }),
      otpauth_uri: z.string().meta({ description: 'For a QR code.' }),
      message: z.string(),
    })
    .meta({ id: 'SetUpMfaResponse' }),
  errors: ['mfa_enabled'],
})

export const VerifyMfa = operation({
  id: 'verifyMfa',
  method: 'post',
  path: '/v1/auth/mfa/verify',
  tag,
  summary: 'Finish enrolment with a code from the app',
  description:
    'From then on signing in needs a code. Every other session is signed out. The recovery codes are shown this once.',
  access: 'user',
  bodyBytes,
  body: z.object({ code: totpCode() }).meta({ id: 'VerifyMfaRequest' }),
  response: z
    .object({
      message: z.string(),
      recovery_codes: z.array(z.string()).meta({ description: 'Ten; each works once.' }),
    })
    .meta({ id: 'VerifyMfaResponse' }),
  errors: ['invalid_mfa_code', 'mfa_enabled', 'mfa_not_enrolling', 'too_many_attempts'],
})

export const DisableMfa = operation({
  id: 'disableMfa',
  method: 'post',
  path: '/v1/auth/mfa/disable',
  tag,
  summary: 'Sign in without codes again',
  description: 'Without the authenticator app, by a recovery code.',
  access: 'user',
  bodyBytes,
  body: z
    .object({
      code: totpCode().optional(),
      recovery_code: f
        .plainString()
        .nullable()
        .optional()
        .meta({ description: 'In place of a code from the app.' }),
    })
    .meta({ id: 'DisableMfaRequest' }),
  response: Message,
  errors: ['invalid_mfa_code', 'mfa_not_enabled', 'too_many_attempts'],
})

export const MfaLogin = operation({
  id: 'mfaLogin',
  method: 'post',
  path: '/v1/auth/mfa/login',
  tag,
  summary: 'Finish signing in with a code',
  description: 'The token of the login is good for five attempts within five minutes.',
  access: 'anyone',
  bodyBytes,
  body: z
    .object({
      code: f.matching(new RegExp(`^(?:[0-9]{6}|${recoveryCode})$`)).meta({
        description: 'Six digits from the app, or a recovery code.',
        examples: ['123456'],
      }),
      token: f.plainString().nullable().optional().meta({ description: '`mfa_token` of the login.' }),
    })
    .meta({ id: 'MfaLoginRequest' }),
  response: TokenResponse.pick({
    access_token: true,
    refresh_token: true,
    token_type: true,
    expires_in: true,
  }).meta({ id: 'MfaLoginResponse' }),
  errors: ['invalid_token', 'invalid_mfa_code', 'account_deleted', 'account_suspended', 'too_many_attempts'],
})
