import { useEffect, useState } from 'react'

/**
 * The token that the page's address ends in, as mails have it. It is taken out of the address at once, so that it stays
 * in no history.
 */
export function useLinkToken(): string | undefined {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined)
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search)
  // Another link that is opened in the same tab changes the end of the address alone: the page begins anew with it.
  useEffect(() => {
    const begin = () => location.reload()
    addEventListener('hashchange', begin)
    return () => removeEventListener('hashchange', begin)
  }, [])
  return token
}
