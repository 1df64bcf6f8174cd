/**
 * Deliveries of webhooks. Who changes several locks them by their id first: in other orders two could wait for each other.
 */

import { limits } from '@memory/shared/catalogue/limits'
import { asTask, asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { largeRowsAtOnce, purgeRows } from '@memory/shared/platform/database/purge'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Backlog } from '@memory/shared/platform/outbox/outbox'
import { sql } from 'kysely'
import type { deliveryStatuses, Failure } from './outcomes.ts'
import type { Suspects } from './receiver-speeds.ts'
import { lock, type WebhookId } from './store.ts'

const shown = [
  'id',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'response_status',
  'response_body',
  'duration_ms',
  'next_attempt_at',
  'created_at',
] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Which of a webhook's deliveries are listed. */
export interface Listed {
  status: DeliveryStatus | undefined
  eventType: string | undefined
  /** Only entries with a smaller number; undefined: from the newest on. */
  before: number | undefined
}

/** Up to `limit`, newest first. */
export function list(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  { status, eventType, before }: Listed,
  limit: number,
) {
  return trx
    .withSchema('app')
    .selectFrom('webhook_deliveries')
    .select([...shown, 'n'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as DeliveryStatus))
    .$if(eventType !== undefined, (query) => query.where('event_type', '=', eventType as string))
    .$if(before !== undefined, (query) => query.where('n', '<', before as number))
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
}

