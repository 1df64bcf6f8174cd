import { randomBytes } from 'node:crypto'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/**
 * Writes as many rows as would be written for an account that is there, in one transaction as that would be: how long an
 * answer takes must not tell whether it is. The rows count for nothing and are purged.
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
