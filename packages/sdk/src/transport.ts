import { type Answer, type Attempt, attempt, type Fetch, type Read } from './attempt.ts'
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidAnswerError,
  MemoryError,
  TimeoutError,
} from './errors.ts'
import { listRoutes, readingPosts, version } from './generated/facts.ts'
import type { CallOptions } from './operations.ts'
import {
  isLost,
  isPassing,
  maxRetriesDefault,
  pauseBefore,
  pauseWithoutAnswer,
  refusedStatus,
  wait,
} from './retry.ts'
import { Session, type Tokens } from './session.ts'
import {
  addressOf,
  apiKeyOfEnvironment,
  requireCredential,
  requireKnown,
  requireNumbers,
  requirePlaceOfKey,
  withoutKey,
} from './settings.ts'

export interface TransportOptions {
  /**
   * For servers and scripts: a key of an organization. Without it, tokens and `onTokens`, that of MEMORY_SERVICE_API_KEY in
   * the environment; null for none.
   */
  apiKey?: string | null | undefined
  /** For users: what signing in gave. */
  accessToken?: string | undefined
  /** Lets the client get a new access token when the old one has expired. It works once: see `onTokens`. */
  refreshToken?: string | undefined
  /**
   * Gets a new access token when there is none or the old one has expired; none where nobody is signed in. For pages whose
   * refresh token is in a cookie that scripts can't read.
   */
  renew?: (() => Promise<string | undefined>) | undefined
  /** Hears of new tokens, and of none after signing out, so that they can be kept. */
  onTokens?: ((tokens: Tokens) => void) | undefined
  /** Where the service is; MEMORY_SERVICE_URL of the environment or http://127.0.0.1:8000 unless said. */
  baseUrl?: string | undefined
  /** With an access token: the organization, else that of the oldest membership. A key is of one. */
  organizationId?: string | undefined
  /** With an access token: the space; live unless said. A key is of one: beside it another is refused. */
  environment?: 'live' | 'test' | undefined
  /**
   * Time limit of each attempt, in ms; 60,000 unless said. Of a file it is that of each wait, for it to begin or to go on. In Node the global `fetch` ends an attempt by itself when it has
   * waited 300 s for the answer to begin, or to go on: a longer limit needs a `fetch` of one's own.
   */
  timeoutMs?: number | undefined
  /** How often a call may be tried again; 3 unless said. */
  maxRetries?: number | undefined
  /** Headers of every request. */
  defaultHeaders?: Record<string, string> | undefined
  /** Hears of every request and what became of it, for a log: never a key, a text, an id or a query. */
  debug?: ((event: DebugEvent) => void) | undefined
  /** Instead of the global one. */
  fetch?: Fetch | undefined
  /** Waits between attempts, instead of a timer; for tests. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** Every option, by its name. */
const transportOptions: Readonly<Record<keyof TransportOptions, true>> = {
  apiKey: true,
  accessToken: true,
  refreshToken: true,
  renew: true,
  onTokens: true,
  baseUrl: true,
  organizationId: true,
  environment: true,
  timeoutMs: true,
  maxRetries: true,
  defaultHeaders: true,
  debug: true,
  fetch: true,
  wait: true,
}

/** One attempt of a call: `console.debug` can take it as it is. */
export type DebugEvent = {
  method: string
  /** As the API describes it, with names in place of ids. */
  path: string
  /** 1 for the first. */
  attempt: number
} & (
  | { event: 'request' }
  | { event: 'answer'; status: number; ms: number; requestId: string | undefined; retryInMs?: number }
  | { event: 'failure'; error: string; ms: number; retryInMs?: number }
)

/** A request as the groups make it. */
export interface Outgoing {
  method: string
  /** With its query. */
  path: string
  /** Without what callers gave. */
  template: string
  body?: string | undefined
  /** Makes it harmless to repeat; null of what nothing makes so. */
  idempotencyKey?: string | null | undefined
}

const timeoutMsDefault = 60_000

/** What a server may see of the runtime: browsers say who they are themselves, and ask the service whether others may. */
function userAgent(): Record<string, string> {
  const { userAgent: runtime } = (globalThis.navigator ?? {}) as { userAgent?: string }
  if (runtime?.startsWith('Mozilla/')) return {}
  return { 'User-Agent': [`memory-service-sdk/${version}`, ...(runtime ? [runtime] : [])].join(' ') }
}

/** Sends requests: credentials, time limits, retries as the API's guidance has them. */
export class Transport {
  readonly session: Session
  readonly #options: TransportOptions
  readonly #baseUrl: string
  readonly #fetch: Fetch
  readonly #wait: (ms: number, signal?: AbortSignal) => Promise<void>

