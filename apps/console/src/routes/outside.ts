import { createRoute } from '@tanstack/react-router'
import { FailureAlone } from '../frame/failure.tsx'
import type { Ended } from '../session/session.ts'
import { lazyPage } from './lazy-page.ts'
import { root, text } from './root.ts'

const page = <Name extends string>(path: Name) =>
  ({ getParentRoute: () => root, path, errorComponent: FailureAlone }) as const

const signIn = createRoute({
  ...page('sign-in'),
  validateSearch: ({ to, ended }: Record<string, unknown>): { to?: string; ended?: Ended } => ({
    to: text(to),
    ended: ended === 'signed-out' || ended === 'elsewhere' ? ended : undefined,
  }),
  component: lazyPage(() => import('../pages/outside/sign-in.tsx'), 'SignIn'),
})

const signUp = createRoute({
  ...page('sign-up'),
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => ({ to: text(to) }),
  component: lazyPage(() => import('../pages/outside/sign-up.tsx'), 'SignUp'),
})

const forgotPassword = createRoute({
  ...page('forgot-password'),
  component: lazyPage(() => import('../pages/outside/forgot-password.tsx'), 'ForgotPassword'),
})

const resetPassword = createRoute({
  ...page('reset-password'),
  component: lazyPage(() => import('../pages/outside/reset-password.tsx'), 'ResetPassword'),
})

const verifyEmail = createRoute({
  ...page('verify-email'),
  component: lazyPage(() => import('../pages/outside/verify-email.tsx'), 'VerifyEmail'),
})

const acceptInvitation = createRoute({
  ...page('accept-invitation'),
  component: lazyPage(() => import('../pages/outside/accept-invitation.tsx'), 'AcceptInvitation'),
})

const link = createRoute({
  ...page('link'),
  component: lazyPage(() => import('../pages/outside/link.tsx'), 'Link'),
})

/** For who need not be signed in. */
export const outside = [
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  verifyEmail,
  acceptInvitation,
  link,
] as const
