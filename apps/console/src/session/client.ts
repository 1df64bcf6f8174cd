import { errorDetails, type Fetch, MemoryClient } from 'memory-service-sdk'
import { apiUrl } from './page-address.ts'
import { endSession, renewOf, session } from './session.ts'

/** Which organization and space a page is about, as its address says. */
export interface Place {
  /** The oldest membership's unless said. */
  org?: string | undefined
  space?: 'test' | undefined
}

/** What the service says of a token that is good for nothing any more; it answers 401 to a wrong code too. */
const over: readonly unknown[] = [errorDetails.token_revoked, errorDetails.invalid_token]

/** Ends the session where the service refuses its token: that one of before is refused says nothing of it. */
const fetchInSession: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  const isOfSession = new Headers(init.headers).get('Authorization') === `Bearer ${session.accessToken}`
  if (response.status === 401 && isOfSession) {
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => null)
    if (over.includes((answer as { detail?: unknown } | null)?.detail)) endSession()
  }
  return response
}

const clients = new Map<string, MemoryClient>()

/** The client for a place; the tokens of all of them are the session's. */
export function clientOf({ org, space }: Place): MemoryClient {
  const { accessToken, user } = session
  const name = `${org} ${space} ${accessToken}`
  let client = clients.get(name)
  if (client === undefined) {
    // The others have tokens of before.
    for (const other of clients.keys()) if (!other.endsWith(` ${accessToken}`)) clients.delete(other)
    client = new MemoryClient({
      baseUrl: apiUrl,
      accessToken,
      fetch: fetchInSession,
      renew: () => renewOf(user),
      organizationId: org,
      environment: space ?? 'live',
    })
    clients.set(name, client)
  }
  return client
}

/** For what nobody needs to be signed in for. */
export const anonymous = new MemoryClient({ baseUrl: apiUrl })