  readonly #apiKey: string | undefined
  /** Whether tokens were given, or are expected. */
  readonly #isForUser: boolean
  /** Headers of every request, but for credentials. */
  readonly #own: Record<string, string>

  /**
   * @throws TypeError for options that there are not or that do not go together, a placeholder for a key, or a baseUrl or a
   * number that is none
   */
  constructor(options: TransportOptions) {
    requireKnown(options, transportOptions, 'MemoryClient')
    const { apiKey, accessToken, refreshToken, renew, onTokens } = options
    if (apiKey != null && (accessToken ?? refreshToken ?? renew) !== undefined) {
      throw new TypeError('Give an apiKey or tokens, not both')
    }
    for (const [name, given] of Object.entries({ apiKey, accessToken, refreshToken })) {
      if (given != null) requireCredential(name, given)
    }
    requireNumbers({ timeoutMs: options.timeoutMs, maxRetries: options.maxRetries })
    this.#isForUser = (accessToken ?? refreshToken ?? renew ?? onTokens) !== undefined
    this.#apiKey = apiKey === undefined && !this.#isForUser ? apiKeyOfEnvironment() : (apiKey ?? undefined)
    if (this.#apiKey !== undefined) requirePlaceOfKey(this.#apiKey, options)
    this.#options = options
    this.#own = {
      ...userAgent(),
      // A field that the service does not have, such as a misspelt filter, is refused instead of ignored.
      Prefer: 'handling=strict',
    }
    this.#baseUrl = addressOf(options.baseUrl)
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
    this.#wait = options.wait ?? wait
    const exchange = async (token: string | undefined): Promise<Tokens> =>
      token === undefined ? { accessToken: await renew?.(), refreshToken: undefined } : this.#refresh(token)
    this.session = new Session(
      { accessToken, refreshToken },
      { exchange, needsToken: renew === undefined },
      (tokens) => onTokens?.(tokens),
    )
  }

  /** What an operation answers. @throws MemoryError */
  async json<Body>(outgoing: Outgoing, options: CallOptions = {}): Promise<Body> {
    const bytes = await this.#send(outgoing, options, (response) => response.arrayBuffer())
    return parse(decoded(bytes), listRoutes.has(routeOf(outgoing)))
  }

