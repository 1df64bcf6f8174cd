import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttemptContext, attempt } from './attempt.ts'
import * as deliveries from './delivery-store.ts'
import { ReceiverSpeeds, slowAfterMs } from './receiver-speeds.ts'
import { SuccessNotes } from './success-notes.ts'

/**
 * The most attempts that this process makes at the same time to receivers that are expected to answer quickly. A receiver that
 * does not within a second counts as slow from then on, so a slot is occupied for a second at most, however many receivers
 * hang. One organization gets an eighth of the slots left by others, so that even 100 organizations leave 16 for the next one.
 */
const quick = { max: 256, perOrganization: 32, shareOfRest: 1 / 8 } as const
/** The same for slow receivers. However many organizations have some, half of the free slots stay for the next one. */
const slow = { max: 384, perOrganization: 40, shareOfRest: 1 / 2 } as const
/** The most attempts of both kinds, including those that turned out to be slow; each is an open connection. */
const inHandMax = 768
/** The most attempts to one webhook at the same time. */
const perWebhookMax = 4
/** The lease of a delivery: longer than an attempt takes. After it, another process takes over the deliveries of a dead one. */
const leaseS = 60

/** Attempts the deliveries that are due. Any number of processes may do so on one database. */
export class Dispatcher {
  readonly #context: AttemptContext
  readonly #onRoom: () => void
  readonly #notes: SuccessNotes
  readonly #stopping = new AbortController()
  readonly #inHand = new Map<deliveries.Leased, Promise<void>>()
  readonly #speeds = new ReceiverSpeeds()
  /** Webhooks whose secret this process could not open. */
  readonly #unsigned = new Set<string>()
  #taking: Promise<void> | undefined
  #again = false
  /** Whether the last look may have left due deliveries because there was no room, apart from the limit per webhook. */
  #isCrowded = false

  /** @param onRoom called when an attempt has ended for whose slot others may be waiting; `run` then begins those */
  constructor(context: AttemptContext, onRoom: () => void = () => {}) {
    this.#context = context
    this.#onRoom = onRoom
    this.#notes = new SuccessNotes(context.queries)
  }

  /**
   * Begins attempts at due deliveries, as far as there is room, without waiting for them. Deliveries that become due while
   * another call is looking are found too.
   */
  run(): Promise<void> {
    this.#again = true
    this.#taking ??= this.#takeAll()
    return this.#taking
  }

  /** Waits until no attempt is running. */
  async idle(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values())
  }

  /** Aborts running attempts; deliveries without an answer are due again at once. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#taking?.catch(() => {})
    await this.idle()
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#again) {
        // Waits a turn, so that attempts that end and deliveries that become due together cause only one look.
        await nextTurn()
        this.#again = false
        await this.#take()
      }
    } finally {
      this.#taking = undefined
    }
  }

  async #take(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { queries, clock } = this.#context
    // A copy, since attempts may turn out to be slow while the database is being asked.
    const inHand = [...this.#inHand.keys()].map((each) => ({ ...each }))
    const room = {
      quick: { ...quick, count: this.#quickMax() - this.#count(false) },
      slow: { ...slow, count: slow.max - this.#count(true) },
      perWebhook: perWebhookMax,
      inHand,
      suspects: this.#speeds.suspects(performance.now()),
    }
    this.#isCrowded = true
    if (room.quick.count <= 0 && room.slow.count <= 0) return
    for (const delivery of await deliveries.lease(queries, clock.now(), room, leaseS)) this.#begin(delivery)
    this.#isCrowded = [false, true].some((isSlow) => this.#mayHaveLeft(isSlow))
  }

  #quickMax(): number {
    return Math.min(quick.max, inHandMax - this.#count(true))
  }

  /** Whether an organization has as many attempts of a kind in hand as it may. */
  #mayHaveLeft(isSlow: boolean): boolean {
    const [max, { perOrganization, shareOfRest }] = isSlow ? [slow.max, slow] : [this.#quickMax(), quick]
    const counts = new Map<string, number>()
    for (const { organizationId } of this.#attempts(isSlow)) {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    }
    const most = Math.max(0, ...counts.values())
    const rest = max - this.#count(isSlow)
    return most >= Math.floor(Math.max(1, Math.min(perOrganization, shareOfRest * rest)))
  }

  #begin(delivery: deliveries.Leased): void {
    const { log } = this.#context
    delivery.isSlow ||= this.#speeds.isSlow(delivery, performance.now())
    const slowness = setTimeout(() => this.#recordSlow(delivery), slowAfterMs)
    const answered = () => {
      clearTimeout(slowness)
      if (performance.now() - began < slowAfterMs) this.#speeds.recordQuick(delivery)
      else this.#speeds.recordSlow(delivery, performance.now())
    }
    const began = performance.now()
    const use = { notes: this.#notes, unsigned: this.#unsigned, answered }
    const work = attempt(this.#context, delivery, use, this.#stopping.signal)
      .catch((error) => log.warn({ err: error, deliveryId: delivery.id }, 'webhook attempt not noted'))
      .finally(() => {
        clearTimeout(slowness)
        const mayOthersWait = this.#mayOthersWait() || this.#ofWebhook(delivery) >= perWebhookMax
        this.#inHand.delete(delivery)
        if (mayOthersWait) this.#onRoom()
      })
    this.#inHand.set(delivery, work)
  }

  /** Moves an attempt among the slow ones, and those of its organization that are expected to be slow by now. */
  #recordSlow(delivery: deliveries.Leased): void {
    const now = performance.now()
    this.#speeds.recordSlow(delivery, now)
    if (delivery.isSlow) return
    for (const each of this.#attempts(false)) {
      if (each.organizationId === delivery.organizationId && this.#speeds.isSlow(each, now))
        each.isSlow = true
    }
    if (this.#mayOthersWait()) this.#onRoom()
  }

  /** A look that is under way counts what has ended since. */
  #mayOthersWait(): boolean {
    return this.#taking !== undefined || this.#isCrowded
  }

  #ofWebhook({ webhookId }: deliveries.Leased): number {
    return [...this.#inHand.keys()].filter((each) => each.webhookId === webhookId).length
  }

  #count(isSlow: boolean): number {
    return this.#attempts(isSlow).length
  }

  #attempts(isSlow: boolean): deliveries.Leased[] {
    return [...this.#inHand.keys()].filter((each) => each.isSlow === isSlow)
  }
}
