import { setTimeout as sleep } from 'node:timers/promises'
import { JsonText, toJsonText } from '@memory/shared/catalogue/json-text'
import { Failure } from './command.ts'
import { type Connection, keyPrefix } from './connection.ts'
import { duration } from './format.ts'

export type Metadata = Record<string, unknown>

export interface StoreItem {
  text: string
  metadata?: Metadata | null
  occurred_at?: string | null
  expires_at?: string | null
}

export interface BatchStored {
  stored: number
  failed: number
  /** The service had stored this batch before and repeats its first answer. */
  replayed: boolean
}

export interface Retrieved {
  results: { text: string; metadata: Metadata; similarity: number; pattern_id: string }[]
  latency_ms: number
}

export interface ListedPattern {
  pattern_id: string
  pattern_idx: number
  /** null for a vector pattern. */
  text: string | null
  metadata: Metadata | null
  created_at: string
  occurred_at?: string | null
  expires_at?: string | null
}

export interface PatternPage {
  patterns: ListedPattern[]
  next_cursor: string | null
}

export interface ForgetRequest {
  query?: string
  filter?: Metadata
  threshold?: number
  dry_run?: boolean
}

/** One entry of a 422's `detail`. */
export interface ValidationIssue {
  loc: (string | number)[]
  msg: string
}

/** An answer of the service that is no success. */
export class ServiceError extends Failure {
  override name = 'ServiceError'
  readonly status: number
  readonly issues: readonly ValidationIssue[]

  constructor(status: number, message: string, issues: readonly ValidationIssue[] = []) {
    super(message)
    this.status = status
    this.issues = issues
  }
}

interface Call {
  /** A value, or a `JsonText` that is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export interface ClientOptions {
  connection: Connection
  /** Hears of each wait before a retry. */
  onRetry?: (reason: string) => void
  wait?: (ms: number) => Promise<unknown>
}

const retryDelaysMs = [1_000, 2_000, 4_000]
const retriedStatuses = new Set([429, 500, 502, 503])
/** A longer wait is for the person to decide on. */
const retryAfterSecondsMax = 10

/** The service's HTTP API, as far as the commands use it. */
export class MemoryClient {
  readonly connection: Connection
  onRetry: (reason: string) => void
  readonly #wait: (ms: number) => Promise<unknown>

  constructor({ connection, onRetry, wait }: ClientOptions) {
    this.connection = connection
    this.onRetry = onRetry ?? (() => {})
    this.#wait = wait ?? sleep
  }

  batchStore(items: readonly StoreItem[], idempotencyKey: string): Promise<BatchStored> {
    return this.batchStoreJson('/v1/memory/text/batch-store', JSON.stringify({ items }), idempotencyKey)
  }

  /**
   * Stores what is JSON already.
   * @param idempotencyKey makes repeating the call harmless: within 24 hours the service stores its items once
   */
  async batchStoreJson(path: string, json: string, idempotencyKey: string): Promise<BatchStored> {
    const response = await this.#send('POST', path, {
      body: new JsonText(json),
      headers: { 'Idempotency-Key': idempotencyKey },
    })
    const answer = await this.#json<Omit<BatchStored, 'replayed'>>(response)
    return { ...answer, replayed: response.headers.get('idempotent-replay') === 'true' }
  }

  retrieve(body: { query: string; top_k?: number; filter?: Metadata }): Promise<Retrieved> {
    return this.#call('POST', '/v1/memory/text/retrieve', { body })
  }

  stats(): Promise<{ total_patterns: number; embedding_dim: number; storage_bytes: number }> {
    return this.#call('GET', '/v1/memory/text/stats')
  }

  forget(body: ForgetRequest): Promise<{ forgotten: number; pattern_ids: string[] }> {
    return this.#call('DELETE', '/v1/memory/text/forget', { body })
  }

  listPatterns(query: { cursor?: string | undefined; limit: number }): Promise<PatternPage> {
    const parameters = new URLSearchParams({ limit: String(query.limit) })
    if (query.cursor !== undefined) parameters.set('cursor', query.cursor)
    return this.#call('GET', `/v1/memory/patterns?${parameters}`)
  }

  async #call<Answer>(method: string, path: string, call: Call = {}): Promise<Answer> {
    return this.#json<Answer>(await this.#send(method, path, call))
  }

  /** Sends until the answer is a success, no retry can help, or the three retries are spent. */
  async #send(method: string, path: string, call: Call): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.#fetch(method, path, call)
      if (response.ok) return response
      const delayMs = retryDelaysMs[attempt]
      const waitSeconds = retryAfterSeconds(response)
      const retry = retriedStatuses.has(response.status) && waitSeconds <= retryAfterSecondsMax
      if (!retry || delayMs === undefined) throw await this.#error(response, waitSeconds)
      await response.body?.cancel()
      const waitMs = Math.max(delayMs, waitSeconds * 1_000)
      this.onRetry(`The service answered ${response.status}; trying again in ${duration(waitMs / 1_000)}.`)
      await this.#wait(waitMs)
    }
  }

  async #fetch(method: string, path: string, { body, headers }: Call): Promise<Response> {
    const { url, key } = this.connection
    try {
      return await fetch(url + path, {
        method,
        // fetch would carry X-API-Key along to wherever a redirect points.
        redirect: 'manual',
        headers: {
          'X-API-Key': key,
          Prefer: 'handling=strict',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: toJsonText(body) }),
      })
    } catch (cause) {
      throw new Failure(this.#unreachable(cause), { cause })
    }
  }

  #unreachable(cause: unknown): string {
    const { url } = this.connection
    const code = (cause as { cause?: { code?: string } }).cause?.code
    if (code === undefined || code === 'ECONNREFUSED') {
      return `The service does not answer at ${url}: start it with \`npm start\`, or give its address with --url.`
    }
    return `The connection to the service at ${url} failed (${code}).`
  }

  async #json<Answer>(response: Response): Promise<Answer> {
    try {
      return (await response.json()) as Answer
    } catch (cause) {
      throw new Failure(
        `The answer from ${this.connection.url} is no complete JSON: is it a Memory Service?`,
        {
          cause,
        },
      )
    }
  }

  async #error(response: Response, waitSeconds: number): Promise<ServiceError> {
    const { status } = response
    const { url, key, keySource } = this.connection
    const body = (await response.json().catch(() => null)) as { detail?: unknown } | null
    const detail = body?.detail
    if (Array.isArray(detail)) {
      const issues = detail as ValidationIssue[]
      const reasons = issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
      return new ServiceError(status, `The service refused the request: ${reasons}.`, issues)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      return new ServiceError(status, `${url} redirects to ${location}: give that address with --url.`)
    }
    const reason = typeof detail === 'string' ? detail : `status ${status} without a reason`
    if (status === 401) {
      return new ServiceError(
        status,
        `The service refused the API key ${keyPrefix(key)} (from ${keySource}): ${reason}.`,
      )
    }
    const wait = waitSeconds > 0 ? ` It asks to wait ${duration(waitSeconds)}.` : ''
    return new ServiceError(status, `The service answered ${status}: ${reason}.${wait}`)
  }
}

/** Seconds of a Retry-After header, which is a number or a date; 0 without one. */
function retryAfterSeconds(response: Response): number {
  const text = response.headers.get('retry-after')
  if (text === null) return 0
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}
