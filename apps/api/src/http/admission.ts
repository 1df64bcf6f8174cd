import type { ServerResponse } from 'node:http'
import { limits } from '@memory/shared/catalogue/limits'
import { type Asker, asAsker } from '@memory/shared/platform/asker'
import { FairTurns, type Leave } from '@memory/shared/platform/fair-turns'
import { HeldBytes } from '@memory/shared/platform/held-bytes'
import { sourceOf } from '@memory/shared/throttle/address'
import { LRUCache } from 'lru-cache'
import { type Credentials, nameOf } from './credentials.ts'

/** Credentials remembered: more than one process has in use at a time. */
const credentialsMax = 10_000
/** Organizations whose end users' turns are tracked at a time. */
const organizationsMax = 10_000
/** The share of its organization's limits that one end user (to whom callers are bound) may use. */
const shareOfSubject = 1 / 4

/** Who a request counts for, as far as is known yet. */
export interface Whose {
  /** See `Asker`. */
  lane: string
  /** The end user to whom the caller is bound. */
  subject?: string | undefined
}

/**
 * Limits what requests may take of this process at a time: turns, and bytes of bodies and answers.
 *
 * Limits are per organization. Before a request is authenticated, it counts for the organization that its credentials
 * belonged to last, or else for the source of its IP address; this only decides whose turns it waits for, never what it may do. Within
 * an organization, an end user to whom callers are bound gets a quarter of its turns and bytes at most, so that one end user
 * can't stop the others.
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
  /** Turns at reading long bodies that have arrived. */
  readonly #turnsToRead = new FairTurns({
    slots: limits.requestsInHandInAll,
    slotsPerLane: limits.longBodiesAtOnce,
  })
  /** Turns at making answers that may be long. */
  readonly #turnsToAnswer = new FairTurns({
    slots: limits.longAnswersAtOnceInAll,
    slotsPerLane: limits.longAnswersAtOnce,
  })
  /** By organization: the turns of its end users. A request takes one of these first, then one of the organization's. */
  readonly #turnsOfSubjects = new LRUCache<string, FairTurns>({ max: organizationsMax })
  readonly #known = new LRUCache<string, Whose>({ max: credentialsMax })

  /** Requests that wait for a turn of their organization. */
  get waiting(): number {
    return this.#turns.waiting
  }

  whoseIs(credentials: Credentials | undefined, address: string | null): Whose {
    const known = credentials && this.#known.get(nameOf(credentials))
    return known ?? { lane: `address ${sourceOf(address) ?? 'loopback'}` }
  }

  laneOf(credentials: Credentials | undefined, address: string | null): string {
    return this.whoseIs(credentials, address).lane
  }

  /** Remembers who valid credentials belong to, for the next requests that present them. */
  remember(credentials: Credentials, { lane, subject }: Whose): void {
    this.#known.set(nameOf(credentials), { lane, subject })
  }

  /** Forgets whose credentials were that are valid no more: who still presents them takes none of the organization's turns. */
  forget(credentials: Credentials): void {
    this.#known.delete(nameOf(credentials))
  }

  /**
   * Does a request's work when its turn comes.
   * @throws ApiError abandoned when the client has hung up by then; too_many_requests or unavailable when too many wait
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

  /**
   * Waits until few other long bodies of the asker's organization are being read. Otherwise one with many connections could have
   * its bodies parsed one after the other on the main thread, while the requests of all others wait.
   * @throws ApiError abandoned when the client of a request that only reads has hung up by then
   */
  enterToRead(asker: Asker): Leave | Promise<Leave> {
    return asAsker(asker, () => this.#turnsToRead.enter())
  }

  /**
   * Waits until few other long answers are being made, and reserves bytes of the organization's for this one. Otherwise many
   * requests would have made theirs before the first was counted.
   * @throws ApiError as `claim`, and abandoned when the client of a request that only reads has hung up by then
   */
  async enterToAnswer(asker: Asker): Promise<Leave> {
    const leave = await asAsker(asker, () => this.#turnsToAnswer.enter())
    try {
      const release = this.answers.claim(asker.lane, limits.streamBytes)
      return () => {
        release()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
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

/** The answer of a request, for as long as it is being made. */
export class AnswerInTheMaking {
  readonly #enter: () => Promise<Leave>
  #begun: Promise<void> | undefined
  #leave: Leave | undefined
  #isMade = false

  constructor(admission: Admission, asker: Asker) {
    this.#enter = () => admission.enterToAnswer(asker)
  }

  /** See `beginLongAnswer`. What is read while an answer is sent needs no turn. */
  async begin(): Promise<void> {
    if (this.#isMade) return
    this.#begun ??= this.#enter().then((leave) => {
      if (this.#isMade) leave()
      else this.#leave = leave
    })
    await this.#begun
  }

  /** Gives others their turn. To be called when its bytes are about to be counted, and when there is no answer. */
  end(): void {
    this.#isMade = true
    this.#leave?.()
  }
}

/** Bytes held for an organization's requests, with a lower limit for each of its end users. */
class DividedBytes extends HeldBytes {
  readonly #ofSubjects: HeldBytes

  constructor(perLane: number, inAll: number) {
    super({ perLane, inAll })
    this.#ofSubjects = new HeldBytes({ perLane: perLane * shareOfSubject, inAll })
  }

  /** Like `claim`; for a request of an end user, also claims the bytes from that end user's share. */
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

  /** Like `claimFor`, until the answer was sent or its client hangs up, which it may have done already. */
  holdFor(whose: Whose, bytes: number, res: ServerResponse): void {
    releaseAfter(res, this.claimFor(whose, bytes))
  }

  /** Like `holdFor` for what was done already, so that it is answered whatever is held. */
  holdAnyway({ lane }: Whose, bytes: number, res: ServerResponse): void {
    releaseAfter(res, this.hold(lane, bytes))
  }
}

function releaseAfter(res: ServerResponse, release: () => void): void {
  if (res.closed) release()
  else res.once('close', release)
}
