import {
  ApiError,
  ConnectionError,
  InvalidAnswerError,
  TimeoutError,
  type ValidationIssue,
} from 'memory-service-sdk'
import { RefusedError } from './options.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: { detail: string | readonly object[] }
}

/** What the service calls the fields of the endpoints. */
const fieldNames: Readonly<Record<string, string>> = { text: 'content', texts: 'topics' }

/**
 * Fields that go to the service as they were sent, by its names. The others have what the hooks of the application say in
 * them: `metadata` the scope, `filter` and `subject` nothing else.
 */
const sentFields = new Set<unknown>([
  'text',
  'query',
  'top_k',
  'texts',
  'category',
  'threshold',
  'guard',
  'dry_run',
])

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
  const renamed = issues.map(({ input, ...issue }) => ({
    ...issue,
    loc: issue.loc.map((part, at) => (at === 1 ? (fieldNames[part] ?? part) : part)),
    ...(isOfSentField(issue) ? { input } : {}),
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

/** Whether the input of an issue was sent as it is: that of a field which is missing is the object around it. */
const isOfSentField = ({ type, loc }: Pick<ValidationIssue, 'type' | 'loc'>): boolean =>
  sentFields.has((type === 'missing' ? loc.slice(0, -1) : loc)[1])

const plain = (status: number, detail: string | readonly object[]): ErrorAnswer => ({
  status,
  headers: {},
  body: { detail },
})
