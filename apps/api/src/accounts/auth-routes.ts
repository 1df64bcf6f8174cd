import { login } from '@memory/identity/accounts/login'
import { logout, logoutAll } from '@memory/identity/accounts/logout'
import { refresh } from '@memory/identity/accounts/refresh'
import { register } from '@memory/identity/accounts/register'
import { forgotPassword, resetPassword } from '@memory/identity/accounts/reset-password'
import {
  ForgotPassword,
  Login,
  Logout,
  LogoutAll,
  Refresh,
  Register,
  ResendVerification,
  ResetPassword,
  VerifyEmail,
} from '@memory/identity/accounts/schema'
import { resendVerification, verifyEmail } from '@memory/identity/accounts/verification'
import { endpoint } from '../http/endpoint.ts'

export const authRoutes = [
  endpoint(Register, ({ context, body, origin }) => register(context.accounts, body, origin)),
  endpoint(VerifyEmail, ({ context, body, origin }) => verifyEmail(context.accounts, body.token, origin)),
  endpoint(ResendVerification, ({ context, body, origin }) =>
    resendVerification(context.accounts, body.email, origin),
  ),
  endpoint(Login, ({ context, body, origin }) => login(context.accounts, body, origin)),
  endpoint(Refresh, ({ context, body, origin, arrivedMs, afterAnswer }) =>
    refresh(context.accounts, body.refresh_token, { origin, arrivedMs, afterAnswer }),
  ),
  endpoint(Logout, ({ context, caller }) => logout(context.accounts, caller)),
  endpoint(LogoutAll, ({ context, caller }) => logoutAll(context.accounts, caller)),
  endpoint(ForgotPassword, ({ context, body, origin }) =>
    forgotPassword(context.accounts, body.email, origin),
  ),
  endpoint(ResetPassword, ({ context, body, origin }) => resetPassword(context.accounts, body, origin)),
]
