import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { deepEqual, useRouter } from '@tanstack/react-router'

/**
 * Goes where a search leads, and asks these queries again where that is the page that is shown: the address stays as it is,
 * and what was answered before would stay too.
 */
export function useAsking(...keys: QueryKey[]): (go: () => Promise<void>) => Promise<void> {
  const router = useRouter()
  const client = useQueryClient()
  const shown = () => {
    const page = router.state.matches.at(-1)
    return [page?.pathname, page?.search]
  }
  return async (go) => {
    const before = shown()
    await go()
    if (!deepEqual(before, shown())) return
    // What is on its way answers this too: another question would take as much again of a quota.
    const asked = keys.map((queryKey) =>
      client.refetchQueries({ queryKey, type: 'active' }, { cancelRefetch: false }),
    )
    await Promise.all(asked)
  }
}
