import { disableMfa, enableMfa, setUpMfa, verifyMfa } from '@memory/identity/accounts/mfa/enrol'
import { mfaLogin } from '@memory/identity/accounts/mfa/mfa-login'
import { DisableMfa, EnableMfa, MfaLogin, SetUpMfa, VerifyMfa } from '@memory/identity/accounts/mfa/schema'
import { endpoint } from '../http/endpoint.ts'

export const mfaRoutes = [
  endpoint(EnableMfa, ({ context, caller }) => enableMfa(context.accounts, caller)),
  endpoint(SetUpMfa, ({ context, caller }) => setUpMfa(context.accounts, caller)),
  endpoint(VerifyMfa, ({ context, caller, body }) => verifyMfa(context.accounts, caller, body.code)),
  endpoint(MfaLogin, ({ context, body, origin }) => mfaLogin(context.accounts, body, origin)),
  endpoint(DisableMfa, ({ context, caller, body }) => disableMfa(context.accounts, caller, body)),
]
