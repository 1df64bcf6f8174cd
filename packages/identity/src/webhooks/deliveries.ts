import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import { isUuid } from '@memory/shared/catalogue/fields-parsing'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { pageOf, startOf } from '@memory/shared/catalogue/pages'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Backlog } from '@memory/shared/platform/outbox/outbox'
import { type Numbered, openNumber, sealNumber } from '@memory/shared/platform/sealed-numbers'
import type { WebhooksContext } from './context.ts'
import { asDecider } from './decider.ts'
import * as deliveries from './delivery-store.ts'
import { idOf, required } from './manage.ts'
import { messageIdOf, testEvent, writeMessage } from './message.ts'
import type { Failure } from './outcomes.ts'
import type * as schema from './schema.ts'
import * as store from './store.ts'

type Sending = Pick<WebhooksContext, 'queries' | 'clock'>

/** A page of a webhook's deliveries, newest first. @throws ApiError webhook_not_found; ValidationError for an invalid cursor */
export function listDeliveries(
  { queries, secrets }: Pick<WebhooksContext, 'queries' | 'secrets'>,
  { organizationId }: Caller,
  webhookId: string,
  { cursor, limit, status, event_type }: Input<typeof schema.ListDeliveries>['query'],
): Promise<Output<typeof schema.ListDeliveries>> {
  const id = idOf(organizationId, webhookId)
  const list = async (trx: Trx) => {
    required(await store.find(trx, id))
    const numbered: Numbered = { list: 'deliveries', of: webhookId.toLowerCase() }
    const before = startOf(cursor, (given) => openNumber(secrets, numbered, given))
    const listed = { status, eventType: event_type, before }
    const rows = await deliveries.list(trx, id, listed, limit + 1)
    const { page, next_cursor } = pageOf(rows, limit, ({ n }) => sealNumber(secrets, numbered, n))
    return { deliveries: page.map(toDelivery), next_cursor }
  }
  return asTenant(queries, { organizationId }, list, { inOrder: true })
}

/** A delivery with its payload and attempts. @throws ApiError webhook_not_found, delivery_not_found */
export function getDelivery(
  { queries }: { queries: Queries },
  { organizationId }: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<Output<typeof schema.GetDelivery>> {
  const id = idOf(organizationId, webhookId)
  return asTenant(queries, { organizationId }, async (trx) => {
    required(await store.find(trx, id))
    const row = isUuid(deliveryId) ? await deliveries.find(trx, id, deliveryId) : undefined
    if (row === undefined) throw new ApiError('delivery_not_found')
    const attempts = await deliveries.listAttempts(trx, id, deliveryId)
    return {
      ...toDelivery(row),
      payload: row.body,
      attempt_history: attempts.map(({ attempted_at, failure, ...attempt }) => ({
        attempted_at: attempted_at.toISOString(),
        ...attempt,
        // Only written by this service, so it is one of these values.
        failure: failure as Failure | null,
      })),
    }
  })
}

/** Sends a test event. @throws ApiError organization_admin_required, webhook_not_found, webhook_disabled */
export function testWebhook(
  { queries, clock }: Sending,
  caller: Caller,
  webhookId: string,
): Promise<Output<typeof schema.TestWebhook>> {
  const { organizationId, environment } = caller
  return asSender(queries, caller, webhookId, async (trx, id) => {
    const at = clock.now()
    const eventId = randomUUID()
    const body = writeMessage({ eventId, type: testEvent, at, organizationId, environment, data: {} })
    return toDelivery(await deliveries.insert(trx, id, { eventId, eventType: testEvent, body, at }))
  })
}

/**
 * Sends a delivery again.
 * @throws ApiError organization_admin_required, webhook_not_found, delivery_not_found, webhook_disabled
 */
export function redeliver(
  { queries, clock }: Sending,
  caller: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<Output<typeof schema.Redeliver>> {
  return asSender(queries, caller, webhookId, async (trx, id) => {
    const row = isUuid(deliveryId) ? await deliveries.restart(trx, id, deliveryId, clock.now()) : undefined
    if (row === undefined) throw new ApiError('delivery_not_found')
    return toDelivery(row)
  })
}

/** Runs `work` for an active webhook, which is locked so that it stays active until the transaction ends. */
function asSender<T>(
  queries: Queries,
  caller: Caller,
  webhookId: string,
  work: (trx: Trx, id: store.WebhookId) => Promise<T>,
): Promise<T> {
  return asDecider(queries, caller, async (trx) => {
    const id = idOf(caller.organizationId, webhookId)
    const { status } = required(await store.lock(trx, id))
    const answer = await work(trx, id)
    if (status !== 'active') throw new ApiError('webhook_disabled')
    return answer
  })
}

function toDelivery(row: deliveries.DeliveryRow): Output<typeof schema.TestWebhook> {
  return {
    id: row.id,
    event_id: messageIdOf(row.event_id),
    event_type: row.event_type as Output<typeof schema.TestWebhook>['event_type'],
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    response_body: row.response_body,
    duration_ms: row.duration_ms,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/** The backlog of deliveries to active webhooks. */
export function readDeliveryBacklog(queries: Queries, now: Date): Promise<Backlog> {
  return deliveries.readBacklog(queries, now)
}

/** Deletes finished deliveries that are 30 days old, and gives up what disabled webhooks have pending yet. */
export async function purgeDeliveries(queries: Queries): Promise<void> {
  await deliveries.purge(queries)
  for (const webhook of await deliveries.listLeftPending(queries))
    await deliveries.giveUpPending(queries, webhook)
}
