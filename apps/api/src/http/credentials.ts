import { ClientTokens } from '@memory/identity/clients/client-tokens'
import { hashApiKey, isApiKey, keyMark } from '@memory/identity/keys/api-key'
import { SubjectTokens } from '@memory/identity/tokens/subject-tokens'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request } from 'express'
import { isForMcp } from './mcp/own-requests.ts'

/** What a request presents to say who sends it. */
export type Credentials =
  | {
      kind: 'key'
      /** Hex. */
      keyHash: string
    }
  | { kind: 'token'; token: string }
  /** A token for an end user. */
  | { kind: 'subject'; token: string }
  /** A token of a program that a user has let in. */
  | { kind: 'client'; token: string }

/**
 * Reads an API key, which may also come as a bearer token, or an access token; the key in its own header, where there are
 * both.
 * @throws ApiError not_authenticated when the request presents nothing, or a key in its address beside it; invalid_api_key for
 *   what can be no key.
 */
export function readCredentials(req: Request): Credentials {
  const credentials = readHeaders(req)
  if (hasKeyInAddress(req)) throw new ApiError('not_authenticated', { detail: keyInAddress })
  return credentials
}

const keyInAddress =
  'An API key in the address is refused, because addresses are logged: send it in X-API-Key, and make another in its place'

/** Whether a value in the address is a key, whatever its name. */
function hasKeyInAddress({ url }: Request): boolean {
  const start = url.indexOf('?')
  return start >= 0 && [...new URLSearchParams(url.slice(start)).values()].some(isApiKey)
}

function readHeaders(req: Request): Credentials {
  const apiKey = req.headers['x-api-key']
  if (typeof apiKey === 'string' && apiKey !== '') return keyOf(apiKey)
  const [, token] = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '') ?? []
  if (token === undefined) throw new ApiError('not_authenticated')
  if (token.startsWith(keyMark)) return keyOf(token)
  if (ClientTokens.isOne(token)) {
    // They are for the MCP server, and what it asks in their name.
    if (!isForMcp(req)) throw new ApiError('invalid_token')
    return { kind: 'client', token }
  }
  return { kind: SubjectTokens.isOne(token) ? 'subject' : 'token', token }
}

/** @throws ApiError invalid_api_key */
function keyOf(apiKey: string): Credentials {
  if (!isApiKey(apiKey)) throw new ApiError('invalid_api_key')
  return { kind: 'key', keyHash: hashApiKey(apiKey) }
}

/** Names credentials: equal for equal ones alone. */
export const nameOf = (credentials: Credentials): string =>
  credentials.kind === 'key' ? credentials.keyHash : credentials.token
