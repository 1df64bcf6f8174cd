import { changeProfile, getProfile } from '@memory/identity/accounts/profile'
import { changePassword } from '@memory/identity/accounts/profile-password'
import { ChangePassword, ChangeProfile, GetProfile } from '@memory/identity/accounts/profile-schema'
import { endpoint } from '../http/endpoint.ts'

export const userRoutes = [
  endpoint(GetProfile, ({ context, caller }) => getProfile(context.accounts, caller)),
  endpoint(ChangeProfile, ({ context, caller, body }) => changeProfile(context.accounts, caller, body)),
  endpoint(ChangePassword, ({ context, caller, body }) => changePassword(context.accounts, caller, body)),
]
