import { MfaLogin } from '@memory/identity/accounts/mfa/schema'
import { Login, Logout, LogoutAll, Refresh, Register, TokenResponse } from '@memory/identity/accounts/schema'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

// The console's own way to the sessions of the API: what a page may know of the answers of these operations, whose refresh
// token goes into a cookie that scripts can't read. They are not part of the API, and its description lacks them.

const signedIn = TokenResponse.omit({ refresh_token: true })

export const ConsoleLogin = operation({
  ...Login,
  id: 'consoleLogin',
  path: '/console/session/login',
  response: signedIn.meta({ id: 'ConsoleLoginResponse' }),
})

export const ConsoleMfaLogin = operation({
  ...MfaLogin,
  id: 'consoleMfaLogin',
  path: '/console/session/mfa',
  response: signedIn.meta({ id: 'ConsoleMfaLoginResponse' }),
})

export const ConsoleRegister = operation({
  ...Register,
  id: 'consoleRegister',
  path: '/console/session/register',
  response: z
    .object({ access_token: z.string(), message: z.string() })
    .meta({ id: 'ConsoleRegisterResponse' }),
})

export const ConsoleLink = operation({
  id: 'consoleLink',
  method: 'post',
  path: '/console/session/link',
  tag: Login.tag,
  summary: 'Sign in by the link that a local start printed',
  access: 'anyone',
  bodyBytes: limits.authBodyBytes,
  body: z.object({ token: f.plainString() }).meta({ id: 'ConsoleLinkRequest' }),
  response: signedIn
    .extend({
      local_key: z
        .object({
          key: z.string(),
          file: z.string(),
          organization_id: z.guid().meta({ description: 'Whose key it is.' }),
        })
        .nullable(),
    })
    .meta({ id: 'ConsoleLinkResponse' }),
  errors: ['invalid_token', 'account_deleted', 'account_suspended'],
})

export const ConsoleRefresh = operation({
  id: 'consoleRefresh',
  method: 'post',
  path: '/console/session/refresh',
  tag: Refresh.tag,
  summary: Refresh.summary,
  access: Refresh.access,
  response: signedIn.meta({ id: 'ConsoleRefreshResponse' }),
  errors: Refresh.errors,
})

export const ConsoleLogout = operation({ ...Logout, id: 'consoleLogout', path: '/console/session/logout' })

export const ConsoleLogoutAll = operation({
  ...LogoutAll,
  id: 'consoleLogoutAll',
  path: '/console/session/logout-all',
})
