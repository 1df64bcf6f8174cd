import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Notes an event as handled. @returns false when it was before. Waits for a twin that is being handled. */
export async function insert(trx: Trx, webhookId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .withSchema('app')
    .insertInto('billing_events')
    .values({ webhook_id: webhookId })
    .onConflict((conflict) => conflict.column('webhook_id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Forgets events that no sender repeats any more. */
export async function removeOlderThan(trx: Trx, days: number): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('billing_events')
    .where('received_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
}
