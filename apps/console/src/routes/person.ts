import { createRoute } from '@tanstack/react-router'
import { within } from './inside.ts'
import { lazyPage } from './lazy-page.ts'

const account = createRoute({
  ...within('account'),
  component: lazyPage(() => import('../pages/person/account.tsx'), 'Account'),
})

const sessions = createRoute({
  ...within('sessions'),
  component: lazyPage(() => import('../pages/person/sessions.tsx'), 'Sessions'),
})

/** What belongs to who is signed in. */
export const personPages = [account, sessions] as const
