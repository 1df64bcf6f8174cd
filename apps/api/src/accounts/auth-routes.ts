import { login } from '@memory/shared/accounts/login'
import { register } from '@memory/shared/accounts/register'
import { Login, Register } from '@memory/shared/accounts/schema'
import { endpoint } from '../http/endpoint.ts'

export const authRoutes = [
  endpoint(Register, ({ context, body, origin }) => register(context.accounts, body, origin)),
  endpoint(Login, ({ context, body, origin }) => login(context.accounts, body, origin)),
]
