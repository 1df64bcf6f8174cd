import { parameters } from '@memory/engine/parameters'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { largeRowsAtOnce, purgeRows, rowsAtOnce, untilFewer } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'
import { redactVersions } from './patterns/version-store.ts'
import { lockSpace } from './store.ts'

/** Patterns erased in one transaction: more would block writers of the space for long, or exceed the statement timeout. */
const erasedAtOnce = 2_000

/** After so many it is not the spaces that fail: the database does not answer, and each would wait for it. */
const failedMax = 20

/**
 * The spaces at which a chore failed, such as since somebody has locked one for long. Those that come after them have their turn all
 * the same; in the end the chore fails, which is logged.
 */
class FailedSpaces {
  readonly #errors = new Map<string, unknown>()

  get ids(): string[] {
    return [...this.#errors.keys()]
  }

  /** Does `work` for a space. @throws when too many have failed */
  async attempt(spaceId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#errors.set(spaceId, error)
      if (this.#errors.size >= failedMax) this.report()
    }
  }

  /** @throws when any has failed */
  report(): void {
    if (this.#errors.size === 0) return
    throw new AggregateError(this.#errors.values(), `Spaces failed: ${this.ids.join(', ')}`)
  }
}

/**
 * Erases expired patterns, and what versions held that expired before the patterns as they are now. Answers have left all of it
 * out since it expired. @returns how many patterns were erased
 */
export async function eraseExpired(queries: Queries): Promise<number> {
  const failed = new FailedSpaces()
  const erased = await erasePatterns(queries, failed)
  await emptyVersions(queries, failed)
  failed.report()
  return erased
}

async function erasePatterns(queries: Queries, failed: FailedSpaces): Promise<number> {
  let erased = 0
  for (;;) {
    const expired = await asTask(queries, 'erase-expired-patterns', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('patterns')
        .select(['space_id', 'idx'])
        .where('expires_at', '<=', sql<Date>`now()`)
        .where('space_id', '<>', sql<string>`all (${failed.ids}::uuid[])`)
        .limit(erasedAtOnce)
        .execute(),
    )
    for (const [spaceId, patterns] of Map.groupBy(expired, ({ space_id }) => space_id)) {
      const indexes = patterns.map(({ idx }) => idx)
      await failed.attempt(spaceId, async () => {
        const { rows } = await sql<{ erased: number }>`
          select app.erase_expired(${spaceId}, ${indexes}::int[]) as erased`.execute(queries)
        erased += rows[0]?.erased ?? 0
      })
    }
    if (expired.length < erasedAtOnce) return erased
  }
}

async function emptyVersions(queries: Queries, failed: FailedSpaces): Promise<void> {
  for (;;) {
    const expired = await asTask(queries, 'erase-expired-patterns', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('pattern_versions')
        .select(['space_id', 'idx', 'revision'])
        .where('expires_at', '<=', sql<Date>`now()`)
        .where('space_id', '<>', sql<string>`all (${failed.ids}::uuid[])`)
        .limit(erasedAtOnce)
        .execute(),
    )
    for (const [spaceId, versions] of Map.groupBy(expired, ({ space_id }) => space_id)) {
      await failed.attempt(spaceId, () =>
        asTenant(queries, { spaceId }, async (trx) => {
          await lockSpace(trx, spaceId)
          await redactVersions(trx, spaceId, versions)
        }),
      )
    }
    if (expired.length < erasedAtOnce) return
  }
}

/**
 * Makes patterns visible whose `valid_from` has come. A request does the same for its own space; this also covers spaces that
 * nobody uses.
 */
export async function enterPatterns(queries: Queries): Promise<void> {
  const failed = new FailedSpaces()
  await untilFewer(rowsAtOnce, async () => {
    const entering = await asTask(queries, 'enter-patterns', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('patterns')
        .select('space_id')
        .where('enters_at', '<=', sql<Date>`now()`)
        .where('space_id', '<>', sql<string>`all (${failed.ids}::uuid[])`)
        .limit(rowsAtOnce)
        .execute(),
    )
    for (const spaceId of new Set(entering.map(({ space_id }) => space_id))) {
      // Until none enter: how many of them one statement takes is its own affair.
      await failed.attempt(spaceId, () => untilFewer(1, () => enterSome(queries, spaceId)))
    }
    return entering.length
  })
  failed.report()
}

/** @returns how many patterns of a space became visible */
async function enterSome(queries: Queries, spaceId: string): Promise<number> {
  const { rows } = await sql<{ entered: number }>`
    select entered from app.enter_patterns(${spaceId})`.execute(queries)
  return rows[0]?.entered ?? 0
}

/** Drops history: the content of revisions that were replaced more than a year ago. */
export function purgeVersions(queries: Queries): Promise<void> {
  const isOld = sql`t.replaced_at < now() - interval '365 days'`
  return purgeRows(queries, 'purge-versions', 'pattern_versions', isOld, largeRowsAtOnce)
}

/**
 * Drops tombstones older than an hour. A process whose copy of the space is older than the dropped ones can no longer catch up
 * and loads the space anew; `history_floor` tells it so. Some of one space a transaction, so that its writers wait only briefly,
 * locking the space's row first as every other change does: another order could deadlock.
 */
export async function purgeTombstones(queries: Queries): Promise<void> {
  const { rows: spaces } = await asTask(queries, 'purge-tombstones', (trx) =>
    sql<{ id: string }>`
      select distinct space_id as id from app.pattern_tombstones where deleted_at < now() - interval '1 hour'`.execute(
      trx,
    ),
  )
  const failed = new FailedSpaces()
  for (const { id } of spaces) {
    await failed.attempt(id, () => untilFewer(rowsAtOnce, () => purgeTombstonesOf(queries, id)))
  }
  failed.report()
}

/** Drops the oldest of a space, up to `rowsAtOnce`. @returns how many */
function purgeTombstonesOf(queries: Queries, spaceId: string): Promise<number> {
  return asTask(queries, 'purge-tombstones', async (trx) => {
    await lockSpace(trx, spaceId)
    const { rows } = await sql<{ dropped: number }>`
      with oldest as materialized (
        select ctid from app.pattern_tombstones
          where space_id = ${spaceId} and deleted_at < now() - interval '1 hour' order by version limit ${rowsAtOnce}
      ), old as (
        delete from app.pattern_tombstones t using oldest where t.ctid = oldest.ctid returning t.version
      ), raised as (
        update app.spaces s set history_floor = greatest(s.history_floor, (select max(version) from old))
          where s.id = ${spaceId} and exists (select from old)
      )
      select count(*)::integer as dropped from old`.execute(trx)
    return rows[0]?.dropped ?? 0
  })
}

/** Drops answers kept for repeated requests (`Idempotency-Key`) after 24 hours. */
export function purgeIdempotencyKeys(queries: Queries): Promise<void> {
  const isOld = sql`t.created_at < now() - interval '24 hours'`
  return purgeRows(queries, 'purge-idempotency-keys', 'idempotency_keys', isOld, largeRowsAtOnce)
}

/** Drops actors' traces that are too old to make a transition of. */
export function purgeTraces(queries: Queries): Promise<void> {
  const isOld = sql`t.at < now() - make_interval(secs => ${parameters.learning.transitionMs / 1_000})`
  return purgeRows(queries, 'purge-traces', 'actor_traces', isOld)
}
