import { limits } from '@memory/shared/catalogue/limits'
import { type Asker, asAsker } from '@memory/shared/platform/asker'
import { FairTurns, type Leave } from '@memory/shared/platform/fair-turns'
import { HeldBytes } from '@memory/shared/platform/held-bytes'
import { LRUCache } from 'lru-cache'
import { type Credentials, nameOf } from './credentials.ts'

/** Credentials remembered: more than are in use at a time on one process. */
const credentialsMax = 10_000
/** Organizations whose end users take turns at a time, on one process. */
const organizationsMax = 10_000
/** What one end user whom callers are bound to may have of what their organization may have. */
const shareOfSubject = 1 / 4

/** Whose a request is, as far as it is known. */
export interface Whose {
  /** See `Asker`. */
  lane: string
  /** The end user whom its caller is bound to. */
  subject?: string | undefined
}

/**
 * What requests may take of this process at a time. They are told apart by organization; before it is known whose a
 * request is, by whose its credentials were a moment ago, or by the address that it comes from. That decides nothing but
 * whom it waits for. Of what an organization may take, an end user whom callers are bound to has a part at most, and those
 * end users take turns, so that one of them can't stop the others.
 */
export class Admission {
  readonly bodies = new DividedBytes(limits.bodyBytesInHand, limits.bodyBytesInHandInAll)
  readonly answers = new DividedBytes(limits.answerBytesInHand, limits.answerBytesInHandInAll)
  readonly #turns = new FairTurns({
    slots: limits.requestsInHandInAll,
    slotsPerLane: limits.requestsInHand,
    waitingPerLane: limits.requestsWaiting,
    waitingInAll: limits.requestsWaitingInAll,
  })
  /** Those of the end users of an organization, before they take one of the organization's. */
  readonly #turnsOfSubjects = new LRUCache<string, FairTurns>({ max: organizationsMax })
  readonly #known = new LRUCache<string, Whose>({ max: credentialsMax })

  /** Requests that wait for a turn of their organization. */
  get waiting(): number {
    return this.#turns.waiting
  }

  whoseIs(credentials: Credentials | undefined, address: string | null): Whose {
    const known = credentials && this.#known.get(nameOf(credentials))
    return known ?? { lane: `address ${address}` }
  }

  laneOf(credentials: Credentials | undefined, address: string | null): string {
    return this.whoseIs(credentials, address).lane
  }

  /** The credentials were good: whose requests that present them are. */
  remember(credentials: Credentials, { lane, subject }: Whose): void {
    this.#known.set(nameOf(credentials), { lane, subject })
  }

  /**
   * Does a request's work when its turn comes.
   * @throws ApiError abandoned for a client that hung up before; too_many_requests, unavailable
   */
  admit(asker: Asker & Whose, work: () => Promise<void>): Promise<void> {
    return asAsker(asker, async () => {
      const { subject } = asker
      const leaveOfSubject = subject === undefined ? undefined : await this.#enterAsSubject(asker, subject)
      try {
        const entering = this.#turns.enter()
        const leave = entering instanceof Promise ? await entering : entering
        try {
          await work()
        } finally {
          leave()
        }
      } finally {
        leaveOfSubject?.()
      }
    })
  }

  async #enterAsSubject({ lane, signal }: Asker, subject: string): Promise<Leave> {
    let turns = this.#turnsOfSubjects.get(lane)
    if (turns === undefined) {
      turns = new FairTurns({
        slots: limits.requestsInHand,
        slotsPerLane: limits.requestsInHand * shareOfSubject,
        waitingPerLane: limits.requestsWaiting * shareOfSubject,
        waitingInAll: limits.requestsWaiting,
      })
      this.#turnsOfSubjects.set(lane, turns)
    }
    return asAsker({ lane: subject, signal }, () => turns.enter())
  }
}

/** Bytes of an organization's requests, of which one end user's may be a part. */
class DividedBytes extends HeldBytes {
  readonly #ofSubjects: HeldBytes

  constructor(perLane: number, inAll: number) {
    super({ perLane, inAll })
    this.#ofSubjects = new HeldBytes({ perLane: perLane * shareOfSubject, inAll })
  }

  /** As `claim`, and for an end user as much of that one's part. */
  claimFor({ lane, subject }: Whose, bytes: number): () => void {
    if (subject === undefined) return this.claim(lane, bytes)
    const giveBack = this.#ofSubjects.claim(JSON.stringify([lane, subject]), bytes)
    try {
      const release = this.claim(lane, bytes)
      return () => {
        release()
        giveBack()
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }
}
