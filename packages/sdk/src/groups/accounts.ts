import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf, Method } from '../operations.ts'
import { byTime } from '../pages.ts'

type SignIn =
  | 'POST /v1/auth/register'
  | 'POST /v1/auth/login'
  | 'POST /v1/auth/mfa/login'
  | 'POST /v1/auth/refresh'
type SignOut = 'POST /v1/auth/logout' | 'POST /v1/auth/logout-all'

interface Signed {
  access_token?: string | null
  refresh_token?: string | null
}

type Call = (...given: unknown[]) => Promise<unknown>

/** Signing up, in and out. What signs in or out does so for this client too, unless it has an API key. */
export const authOf = ({ plain, body, transport: { session } }: Calls) => {
  /** Wraps a call: once it has succeeded, the client goes on with other tokens. */
  const then = <R extends SignIn | SignOut>(call: Method<R>, adopt: (answer: Signed) => void): Method<R> =>
    (async (...given: unknown[]) => {
      const answer = await (call as unknown as Call)(...given)
      adopt(answer as Signed)
      return answer
    }) as unknown as Method<R>
  const signsIn = <R extends SignIn>(call: Method<R>) =>
    then(call, ({ access_token, refresh_token }) => {
      if (access_token != null) {
        session.adopt({ accessToken: access_token, refreshToken: refresh_token ?? undefined })
      }
    })
  const signsOut = <R extends SignOut>(call: Method<R>) =>
    then(call, () => session.adopt({ accessToken: undefined, refreshToken: undefined }))
  return {
    /** Makes an account with an organization of its own, and signs in. */
    register: signsIn(body('POST /v1/auth/register')),
    /** Signs in; with a second factor and without its code the answer has an `mfa_token` instead of tokens. */
    login: signsIn(body('POST /v1/auth/login')),
    /** Completes signing in with a code or recovery code. */
    mfaLogin: signsIn(body('POST /v1/auth/mfa/login')),
    /** Exchanges a refresh token; the client does so by itself when its access token has expired. */
    refresh: signsIn(body('POST /v1/auth/refresh')),
    logout: signsOut(plain('POST /v1/auth/logout')),
    /** Ends every session of the user. */
    logoutAll: signsOut(plain('POST /v1/auth/logout-all')),
    verifyEmail: body('POST /v1/auth/verify-email'),
    resendVerification: body('POST /v1/auth/resend-verification'),
    forgotPassword: body('POST /v1/auth/forgot-password'),
    resetPassword: body('POST /v1/auth/reset-password'),
    enableMfa: plain('POST /v1/auth/mfa/enable'),
    /** The secret of the second factor, for an authenticator. */
    setUpMfa: plain('POST /v1/auth/mfa/setup'),
    /** Turns the second factor on; the recovery codes come only here. */
    verifyMfa: body('POST /v1/auth/mfa/verify'),
    disableMfa: body('POST /v1/auth/mfa/disable'),
  }
}

/** The caller's own account. */
export const usersOf = ({ plain, body, file }: Calls) => ({
  me: plain('GET /v1/users/me'),
  update: body('PATCH /v1/users/me'),
  /** Schedules the account for deletion after 30 days. */
  delete: plain('DELETE /v1/users/me'),
  changePassword: body('PUT /v1/users/me/password'),
  /** Asks for everything that is kept of the user; `getExport` says when it is ready. */
  requestExport: plain('POST /v1/users/me/export'),
  getExport: plain('GET /v1/users/me/exports/{export_id}'),
  /** The export's ZIP. */
  downloadExport: file('GET /v1/users/me/exports/{export_id}/download'),
})

/** What was done, and where one is signed in. */
export const securityOf = ({ plain, query }: Calls) => {
  const auditLog = query('GET /v1/security/audit-log')
  return {
    /** A page of the audit log, newest first. */
    auditLog,
    /** Every audit entry, newest first, once each; none that is recorded meanwhile. */
    allAuditEntries: (given?: GivenOf<'GET /v1/security/audit-log'>, options?: CallOptions) =>
      byTime(auditLog, given, options),
    sessions: plain('GET /v1/security/sessions'),
    revokeSession: plain('DELETE /v1/security/sessions/{session_id}'),
  }
}
