import { sql } from 'kysely'
import { asTask, type Queries } from '../platform/database/database.ts'
import * as store from './store.ts'

/** Erases patterns whose time is over; searches have left them out since then. @returns how many. */
export async function eraseExpired(queries: Queries): Promise<number> {
  const expired = await asTask(queries, 'erase-expired-patterns', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('patterns')
      .select(['space_id', (eb) => eb.fn.agg<number[]>('array_agg', ['idx']).as('indexes')])
      .where('expires_at', '<=', sql<Date>`now()`)
      .groupBy('space_id')
      .execute(),
  )
  for (const { space_id, indexes } of expired) {
    await store.removePatterns(queries, space_id, { among: { indexes }, textOnly: false, dryRun: false })
  }
  return expired.reduce((sum, { indexes }) => sum + indexes.length, 0)
}

/** Drops tombstones older than an hour; a copy of the space from before them starts anew. */
export function purgeTombstones(queries: Queries): Promise<void> {
  return asTask(queries, 'purge-tombstones', async (trx) => {
    await sql`
      with old as (
        delete from app.pattern_tombstones where deleted_at < now() - interval '1 hour' returning space_id, version
      ), floors as (
        select space_id, max(version) as version from old group by space_id
      )
      update app.spaces s set history_floor = greatest(s.history_floor, f.version)
        from floors f where f.space_id = s.id`.execute(trx)
  })
}

/** Drops the answers kept for repeated requests after their day. */
export function purgeIdempotencyKeys(queries: Queries): Promise<void> {
  return asTask(queries, 'purge-idempotency-keys', async (trx) => {
    await sql`delete from app.idempotency_keys where created_at < now() - interval '24 hours'`.execute(trx)
  })
}
