import { type Attempt, attempt, type Fetch } from './attempt.ts'
import { AbortedError, AuthenticationError, InvalidAnswerError, MemoryError } from './errors.ts'
import type { CallOptions } from './operations.ts'
import { delayBefore, wait } from './retry.ts'
import { Session, type Tokens } from './session.ts'

export interface TransportOptions {
  /** For servers and scripts: a key of an organization. */
  apiKey?: string | undefined
  /** For users: what signing in gave. */
  accessToken?: string | undefined
  /** Lets the client get a new access token when the old one has expired. It works once: see `onTokens`. */
  refreshToken?: string | undefined
  /** Hears of new tokens, and of none after signing out, so that they can be kept. */
  onTokens?: ((tokens: Tokens) => void) | undefined
  /** Where the service is; http://127.0.0.1:8000 unless said. */
  baseUrl?: string | undefined
  /** With an access token: the organization, else that of the oldest membership. */
  organizationId?: string | undefined
  /** With an access token: the space; live unless said. */
  environment?: 'live' | 'test' | undefined
  /** Time limit of each attempt, in ms; 60,000 unless said. */
  timeoutMs?: number | undefined
  /** Instead of the global one. */
  fetch?: Fetch | undefined
  /** Waits between attempts, instead of a timer; for tests. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** A request as the groups make it. */
export interface Outgoing {
  method: string
  /** With its query. */
  path: string
  body?: string | undefined
  headers?: Record<string, string> | undefined
  /** Whether a retry may find the work of the attempt before it done. */
  isRetried?: boolean | undefined
}

const timeoutMsDefault = 60_000
const baseUrlDefault = 'http://127.0.0.1:8000'

/** Sends requests: credentials, time limits, retries as the API's guidance has them. */
export class Transport {
  readonly session: Session
  readonly #options: TransportOptions
  readonly #baseUrl: string
  readonly #fetch: Fetch
  readonly #wait: (ms: number, signal?: AbortSignal) => Promise<void>

  /** @throws TypeError for options that do not go together, or a baseUrl that is none */
  constructor(options: TransportOptions) {
    const { apiKey, accessToken, refreshToken, baseUrl = baseUrlDefault, onTokens } = options
    if (apiKey !== undefined && (accessToken ?? refreshToken) !== undefined) {
      throw new TypeError('Give an apiKey or tokens, not both')
    }
    for (const [name, given] of Object.entries({ apiKey, accessToken, refreshToken })) {
      if (given !== undefined) requireCredential(name, given)
    }
    this.#options = options
    this.#baseUrl = addressOf(baseUrl)
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
    this.#wait = options.wait ?? wait
    this.session = new Session(
      { accessToken, refreshToken },
      (token) => this.#refresh(token),
      (tokens) => onTokens?.(tokens),
    )
  }

  /** What an operation answers. @throws MemoryError */
  async json<Body>(outgoing: Outgoing, options: CallOptions = {}): Promise<Body> {
    const text = await this.#send(outgoing, options, (response) => response.text())
    return parse(text)
  }

  /** The bytes that an operation answers. @throws MemoryError */
  blob(outgoing: Outgoing, options: CallOptions = {}): Promise<Blob> {
    return this.#send(outgoing, options, (response) => response.blob())
  }

  async #send<Body>(
    outgoing: Outgoing,
    options: CallOptions,
    read: (response: Response) => Promise<Body>,
  ): Promise<Body> {
    const { accessToken } = this.session.tokens
    try {
      return await this.#retry(outgoing, options, read)
    } catch (error) {
      if (this.#options.apiKey !== undefined || !isRenewable(error, accessToken)) throw error
      if (!(await orAborted(this.session.renew(accessToken), options.signal))) throw error
    }
    return this.#retry(outgoing, options, read)
  }

  async #retry<Body>(
    outgoing: Outgoing,
    options: CallOptions,
    read: (response: Response) => Promise<Body>,
  ): Promise<Body> {
    const { signal } = options
    for (let retry = 0; ; retry++) {
      const answer = await attempt(this.#attemptOf(outgoing, options), read)
      options.onAnswer?.({ status: answer.status, headers: answer.headers })
      if (answer.error === undefined) return answer.body
      const { error } = answer
      const delayMs =
        outgoing.isRetried === false ? undefined : delayBefore(retry, error.status, error.retryAfterS)
      if (delayMs === undefined) throw error
      await orAborted(this.#wait(delayMs, signal), signal)
    }
  }

  #attemptOf({ method, path, body, headers }: Outgoing, options: CallOptions): Attempt {
    const { actor, signal, ifMatch } = options
    return {
      fetch: this.#fetch,
      url: this.#baseUrl + path,
      method,
      headers: {
        // A field that the service does not have, such as a misspelt filter, is refused instead of ignored.
        Prefer: 'handling=strict',
        ...this.#credentials(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(actor === undefined ? {} : { 'X-Memory-Actor': actor }),
        ...(ifMatch === undefined ? {} : { 'If-Match': `"${ifMatch}"` }),
        ...headers,
        ...options.headers,
      },
      body,
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? timeoutMsDefault,
      signal,
    }
  }

  #credentials(): Record<string, string> {
    const { apiKey, organizationId, environment } = this.#options
    if (apiKey !== undefined) return { 'X-API-Key': apiKey }
    const { accessToken } = this.session.tokens
    return {
      ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
      ...(organizationId === undefined ? {} : { 'X-Organization-Id': organizationId }),
      ...(environment === undefined ? {} : { 'X-Memory-Environment': environment }),
    }
  }

  async #refresh(refreshToken: string): Promise<Tokens> {
    const body = JSON.stringify({ refresh_token: refreshToken })
    const text = await this.#retry({ method: 'POST', path: '/v1/auth/refresh', body }, {}, (response) =>
      response.text(),
    )
    const answer = parse<{ access_token: string; refresh_token: string }>(text)
    return { accessToken: answer.access_token, refreshToken: answer.refresh_token }
  }
}

/** @throws TypeError where what is given can be no key or token, such as the placeholder of an example */
function requireCredential(name: string, given: string): void {
  if (/^[\x21-\x7e]+$/.test(given)) return
  const stray = /[^\x21-\x7e]/u.exec(given)?.[0]
  throw new TypeError(
    stray === undefined
      ? `${name} is empty`
      : `${name} contains ${JSON.stringify(stray)}, which none does: is it a placeholder, or was it copied with something else?`,
  )
}

/** Without a slash at its end. @throws TypeError for what is no address of a service */
function addressOf(baseUrl: string): string {
  const { protocol, href } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: undefined, href: '' }
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`baseUrl is ${JSON.stringify(baseUrl)}, and should be as in http://127.0.0.1:8000`)
  }
  return href.replace(/\/+$/, '')
}

function parse<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch (cause) {
    throw new InvalidAnswerError('The answer is no JSON: is there a Memory Service at baseUrl?', { cause })
  }
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
