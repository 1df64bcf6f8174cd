/** Every error that the API answers with `{detail}`: status and text. */
export const errors = {
  malformed_request: { status: 400, detail: 'Malformed HTTP request' },
  repeated_header: {
    status: 400,
    detail:
      'Authorization, Content-Type, Host, Idempotency-Key, Last-Event-ID, X-API-Key, X-Memory-Actor, X-Memory-Environment and X-Organization-Id may be sent once',
  },
  expectation_failed: { status: 417, detail: 'Expectation Failed' },
  malformed_content_type: { status: 400, detail: 'Content-Type must be application/json' },
  malformed_json: { status: 400, detail: 'Invalid JSON body' },
  not_authenticated: { status: 401, detail: 'Not authenticated' },
  invalid_api_key: { status: 401, detail: 'Invalid API key' },
  token_expired: { status: 401, detail: 'Token expired' },
  token_revoked: { status: 401, detail: 'Token revoked' },
  invalid_token: { status: 401, detail: 'Invalid token' },
  invalid_login: { status: 401, detail: 'Invalid email or password' },
  invalid_signature: { status: 401, detail: 'Invalid signature' },
  invalid_mfa_code: { status: 401, detail: 'Invalid MFA code' },
  user_token_required: { status: 403, detail: 'This endpoint requires a user access token' },
  organization_admin_required: { status: 403, detail: 'Organization admin required' },
  organization_owner_required: { status: 403, detail: 'Organization owner required' },
  platform_admin_required: { status: 403, detail: 'Platform admin required' },
  wrong_password: { status: 403, detail: 'Current password is incorrect' },
  account_deleted: { status: 403, detail: 'Account scheduled for deletion; contact support' },
  account_suspended: { status: 403, detail: 'Account suspended' },
  invitation_of_another: { status: 403, detail: 'The invitation is for another email address' },
  plan_exceeded: { status: 403, detail: 'The plan allows no more' },
  subject_bound: {
    status: 403,
    detail: 'This endpoint is not open to keys and tokens that are bound to a subject',
  },
  other_subject: { status: 403, detail: 'The key or token is bound to another subject' },
  foreign_origin: { status: 403, detail: 'Host or Origin is none of this service' },
  insufficient_scope: { status: 403, detail: 'Insufficient scope' },
  foreign_page: { status: 403, detail: 'The request comes from no page of this service' },
  not_found: { status: 404, detail: 'Not Found' },
  pattern_not_found: { status: 404, detail: 'Pattern not found' },
  subject_not_found: { status: 404, detail: 'Subject not found' },
  version_not_found: { status: 404, detail: 'Version not found' },
  conflict_not_found: { status: 404, detail: 'Conflict not found' },
  organization_not_found: { status: 404, detail: 'Organization not found' },
  user_not_found: { status: 404, detail: 'User not found' },
  member_not_found: { status: 404, detail: 'Member not found' },
  invitation_not_found: { status: 404, detail: 'Invitation not found' },
  api_key_not_found: { status: 404, detail: 'API key not found' },
  session_not_found: { status: 404, detail: 'Session not found' },
  export_not_found: { status: 404, detail: 'Export not found' },
  notification_not_found: { status: 404, detail: 'Notification not found' },
  webhook_not_found: { status: 404, detail: 'Webhook not found' },
  delivery_not_found: { status: 404, detail: 'Delivery not found' },
  job_not_found: { status: 404, detail: 'Job not found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  request_too_slow: { status: 408, detail: 'Request not received in time' },
  idempotent_twin_running: { status: 409, detail: 'A request with this Idempotency-Key is still running' },
  benchmark_running: { status: 409, detail: 'Benchmark already running' },
  consolidation_running: { status: 409, detail: 'Consolidation already running' },
  text_pattern: {
    status: 409,
    detail: 'Text patterns are updated through PATCH /v1/memory/patterns/{pattern_id}',
  },
  key_of_several_texts: {
    status: 409,
    detail: 'Several different texts have this key: delete them by their pattern_id',
  },
  external_id_exists: { status: 409, detail: 'external_id exists' },
  pattern_of_other_kind: {
    status: 409,
    detail: 'The external_id is that of a pattern of the other kind: texts replace texts, vectors vectors',
  },
  current_version: {
    status: 409,
    detail: 'The current version is not redacted: change or delete the pattern',
  },
  conflict_resolved: { status: 409, detail: 'Another resolution of the conflict is there already' },
  already_superseded: { status: 409, detail: 'The pattern is superseded by another one' },
  email_taken: { status: 409, detail: 'Email already registered' },
  refresh_in_progress: { status: 409, detail: 'Refresh already in progress' },
  mfa_enabled: { status: 409, detail: 'MFA is already enabled' },
  mfa_not_enabled: { status: 409, detail: 'MFA is not enabled' },
  mfa_not_enrolling: { status: 409, detail: 'MFA enrolment has not been started' },
  last_owner: { status: 409, detail: 'The last owner can neither leave nor be demoted' },
  already_member: { status: 409, detail: 'Already a member of this organization' },
  account_is_deleted: { status: 409, detail: 'The account is deleted: restore it first' },
  own_account: { status: 409, detail: 'Another platform admin has to do that with your own account' },
  account_not_deleted: { status: 409, detail: 'The account is not scheduled for deletion' },
  job_not_failed: { status: 409, detail: 'The job has not failed' },
  export_running: { status: 409, detail: 'An export is already being prepared' },
  export_not_ready: { status: 409, detail: 'The export is not ready yet' },
  webhooks_full: { status: 409, detail: 'An organization has at most 20 webhooks' },
  webhook_disabled: { status: 409, detail: 'The webhook is disabled' },
  version_mismatch: { status: 412, detail: 'The pattern has another version' },
  body_too_large: { status: 413, detail: 'Request body too large' },
  headers_too_large: { status: 431, detail: 'Request headers too large' },
  too_many_requests: { status: 429, detail: 'Too many requests at once' },
  streams_full: { status: 429, detail: 'Too many streams are open' },
  too_many_attempts: { status: 429, detail: 'Too many attempts' },
  query_limit_reached: { status: 429, detail: 'Daily query limit reached' },
  pattern_limit_reached: { status: 429, detail: 'Pattern storage limit reached' },
  abandoned: { status: 499, detail: 'Client closed the request' },
  internal: { status: 500, detail: 'Internal server error' },
  unavailable: { status: 503, detail: 'Service unavailable' },
} as const satisfies Record<string, { status: number; detail: string }>

/** More specific texts in place of an error's own, listed here so that the console can recognize and translate them. */
export const sharperDetails = {
  queue_redis_away:
    'The job queue does not answer: see whether the Redis that REDIS_URL names runs and can be reached',
  queue_database_away: 'The job queue does not answer; it is in the database, of which /readyz tells',
  subject_full: 'Pattern storage limit of the subject reached',
} as const

export type ErrorCode = keyof typeof errors

/** The seconds of `Retry-After` for `unavailable`, the same for all listeners of a process. */
export const unavailableRetryS = {
  /** The database can't be reached. */
  database: 2,
  /** This process is stopping, and others answer. */
  leaving: 1,
  /** Another process was started with another encoder, and answers. */
  superseded: 2,
} as const

/** What is left of the day's queries. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until all of `limit` are available again. */
  resetS: number
}

