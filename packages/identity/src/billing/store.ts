import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Marks an event as handled. Waits while the same event is being handled. @returns false when it was handled before */
export async function insert(trx: Trx, webhookId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .withSchema('app')
    .insertInto('billing_events')
    .values({ webhook_id: webhookId })
    .onConflict((conflict) => conflict.column('webhook_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes the marks of events that no sender repeats any more. */
export async function removeOlderThan(trx: Trx, days: number): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('billing_events')
    .where('received_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
}
