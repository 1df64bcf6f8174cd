import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@memory/shared/catalogue/errors'
import { requirePlatformAdminOf, type TokenContext } from '../http/authenticate.ts'
import { isSameSecret } from './same-secret.ts'

/** Browsers ask for a name and a password by themselves, and send them with each request of the page. */
export const challenge = 'Basic realm="Memory Service", charset="UTF-8"'

/**
 * Whether a request to the page on the job queue comes from an operator: its password is the token of this start, or
 * the access token of a platform admin. The name counts for nothing.
 * @returns why not; undefined when it does
 */
export async function refusalOf(
  context: TokenContext,
  token: string,
  req: IncomingMessage,
): Promise<string | undefined> {
  const password = passwordOf(req.headers.authorization)
  if (password === undefined) return 'Not authenticated'
  if (isSameSecret(password, token)) return undefined
  const origin = {
    requestId: randomUUID(),
    ip: req.socket.remoteAddress ?? null,
    userAgent: req.headers['user-agent'] ?? null,
    isLocal: false,
  }
  try {
    await requirePlatformAdminOf(context, password, origin)
    return undefined
  } catch (error) {
    // To a 403 no browser would ask for other credentials.
    if (error instanceof ApiError && error.status < 500) return error.detail
    throw error
  }
}

/** Reads the password of HTTP Basic (RFC 7617). */
function passwordOf(authorization = ''): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon === -1 ? undefined : pair.slice(colon + 1)
}
