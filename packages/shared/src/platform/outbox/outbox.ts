import { sql } from 'kysely'
import { type EventPayload, type EventType, events } from '../../catalogue/events.ts'
import { asTask, type Queries, type Trx } from '../database/database.ts'

/**
 * Appends an event in the transaction of its cause, so that it is delivered if and only if that commits.
 * @param delayS seconds to wait before it is delivered
 */
export async function append<Type extends EventType>(
  trx: Trx,
  organizationId: string | null,
  type: Type,
  payload: EventPayload<Type>,
  delayS = 0,
): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('outbox')
    .values({
      organization_id: organizationId,
      type,
      payload: JSON.stringify(events[type].parse(payload)),
      ...(delayS > 0 && { available_at: sql<Date>`now() + make_interval(secs => ${delayS})` }),
    })
    .execute()
}

export interface OutboxEvent {
  id: number
  /** Identifies the event, also when it is delivered more than once. */
  eventId: string
  /** Null for an event that concerns only a user. */
  organizationId: string | null
  type: string
  payload: unknown
  /** How many earlier deliveries have failed. */
  attempts: number
  createdAt: Date
}

/** Delivers an event. It may be called again for the same event after a crash, so it must be idempotent. */
export type Deliver = (event: OutboxEvent) => Promise<void>

/** Delivers several events together, all or none. For events that are quick to deliver. Must be idempotent, like `Deliver`. */
export type DeliverBatch = (events: readonly OutboxEvent[]) => Promise<void>

/** The lease of an event that is being delivered. Its relay renews it; when the relay dies, the event is due again after it. */
const leaseS = 60
const firstRetryS = 1
const longestRetryS = 300

/** How many events of which types a relay can take now. */
export interface Room {
  /** The most events to be delivered one by one. */
  count: number
  /** Types of which enough events are being delivered already. */
  full: readonly string[]
  /** Types that have a receiver; undefined: all. */
  types: readonly string[] | undefined
  /** In addition, the most events of types that are delivered together. */
  together: { count: number; types: readonly string[] }
}

/** Leases events that are due, oldest first, as far as there is room for them. No other relay gets them meanwhile. */
export function lease(queries: Queries, { count, full, types, together }: Room): Promise<OutboxEvent[]> {
  return asTask(queries, 'relay-outbox', async (trx) => {
    // The rows are locked in materialized subqueries: in a join, the planner could run a subquery again for each row, and each
    // time lock further rows.
    const { rows } = await sql<OutboxEvent>`
      with singly as materialized (
        select id from app.outbox
          where available_at <= now() and type <> all (${[...full, ...together.types]}::text[])
            and (${types ?? null}::text[] is null or type = any (${types ?? null}::text[]))
          order by available_at, id limit ${count} for update skip locked
      ), together as materialized (
        select id from app.outbox
          where available_at <= now() and type = any (${[...together.types]}::text[])
          order by available_at, id limit ${together.count} for update skip locked
      )
      update app.outbox o set available_at = now() + make_interval(secs => ${leaseS})
        from (select id from singly union all select id from together) as due
        where o.id = due.id
        returning o.id, o.organization_id as "organizationId", o.type, o.payload, o.attempts,
          o.event_id as "eventId", o.created_at as "createdAt"`.execute(trx)
    return rows.sort((a, b) => a.id - b.id)
  })
}

/** Gives back leased events that were not delivered: they are due at once. */
export async function handBack(queries: Queries, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  const ids = events.map(({ id }) => id)
  await asTask(queries, 'relay-outbox', (trx) =>
    trx
      .withSchema('app')
      .updateTable('outbox')
      .set({ available_at: sql`now()` })
      .where('id', 'in', ids)
      .execute(),
  )
}

/** The rows of an outbox or similar table that are still to be handled. */
export interface Backlog {
  /** Rows that are due now. */
  due: number
  /** Rows that are leased, or to be retried later. */
  later: number
  /** For how many seconds the oldest due row has been due; 0 for none. */
  lagSeconds: number
}

/**
 * The backlog of the outbox, of the types of events that this release has: those of a later one wait until that is there again,
 * after a way back.
 */
export function readOutboxBacklog(queries: Queries): Promise<Backlog> {
  return asTask(queries, 'relay-outbox', async (trx) => {
    const { rows } = await sql<Backlog>`
      select count(*) filter (where available_at <= now())::int as due,
        count(*) filter (where available_at > now())::int as later,
        greatest(0, coalesce(extract(epoch from now() - min(available_at)), 0))::float8 as "lagSeconds"
        from app.outbox where type = any (${Object.keys(events)}::text[])`.execute(trx)
    return rows[0] as Backlog
  })
}

/**
 * Delivers a leased event and removes it; one that fails is retried later. The lease is renewed for as long as it takes.
 * @param isOurs whether the event was not handed back meanwhile: its lease is another's then
 */
export async function deliverOne(
  queries: Queries,
  event: OutboxEvent,
  deliver: Deliver,
  onError: (error: unknown) => void,
  isOurs = () => true,
): Promise<void> {
  const stopRenewing = keepLeased(queries, event, onError, isOurs)
  try {
    await deliver(event)
  } catch (error) {
    onError(error)
    await stopRenewing()
    if (isOurs()) await postpone(queries, event)
    return
  }
  await stopRenewing()
  await remove(queries, [event])
}

/** Delivers leased events together. When that fails, each is delivered separately, since only one of them may be the cause. */
export async function deliverBatch(
  queries: Queries,
  events: readonly OutboxEvent[],
  deliver: DeliverBatch,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await deliver(events)
  } catch {
    await Promise.all(events.map((event) => deliverOne(queries, event, (one) => deliver([one]), onError)))
    return
  }
  await remove(queries, events)
}

/**
 * Renews an event's lease again and again.
 * @returns a function that stops it and waits for a renewal that is running, which could otherwise overwrite the next write
 */
function keepLeased(
  queries: Queries,
  { id }: OutboxEvent,
  onError: (error: unknown) => void,
  isOurs: () => boolean,
): () => Promise<void> {
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    if (!isOurs()) return
    renewing = asTask(queries, 'relay-outbox', async (trx) => {
      await trx
        .withSchema('app')
        .updateTable('outbox')
        .set({ available_at: sql`now() + make_interval(secs => ${leaseS})` })
        .where('id', '=', id)
        .execute()
    }).catch(onError)
  }, leaseS * 333)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing
  }
}

async function remove(queries: Queries, events: readonly OutboxEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id)
  await asTask(queries, 'relay-outbox', (trx) =>
    trx.withSchema('app').deleteFrom('outbox').where('id', 'in', ids).execute(),
  )
}

async function postpone(queries: Queries, event: OutboxEvent): Promise<void> {
  const seconds = Math.min(longestRetryS, firstRetryS * 2 ** event.attempts)
  await asTask(queries, 'relay-outbox', (trx) =>
    trx
      .withSchema('app')
      .updateTable('outbox')
      .set({ attempts: event.attempts + 1, available_at: sql`now() + make_interval(secs => ${seconds})` })
      .where('id', '=', event.id)
      .execute(),
  )
}
