import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '@memory/shared/platform/clock'
import { hashToken, newToken } from '../tokens/single-use-token.ts'

/** Minutes that a link lives. */
export const consoleLinkMinutes = 10

/**
 * The link that a start of a local service prints for whoever started it. It is good once, for this process and a short
 * time; the process keeps its hash alone.
 */
export class ConsoleLinks {
  readonly #clock: Clock
  #open: { hash: Uint8Array; until: number } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A token for a link, in the place of the one before. */
  make(): string {
    const { token, hash } = newToken('console')
    this.#open = { hash, until: this.#clock.now().getTime() + consoleLinkMinutes * 60_000 }
    return token
  }

  /** Whether a token is that of the link; it is so once. */
  take(token: string): boolean {
    const open = this.#open
    if (open === undefined || !timingSafeEqual(open.hash, hashToken(token))) return false
    this.#open = undefined
    return this.#clock.now().getTime() < open.until
  }
}
