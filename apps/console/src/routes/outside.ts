import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Ended } from '../session/session.ts'
import { root, text } from './root.ts'

const page = <Name extends string>(path: Name) => ({ getParentRoute: () => root, path }) as const

const signIn = createRoute({
  ...page('sign-in'),
  validateSearch: ({ to, ended }: Record<string, unknown>): { to?: string; ended?: Ended } => ({
    to: text(to),
    ended: ended === 'signed-out' || ended === 'elsewhere' ? ended : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/outside/sign-in.tsx'), 'SignIn'),
})

const signUp = createRoute({
  ...page('sign-up'),
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => ({ to: text(to) }),
  component: lazyRouteComponent(() => import('../pages/outside/sign-up.tsx'), 'SignUp'),
})

const forgotPassword = createRoute({
  ...page('forgot-password'),
  component: lazyRouteComponent(() => import('../pages/outside/forgot-password.tsx'), 'ForgotPassword'),
})

const resetPassword = createRoute({
  ...page('reset-password'),
  component: lazyRouteComponent(() => import('../pages/outside/reset-password.tsx'), 'ResetPassword'),
})

const verifyEmail = createRoute({
  ...page('verify-email'),
  component: lazyRouteComponent(() => import('../pages/outside/verify-email.tsx'), 'VerifyEmail'),
})

const acceptInvitation = createRoute({
  ...page('accept-invitation'),
  component: lazyRouteComponent(() => import('../pages/outside/accept-invitation.tsx'), 'AcceptInvitation'),
})

const link = createRoute({
  ...page('link'),
  component: lazyRouteComponent(() => import('../pages/outside/link.tsx'), 'Link'),
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