interface ApiErrorOptions {
  detail?: string
  retryAfterS?: number
  allowance?: Allowance | undefined
  cause?: unknown
}

/** An error to answer a request with. The caller sees `detail`; `cause` only goes to the log. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfterS: number | undefined
  /** The quota that did not suffice; undefined for other errors. */
  readonly allowance: Allowance | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const detail = options.detail ?? errors[code].detail
    super(detail, { cause: options.cause })
    this.code = code
    this.status = errors[code].status
    this.detail = detail
    this.retryAfterS = options.retryAfterS
    this.allowance = options.allowance
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

/** A request that is well formed but not valid: answered with 422 and one entry per field. */
export class ValidationError extends Error {
  override name = 'ValidationError'
  readonly entries: ValidationEntry[]

  constructor(entries: ValidationEntry[]) {
    super('The request is not valid')
    this.entries = entries
  }

  /**
   * The error for a value that breaks a rule, in the form of pydantic's validators.
   * @param input the value to show; by default what was sent at `loc` of the body
   * @param name the name of the rule, by which clients can translate the message
   */
  static rule(loc: (string | number)[], message: string, input?: unknown, name?: string): ValidationError {
    const ctx = name === undefined ? { error: {} } : { error: {}, rule: name }
    return new ValidationError([{ type: 'value_error', loc, msg: `Value error, ${message}`, input, ctx }])
  }
}
