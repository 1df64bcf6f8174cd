import { ApiError, ConnectionError, InvalidAnswerError, TimeoutError } from 'memory-service-sdk'
import { RefusedError } from './options.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: { detail: string | readonly object[] }
}

/** What the service calls the fields of the endpoints. */
const fieldNames: Readonly<Record<string, string>> = { text: 'content', texts: 'topics' }

/**
 * How an error is answered: what the service refused as the service said it, in the words of the endpoints.
 * @returns undefined for errors of the application's own
 */
export function errorAnswerOf(error: unknown): ErrorAnswer | undefined {
  if (error instanceof RefusedError) return plain(error.status, error.detail)
  if (error instanceof TimeoutError) return plain(504, 'The memory service did not answer in time')
  if (error instanceof ConnectionError || error instanceof InvalidAnswerError) {
    return plain(502, 'The memory service can not be reached')
  }
  if (!(error instanceof ApiError)) return undefined
  const { status, detail, issues, retryAfterS, requestId } = error
  const renamed = issues.map((issue) => ({
    ...issue,
    loc: issue.loc?.map((part, at) => (at === 1 ? (fieldNames[part] ?? part) : part)),
  }))
  return {
    status,
    headers: {
      ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
      ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
    },
    body: { detail: renamed.length > 0 ? renamed : detail },
  }
}

const plain = (status: number, detail: string | readonly object[]): ErrorAnswer => ({
  status,
  headers: {},
  body: { detail },
})
