import type { EventPayload } from '../catalogue/events.ts'
import { type NotifiedEvent, notificationTypeOf } from '../catalogue/notifications.ts'
import type { Trx } from '../platform/database/database.ts'
import { append } from '../platform/outbox/outbox.ts'
import * as store from './store.ts'

/**
 * Notifies an organization, the transaction's tenant, of an event, in the transaction of its cause. Once that commits, the
 * event is among the notifications, and is sent to the webhooks.
 */
export async function notify<Event extends NotifiedEvent>(
  trx: Trx,
  organizationId: string,
  event: Event,
  payload: EventPayload<Event>,
): Promise<void> {
  await store.insert(trx, organizationId, notificationTypeOf(event), payload)
  await append(trx, organizationId, event, payload)
}
