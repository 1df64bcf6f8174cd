import { parameters } from '@memory/engine/parameters'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { redactVersions } from './patterns/version-store.ts'
import { lockSpace } from './store.ts'

/** Patterns erased in one transaction: more would block writers of the space for long, or exceed the statement timeout. */
const erasedAtOnce = 2_000

/**
 * Erases expired patterns, and what versions held that expired before the patterns as they are now. Answers have left all of it
 * out since it expired. @returns how many patterns were erased
 */
export async function eraseExpired(queries: Queries): Promise<number> {
  const erased = await erasePatterns(queries)
  await emptyVersions(queries)
  return erased
}

async function erasePatterns(queries: Queries): Promise<number> {
  let erased = 0
  for (;;) {
    const expired = await asTask(queries, 'erase-expired-patterns', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('patterns')
        .select(['space_id', 'idx'])
        .where('expires_at', '<=', sql<Date>`now()`)
        .limit(erasedAtOnce)
        .execute(),
    )
    for (const [spaceId, patterns] of Map.groupBy(expired, ({ space_id }) => space_id)) {
      const indexes = patterns.map(({ idx }) => idx)
      const { rows } = await sql<{ erased: number }>`
        select app.erase_expired(${spaceId}, ${indexes}::int[]) as erased`.execute(queries)
      erased += rows[0]?.erased ?? 0
    }
    if (expired.length < erasedAtOnce) return erased
  }
}

async function emptyVersions(queries: Queries): Promise<void> {
  for (;;) {
    const expired = await asTask(queries, 'erase-expired-patterns', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('pattern_versions')
        .select(['space_id', 'idx', 'revision'])
        .where('expires_at', '<=', sql<Date>`now()`)
        .limit(erasedAtOnce)
        .execute(),
    )
    for (const [spaceId, versions] of Map.groupBy(expired, ({ space_id }) => space_id)) {
      await asTenant(queries, { spaceId }, async (trx) => {
        await lockSpace(trx, spaceId)
        await redactVersions(trx, spaceId, versions)
      })
    }
    if (expired.length < erasedAtOnce) return
  }
}

/**
 * Makes patterns visible whose `valid_from` has come. A request does the same for its own space; this also covers spaces that
 * nobody uses.
 */
export async function enterPatterns(queries: Queries): Promise<void> {
  const entering = await asTask(queries, 'enter-patterns', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('patterns')
      .select('space_id')
      .distinct()
      .where('enters_at', '<=', sql<Date>`now()`)
      .execute(),
  )
  for (const { space_id } of entering) await sql`select app.enter_patterns(${space_id})`.execute(queries)
}

/** Drops history: the content of revisions that were replaced more than a year ago. */
export function purgeVersions(queries: Queries): Promise<void> {
  return asTask(queries, 'purge-versions', async (trx) => {
    await sql`delete from app.pattern_versions where replaced_at < now() - interval '365 days'`.execute(trx)
  })
}

/**
 * Drops tombstones older than an hour. A process whose copy of the space is older than the dropped ones can no longer catch up
 * and loads the space anew; `history_floor` tells it so. One space a transaction, locking the space's row first as every other
 * change does: another order could deadlock.
 */
export async function purgeTombstones(queries: Queries): Promise<void> {
  const { rows: spaces } = await asTask(queries, 'purge-tombstones', (trx) =>
    sql<{ id: string }>`
      select distinct space_id as id from app.pattern_tombstones where deleted_at < now() - interval '1 hour'`.execute(
      trx,
    ),
  )
  for (const { id } of spaces) {
    await asTask(queries, 'purge-tombstones', async (trx) => {
      await lockSpace(trx, id)
      await sql`
        with old as (
          delete from app.pattern_tombstones
            where space_id = ${id} and deleted_at < now() - interval '1 hour' returning version
        )
        update app.spaces s set history_floor = greatest(s.history_floor, (select max(version) from old))
          where s.id = ${id} and exists (select from old)`.execute(trx)
    })
  }
}

/** Drops answers kept for repeated requests (`Idempotency-Key`) after 24 hours. */
export function purgeIdempotencyKeys(queries: Queries): Promise<void> {
  return asTask(queries, 'purge-idempotency-keys', async (trx) => {
    await sql`delete from app.idempotency_keys where created_at < now() - interval '24 hours'`.execute(trx)
  })
}

/** Drops actors' traces that are too old to make a transition of. */
export function purgeTraces(queries: Queries): Promise<void> {
  return asTask(queries, 'purge-traces', async (trx) => {
    await sql`
      delete from app.actor_traces
        where at < now() - make_interval(secs => ${parameters.learning.transitionMs / 1_000})`.execute(trx)
  })
}
