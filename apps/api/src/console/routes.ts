import { signInOperator } from '@memory/identity/accounts/local-operator'
import { login } from '@memory/identity/accounts/login'
import { logout, logoutAll } from '@memory/identity/accounts/logout'
import { mfaLogin } from '@memory/identity/accounts/mfa/mfa-login'
import { continueSession } from '@memory/identity/accounts/refresh'
import { register } from '@memory/identity/accounts/register'
import { localOrganizationId, readLocalKey } from '@memory/identity/keys/bootstrap'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Context } from '../context.ts'
import { type Endpoint, endpoint, type HttpHeaders } from '../http/endpoint.ts'
import {
  ConsoleLink,
  ConsoleLogin,
  ConsoleLogout,
  ConsoleLogoutAll,
  ConsoleMfaLogin,
  ConsoleRefresh,
  ConsoleRegister,
} from './schema.ts'
import { SessionCookies } from './session-cookie.ts'

const cookiesOf = ({ config }: Context, http: HttpHeaders) =>
  new SessionCookies(http, config.http.publicBaseUrl)

/** Keeps the refresh token of an answer in the cookie. @returns the answer without it */
function kept<Answer extends { refresh_token: string | null }>(
  cookies: SessionCookies,
  { refresh_token: refreshToken, ...answer }: Answer,
): Omit<Answer, 'refresh_token'> {
  if (refreshToken !== null) cookies.keep(refreshToken)
  return answer
}

/** Signing in and out for the pages of the console, by the same services as the API's operations. */
export const consoleRoutes: readonly Endpoint[] = [
  endpoint(ConsoleLogin, async ({ context, body, origin, http }) => {
    const cookies = cookiesOf(context, http)
    return kept(cookies, await login(context.accounts, body, origin))
  }),
  endpoint(ConsoleMfaLogin, async ({ context, body, origin, http }) => {
    const cookies = cookiesOf(context, http)
    const answer = await mfaLogin(context.accounts, body, origin)
    return { ...kept(cookies, answer), mfa_required: false }
  }),
  endpoint(ConsoleRegister, async ({ context, body, origin, http }) => {
    const cookies = cookiesOf(context, http)
    const answer = await register(context.accounts, body, origin)
    const { access_token, message } = kept(cookies, answer)
    return { access_token, message }
  }),
  endpoint(ConsoleLink, async ({ context, body, origin, http }) => {
    const cookies = cookiesOf(context, http)
    const answer = await signInOperator(context.accounts, body.token, origin)
    // The link was printed by the start: whoever reads that may read the data folder too, where the key is.
    const localKey = await readLocalKey(context.config.dataDir)
    return {
      ...kept(cookies, answer),
      mfa_required: false,
      local_key: localKey === undefined ? null : { ...localKey, organization_id: localOrganizationId },
    }
  }),
  endpoint(ConsoleRefresh, async ({ context, origin, arrivedMs, http }) => {
    const cookies = cookiesOf(context, http)
    const refreshToken = cookies.read()
    try {
      const answer = await continueSession(context.accounts, refreshToken, { origin, arrivedMs })
      return { ...kept(cookies, answer), mfa_required: false }
    } catch (error) {
      // The session is over: its token would only be refused again.
      if (error instanceof ApiError && error.status === 401) cookies.clear()
      throw error
    }
  }),
  endpoint(ConsoleLogout, async ({ context, caller, http }) => {
    const cookies = cookiesOf(context, http)
    const answer = await logout(context.accounts, caller)
    cookies.clear()
    return answer
  }),
  endpoint(ConsoleLogoutAll, async ({ context, caller, http }) => {
    const cookies = cookiesOf(context, http)
    const answer = await logoutAll(context.accounts, caller)
    cookies.clear()
    return answer
  }),
]
