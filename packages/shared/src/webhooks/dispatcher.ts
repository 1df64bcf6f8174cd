import { type AttemptContext, attempt } from './attempt.ts'
import * as deliveries from './delivery-store.ts'

/** Attempts under way at once in this process. */
const inHandMax = 256
/** To one webhook: one that never answers takes no more of them than this. */
const perWebhookMax = 4
/** More than an attempt takes: what a process that died had in hand is then taken by another. */
const leaseS = 60

/** Attempts the deliveries that are due. Any number of processes may do so on one database. */
export class Dispatcher {
  readonly #context: AttemptContext
  readonly #onRoom: () => void
  readonly #stopping = new AbortController()
  readonly #inHand = new Map<deliveries.Leased, Promise<void>>()
  #taking: Promise<void> | undefined
  #again = false

  /** @param onRoom called when an attempt has ended that others may have waited for: `run` takes those */
  constructor(context: AttemptContext, onRoom: () => void = () => {}) {
    this.#context = context
    this.#onRoom = onRoom
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
    const room = { count, perWebhook: perWebhookMax, inHand: this.#countByWebhook() }
    for (const delivery of await deliveries.lease(queries, clock.now(), room, leaseS)) this.#begin(delivery)
  }

  #begin(delivery: deliveries.Leased): void {
    const { log } = this.#context
    const work = attempt(this.#context, delivery, this.#stopping.signal)
      .catch((error) => log.warn({ err: error, deliveryId: delivery.id }, 'webhook attempt not noted'))
      .finally(() => {
        const ofWebhook = this.#countByWebhook().get(delivery.webhookId) ?? 0
        const mayOthersWait = ofWebhook >= perWebhookMax || this.#inHand.size >= inHandMax
        this.#inHand.delete(delivery)
        if (mayOthersWait) this.#onRoom()
      })
    this.#inHand.set(delivery, work)
  }

  #countByWebhook(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { webhookId } of this.#inHand.keys()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    return counts
  }
}