/** A delivery with its payload. */
export function find(trx: Trx, { organizationId, webhookId }: WebhookId, deliveryId: string) {
  return trx
    .withSchema('app')
    .selectFrom('webhook_deliveries')
    .select([...shown, 'body'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
}

export type DeliveryRow = Omit<Awaited<ReturnType<typeof list>>[number], 'n'>

/** One event for one webhook. */
export interface NewDelivery {
  eventId: string
  eventType: string
  body: string
  at: Date
}

/** The channel that is notified when a delivery is to be attempted at once. */
export const deliveriesDue = 'memory_webhooks'

const notifyDispatchers = (trx: Trx) => sql`select pg_notify(${deliveriesDue}, '')`.execute(trx)

export async function insert(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  { eventId, eventType, body, at }: NewDelivery,
): Promise<DeliveryRow> {
  await notifyDispatchers(trx)
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

/** An event for all webhooks of an organization that subscribe to it. */
export type NewEvent = Omit<NewDelivery, 'at'> & { organizationId: string }

/** Adds deliveries of events to the active webhooks that subscribe to them. Idempotent: each webhook gets each event once. */
export async function insertForAll(trx: Trx, events: readonly NewEvent[], at: Date): Promise<void> {
  const { numAffectedRows } = await sql`insert into app.webhook_deliveries
      (organization_id, webhook_id, event_id, event_type, body, next_attempt_at, created_at)
    select w.organization_id, w.id, e.event_id, e.event_type, e.body, ${at}::timestamptz, ${at}::timestamptz
      from unnest(${events.map((each) => each.organizationId)}::uuid[],
          ${events.map((each) => each.eventId)}::uuid[], ${events.map((each) => each.eventType)}::text[],
          ${events.map((each) => each.body)}::text[]) e (organization_id, event_id, event_type, body)
      join app.webhooks w on w.organization_id = e.organization_id
      where w.status = 'active' and (w.event_types is null or e.event_type = any (w.event_types))
    on conflict (organization_id, webhook_id, event_id) do nothing`.execute(trx)
  if (numAffectedRows !== 0n) await notifyDispatchers(trx)
}

/** The environments of those spaces that exist, by id. */
export async function findEnvironments(
  trx: Trx,
  spaceIds: readonly string[],
): Promise<Map<string, Environment>> {
  if (spaceIds.length === 0) return new Map()
  const rows = await trx
    .withSchema('app')
    .selectFrom('spaces')
    .select(['id', 'environment'])
    .where('id', 'in', spaceIds)
    .execute()
  return new Map(rows.map(({ id, environment }) => [id, environment]))
}

/** Schedules a delivery for `at`; a finished one starts over. @returns undefined when it does not exist */
export async function restart(
  trx: Trx,
  { organizationId, webhookId }: WebhookId,
  deliveryId: string,
  at: Date,
): Promise<DeliveryRow | undefined> {
  await notifyDispatchers(trx)
  const { rows } = await sql<DeliveryRow>`
    update app.webhook_deliveries
      set status = 'pending', next_attempt_at = ${at}, attempts = case when status = 'pending' then attempts else 0 end
      where organization_id = ${organizationId} and webhook_id = ${webhookId} and id = ${deliveryId}
      returning ${sql.join(shown.map((column) => sql.ref(column)))}`.execute(trx)
  return rows[0]
}

/**
 * Gives up the pending deliveries of a disabled webhook, some in each transaction, since there may be more than one statement could
 * change in time. Those of one that is active meanwhile are left.
 */
export async function giveUpPending(queries: Queries, id: WebhookId): Promise<void> {
  const { organizationId } = id
  const giveUpSome = () =>
    asTenant(queries, { organizationId }, async (trx) => {
      const webhook = await lock(trx, id)
      return webhook?.status === 'disabled' && (await failSomePending(trx, id))
    })
  while (await giveUpSome());
}

/** @returns whether there were any; of those that changed while they were waited for, the next time has the new row */
async function failSomePending(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    with pending as materialized (
      select ctid from app.webhook_deliveries
        where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'pending'
        order by id limit ${largeRowsAtOnce} for no key update
    ), given_up as (
      update app.webhook_deliveries d set status = 'failed', next_attempt_at = null from pending p where d.ctid = p.ctid
    )
    select count(*)::int as found from pending`.execute(trx)
  return rows[0]?.found !== 0
}

/**
 * Disabled webhooks with pending deliveries: the process that disabled one ended before it had given them all up, or an event came
 * just then.
 */
export async function listLeftPending(queries: Queries): Promise<WebhookId[]> {
  const { rows } = await asTask(queries, 'deliver-webhooks', (trx) =>
    sql<WebhookId>`
      select w.organization_id as "organizationId", w.id as "webhookId" from app.webhooks w
        where w.status = 'disabled' and exists (
          select from app.webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending'
        )`.execute(trx),
  )
  return rows
}

/**
 * Removes some of the deliveries of a webhook, which is locked, with their attempts: there may be more than one statement could
 * remove in time. @returns whether there were any; of those that changed while they were waited for, the next time has the new row
 */
export async function removeSome(trx: Trx, { organizationId, webhookId }: WebhookId): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    with held as materialized (
      select ctid from app.webhook_deliveries
        where organization_id = ${organizationId} and webhook_id = ${webhookId}
        order by id limit ${largeRowsAtOnce} for no key update
    ), removed as (
      delete from app.webhook_deliveries d using held h where d.ctid = h.ctid
    )
    select count(*)::int as found from held`.execute(trx)
  return rows[0]?.found !== 0
}

/** A delivery that this process attempts. */
export interface Leased extends WebhookId {
  id: string
  eventId: string
  eventType: string
  body: string
  /** The number of failed attempts. */
  attempts: number
  url: string
  /** Whether its receiver is expected to be slow. */
  isSlow: boolean
  /** The secrets to sign with, the current one first. */
  secrets: { id: string; sealed: Uint8Array }[]
}

/** A running attempt. */
export interface InHand extends WebhookId {
  isSlow: boolean
}

/** Room for attempts of one kind. */
export interface Slots {
  count: number
  /** The most for one organization, including its running attempts. */
  perOrganization: number
  /** The greatest share of the slots not used by others that one organization may have; it may always have one slot. */
  shareOfRest: number
}

/** How many attempts can be made at the same time. */
export interface Room {
  /** To receivers that are expected to answer quickly. */
  quick: Slots
  /** To receivers that are expected to be slow. */
  slow: Slots
  /** To one webhook. */
  perWebhook: number
  /** Attempts that are running already, and take room. */
  inHand: readonly InHand[]
  /** Which receivers are expected to be slow. */
  suspects: Suspects
}

/**
 * Leases deliveries that are due, for `leaseS` seconds, in which no other process gets them. Each webhook has its own queue, so
 * that a long one delays no other webhook. Organizations take turns, and one with many running attempts gets no more slots that
 * others will need. Receivers that answer quickly do not wait for slots of slow ones.
 */
export function lease(
  queries: Queries,
  now: Date,
  { quick, slow, perWebhook, inHand, suspects }: Room,
  leaseS: number,
): Promise<Leased[]> {
  return asTask(queries, 'deliver-webhooks', async (trx) => {
    const { rows } = await sql<Omit<Leased, 'secrets'>>`
      with in_hand as (
        select * from unnest(${inHand.map((each) => each.organizationId)}::uuid[],
          ${inHand.map((each) => each.webhookId)}::uuid[],
          ${inHand.map((each) => each.isSlow)}::boolean[]) h (organization_id, webhook_id, is_slow)
      ), by_webhook as (
        select webhook_id, count(*)::integer as count from in_hand group by 1
      ), by_organization as (
        select organization_id, is_slow, count(*)::integer as count from in_hand group by 1, 2
      ), slots (is_slow, count, per_organization, share) as (
        values (false, ${quick.count}::integer, ${quick.perOrganization}::integer, ${quick.shareOfRest}::float8),
          (true, ${slow.count}::integer, ${slow.perOrganization}::integer, ${slow.shareOfRest}::float8)
      ), receivers as (
        select w.organization_id, w.id, w.url, w.organization_id = any(${suspects.organizationIds}::uuid[])
            and w.id <> all(${suspects.quickWebhookIds}::uuid[]) as is_slow
          from app.webhooks w
          join app.organizations o on o.id = w.organization_id and o.deleted_at is null
          where w.status = 'active'
      ), waiting as (
        select d.*, w.url, w.is_slow
          from receivers w
          join slots s on s.is_slow = w.is_slow and s.count > 0
          left join by_webhook h on h.webhook_id = w.id
          cross join lateral (
            select p.organization_id, p.webhook_id, p.id, p.next_attempt_at from app.webhook_deliveries p
              where p.webhook_id = w.id and p.status = 'pending' and p.next_attempt_at <= ${now}
              order by p.next_attempt_at limit greatest(0, ${perWebhook}::integer - coalesce(h.count, 0))
              for update skip locked
          ) d
      ), levelled as (
        -- How many of its kind its organization has in hand with it.
        select w.*, coalesce(b.count, 0)
            + row_number() over (partition by w.is_slow, w.organization_id order by w.next_attempt_at, w.id) as level
          from waiting w
          left join by_organization b on b.organization_id = w.organization_id and b.is_slow = w.is_slow
      ), in_turn as (
        select l.*, row_number() over (partition by l.is_slow order by l.level, l.next_attempt_at, l.id) as turn
          from levelled l
      ), due as (
        select t.* from in_turn t join slots s on s.is_slow = t.is_slow
          where t.turn <= s.count
            and t.level <= greatest(1, least(s.per_organization, s.share * (s.count - t.turn + 1)))
      )
      update app.webhook_deliveries t set next_attempt_at = ${new Date(now.getTime() + leaseS * 1_000)} from due
        where t.organization_id = due.organization_id and t.webhook_id = due.webhook_id and t.id = due.id
        returning t.organization_id as "organizationId", t.webhook_id as "webhookId", t.id,
          t.event_id as "eventId", t.event_type as "eventType", t.body, t.attempts, due.url,
          due.is_slow as "isSlow"`.execute(trx)
    const secrets = await listSecrets(trx, rows, now)
    return rows.map((row) => ({ ...row, secrets: secrets.get(row.webhookId) ?? [] }))
  })
}

/** The secrets that sign at a time, by webhook. */
async function listSecrets(
  trx: Trx,
  webhooks: readonly WebhookId[],
  at: Date,
): Promise<Map<string, Leased['secrets']>> {
  if (webhooks.length === 0) return new Map()
  const { rows } = await sql<{ webhookId: string; id: string; sealed: Uint8Array }>`
    select webhook_id as "webhookId", id, secret as sealed from app.webhook_secrets
      where (organization_id, webhook_id) in (select * from unnest(
          ${webhooks.map((each) => each.organizationId)}::uuid[],
          ${webhooks.map((each) => each.webhookId)}::uuid[]))
        and (expires_at is null or expires_at > ${at})
      order by expires_at desc nulls first`.execute(trx)
  return Map.groupBy(rows, ({ webhookId }) => webhookId)
}

/** The outcome of an attempt: either an answer or a failure. */
export type Outcome = Pick<Leased, 'organizationId' | 'webhookId' | 'id' | 'attempts'> & {
  attemptedAt: Date
  durationMs: number
  responseStatus: number | null
  responseBody: string | null
  failure: Failure | null
  /** The new status of the delivery. */
  status: DeliveryStatus
  nextAttemptAt: Date | null
}

/**
 * Stores attempts and updates their deliveries. An attempt is ignored when another one of the delivery was stored meanwhile, or
 * the delivery was deleted. A delivery that was given up during its attempt stays so, unless the attempt succeeded. Only the
 * newest attempts of each delivery are kept.
 * @returns the ids of those deliveries that were pending until then
 */
export async function finish(trx: Trx, outcomes: readonly Outcome[]): Promise<Set<string>> {
  const column = <Name extends keyof Outcome>(name: Name) => outcomes.map((each) => each[name])
  const { rows } = await sql<{ id: string }>`
    with outcomes as (
      select * from unnest(${column('organizationId')}::uuid[], ${column('webhookId')}::uuid[], ${column('id')}::uuid[],
          ${column('attempts')}::integer[], ${column('attemptedAt')}::timestamptz[], ${column('durationMs')}::integer[],
          ${column('responseStatus')}::integer[], ${column('responseBody')}::text[], ${column('failure')}::text[],
          ${column('status')}::text[], ${column('nextAttemptAt')}::timestamptz[])
        o (organization_id, webhook_id, id, attempts, attempted_at, duration_ms, response_status, response_body, failure,
          status, next_attempt_at)
    ), held as materialized (
      select d.id, d.status from outcomes o join app.webhook_deliveries d using (organization_id, webhook_id, id)
        order by d.id for no key update of d
    ), noted as (
      update app.webhook_deliveries d
        set status = case when d.status = 'failed' and o.status = 'pending' then d.status else o.status end,
          attempts = o.attempts + 1, response_status = o.response_status, response_body = o.response_body,
          duration_ms = o.duration_ms, next_attempt_at = case when d.status = 'pending' then o.next_attempt_at end
        from outcomes o
        where d.organization_id = o.organization_id and d.webhook_id = o.webhook_id and d.id = o.id
          and d.id in (select id from held) and d.status in ('pending', 'failed') and d.attempts = o.attempts
        returning o.*
    ), added as (
      insert into app.webhook_attempts
          (organization_id, webhook_id, delivery_id, attempted_at, duration_ms, response_status, response_body, failure)
        select organization_id, webhook_id, id, attempted_at, duration_ms, response_status, response_body, failure from noted
    ), dropped as (
      -- The one that is added is not seen yet.
      delete from app.webhook_attempts a using noted n cross join lateral (
          select k.n from app.webhook_attempts k
            where k.organization_id = n.organization_id and k.webhook_id = n.webhook_id and k.delivery_id = n.id
            order by k.n desc offset ${limits.deliveryAttempts - 1} limit 1
        ) oldest
        where a.organization_id = n.organization_id and a.webhook_id = n.webhook_id and a.delivery_id = n.id
          and a.n <= oldest.n
    )
    select id from noted join held using (id) where held.status = 'pending'`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** The stored attempts at a delivery, in order. */
export function listAttempts(trx: Trx, { organizationId, webhookId }: WebhookId, deliveryId: string) {
  return trx
    .withSchema('app')
    .selectFrom('webhook_attempts')
    .select(['attempted_at', 'duration_ms', 'response_status', 'response_body', 'failure'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('n')
    .execute()
}

/** Gives back a leased delivery that was not attempted. */
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

/** The backlog of deliveries to active webhooks. */
export function readBacklog(queries: Queries, now: Date): Promise<Backlog> {
  return asTask(queries, 'deliver-webhooks', async (trx) => {
    const { rows } = await sql<Backlog>`
      select count(*) filter (where d.next_attempt_at <= ${now})::int as due,
        count(*) filter (where d.next_attempt_at > ${now})::int as later,
        greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(d.next_attempt_at)), 0))::float8
          as "lagSeconds"
        from app.webhook_deliveries d
        join app.webhooks w on w.organization_id = d.organization_id and w.id = d.webhook_id
        join app.organizations o on o.id = w.organization_id
        where d.status = 'pending' and w.status = 'active' and o.deleted_at is null`.execute(trx)
    return rows[0] as Backlog
  })
}

/** Deletes finished deliveries that are 30 days old, but for those that somebody else works on. */
export function purge(queries: Queries): Promise<void> {
  const isOld = sql`t.status <> 'pending' and t.created_at < now() - interval '30 days'`
  return purgeRows(queries, 'deliver-webhooks', 'webhook_deliveries', isOld, largeRowsAtOnce)
}
