import type { EventPayload } from '../catalogue/events.ts'
import type { ToldEvent } from '../catalogue/notifications.ts'
import type { Clock } from '../platform/clock.ts'
import { asTenant, type Queries } from '../platform/database/database.ts'
import type { OutboxEvent } from '../platform/outbox/outbox.ts'
import * as deliveries from './delivery-store.ts'
import { dataOf, writeMessage } from './message.ts'

/**
 * Queues an event for the webhooks of its organization that ask for it. To be repeated: each webhook gets it once.
 */
export async function fanOut<Event extends ToldEvent>(
  { queries, clock }: { queries: Queries; clock: Clock },
  type: Event,
  payload: EventPayload<Event>,
  { eventId, organizationId, createdAt }: Pick<OutboxEvent, 'eventId' | 'organizationId' | 'createdAt'>,
): Promise<void> {
  if (organizationId === null) return
  const spaceId = 'spaceId' in payload ? payload.spaceId : undefined
  const environment = await deliveries.findEnvironment(queries, organizationId, spaceId)
  const body = writeMessage({
    eventId,
    type,
    at: createdAt,
    organizationId,
    environment,
    data: dataOf(type, payload),
  })
  const delivery = { eventId, eventType: type, body, at: clock.now() }
  await asTenant(queries, { organizationId }, (trx) => deliveries.insertForAll(trx, organizationId, delivery))
}
