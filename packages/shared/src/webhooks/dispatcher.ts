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
  readonly #stopping = new AbortController()
  readonly #inHand = new Map<deliveries.Leased, Promise<void>>()
  #taking: Promise<void> | undefined

  constructor(context: AttemptContext) {
    this.#context = context
  }

  /** Begins attempts at what is due and for which there is room, and does not wait for them. */
  run(): Promise<void> {
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined
    })
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

  async #take(): Promise<void> {
    const count = inHandMax - this.#inHand.size
    if (count <= 0 || this.#stopping.signal.aborted) return
    const { queries, clock } = this.#context
    const busy = [...new Set([...this.#inHand.keys()].map(({ webhookId }) => webhookId))]
    const room = { count, perWebhook: perWebhookMax, busy }
    for (const delivery of await deliveries.lease(queries, clock.now(), room, leaseS)) this.#begin(delivery)
  }

  #begin(delivery: deliveries.Leased): void {
    const { log } = this.#context
    const work = attempt(this.#context, delivery, this.#stopping.signal)
      .catch((error) => log.warn({ err: error, deliveryId: delivery.id }, 'webhook attempt not noted'))
      .finally(() => this.#inHand.delete(delivery))
    this.#inHand.set(delivery, work)
  }
}
