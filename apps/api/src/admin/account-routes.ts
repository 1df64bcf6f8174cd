import { RestoreAccount } from '@memory/identity/accounts/lifecycle-schema'
import { restoreAccount } from '@memory/identity/accounts/restore-account'
import { endpoint } from '../http/endpoint.ts'

export const accountRoutes = [
  endpoint(RestoreAccount, ({ context, caller, params }) =>
    restoreAccount(context.accounts, caller, params.user_id),
  ),
]
