import { sql } from 'kysely'
import { type EventPayload, type EventType, events } from '../../catalogue/events.ts'
import { asTask, type Queries, type Trx } from '../database/database.ts'

/** Appends an event in the transaction of its cause: it leaves exactly when that commits. */
export async function append<Type extends EventType>(
  trx: Trx,
  organizationId: string | null,
  type: Type,
  payload: EventPayload<Type>,
): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('outbox')
    .values({ organization_id: organizationId, type, payload: JSON.stringify(events[type].parse(payload)) })
    .execute()
}

export interface OutboxEvent {
  id: number
  /** Null for what concerns a user alone. */
  organizationId: string | null
  type: string
  payload: unknown
  /** How often it was handed over before, without success. */
  attempts: number
}

/** Takes an event further. It may be called again for the same event after a crash, so it must be idempotent. */
export type Deliver = (event: OutboxEvent) => Promise<void>

const batch = 100
/** An event in hand is due again after this, in case its relay died. */
const leaseS = 60
const firstRetryS = 1
const longestRetryS = 300

/**
 * Hands over the events that are due, oldest first, and removes those that were taken. Several relays may run: each
 * leases what it works on, and no transaction is open while an event is delivered. One that fails is due again later
 * and holds up no other.
 * @returns how many were handed over; 0 means that nothing is due.
 */
export async function relayOnce(
  queries: Queries,
  deliver: Deliver,
  onError: (error: unknown) => void,
): Promise<number> {
  const due = await lease(queries)
  for (const event of due) {
    try {
      await deliver(event)
    } catch (error) {
      onError(error)
      await postpone(queries, event)
      continue
    }
    await remove(queries, event)
  }
  return due.length
}

function lease(queries: Queries): Promise<OutboxEvent[]> {
  return asTask(queries, 'relay-outbox', async (trx) => {
    const { rows } = await sql<OutboxEvent>`
      update app.outbox o set available_at = now() + make_interval(secs => ${leaseS})
        from (
          select id from app.outbox where available_at <= now()
            order by available_at, id limit ${batch} for update skip locked
        ) as due
        where o.id = due.id
        returning o.id, o.organization_id as "organizationId", o.type, o.payload, o.attempts`.execute(trx)
    return rows.sort((a, b) => a.id - b.id)
  })
}

async function remove(queries: Queries, event: OutboxEvent): Promise<void> {
  await asTask(queries, 'relay-outbox', (trx) =>
    trx.withSchema('app').deleteFrom('outbox').where('id', '=', event.id).execute(),
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
