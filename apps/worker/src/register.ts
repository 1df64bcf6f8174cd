import { answerMailRequest } from '@memory/identity/accounts/answer-mail-request'
import { buildExport } from '@memory/identity/accounts/build-export'
import { fanOut } from '@memory/identity/webhooks/fan-out'
import { exportPatterns } from '@memory/memory/patterns/export-patterns'
import { type EventPayload, type EventType, events } from '@memory/shared/catalogue/events'
import { type NotifiedEvent, notifiedEvents } from '@memory/shared/catalogue/notifications'
import { sendQueuedMail } from '@memory/shared/mail/send-queued'
import type { Deliver, DeliverBatch, OutboxEvent } from '@memory/shared/platform/outbox/outbox'
import type { WorkerContext } from './context.ts'

/** Handles an event. It may be called again for the same event, so it must be idempotent. */
export type Handler<Type extends EventType> = (
  payload: EventPayload<Type>,
  context: WorkerContext,
  event: OutboxEvent,
) => Promise<void>

const notifyWebhooks =
  <Type extends NotifiedEvent>(type: Type): Handler<Type> =>
  (payload, context, event) =>
    fanOut(context, [{ type, payload, event }])

/** Requests for a mail that are older than this are dropped: the user has asked again by then, or has given up. */
const staleMs = 3_600_000

const isStale = (createdAt: Date, { clock }: WorkerContext) =>
  clock.now().getTime() - createdAt.getTime() > staleMs

/** The handler of each type of event. An event without one stays in the outbox, for a release that has one. */
export const handlers: { [Type in EventType]?: Handler<Type> } = {
  'account.export_requested': (payload, context) => buildExport({ ...context, exportPatterns }, payload),
  'account.mail_requested': (payload, context, { createdAt }) =>
    isStale(createdAt, context) ? Promise.resolve() : answerMailRequest(context, payload),
  'mail.queued': ({ mailId }, context) => sendQueuedMail(context, mailId),
  ...Object.fromEntries(notifiedEvents.map((type) => [type, notifyWebhooks(type)])),
}

export function deliverEvents(context: WorkerContext): Deliver {
  return async (event) => {
    const type = event.type as EventType
    const handler = handlers[type] as Handler<EventType> | undefined
    if (handler === undefined) throw new Error(`No handler for the event type ${event.type}.`)
    await handler(events[type].parse(event.payload) as EventPayload<EventType>, context, event)
  }
}

/** Returns the function that queues deliveries of several events to webhooks at once. */
export function notifyOfEvents(context: WorkerContext): DeliverBatch {
  return (outboxEvents) =>
    fanOut(
      context,
      outboxEvents.map((event) => {
        const type = event.type as NotifiedEvent
        return { type, payload: events[type].parse(event.payload), event }
      }),
    )
}
