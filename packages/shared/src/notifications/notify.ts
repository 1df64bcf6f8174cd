import type { EventPayload } from '../catalogue/events.ts'
import { type NotifiedEvent, notificationTypeOf } from '../catalogue/notifications.ts'
import type { Trx } from '../platform/database/database.ts'
import { append } from '../platform/outbox/outbox.ts'
import * as store from './store.ts'

/**
 * Tells an organization, the transaction's tenant, of an event in the transaction of its cause: in its notifications at
 * once, and by its webhooks when that commits.
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
