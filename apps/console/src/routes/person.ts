import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { within } from './inside.ts'

const account = createRoute({
  ...within('account'),
  component: lazyRouteComponent(() => import('../pages/person/account.tsx'), 'Account'),
})

const sessions = createRoute({
  ...within('sessions'),
  component: lazyRouteComponent(() => import('../pages/person/sessions.tsx'), 'Sessions'),
})

/** What belongs to who is signed in. */
export const personPages = [account, sessions] as const
