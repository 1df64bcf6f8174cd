import type { EventPayload } from '@memory/shared/catalogue/events'
import type { NotifiedEvent } from '@memory/shared/catalogue/notifications'
import type { Clock } from '@memory/shared/platform/clock'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { OutboxEvent } from '@memory/shared/platform/outbox/outbox'
import * as deliveries from './delivery-store.ts'
import { dataOf, writeMessage } from './message.ts'

/** What webhooks are happened. */
export interface WebhookEvent {
  type: NotifiedEvent
  payload: EventPayload<NotifiedEvent>
  event: Pick<OutboxEvent, 'eventId' | 'organizationId' | 'createdAt'>
}

/**
 * Queues events for the webhooks of their organizations that ask for them, all in one transaction. To be repeated: each
 * webhook gets an event once.
 */
export async function fanOut(
  { queries, clock }: { queries: Queries; clock: Clock },
  happened: readonly WebhookEvent[],
): Promise<void> {
  await asTask(queries, 'deliver-webhooks', async (trx) => {
    const environments = await deliveries.findEnvironments(trx, happened.flatMap(spacesOf))
    const added = happened.flatMap(({ type, payload, event: { eventId, organizationId, createdAt } }) => {
      if (organizationId === null) return []
      const [spaceId = ''] = spacesOf({ payload })
      const environment = environments.get(spaceId) ?? null
      const data = dataOf(type, payload)
      const body = writeMessage({ eventId, type, at: createdAt, organizationId, environment, data })
      return [{ organizationId, eventId, eventType: type, body }]
    })
    await deliveries.insertForAll(trx, added, clock.now())
  })
}

const spacesOf = ({ payload }: Pick<WebhookEvent, 'payload'>): string[] =>
  'spaceId' in payload ? [payload.spaceId] : []
