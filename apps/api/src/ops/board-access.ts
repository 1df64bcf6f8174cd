import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@memory/shared/catalogue/errors'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import { requirePlatformAdminOf, type TokenContext } from '../http/authenticate.ts'

/** With this challenge browsers ask for a name and a password, and send them with all further requests of the page. */
export const challenge = 'Basic realm="Memory Service", charset="UTF-8"'

/**
 * Checks whether a request to the page on the job queue comes from an operator: its password must be the token of this start,
 * or the access token of a platform admin. The user name is ignored.
 * @returns why it is refused; undefined when it is allowed
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
    // Every refusal becomes a 401, because only after a 401 do browsers ask for other credentials.
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
