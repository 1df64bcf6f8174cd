import { MemoryClient } from 'memory-service-sdk'
import { apiUrl } from './page-address.ts'
import { renewOf, session } from './session.ts'

/** Which organization and space a page is about, as its address says. */
export interface Place {
  /** The oldest membership's unless said. */
  org?: string | undefined
  space?: 'test' | undefined
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
