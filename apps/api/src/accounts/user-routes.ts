import { changeProfile, getProfile } from '@memory/shared/accounts/profile'
import { changePassword } from '@memory/shared/accounts/profile-password'
import { ChangePassword, ChangeProfile, GetProfile } from '@memory/shared/accounts/profile-schema'
import { endpoint } from '../http/endpoint.ts'

export const userRoutes = [
  endpoint(GetProfile, ({ context, caller }) => getProfile(context.accounts, caller)),
  endpoint(ChangeProfile, ({ context, caller, body }) => changeProfile(context.accounts, caller, body)),
  endpoint(ChangePassword, ({ context, caller, body }) => changePassword(context.accounts, caller, body)),
]
