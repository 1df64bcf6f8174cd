import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { BatchStored } from '@memory/shared/transfer/batches'
import {
  type AnswerOf,
  ApiError,
  type CallOptions,
  ConnectionError,
  type InputOf,
  InvalidAnswerError,
  MemoryClient,
  type MemoryClientOptions,
  MemoryError,
  type ValidationIssue,
  versionsBefore,
} from 'memory-service-sdk'
import { Failure } from './command.ts'
import { type Connection, keyPrefix } from './connection.ts'
import { duration } from './format.ts'

/** The operations that store many patterns at once. */
type BatchRoute = 'POST /v1/memory/text/batch-store' | 'POST /v1/memory/batch/store'
export type StoreItem = InputOf<'POST /v1/memory/text/batch-store'>['items'][number]
export type Metadata = NonNullable<StoreItem['metadata']>
export type Retrieved = AnswerOf<'POST /v1/memory/text/retrieve'>
type PatternPage = AnswerOf<'POST /v1/memory/patterns/search'>
export type ListedPattern = PatternPage['patterns'][number]

/** An error answer of the service. */
export class ServiceError extends Failure {
  override name = 'ServiceError'
  readonly status: number
  readonly issues: readonly ValidationIssue[]

  constructor(message: string, cause: ApiError) {
    super(message, { cause })
    this.status = cause.status
    this.issues = cause.issues
  }
}

interface ClientOptions {
  connection: Connection
  /** Called before each wait for a retry. */
  onRetry?: (reason: string) => void
  wait?: (ms: number) => Promise<unknown>
}

/** The longest time that timers support: a batch of long texts may take long, and a person at a terminal can interrupt it. */
const timeoutMs = 2 ** 31 - 1

/** Wraps the client of `memory-service-sdk` for the commands: it reports waits and words errors for a terminal. */
export class CommandClient {
  readonly connection: Connection
  onRetry: (reason: string) => void
  readonly #memory: MemoryClient
  #answer: { status: number; headers: Headers } | undefined

