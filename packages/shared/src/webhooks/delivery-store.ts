import { sql } from 'kysely'
import { asTask, asTenant, type Queries, type Trx } from '../platform/database/database.ts'
import type { Environment } from '../platform/database/tables.ts'
import type { WebhookId } from './store.ts'

const shown = [
  'id',
  'event_type',
  'status',
  'attempts',
  'response_status',
  'next_attempt_at',
  'created_at',
] as const

/** Up to `limit`, newest first; `before` is the number of an entry. */
export function list(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  before: number | undefined,
  limit: number,
) {
  return trx
    .withSchema('app')
    .selectFrom('webhook_deliveries')
    .select([...shown, 'n'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .$if(before !== undefined, (query) => query.where('n', '<', before as number))
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
}

export type DeliveryRow = Omit<Awaited<ReturnType<typeof list>>[number], 'n'>

/** One event for one webhook. */
export interface NewDelivery {
  eventId: string
  eventType: string
  body: string
  at: Date
}

/** Notified when a delivery is to be attempted at once. */
export const deliveriesDue = 'memory_webhooks'

const tellDispatchers = (trx: Trx) => sql`select pg_notify(${deliveriesDue}, '')`.execute(trx)

export async function insert(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  { eventId, eventType, body, at }: NewDelivery,
): Promise<DeliveryRow> {
  await tellDispatchers(trx)
  return trx
    .withSchema('app')
    .insertInto('webhook_deliveries')
    .values({
      organization_id: organizationId,
      webhook_id: webhookId,
      event_id: eventId,
      event_type: eventType,
      body,
      next_attempt_at: at,
      created_at: at,
    })
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** Adds an event to the active webhooks that ask for it, to each once however often this is called. */
export async function insertForAll(
  trx: Trx,
  organizationId: string,
  { eventId, eventType, body, at }: NewDelivery,
): Promise<void> {
  const { numAffectedRows } = await sql`insert into app.webhook_deliveries
      (organization_id, webhook_id, event_id, event_type, body, next_attempt_at, created_at)
    select w.organization_id, w.id, ${eventId}::uuid, ${eventType}::text, ${body}::text, ${at}::timestamptz,
      ${at}::timestamptz from app.webhooks w
      where w.organization_id = ${organizationId} and w.status = 'active'
        and (w.event_types is null or ${eventType} = any (w.event_types))
    on conflict (organization_id, webhook_id, event_id) do nothing`.execute(trx)
  if (numAffectedRows !== 0n) await tellDispatchers(trx)
}

/** The environment of a space; null for none. */
export function findEnvironment(
  queries: Queries,
  organizationId: string,
  spaceId: string | undefined,
): Promise<Environment | null> {
  if (spaceId === undefined) return Promise.resolve(null)
  return asTenant(queries, { organizationId }, async (trx) => {
    const row = await trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('environment')
      .where('id', '=', spaceId)
      .executeTakeFirst()
    return row?.environment ?? null
  })
}

/** Has a delivery be attempted at `at`; one that was finished begins anew. @returns undefined when there is none */
export async function restart(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  deliveryId: string,
  at: Date,
): Promise<DeliveryRow | undefined> {
  await tellDispatchers(trx)
  const { rows } = await sql<DeliveryRow>`
    update app.webhook_deliveries
      set status = 'pending', next_attempt_at = ${at}, attempts = case when status = 'pending' then attempts else 0 end
      where organization_id = ${organizationId} and webhook_id = ${webhookId} and id = ${deliveryId}
      returning id, event_type, status, attempts, response_status, next_attempt_at, created_at`.execute(trx)
  return rows[0]
}

/** Gives up what a webhook has not got. */
export async function failPending(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute()
}

/** A delivery that this process attempts. */
export interface Leased extends WebhookId {
  id: string
  eventId: string
  eventType: string
  body: string
  /** That failed. */
  attempts: number
}

/** What can be attempted at once. */
export interface Room {
  /** In all. */
  count: number
  /** To one webhook. */
  perWebhook: number
  /** How many of those are taken already, by webhook. */
  inHand: ReadonlyMap<string, number>
}

/**
 * Takes deliveries that are due, those of each webhook by themselves, so that a long queue of one stands in nobody's way.
 * No other process gets them for `leaseS` seconds.
 */
export function lease(
  queries: Queries,
  now: Date,
  { count, perWebhook, inHand }: Room,
  leaseS: number,
): Promise<Leased[]> {
  return asTask(queries, 'deliver-webhooks', async (trx) => {
    const { rows } = await sql<Leased>`
      with due as (
        select d.organization_id, d.webhook_id, d.id
          from app.webhooks w
          join app.organizations o on o.id = w.organization_id and o.deleted_at is null
          left join unnest(${[...inHand.keys()]}::uuid[], ${[...inHand.values()]}::integer[]) h (webhook_id, count)
            on h.webhook_id = w.id
          cross join lateral (
            select p.organization_id, p.webhook_id, p.id, p.next_attempt_at from app.webhook_deliveries p
              where p.webhook_id = w.id and p.status = 'pending' and p.next_attempt_at <= ${now}
              order by p.next_attempt_at limit greatest(0, ${perWebhook}::integer - coalesce(h.count, 0))
              for update skip locked
          ) d
          where w.status = 'active'
          order by d.next_attempt_at limit ${count}
      )
      update app.webhook_deliveries t set next_attempt_at = ${new Date(now.getTime() + leaseS * 1_000)} from due
        where t.organization_id = due.organization_id and t.webhook_id = due.webhook_id and t.id = due.id
        returning t.organization_id as "organizationId", t.webhook_id as "webhookId", t.id,
          t.event_id as "eventId", t.event_type as "eventType", t.body, t.attempts`.execute(trx)
    return rows
  })
}

/** What came of an attempt. */
export interface Result {
  status: 'pending' | 'delivered' | 'failed'
  responseStatus: number | null
  nextAttemptAt: Date | null
}

/** Notes an attempt. @returns false when another has been noted meanwhile, or the delivery is gone */
export async function finishAttempt(
  trx: Trx,
  { organizationId, webhookId, id, attempts }: Leased,
  { status, responseStatus, nextAttemptAt }: Result,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('webhook_deliveries')
    .set({
      status,
      attempts: attempts + 1,
      response_status: responseStatus,
      next_attempt_at: nextAttemptAt,
    })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Gives back what was leased and not attempted. */
export async function giveBack(trx: Trx, { organizationId, webhookId, id }: Leased, at: Date): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: at })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

/** Removes finished deliveries after 30 days. */
export async function purge(queries: Queries): Promise<void> {
  await asTask(queries, 'deliver-webhooks', async (trx) => {
    await sql`delete from app.webhook_deliveries
      where status <> 'pending' and created_at < now() - interval '30 days'`.execute(trx)
  })
}
