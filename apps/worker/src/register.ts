import type { EventType } from '@memory/shared/catalogue/events'
import type { Deliver, OutboxEvent } from '@memory/shared/platform/outbox/outbox'

/** Who takes an event further. An event without a handler stays in the outbox until a release that has one. */
export const handlers: { [Type in EventType]?: Deliver } = {}

export const deliverEvent: Deliver = async (event: OutboxEvent) => {
  const handler = handlers[event.type as EventType]
  if (handler === undefined) throw new Error(`No handler for the event type ${event.type}.`)
  await handler(event)
}
