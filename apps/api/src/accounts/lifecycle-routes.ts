import { deleteAccount } from '@memory/shared/accounts/delete-account'
import { DeleteAccount } from '@memory/shared/accounts/lifecycle-schema'
import { endpoint } from '../http/endpoint.ts'

export const lifecycleRoutes = [
  endpoint(DeleteAccount, ({ context, caller }) => deleteAccount(context.accounts, caller)),
]
