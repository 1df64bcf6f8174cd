import { createHash } from 'node:crypto'
import { ApiError } from '../catalogue/errors.ts'
import type { Queries } from '../platform/database/database.ts'
import type { RuleName, Rules } from './rules.ts'
import * as store from './store.ts'

/** One counter of an attempt: a rule, and whom it is applied to. */
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
   * Counts one attempt for each rule, or none when a limit is reached. To be called before the attempt is made, so that
   * concurrent ones can't exceed the limit.
   * @throws ApiError too_many_attempts
   */
  async take(attempts: readonly Attempt[]): Promise<void> {
    const retryAfterS = await this.#take(attempts)
    if (retryAfterS > 0) throw new ApiError('too_many_attempts', { retryAfterS })
  }

  /** Like `take`, but without an error, for callers who must not notice a refusal. @returns whether the attempt may be made */
  async tryTake(attempts: readonly Attempt[]): Promise<boolean> {
    return (await this.#take(attempts)) === 0
  }

  /**
   * Runs `work` as an attempt: it is counted before, and uncounted when `work` fails with an error that does not count.
   * @throws ApiError too_many_attempts; what `work` throws
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

  /** Uncounts attempts that did not fail. */
  giveBack(attempts: readonly Attempt[]): Promise<void> {
    return this.giveBackAndClear(attempts, [])
  }

  /** Resets the counters: forgets all attempts so far. */
  clear(attempts: readonly Attempt[]): Promise<void> {
    return this.giveBackAndClear([], attempts)
  }

  /** Uncounts the attempts `givenBack` and resets the counters `cleared`, in one round trip. */
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

/** Deletes expired counters. */
export function purgeAttempts(queries: Queries): Promise<void> {
  return store.purge(queries)
}

/** Counters are stored under a hash, so that neither IP addresses nor emails are stored. */
const hashOf = ({ rule, of }: Attempt): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([rule, ...of]))
    .digest()
