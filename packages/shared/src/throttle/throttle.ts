import { createHash } from 'node:crypto'
import { ApiError } from '../catalogue/errors.ts'
import type { Queries } from '../platform/database/database.ts'
import type { RuleName, Rules } from './rules.ts'
import * as store from './store.ts'

/** One count that an attempt is taken from: a rule, and whom it is applied to. */
export interface Attempt {
  rule: RuleName
  of: readonly string[]
}

/** Counts attempts in the database, so that all processes and restarts share the counts. */
export class Throttle {
  readonly #queries: Queries
  readonly #rules: Rules

  constructor(queries: Queries, rules: Rules) {
    this.#queries = queries
    this.#rules = rules
  }

  /**
   * Takes one attempt of each kind, or none. Before the attempt is made: of many at once only as many are made as are
   * allowed.
   * @throws ApiError too_many_attempts
   */
  async take(attempts: readonly Attempt[]): Promise<void> {
    const retryAfterS = await this.#take(attempts)
    if (retryAfterS > 0) throw new ApiError('too_many_attempts', { retryAfterS })
  }

  /** As `take`, for what the caller must not see refused. @returns whether the attempt may be made. */
  async tryTake(attempts: readonly Attempt[]): Promise<boolean> {
    return (await this.#take(attempts)) === 0
  }

  /**
   * Runs `work` as an attempt: taken before, and given back when it fails by something else than what is counted.
   * @throws ApiError too_many_attempts, and what `work` throws
   */
  async attempt<T>(
    attempts: readonly Attempt[],
    work: () => Promise<T>,
    isCounted: (error: unknown) => boolean,
  ): Promise<T> {
    await this.take(attempts)
    try {
      return await work()
    } catch (error) {
      if (!isCounted(error)) await this.giveBack(attempts)
      throw error
    }
  }

  /** Gives attempts back that did not fail. */
  giveBack(attempts: readonly Attempt[]): Promise<void> {
    return this.giveBackAndClear(attempts, [])
  }

  /** Forgets all attempts so far. */
  clear(attempts: readonly Attempt[]): Promise<void> {
    return this.giveBackAndClear([], attempts)
  }

  /** Gives back the ones and forgets the others, in one round trip. */
  async giveBackAndClear(givenBack: readonly Attempt[], cleared: readonly Attempt[]): Promise<void> {
    if (givenBack.length + cleared.length === 0) return
    await store.giveBack(this.#queries, [
      ...givenBack.map((attempt) => ({ hash: hashOf(attempt), clear: false })),
      ...cleared.map((attempt) => ({ hash: hashOf(attempt), clear: true })),
    ])
  }

  async #take(attempts: readonly Attempt[]): Promise<number> {
    if (attempts.length === 0) return 0
    const buckets = attempts.map((attempt) => ({ hash: hashOf(attempt), ...this.#rules[attempt.rule] }))
    return store.take(this.#queries, buckets)
  }
}

/** Drops counts whose time is over. @returns how many. */
export function purgeAttempts(queries: Queries): Promise<number> {
  return store.purge(queries)
}

/** Neither addresses nor emails are kept. */
const hashOf = ({ rule, of }: Attempt): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([rule, ...of]))
    .digest()
