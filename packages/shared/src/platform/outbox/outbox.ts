import { sql } from 'kysely'
import { type EventPayload, type EventType, events } from '../../catalogue/events.ts'
import { asTask, type Queries, type Trx } from '../database/database.ts'

/**
 * Appends an event in the transaction of its cause: it leaves exactly when that commits.
 * @param delayS seconds until it does
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
  /** Names the event: the same each time that it is handed over. */
  eventId: string
  /** Null for what concerns a user alone. */
  organizationId: string | null
  type: string
  payload: unknown
  /** How often it was handed over before, without success. */
  attempts: number
  createdAt: Date
}

/** Takes an event further. It may be called again for the same event after a crash, so it must be idempotent. */
export type Deliver = (event: OutboxEvent) => Promise<void>

/** Takes events further that need no time of their own, all or none of them; idempotent like `Deliver`. */
export type DeliverBatch = (events: readonly OutboxEvent[]) => Promise<void>

/** An event in hand is due again after this, in case its relay died; as long as the relay lives, it is put off again. */
const leaseS = 60
const firstRetryS = 1
const longestRetryS = 300
/** Events that `relayOnce` hands over at once. */
const batch = 8

/**
 * Hands over the events that are due, a few at once, the oldest first, and removes those that were taken. Several
 * relays may run: each leases what it works on, and no transaction is open while an event is delivered. One that fails
 * is due again later and holds up no other.
 * @param types of events to hand over; others stay as they are. Undefined: all
 * @returns how many were handed over; 0 means that nothing is due.
 */
export async function relayOnce(
  queries: Queries,
  deliver: Deliver,
  onError: (error: unknown) => void,
  types?: readonly string[],
): Promise<number> {
  const due = await lease(queries, { count: batch, full: [], types, together: { count: 0, types: [] } })
  await Promise.all(due.map((event) => deliverOne(queries, event, deliver, onError)))
  return due.length
}

/** What a relay can take in hand. */
export interface Room {
  /** Events. */
  count: number
  /** Types of which there are enough in hand. */
  full: readonly string[]
  /** Types that have a receiver; undefined: all. */
  types: readonly string[] | undefined
  /** Events, beside the others, of types that are handed over together. */
  together: { count: number; types: readonly string[] }
}

/** Takes the events that are due, oldest first, as far as there is room for them: no other relay gets them. */
export function lease(queries: Queries, { count, full, types, together }: Room): Promise<OutboxEvent[]> {
  return asTask(queries, 'relay-outbox', async (trx) => {
    // What is locked is named beforehand: a join could read a subquery of it again for each row, and lock others each time.
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

/** Gives back leased events that were not handed over: they are due at once. */
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

/** Rows that wait to be worked on. */
export interface Backlog {
  /** That could be worked on at once. */
  due: number
  /** In hand, or to be tried again later. */
  later: number
  /** For how long the oldest that is due has been; 0 for none. */
  lagSeconds: number
}

/** What is in the outbox. */
export function readOutboxBacklog(queries: Queries): Promise<Backlog> {
  return asTask(queries, 'relay-outbox', async (trx) => {
    const { rows } = await sql<Backlog>`
      select count(*) filter (where available_at <= now())::int as due,
        count(*) filter (where available_at > now())::int as later,
        greatest(0, coalesce(extract(epoch from now() - min(available_at)), 0))::float8 as "lagSeconds"
        from app.outbox`.execute(trx)
    return rows[0] as Backlog
  })
}

/** Delivers a leased event, however long that takes, and removes it; one that fails is due again later. */
export async function deliverOne(
  queries: Queries,
  event: OutboxEvent,
  deliver: Deliver,
  onError: (error: unknown) => void,
): Promise<void> {
  const stopRenewing = keepLeased(queries, event, onError)
  try {
    await deliver(event)
  } catch (error) {
    onError(error)
    await stopRenewing()
    await postpone(queries, event)
    return
  }
  await stopRenewing()
  await remove(queries, [event])
}

/** Delivers leased events together. When that fails one of them may be to blame: each is then delivered by itself. */
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

/** @returns what ends it, and waits for a renewal that is under way: it would undo what is written next. */
function keepLeased(
  queries: Queries,
  { id }: OutboxEvent,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
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
