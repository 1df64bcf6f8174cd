import {
  AbortedError,
  type ApiError,
  apiErrorOf,
  ConnectionError,
  detailOf,
  MemoryError,
  TimeoutError,
  type ValidationIssue,
} from './errors.ts'
import { readRetryAfter } from './retry.ts'
import { requireWhole } from './sendable.ts'

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Attempt {
  fetch: Fetch
  url: string
  method: string
  /** The address without what callers gave, for messages: these go into logs, where no id or filter should. */
  place: string
  /** In the order in which they are set: of several of one name the last holds. */
  headers: Record<string, string>[]
  body: string | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** An answer read to its end: what was wanted of a success, or what any other status means. */
export type Answer<Body> = { status: number; headers: Headers } & (
  | { body: Body; error?: never }
  | { error: ApiError }
)

/** @param goOn gives what is still to come the whole time limit once more */
export type Read<Body> = (response: Response, goOn: () => void) => Promise<Body>

/**
 * Sends a request once.
 * @param read what is wanted of the body of a success
 * @throws ConnectionError, TimeoutError, AbortedError without a whole answer; TypeError for a header that can't be sent
 */
export async function attempt<Body>(
  { fetch, url, method, place, headers, body, timeoutMs, signal }: Attempt,
  read: Read<Body>,
): Promise<Answer<Body>> {
  // Before anything else: a header that can't be sent is the caller's mistake, and no fault of the connection.
  const sent = new Headers()
  for (const [name, value] of headers.flatMap(Object.entries<unknown>)) {
    if (typeof value !== 'string')
      throw new TypeError(`The header ${name} is ${value}, and should be a string`)
    requireWhole(value, `The header ${name}`)
    // Not in the words of fetch, which show the value. An actor or key without its white space would be another one.
    if (changedByHttp.test(value))
      throw new TypeError(`The header ${name} has a line break in it, or white space at its ends`)
    sent.set(name, asBytes(value))
  }
  // One of its own: joined signals would stay registered with a long-lived one.
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  let isLate = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        isLate = true
        controller.abort()
      },
      Math.min(timeoutMs, longestTimerMs),
    )
  }
  watch()
  let began = false
  try {
    const response = await fetch(url, {
      method,
      headers: sent,
      // fetch would carry X-API-Key along to wherever a redirect points.
      redirect: 'manual',
      signal: controller.signal,
      ...(body === undefined ? {} : { body }),
    })
    began = true
    const { status, headers: answered } = response
    return response.ok
      ? { status, headers: answered, body: await read(response, watch) }
      : { status, headers: answered, error: await readError(response, controller.signal) }
  } catch (cause) {
    if (signal?.aborted) throw new AbortedError('The call was aborted', { cause: signal.reason })
    const what = `${method} ${place}`
    if (isLate) throw new TimeoutError(`No whole answer to ${what} within ${timeoutMs} ms`, { cause })
    if (cause instanceof MemoryError) throw cause
    if (isLateForNode(cause))
      throw new TimeoutError(`No whole answer to ${what} within the time limit of fetch`, { cause })
    throw new ConnectionError(
      began ? `The connection broke in the middle of the answer to ${what}` : `No connection for ${what}`,
      { cause },
    )
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** What HTTP would leave out of a header's value, and what it does not have. */
const changedByHttp = /^[\t ]|[\t ]$|[\0\r\n]/

/** A timer that is longer, such as one without an end, would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Whether the `fetch` of Node has ended a request that its own time limits have run out for, which no option of a request changes. */
function isLateForNode(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: unknown }
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
}

/** A header's value as its bytes in UTF-8: `fetch` takes characters for bytes, and refuses those beyond 255. */
function asBytes(value: string): string {
  const bytes = new TextEncoder().encode(value)
  return bytes.length === value.length ? value : String.fromCharCode(...bytes)
}

async function readError(response: Response, signal: AbortSignal): Promise<ApiError> {
  const { status, headers } = response
  const text = await response.text().catch((error: unknown) => {
    // The status is known: a body that breaks off changes nothing.
    if (signal.aborted) throw error
    return ''
  })
  const { detail, issues } = readDetail(text)
  return apiErrorOf({
    status,
    detail: detail || withoutDetail(response),
    issues,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterS: readRetryAfter(headers.get('retry-after'), Date.now()),
  })
}

/** A browser hides where a redirect leads to. */
function withoutDetail({ type, status, statusText, headers }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    // Without what follows the service's own address: ids and filters are in it, and errors go into logs.
    const address = headers.get('location')?.replace(/(?:\/v1\/|[?#]).*$/s, '')
    return `Redirected to ${address ?? 'another address'}, which baseUrl should name`
  }
  return statusText || `Status ${status} without a reason`
}

function readDetail(text: string): { detail?: string; issues: ValidationIssue[] } {
  let detail: unknown
  try {
    detail = (JSON.parse(text) as { detail?: unknown } | null)?.detail
  } catch {
    // A proxy's page.
  }
  if (typeof detail === 'string') return { detail, issues: [] }
  if (!Array.isArray(detail)) return { issues: [] }
  const issues = detail.filter(isIssue)
  return { detail: detailOf(issues), issues }
}

function isIssue(entry: unknown): entry is ValidationIssue {
  return Array.isArray((entry as ValidationIssue | null)?.loc)
}