  constructor({ connection, onRetry = () => {}, wait = sleep }: ClientOptions) {
    this.connection = connection
    this.onRetry = onRetry
    this.#memory = newMemoryClient(connection, {
      timeoutMs,
      wait: async (ms) => void (await wait(ms)),
      debug: (event) => {
        if (event.event === 'request' || event.retryInMs === undefined) return
        const what =
          event.event === 'answer' ? `The service answered ${event.status}` : 'The connection failed'
        this.onRetry(`${what}; trying again in ${duration(event.retryInMs / 1_000)}.`)
      },
    })
  }

  batchStore(items: StoreItem[], idempotencyKey: string): Promise<BatchStored> {
    return this.batchStoreJson('POST /v1/memory/text/batch-store', JSON.stringify({ items }), idempotencyKey)
  }

  /**
   * Stores a batch that is JSON text already.
   * @param idempotencyKey makes repeating the call within 24 hours harmless: the service stores its items only once
   */
  async batchStoreJson(route: BatchRoute, json: string, idempotencyKey: string): Promise<BatchStored> {
    const storing = this.#call((options) =>
      this.#memory.storeJson(route, json, { ...options, idempotencyKey }),
    )
    const { stored, failed, created } = await storing.catch(async (error: unknown) => {
      if (!isTaken(error)) throw error
      // Naming the items is an extra, which fails for a key that may not read: the refusal stands without it.
      throw await this.#withItems(error, route, json).catch(() => error)
    })
    const replayed = this.#answer?.headers.get('idempotent-replay') === 'true'
    return { stored, failed, created, replayed }
  }

  retrieve(body: InputOf<'POST /v1/memory/text/retrieve'>): Promise<Retrieved> {
    return this.#call((options) => this.#memory.text.retrieve(body, options))
  }

  countPatterns(
    body: InputOf<'POST /v1/memory/patterns/count'>,
  ): Promise<AnswerOf<'POST /v1/memory/patterns/count'>> {
    return this.#call((options) => this.#memory.patterns.count(body, options))
  }

  forget(body: InputOf<'DELETE /v1/memory/text/forget'>): Promise<AnswerOf<'DELETE /v1/memory/text/forget'>> {
    return this.#call((options) => this.#memory.text.forget(body, options))
  }

  /** Deletes those that have these own ids. @returns how many there were @param ids at most `limits.deleteByIds` */
  async deleteNamed(ids: readonly string[]): Promise<number> {
    const body = { external_ids: [...ids] }
    return (await this.#call((options) => this.#memory.patterns.deleteMany(body, options))).deleted
  }

  searchPatterns(body: InputOf<'POST /v1/memory/patterns/search'>): Promise<PatternPage> {
    return this.#call((options) => this.#memory.patterns.search(body, options))
  }

  /** How many of these patterns exist. @param ids at most 200 */
  async countThere(ids: readonly string[]): Promise<number> {
    const body = { pattern_ids: [...ids] }
    const { patterns } = await this.#call((options) => this.#memory.patterns.getMany(body, options))
    return patterns.filter((pattern) => pattern !== null).length
  }

  /** The earlier versions of a pattern, newest first; none for a pattern that was deleted meanwhile. */
  versionsBefore(pattern: ListedPattern): ReturnType<typeof versionsBefore> {
    return this.#call((options) => versionsBefore(this.#memory, pattern, options))
  }

  /** Adds to a refusal of own ids which items of the batch have them: the service does not say it. */
  async #withItems(error: ServiceError, route: BatchRoute, json: string): Promise<ServiceError> {
    const isText = route === 'POST /v1/memory/text/batch-store'
    const list = isText ? 'items' : 'patterns'
    const items = (JSON.parse(json) as Record<string, Named[]>)[list] as Named[]
    const there = await this.#ownersOf(items.flatMap(({ external_id: id }) => id ?? []))
    const issues = items.flatMap(({ external_id: id, subject }, i) => {
      if (id == null) return []
      const owner = there.get(id)
      // An item without `subject` leaves the pattern whose it is.
      const isOfAnother = subject !== undefined && owner?.subject != null && owner.subject !== subject
      const isOfOtherKind = owner !== undefined && owner.isText !== isText
      if (!isOfAnother && !isOfOtherKind) {
        there.set(id, { isText, subject: subject === undefined ? (owner?.subject ?? null) : subject })
        return []
      }
      const whose = isOfAnother ? 'another end user' : `a ${isText ? 'vector' : 'text'}`
      const msg = `${JSON.stringify(id)} is the id of ${whose}`
      return [{ type: 'value_error', loc: ['body', list, i, 'external_id'], msg }]
    })
    const { status, detail, requestId, retryAfterS } = error.cause as ApiError
    return new ServiceError(error.message, new ApiError({ status, detail, issues, requestId, retryAfterS }))
  }

  /** The patterns that have these own ids, as far as this key may see. */
  async #ownersOf(ids: readonly string[]): Promise<Map<string, Owner>> {
    const owners = new Map<string, Owner>()
    for (let from = 0; from < ids.length; from += limits.getByIds) {
      const body = { external_ids: ids.slice(from, from + limits.getByIds) }
      const { patterns } = await this.#call((options) => this.#memory.patterns.getMany(body, options))
      for (const pattern of patterns) {
        if (pattern?.external_id == null) continue
        owners.set(pattern.external_id, { subject: pattern.subject, isText: pattern.text !== null })
      }
    }
    return owners
  }

  /** @throws Failure */
  async #call<Answer>(send: (options: CallOptions) => Promise<Answer>): Promise<Answer> {
    this.#answer = undefined
    try {
      return await send({
        onAnswer: (answer) => {
          this.#answer = answer
        },
      })
    } catch (error) {
      throw error instanceof ApiError ? this.#refusal(error) : this.#failure(error)
    }
  }

  #failure(cause: unknown): unknown {
    const { url } = this.connection
    if (cause instanceof InvalidAnswerError)
      return new Failure(`The answer from ${url} is no complete JSON: is it a Memory Service?`, { cause })
    if (!(cause instanceof MemoryError)) return cause
    const { code } = ((cause.cause as Error | undefined)?.cause ?? {}) as { code?: string }
    return cause instanceof ConnectionError && (code === undefined || code === 'ECONNREFUSED')
      ? new Failure(
          `The service does not answer at ${url}: start it with \`npm start\`, or give its address with --url.`,
          { cause },
        )
      : new Failure(`The connection to the service at ${url} failed (${code ?? cause.message}).`, { cause })
  }

  #refusal(error: ApiError): ServiceError {
    const { url, key, keySource } = this.connection
    const { status, detail, issues, retryAfterS = 0 } = error
    if (issues.length > 0) return new ServiceError(`The service refused the request: ${detail}.`, error)
    const location = this.#answer?.headers.get('location') ?? null
    if (location !== null)
      return new ServiceError(`${url} redirects to ${location}: give that address with --url.`, error)
    if (status === 401) {
      const shown = `${keyPrefix(key)} (from ${keySource})`
      return new ServiceError(`The service refused the API key ${shown}: ${detail}.`, error)
    }
    const wait = retryAfterS > 0 ? ` It asks to wait ${duration(retryAfterS)}.` : ''
    return new ServiceError(`The service answered ${status}: ${detail}.${wait}`, error)
  }
}

/** Those fields of a batch's item that say its own id and its end user. */
interface Named {
  external_id?: string | null
  subject?: string | null
}

/** What is known of the pattern that has an own id. */
interface Owner {
  subject: string | null
  isText: boolean
}

const takenDetails: readonly string[] = [
  errors.external_id_exists.detail,
  errors.pattern_of_other_kind.detail,
]

const isTaken = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && takenDetails.includes((error.cause as ApiError).detail)

/** @throws Failure for a key that no header can hold */
function newMemoryClient({ url, key, keySource }: Connection, options: MemoryClientOptions): MemoryClient {
  try {
    return new MemoryClient({ ...options, apiKey: key, baseUrl: url })
  } catch (cause) {
    // Only the key can be wrong here: the address was checked when it was read.
    throw cause instanceof TypeError ? new Failure(`The API key (from ${keySource}) can't be sent.`) : cause
  }
}
