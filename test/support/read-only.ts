import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Runs `work` while the embedded database, which has one session, only reads, as it does while its disk is nearly full. */
export async function whileReadOnly<T>(queries: Queries, work: () => Promise<T>): Promise<T> {
  await sql`set default_transaction_read_only = on`.execute(queries)
  try {
    return await work()
  } finally {
    await sql`set default_transaction_read_only = off`.execute(queries)
  }
}
