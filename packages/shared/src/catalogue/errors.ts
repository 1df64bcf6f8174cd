/** Every error that the API answers with `{detail}`: status and text. */
export const errors = {
  malformed_request: { status: 400, detail: 'Malformed HTTP request' },
  malformed_content_type: { status: 400, detail: 'Content-Type must be application/json' },
  malformed_json: { status: 400, detail: 'Invalid JSON body' },
  not_authenticated: { status: 401, detail: 'Not authenticated' },
  invalid_api_key: { status: 401, detail: 'Invalid API key' },
  insufficient_scope: { status: 403, detail: 'Insufficient scope' },
  not_found: { status: 404, detail: 'Not Found' },
  pattern_not_found: { status: 404, detail: 'Pattern not found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  request_too_slow: { status: 408, detail: 'Request not received in time' },
  idempotent_twin_running: { status: 409, detail: 'A request with this Idempotency-Key is still running' },
  benchmark_running: { status: 409, detail: 'Benchmark already running' },
  text_pattern: {
    status: 409,
    detail: 'Text patterns are updated through PATCH /v1/memory/patterns/{pattern_id}',
  },
  body_too_large: { status: 413, detail: 'Request body too large' },
  headers_too_large: { status: 431, detail: 'Request headers too large' },
  query_limit_reached: { status: 429, detail: 'Daily query limit reached' },
  pattern_limit_reached: { status: 429, detail: 'Pattern storage limit reached' },
  abandoned: { status: 499, detail: 'Client closed the request' },
  internal: { status: 500, detail: 'Internal server error' },
  unavailable: { status: 503, detail: 'Service unavailable' },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof errors

/** An error for the caller. `detail` reaches the caller, `cause` only the log. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, options: { detail?: string; retryAfterS?: number; cause?: unknown } = {}) {
    const detail = options.detail ?? errors[code].detail
    super(detail, { cause: options.cause })
    this.code = code
    this.status = errors[code].status
    this.detail = detail
    this.retryAfterS = options.retryAfterS
  }
}

/** One entry of a 422 answer, shaped like FastAPI's. */
export interface ValidationEntry {
  type: string
  loc: (string | number)[]
  msg: string
  input?: unknown
  ctx?: Record<string, unknown>
}

/** A request that is well formed but not valid: 422 with one entry a field. */
export class ValidationError extends Error {
  override name = 'ValidationError'
  readonly entries: ValidationEntry[]

  constructor(entries: ValidationEntry[]) {
    super('The request is not valid')
    this.entries = entries
  }

  /** A rule over a whole value, as pydantic's validators report it. */
  static rule(loc: (string | number)[], message: string, input: unknown): ValidationError {
    return new ValidationError([
      { type: 'value_error', loc, msg: `Value error, ${message}`, input, ctx: { error: {} } },
    ])
  }
}
