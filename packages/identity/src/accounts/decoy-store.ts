import { randomBytes } from 'node:crypto'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/**
 * Writes as many rows as would be written if the account existed, also in one transaction, so that the time of an answer does
 * not reveal whether it exists. The rows have no effect and are purged.
 */
export function writeDecoys(queries: Queries, rows: number): Promise<void> {
  return asTask(queries, 'throttle', async (trx) => {
    for (let row = 0; row < rows; row++) {
      await trx
        .withSchema('app')
        .insertInto('attempts')
        .values({ bucket: randomBytes(32), count: 0, ends_at: sql<Date>`now()` })
        .execute()
    }
  })
}
