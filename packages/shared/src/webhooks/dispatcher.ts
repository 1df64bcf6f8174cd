import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttemptContext, attempt } from './attempt.ts'
import * as deliveries from './delivery-store.ts'
import { SuccessNotes } from './success-notes.ts'

/** Attempts under way at once in this process. */
const inHandMax = 256
/** To one webhook: one that never answers takes no more of them than this. */
const perWebhookMax = 4
/**
 * One organization gets so much of what is left beside its own: one alone up to 85 of the 256, three whose receivers all
 * hang 51 each, and the next one finds half of what is left.
 */
const shareOfRest = 1 / 2
/** More than an attempt takes: what a process that died had in hand is then taken by another. */
const leaseS = 60

/** Attempts the deliveries that are due. Any number of processes may do so on one database. */
export class Dispatcher {
  readonly #context: AttemptContext
  readonly #onRoom: () => void
  readonly #notes: SuccessNotes
  readonly #stopping = new AbortController()
  readonly #inHand = new Map<deliveries.Leased, Promise<void>>()
  #taking: Promise<void> | undefined
  #again = false
  /** Whether the last look may have left something for want of room, beside what single webhooks have in hand. */
  #isCrowded = false

  /** @param onRoom called when an attempt has ended that others may have waited for: `run` takes those */
  constructor(context: AttemptContext, onRoom: () => void = () => {}) {
    this.#context = context
    this.#onRoom = onRoom
    this.#notes = new SuccessNotes(context.queries)
  }

  /**
   * Begins attempts at what is due and for which there is room, and does not wait for them. What becomes due while
   * another call looks is found too.
   */
  run(): Promise<void> {
    this.#again = true
    this.#taking ??= this.#takeAll()
    return this.#taking
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values())
  }

  /** Ends what is under way; what has no answer yet is due again at once. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#taking?.catch(() => {})
    await this.settled()
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#again) {
        // What ends and what becomes due together is looked for once.
        await nextTurn()
        this.#again = false
        await this.#take()
      }
    } finally {
      this.#taking = undefined
    }
  }

  async #take(): Promise<void> {
    const count = inHandMax - this.#inHand.size
    if (count <= 0 || this.#stopping.signal.aborted) return
    const { queries, clock } = this.#context
    const inHand = this.#countBy(({ webhookId }) => webhookId)
    const room = { count, perWebhook: perWebhookMax, inHand, shareOfRest }
    for (const delivery of await deliveries.lease(queries, clock.now(), room, leaseS)) this.#begin(delivery)
    const most = Math.max(0, ...this.#countBy(({ organizationId }) => organizationId).values())
    this.#isCrowded = most >= Math.floor(Math.max(1, shareOfRest * (inHandMax - this.#inHand.size)))
  }

  #begin(delivery: deliveries.Leased): void {
    const { log } = this.#context
    const work = attempt(this.#context, delivery, this.#notes, this.#stopping.signal)
      .catch((error) => log.warn({ err: error, deliveryId: delivery.id }, 'webhook attempt not noted'))
      .finally(() => {
        // A look that is under way counts this one yet.
        const isLooking = this.#taking !== undefined
        const mayOthersWait = isLooking || this.#isCrowded || this.#ofWebhook(delivery) >= perWebhookMax
        this.#inHand.delete(delivery)
        if (mayOthersWait) this.#onRoom()
      })
    this.#inHand.set(delivery, work)
  }

  #ofWebhook({ webhookId }: deliveries.Leased): number {
    return this.#countBy((each) => each.webhookId).get(webhookId) ?? 0
  }

  #countBy(key: (delivery: deliveries.Leased) => string): Map<string, number> {
    const counts = new Map<string, number>()
    for (const delivery of this.#inHand.keys()) {
      counts.set(key(delivery), (counts.get(key(delivery)) ?? 0) + 1)
    }
    return counts
  }
}
