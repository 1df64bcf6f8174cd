import { apiErrorOf, ConnectionError, type ValidationIssue } from 'memory-service-sdk'
import { apiUrl } from './page-address.ts'

/** What a sign-in answers: the refresh token is in a cookie that no script can read. */
export interface SignedIn {
  access_token: string | null
  mfa_required?: boolean
  mfa_token?: string
}

/** The cookie by which this page proves that a request is its own. Ports share cookies, so that it names its own. */
const csrfCookie =
  location.protocol === 'https:' ? '__Host-memory-csrf' : `memory-csrf-${location.port || '80'}`

/** There is one exactly where there is a session to go on with. */
export function csrfToken(): string | undefined {
  const cookie = document.cookie.split(/; */).find((each) => each.startsWith(`${csrfCookie}=`))
  return cookie?.slice(csrfCookie.length + 1) || undefined
}

/** As the client's: a page that renews its session holds all its other requests back until then. */
const timeoutMs = 60_000

interface Options {
  body?: object
  accessToken?: string | undefined
}

/** Asks one of the console's own endpoints, which know its cookies. @throws ApiError, ConnectionError */
export async function postSession<Answer>(
  name: 'login' | 'mfa' | 'register' | 'link' | 'refresh' | 'logout' | 'logout-all',
  { body, accessToken }: Options = {},
): Promise<Answer> {
  const { response, text } = await send(name, body, {
    'X-CSRF-Token': csrfToken() ?? '',
    Prefer: 'handling=strict',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
  })
  if (!response.ok) throw errorOf(response, text)
  return JSON.parse(text) as Answer
}

async function send(name: string, body: object | undefined, headers: Record<string, string>) {
  try {
    const response = await fetch(`${apiUrl}/console/session/${name}`, {
      method: 'POST',
      // Its cookie is for the pages that come after this one, too.
      keepalive: true,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { response, text: await response.text() }
  } catch (cause) {
    throw new ConnectionError(`No connection for ${name}`, { cause })
  }
}

function errorOf({ status, statusText, headers }: Response, text: string) {
  const { detail } = readJson(text)
  const issues = Array.isArray(detail) ? (detail as ValidationIssue[]) : []
  const waiting = headers.get('retry-after')
  return apiErrorOf({
    status,
    detail: typeof detail === 'string' ? detail : issues.map(({ msg }) => msg).join('; ') || statusText,
    issues,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterS: waiting === null ? undefined : Number(waiting),
  })
}

function readJson(text: string): { detail?: unknown } {
  try {
    return JSON.parse(text) as { detail?: unknown }
  } catch {
    return {}
  }
}