  /** The bytes that an operation answers: a file, which may take longer than the time limit while more of it comes. @throws MemoryError */
  blob(outgoing: Outgoing, options: CallOptions = {}): Promise<Blob> {
    return this.#send(outgoing, options, (response, goOn) => {
      const { body, headers } = response
      // Of a `fetch` that was given, it may be no stream of the web.
      if (typeof body?.pipeThrough !== 'function') return response.blob()
      const transform = (piece: Uint8Array, coming: TransformStreamDefaultController<Uint8Array>) => {
        goOn()
        coming.enqueue(piece)
      }
      return new Response(body.pipeThrough(new TransformStream({ transform })), { headers }).blob()
    })
  }

  /**
   * The body of an operation that streams, once it has begun; one attempt, since whoever follows a stream connects again anyway.
   * @throws MemoryError
   */
  stream(outgoing: Outgoing, options: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#send(outgoing, { ...options, maxRetries: 0 }, async ({ body, headers }) => {
      if (body !== null && headers.get('content-type')?.startsWith('text/event-stream')) return body
      await body?.cancel()
      throw new InvalidAnswerError(`The answer is no stream of events: ${elsewhere}`)
    })
  }

  /** Waits before something is tried again. @throws AbortedError */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return orAborted(this.#wait(ms, signal), signal)
  }

  async #send<Body>(outgoing: Outgoing, options: CallOptions, read: Read<Body>): Promise<Body> {
    const { timeoutMs, maxRetries, ifMatch } = options
    requireNumbers({ timeoutMs, maxRetries, ifMatch })
    const { accessToken } = this.session.tokens
    try {
      return await this.#retry(outgoing, options, read)
    } catch (error) {
      if (this.#apiKey !== undefined || !isRenewable(error, accessToken)) throw error
      if (!(await orAborted(this.session.renew(accessToken), options.signal))) {
        // Somebody whose variable is not set where the program runs sees only this.
        if (accessToken === undefined) (error as Error).message += `: ${withoutKey(this.#isForUser)}`
        throw error
      }
    }
    return this.#retry(outgoing, options, read)
  }

  async #retry<Body>(outgoing: Outgoing, options: CallOptions, read: Read<Body>): Promise<Body> {
    const { signal, maxRetries = this.#options.maxRetries ?? maxRetriesDefault } = options
    let wasLost = false
    for (let retry = 0; ; retry++) {
      const tell = this.#teller(outgoing, retry)
      const outcome = await attempt(this.#attemptOf(outgoing, options), read).then(
        (answer) => ({ answer, error: answer.error }),
        (error: unknown) => ({ answer: undefined, error }),
      )
      const { answer, error } = outcome
      if (answer !== undefined) options.onAnswer?.({ status: answer.status, headers: answer.headers })
      const pauseMs =
        error === undefined || retry >= maxRetries ? undefined : pauseAfter(error, retry, outgoing, wasLost)
      wasLost ||= mayBeAtWork(error)
      tell(answer, error, pauseMs)
      if (pauseMs !== undefined) await orAborted(this.#wait(pauseMs, signal), signal)
      else if (answer === undefined || answer.error !== undefined) throw error
      else return answer.body
    }
  }

  /** Tells `debug` that an attempt begins. @returns tells it what came of it */
  #teller({ method, template }: Outgoing, retry: number) {
    const { debug } = this.#options
    if (debug === undefined) return () => {}
    const about = { method, path: template, attempt: retry + 1 }
    const began = performance.now()
    debug({ event: 'request', ...about })
    return (answer: Answer<unknown> | undefined, error: unknown, pauseMs: number | undefined) => {
      const ms = Math.round(performance.now() - began)
      const again = pauseMs === undefined ? {} : { retryInMs: Math.round(pauseMs) }
      if (answer !== undefined) {
        const requestId = answer.headers.get('x-request-id') ?? undefined
        debug({ event: 'answer', ...about, status: answer.status, ms, requestId, ...again })
      } else debug({ event: 'failure', ...about, error: (error as Error).name, ms, ...again })
    }
  }

  #attemptOf({ method, path, template, body, idempotencyKey }: Outgoing, options: CallOptions): Attempt {
    const { actor, signal, ifMatch } = options
    return {
      fetch: this.#fetch,
      url: this.#baseUrl + path,
      place: this.#baseUrl + template,
      method,
      headers: [
        this.#own,
        this.#options.defaultHeaders ?? {},
        this.#credentials(template),
        {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(actor === undefined ? {} : { 'X-Memory-Actor': actor }),
          ...(ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` }),
          ...(idempotencyKey == null ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        options.headers ?? {},
      ],
      body,
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? timeoutMsDefault,
      signal,
    }
  }

  #credentials(template: string): Record<string, string> {
    if (this.#apiKey !== undefined) return { 'X-API-Key': this.#apiKey }
    const { environment } = this.#options
    // Signing out is for the user, also for one who has left the organization meanwhile.
    const organizationId = template.startsWith('/v1/auth/') ? undefined : this.#options.organizationId
    const { accessToken } = this.session.tokens
    return {
      ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
      ...(organizationId === undefined ? {} : { 'X-Organization-Id': organizationId }),
      ...(environment === undefined ? {} : { 'X-Memory-Environment': environment }),
    }
  }

  async #refresh(refreshToken: string): Promise<Tokens> {
    const body = JSON.stringify({ refresh_token: refreshToken })
    const path = '/v1/auth/refresh'
    const bytes = await this.#retry({ method: 'POST', path, template: path, body }, {}, (response) =>
      response.arrayBuffer(),
    )
    const answer = parse<{ access_token: string; refresh_token: string }>(decoded(bytes))
    return { accessToken: answer.access_token, refreshToken: answer.refresh_token }
  }
}

const routeOf = ({ method, template }: Outgoing): string => `${method} ${template}`

/** Whether sending it once more does nothing twice: what only reads, and what an Idempotency-Key makes so. */
function isHarmless(outgoing: Outgoing): boolean {
  return outgoing.method === 'GET' || outgoing.idempotencyKey != null || readingPosts.has(routeOf(outgoing))
}

/** Whether the service may still do what it was asked: only the answer is missing. */
const mayBeAtWork = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && isLost(error.status))

/** The pause before what failed is tried again; undefined where it is not. */
function pauseAfter(error: unknown, retry: number, outgoing: Outgoing, wasLost: boolean): number | undefined {
  const harmless = isHarmless(outgoing)
  if (error instanceof ConnectionError) return harmless ? pauseWithoutAnswer(retry) : undefined
  // Too much to do, or a network that loses packets: it needs its time.
  if (error instanceof TimeoutError) return harmless ? pauseBefore(retry) : undefined
  if (!(error instanceof ApiError) || outgoing.idempotencyKey === null) return undefined
  const { status, retryAfterS } = error
  // After any other failure it may have been done all the same.
  if (!harmless && status !== refusedStatus) return undefined
  // An attempt without an answer may still be at work: until it is done, its key is taken.
  const isOwnTwin = wasLost && status === 409 && retryAfterS !== undefined
  return isPassing(status) || isOwnTwin ? pauseBefore(retry, retryAfterS) : undefined
}

/** What to ask oneself where something has answered that is not the service. */
const elsewhere = 'is there a Memory Service at baseUrl?'

/** @throws InvalidAnswerError for what is no UTF-8, each fault of which would become another character */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new InvalidAnswerError(`The answer is no UTF-8: ${elsewhere}`, { cause })
  }
}

/** @throws InvalidAnswerError for what is no JSON object, or no list where that is the answer */
export function parse<Body>(text: string, isList = false): Body {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    throw new InvalidAnswerError(`The answer is no JSON: ${elsewhere}`, { cause })
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) !== isList) {
    throw new InvalidAnswerError(
      `The answer is JSON without ${isList ? 'a list' : 'an object'}: ${elsewhere}`,
    )
  }
  return answer as Body
}

/** Whether another access token can help: the one that was sent has expired, or there was none. */
function isRenewable(error: unknown, accessToken: string | undefined): boolean {
  const detail = accessToken === undefined ? 'Not authenticated' : 'Token expired'
  return error instanceof AuthenticationError && error.detail === detail
}

/** Waits for something that others may wait for too, until the caller's signal fires. @throws AbortedError */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new AbortedError('The call was aborted', { cause: signal.reason }))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, aborted])
  } catch (error) {
    if (!signal.aborted || error instanceof MemoryError) throw error
    throw new AbortedError('The call was aborted', { cause: signal.reason })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
