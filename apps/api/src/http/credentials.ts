import { ClientTokens } from '@memory/identity/clients/client-tokens'
import { hashApiKey, isApiKey, keyMark } from '@memory/identity/keys/api-key'
import { SubjectTokens } from '@memory/identity/tokens/subject-tokens'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request } from 'express'
import { isForMcp } from './mcp/own-requests.ts'

/** The credentials that a request presents. */
export type Credentials =
  | {
      kind: 'key'
      /** The hash of the key, in hex. */
      keyHash: string
    }
  | { kind: 'token'; token: string }
  /** A token that an organization made for one of its end users. */
  | { kind: 'subject'; token: string }
  /** An OAuth token of a program that a user has given access. */
  | { kind: 'client'; token: string }

/**
 * Reads the credentials from the headers: `X-API-Key`, or else a bearer token, which may be an API key too.
 * @throws ApiError not_authenticated when there are none, or when the URL contains an API key as well; invalid_api_key for
 *   text that does not have the form of a key; invalid_token for a program's token outside of MCP
 */
export function readCredentials(req: Request): Credentials {
  const credentials = readHeaders(req)
  if (hasKeyInAddress(req)) throw new ApiError('not_authenticated', { detail: keyInAddress })
  return credentials
}

const keyInAddress =
  'An API key in the address is refused, because addresses are logged: send it in X-API-Key, and make another in its place'

/** Whether any parameter in the URL's query is an API key. */
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
    // These tokens are only for the MCP server and the requests that it makes on their behalf.
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

/** A text that identifies credentials: different credentials have different texts. */
export const nameOf = (credentials: Credentials): string =>
  credentials.kind === 'key' ? credentials.keyHash : credentials.token
