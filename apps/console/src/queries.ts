import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ConnectionError, ServerError, TimeoutError } from 'memory-service-sdk'
import { session } from './session/session.ts'

/** The client asks again by itself where that helps; here it is only asked whether the service is back. */
export const returnMs = 3_000

/** Whether the service was not reached, or did not answer in time. */
export const isConnectionError = (error: unknown) =>
  error instanceof ConnectionError || error instanceof TimeoutError

/** What a service, or a proxy before it, answers that is away for a while. */
const awayStatuses: readonly number[] = [502, 503, 504]

/** Whether the service is away, and after how long it is asked whether it is back; undefined for any other error. */
export function returnsAfterMs(error: unknown): number | undefined {
  if (error instanceof ServerError && awayStatuses.includes(error.status))
    return Math.max(returnMs, (error.retryAfterS ?? 0) * 1_000)
  return error instanceof ConnectionError ? returnMs : undefined
}

/** Asks again after `ms`, but for a service that is away, which is asked whether it is back. */
export const askingAgain = (error: Error | null, ms: number | false): number | false =>
  returnsAfterMs(error) ?? ms

/**
 * Gives up what is on its way before it asks anew for what a change has made another: a first answer that was asked for
 * before the change would else be taken for one after it. What is only asked when somebody says so goes on.
 */
class Queries extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    await this.cancelQueries({ ...filters, type: 'active' })
    await super.invalidateQueries(filters, options)
  }
}

/**
 * What is answered once more stays the same object, so that what is made of it is not made anew. The client's own way copies
 * what is another by assignment, which loses keys such as `__proto__`: a memory's metadata may have them.
 */
const sameOrNew = (before: unknown, now: unknown): unknown =>
  JSON.stringify(before) === JSON.stringify(now) ? before : now

export const queryClient = new Queries({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      structuralSharing: sameOrNew,
      refetchInterval: ({ state }) => askingAgain(state.error, false),
    },
    mutations: { networkMode: 'always' },
  },
})

let user: string | undefined
/**
 * What one user was answered is not for the next, whatever page is open when another signs in. What a page shows just then is
 * asked for anew: to take it out of the cache would leave the page waiting for ever.
 */
session.subscribe(() => {
  const [before, now] = [user, session.user]
  if (now === undefined || now === before) return
  user = now
  if (before === undefined) return
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
})

/**
 * For what each answer takes something of a quota: to look at the page again, or to come back to it, is no question, unless what
 * was answered has been changed from here since.
 */
export const onlyWhenAsked = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
