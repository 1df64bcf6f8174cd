import type { Clock } from '@memory/shared/platform/clock'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import { hashToken, newToken } from '../tokens/single-use-token.ts'

/** Minutes for which a link is valid. */
export const consoleLinkMinutes = 10

/**
 * The token of the console link that a local service prints at its start. It is valid once, for a short time, and only for this
 * process, which keeps only its hash.
 */
export class ConsoleLinks {
  readonly #clock: Clock
  #open: { hash: Uint8Array; until: number } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Makes the token for a link; an earlier one becomes invalid. */
  make(): string {
    const { token, hash } = newToken('console')
    this.#open = { hash, until: this.#clock.now().getTime() + consoleLinkMinutes * 60_000 }
    return token
  }

  /**
   * Takes a valid token, so that nobody else can use it meanwhile.
   * @returns undefined for one that is not valid; else how to put it back when what it is for could not be done
   */
  take(token: string): (() => void) | undefined {
    const open = this.#open
    if (open === undefined || !isSameSecret(open.hash, hashToken(token))) return undefined
    this.#open = undefined
    if (this.#clock.now().getTime() >= open.until) return undefined
    return () => {
      // A later link makes this one invalid.
      this.#open ??= open
    }
  }
}
