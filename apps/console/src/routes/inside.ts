import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Waiting } from '../parts/waiting.tsx'
import { beginSession, session } from '../session/session.ts'
import { root } from './root.ts'

/** What is there only for who is signed in; who is not comes back to it after. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    await beginSession()
    if (session.accessToken === undefined) {
      throw redirect({ to: '/sign-in', search: { to: location.href, ended: session.ended } })
    }
  },
  pendingComponent: Waiting,
  component: lazyRouteComponent(() => import('../frame/shell.tsx'), 'Shell'),
})

export const within = <Name extends string>(path: Name) => ({ getParentRoute: () => inside, path }) as const
