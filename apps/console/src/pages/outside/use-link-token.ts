import { useCallback, useEffect, useState } from 'react'
import { ifKept } from '../../parts/if-kept.ts'

const keptFor = () => `memory-link ${location.pathname}`

/** Of a link that was used, or is over. */
export function dropLinkToken(keptIn = keptFor()): void {
  ifKept(() => sessionStorage.removeItem(keptIn))
}

/** What was given now, else before. */
function keptOr(given: string | null, keptIn: string): string | undefined {
  if (given === null) return ifKept(() => sessionStorage.getItem(keptIn)) ?? undefined
  ifKept(() => sessionStorage.setItem(keptIn, given))
  return given
}

/**
 * The token that the page's address ends in, as mails have it. It is taken out of the address at once, so that it stays in no
 * history; this tab keeps it, for a page that is loaded again or come back to, until it is dropped.
 */
export function useLinkToken(): { token: string | undefined; drop: () => void } {
  const keptIn = keptFor()
  const [token] = useState(() => keptOr(new URLSearchParams(location.hash.slice(1)).get('token'), keptIn))
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  // Another link that is opened in the same tab changes the end of the address alone: the page begins anew with it.
  useEffect(() => {
    const begin = () => location.reload()
    addEventListener('hashchange', begin)
    return () => removeEventListener('hashchange', begin)
  }, [])
  const drop = useCallback(() => dropLinkToken(keptIn), [keptIn])
  return { token, drop }
}
