import { type Calls, callsOver, type StoringRoute } from './calls.ts'
import { authOf, securityOf, usersOf } from './groups/accounts.ts'
import { engineOf } from './groups/engine.ts'
import { notificationsOf, webhooksOf } from './groups/events.ts'
import { apiKeysOf, organizationsOf, usageOf } from './groups/organizations.ts'
import { patternsOf } from './groups/patterns.ts'
import { adminOf, serviceOf } from './groups/service.ts'
import { subjectsOf } from './groups/subjects.ts'
import { textOf } from './groups/text.ts'
import { vectorsOf } from './groups/vectors.ts'
import type { AnswerOf, StoreOptions } from './operations.ts'
import type { Tokens } from './session.ts'
import { requireSubject } from './subject.ts'
import { Transport, type TransportOptions } from './transport.ts'

export type MemoryClientOptions = TransportOptions

type Group<Make extends (calls: Calls) => object> = ReturnType<Make>

/**
 * The Memory Service's API, each operation as a method: the ids of its path in their order, its body or query, then
 * options. A method rejects with a `MemoryError`: an `ApiError` for what the service answered, else `ConnectionError`,
 * `TimeoutError` or `AbortedError`. 429 is tried again after 1, 2 and 4 s, or later where the answer says so, up to
 * 10 s; what asks for a longer wait is thrown at once, with `retryAfterS`. Where repeating the call can do no harm, so are
 * 500, 502, 503, 504, time limits and, sooner, connections that broke before the answer was whole.
 *
 * Key and address are taken from `MEMORY_SERVICE_API_KEY` and `MEMORY_SERVICE_URL` where they are not given.
 */
export class MemoryClient {
  readonly text: Group<typeof textOf>
  readonly vectors: Group<typeof vectorsOf>
  readonly patterns: Group<typeof patternsOf>
  readonly subjects: Group<typeof subjectsOf>
  readonly engine: Group<typeof engineOf>
  readonly auth: Group<typeof authOf>
  readonly users: Group<typeof usersOf>
  readonly security: Group<typeof securityOf>
  readonly apiKeys: Group<typeof apiKeysOf>
  readonly organizations: Group<typeof organizationsOf>
  readonly usage: Group<typeof usageOf>
  readonly notifications: Group<typeof notificationsOf>
  readonly webhooks: Group<typeof webhooksOf>
  readonly admin: Group<typeof adminOf>
  readonly service: Group<typeof serviceOf>
  readonly #calls: Calls

  /**
   * @param calls for `forSubject` alone
   * @throws TypeError for options that there are not or that do not go together, a placeholder for a key, or a baseUrl that is none
   */
  constructor(options: MemoryClientOptions = {}, calls: Calls = callsOver(new Transport(options))) {
    this.#calls = calls
    this.text = textOf(calls)
    this.vectors = vectorsOf(calls)
    this.patterns = patternsOf(calls)
    this.subjects = subjectsOf(calls)
    this.engine = engineOf(calls)
    this.auth = authOf(calls)
    this.users = usersOf(calls)
    this.security = securityOf(calls)
    this.apiKeys = apiKeysOf(calls)
    this.organizations = organizationsOf(calls)
    this.usage = usageOf(calls)
    this.notifications = notificationsOf(calls)
    this.webhooks = webhooksOf(calls)
    this.admin = adminOf(calls)
    this.service = serviceOf(calls)
  }

  /** The tokens that the client has now. */
  get tokens(): Tokens {
    return this.#calls.transport.session.tokens
  }

  /** The end user to whom the client is kept (see `forSubject`). */
  get subject(): string | undefined {
    return this.#calls.subject
  }

  /**
   * A client that is kept to an end user, over the same connection: every call that takes a `subject` has theirs, and refuses
   * another. Calls that take none are refused, such as those by a pattern's id, but for those that work on nothing stored.
   * It keeps from mistakes; a token of `subjects.token` keeps from whoever has it.
   * @throws TypeError for what is no name, or that of another than the client is kept to
   */
  forSubject(subject: string): MemoryClient {
    requireSubject(subject)
    const { transport, subject: own = subject } = this.#calls
    if (own !== subject) throw new TypeError(`This client is that of ${JSON.stringify(own)} already`)
    return new MemoryClient({}, callsOver(transport, subject))
  }

  /**
   * Stores what is JSON text already and goes as it stands, such as lines of a file. The service takes no integers beyond
   * ±(2^53 - 1) in it either.
   * @param route `POST /v1/memory/text/batch-store`, for one
   */
  storeJson<R extends StoringRoute>(route: R, json: string, options?: StoreOptions): Promise<AnswerOf<R>> {
    return this.#calls.storeJson(route, json, options)
  }
}
