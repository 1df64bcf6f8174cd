import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { clientOf, type Place } from '../session/client.ts'
import { session } from '../session/session.ts'

/** The organization and space that the address names. */
export function usePlace(): Place {
  const search: Place = useRouterState({ select: ({ location }) => location.search })
  return { org: search.org, space: search.space }
}

/** The client for them, and what the answers it gives are kept under. */
export function useMemory() {
  const place = usePlace()
  useSyncExternalStore(session.subscribe, () => session.accessToken)
  return { client: clientOf(place), place, key: [place.org ?? '', place.space ?? 'live'] as const }
}

/** Goes to another organization or space, on the same page: where it was in a list says nothing there. */
export function useSwitchPlace(): (place: Place) => void {
  const navigate = useNavigate()
  return (place) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...place, cursor: undefined, page: undefined }),
    })
}
