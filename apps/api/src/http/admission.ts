import { limits } from '@memory/shared/catalogue/limits'
import { type Asker, asAsker } from '@memory/shared/platform/asker'
import { FairTurns } from '@memory/shared/platform/fair-turns'
import { HeldBytes } from '@memory/shared/platform/held-bytes'
import { LRUCache } from 'lru-cache'
import { type Credentials, nameOf } from './credentials.ts'

/** Credentials remembered: more than are in use at a time on one process. */
const credentialsMax = 10_000

/**
 * What requests may take of this process at a time. They are told apart by organization; before it is known whose a
 * request is, by whose its credentials were a moment ago, or by the address that it comes from. That decides nothing but
 * whom it waits for.
 */
export class Admission {
  readonly bodies = new HeldBytes({
    perLane: limits.bodyBytesInHand,
    inAll: limits.bodyBytesInHandInAll,
  })
  readonly answers = new HeldBytes({
    perLane: limits.answerBytesInHand,
    inAll: limits.answerBytesInHandInAll,
  })
  readonly #turns = new FairTurns({
    slots: limits.requestsInHandInAll,
    slotsPerLane: limits.requestsInHand,
    waitingPerLane: limits.requestsWaiting,
    waitingInAll: limits.requestsWaitingInAll,
  })
  readonly #lanes = new LRUCache<string, string>({ max: credentialsMax })

  /** Requests that wait. */
  get waiting(): number {
    return this.#turns.waiting
  }

  laneOf(credentials: Credentials | undefined, address: string | null): string {
    const known = credentials && this.#lanes.get(nameOf(credentials))
    return known ?? `address ${address}`
  }

  /** The credentials were good: requests that present them have this lane. */
  remember(credentials: Credentials, lane: string): void {
    this.#lanes.set(nameOf(credentials), lane)
  }

  /**
   * Does a request's work when its turn comes.
   * @throws ApiError abandoned for a client that hung up before; too_many_requests, unavailable
   */
  admit(asker: Asker, work: () => Promise<void>): Promise<void> {
    return asAsker(asker, async () => {
      const entering = this.#turns.enter()
      const leave = entering instanceof Promise ? await entering : entering
      try {
        await work()
      } finally {
        leave()
      }
    })
  }
}
