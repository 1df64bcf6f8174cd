import { createRouter } from '@tanstack/react-router'
import { Failure } from './frame/failure.tsx'
import { focusPage } from './frame/kept-focus.ts'
import { Waiting } from './parts/waiting.tsx'
import { enginePages } from './routes/engine.ts'
import { inside } from './routes/inside.ts'
import { memoryPages } from './routes/memory.ts'
import { operatorPages } from './routes/operators.ts'
import { organizationPages } from './routes/organization.ts'
import { outside } from './routes/outside.ts'
import { personPages } from './routes/person.ts'
import { root } from './routes/root.ts'
import { consolePath } from './session/page-address.ts'

export const router = createRouter({
  basepath: consolePath,
  routeTree: root.addChildren([
    ...outside,
    inside.addChildren([...memoryPages, ...enginePages, ...organizationPages, ...personPages, operatorPages]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Failure,
})

// In whichever frame a page is.
router.subscribe('onRendered', focusPage)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
