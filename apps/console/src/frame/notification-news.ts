import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MemoryClient, NotificationEvent } from 'memory-service-sdk'
import { useEffect } from 'react'
import { useMemory } from '../parts/use-place.ts'

/** What one tab tells the others. */
interface News {
  /** The organization that it is about. */
  org: string
  event: NotificationEvent
}

const channelName = 'memory-notifications'

/**
 * Follows the notifications of an organization and tells the other tabs of it: browsers have but six connections to a service that
 * speaks HTTP/1.1, so one tab alone has the stream. Another one takes over when it is closed.
 */
async function lead(
  client: MemoryClient,
  { org, signal }: { org: string; signal: AbortSignal },
  hear: (event: NotificationEvent) => Promise<void>,
): Promise<void> {
  const others = new BroadcastChannel(channelName)
  try {
    for await (const event of client.notifications.stream({ signal })) {
      void hear(event)
      others.postMessage({ org, event } satisfies News)
    }
  } finally {
    others.close()
  }
}

/** Only pages over TLS or of the machine itself have locks; elsewhere each tab has a stream. */
function inTurn(org: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return work()
  return navigator.locks.request(`${channelName} ${org}`, { signal }, work)
}

/** Keeps what the pages show of notifications as it is in the service, without asking for it again and again. */
export function useNotificationNews(): void {
  const { client, place } = useMemory()
  const queryClient = useQueryClient()
  const org = place.org ?? ''
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const hear = async ({ event, data }: NotificationEvent) => {
      // What is being asked may have been answered before this happened, and would stand in its place.
      if (event === 'unread') {
        await queryClient.cancelQueries({ queryKey: ['unread', org] })
        queryClient.setQueryData(['unread', org], data.unread_count)
      }
      await queryClient.cancelQueries({ queryKey: ['notifications', org] })
      await queryClient.invalidateQueries({ queryKey: ['notifications', org] })
    }
    const others = new BroadcastChannel(channelName)
    others.onmessage = ({ data }: MessageEvent<News>) => {
      if (data.org === org) void hear(data.event)
    }
    // It ends with the page, or where nobody may listen; the lists are there all the same.
    inTurn(org, signal, () => lead(client, { org, signal }, hear)).catch(() => {})
    return () => {
      ending.abort()
      others.close()
    }
  }, [client, org, queryClient])
}

/** How many notifications are unread; undefined until that is known. */
export function useUnread(): number | undefined {
  const { client, place } = useMemory()
  const { data } = useQuery({
    queryKey: ['unread', place.org ?? ''],
    queryFn: async ({ signal }) =>
      (await client.notifications.list({ per_page: 1 }, { signal })).unread_count,
  })
  return data
}
