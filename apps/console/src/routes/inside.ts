import { createRoute, redirect } from '@tanstack/react-router'
import { FailureAlone } from '../frame/failure.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { beginSession, session } from '../session/session.ts'
import { wayBack } from '../session/way-back.ts'
import { lazyPage } from './lazy-page.ts'
import { root } from './root.ts'

/** What is there only for who is signed in; who is not comes back to it after. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    await beginSession()
    if (session.accessToken === undefined) {
      throw redirect({ to: '/sign-in', search: { to: wayBack(location.href), ended: session.ended } })
    }
  },
  pendingComponent: Waiting,
  errorComponent: FailureAlone,
  component: lazyPage(() => import('../frame/shell.tsx'), 'Shell'),
})

export const within = <Name extends string>(path: Name) => ({ getParentRoute: () => inside, path }) as const
