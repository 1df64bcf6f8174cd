import '@mantine/core/styles.css'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showUnloaded } from './frame/unloaded.ts'
import { preferred, startI18n } from './i18n.ts'
import { queryClient, returnsAfterMs } from './queries.ts'
import { router } from './router.ts'
import { nonce } from './session/page-address.ts'
import { theme } from './theme.ts'

declare global {
  /** What libraries that make styles of their own put on them. */
  var __webpack_nonce__: string
}
globalThis.__webpack_nonce__ = nonce

/** What other pages are made of, while nobody waits: they then open without the service, or beside a newer one. */
function fetchOtherPages(): void {
  for (const { options } of Object.values(router.routesById)) void options.component?.preload?.()
}

/** A page tells by itself that the service is away. */
const onCaughtError = (error: unknown) => {
  if (returnsAfterMs(error) === undefined) console.error(error)
}

function show(root: HTMLElement): void {
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(fetchOtherPages)
  else setTimeout(fetchOtherPages, 1_000)
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console.')
await startI18n().then(
  () => show(root),
  () => showUnloaded(root, preferred()),
)
