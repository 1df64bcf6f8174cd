import { asTask, asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { untilFewer } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'

/** Identifies a user's export. */
export interface ExportId {
  userId: string
  exportId: string
}

/** Days for which an archive is kept. */
const keptDays = 7

/** Inserts an export. @returns its id; undefined when another of the user's is pending */
export async function insert(trx: Trx, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into app.exports (user_id) values (${userId})
      on conflict (user_id) where status = 'pending' do nothing returning id`.execute(trx)
  return rows[0]?.id
}

export interface Export {
  id: string
  status: 'pending' | 'ready' | 'failed'
  bytes: number
}

/** An export; undefined when it does not exist or has expired. */
export function find(queries: Queries, { userId, exportId }: ExportId): Promise<Export | undefined> {
  return asTenant(queries, { userId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('exports')
      .select(['id', 'status', 'bytes'])
      .where('user_id', '=', userId)
      .where('id', '=', exportId)
      .where(sql<boolean>`(expires_at is null or expires_at > now())`)
      .executeTakeFirst(),
  )
}

/**
 * An attempt that was not renewed for this long counts as dead. Shorter than the lease of an event of the outbox: when that
 * is handed out anew, because the process of the attempt is gone, another attempt can begin.
 */
const abandonedAfterS = 20
/** How often an attempt is renewed while its process lives. */
export const renewEveryMs = 5_000

/** An attempt to build an export. */
export interface Attempt {
  /** Its number. */
  build: number
  /** The archive has nothing that was stored since, so that nothing of this can be erased from it. */
  begunAt: Date
  /** How many attempts have failed before. */
  failures: number
  /** Whether the export was asked for so long ago that it would be removed before long. */
  isOverdue: boolean
}

/**
 * Begins an attempt to build an export.
 * @returns undefined when the export is not pending (any more)
 * @throws while another attempt may be running
 */
export function claim(queries: Queries, { userId, exportId }: ExportId): Promise<Attempt | undefined> {
  return asTenant(queries, { userId }, async (trx) => {
    const { rows } = await sql<Omit<Attempt, 'begunAt'> & { idle: boolean; now: Date }>`
      select build, failures, created_at < now() - make_interval(days => ${keptDays}) as "isOverdue", now() as now,
          (active_at is null or active_at < now() - make_interval(secs => ${abandonedAfterS})) as idle
        from app.exports where user_id = ${userId} and id = ${exportId} and status = 'pending' for no key update`.execute(
      trx,
    )
    const [row] = rows
    if (row === undefined) return undefined
    if (!row.idle) throw new Error('Another process is building this export.')
    await sql`update app.exports set build = build + 1, begun_build = build + 1, begun_at = now(), active_at = now()
      where user_id = ${userId} and id = ${exportId}`.execute(trx)
    return { ...row, build: row.build + 1, begunAt: row.now }
  })
}

/** Says that the process of an attempt lives. */
export async function renew(queries: Queries, { userId, exportId }: ExportId, build: number): Promise<void> {
  await asTenant(queries, { userId }, (trx) => touch(trx, { userId, exportId }, build))
}

/** @returns false when the attempt is no longer the latest one */
async function touch(trx: Trx, { userId, exportId }: ExportId, build: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update app.exports set active_at = now()
      where user_id = ${userId} and id = ${exportId} and build = ${build} and status = 'pending'`.execute(trx)
  return numAffectedRows === 1n
}

/** Ends an attempt, so that the next one can begin at once. @param failed whether it counts as one that failed */
export async function release(
  queries: Queries,
  { userId, exportId }: ExportId,
  build: number,
  failed: boolean,
): Promise<void> {
  await asTenant(queries, { userId }, (trx) =>
    sql`update app.exports set active_at = null, failures = failures + ${failed ? 1 : 0}
      where user_id = ${userId} and id = ${exportId} and build = ${build} and status = 'pending'`.execute(
      trx,
    ),
  )
}

/** Appends a part. @returns false when the attempt is no longer the latest one */
export function insertPart(
  queries: Queries,
  { userId, exportId }: ExportId,
  build: number,
  { part, data }: { part: number; data: Uint8Array },
): Promise<boolean> {
  return asTenant(queries, { userId }, async (trx) => {
    // Locked, so that no other attempt begins before the part is there.
    if (!(await touch(trx, { userId, exportId }, build))) return false
    await trx
      .withSchema('app')
      .insertInto('export_parts')
      .values({ user_id: userId, export_id: exportId, part, data })
      .execute()
    return true
  })
}

/** Parts removed in one statement; each is about a megabyte. */
const partsAtOnce = 32

/** Removes every part, a few at a time. */
export async function removeParts(queries: Queries, { userId, exportId }: ExportId): Promise<void> {
  await untilFewer(partsAtOnce, async () => {
    const { numAffectedRows = 0n } = await asTenant(queries, { userId }, (trx) =>
      sql`delete from app.export_parts where user_id = ${userId} and export_id = ${exportId} and part in (
        select part from app.export_parts where user_id = ${userId} and export_id = ${exportId}
          order by part limit ${partsAtOnce})`.execute(trx),
    )
    return Number(numAffectedRows)
  })
}

/** A part of an archive; undefined when there is none, or the archive was revoked meanwhile. */
export async function readPart(
  queries: Queries,
  { userId, exportId }: ExportId,
  part: number,
): Promise<Uint8Array | undefined> {
  const row = await asTenant(queries, { userId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('export_parts')
      .select('data')
      .where('user_id', '=', userId)
      .where('export_id', '=', exportId)
      .where('part', '=', part)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('exports')
            .where('user_id', '=', userId)
            .where('id', '=', exportId)
            .where('status', '=', 'ready'),
        ),
      )
      .executeTakeFirst(),
  )
  return row?.data
}

/** Completes an attempt. @returns when the archive expires; undefined when the attempt is no longer the latest one */
export async function finish(
  trx: Trx,
  { userId, exportId }: ExportId,
  build: number,
  bytes: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ expires_at: Date }>`
    update app.exports
      set status = 'ready', ready_at = now(), expires_at = now() + make_interval(days => ${keptDays}),
          bytes = ${bytes}, active_at = null
      where user_id = ${userId} and id = ${exportId} and build = ${build} and status = 'pending'
      returning expires_at`.execute(trx)
  return rows[0]?.expires_at
}

/** Gives an export up. @returns false when the attempt is no longer the latest one */
export async function fail(trx: Trx, { userId, exportId }: ExportId, build: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update app.exports set status = 'failed', expires_at = now() + make_interval(days => ${keptDays})
      where user_id = ${userId} and id = ${exportId} and build = ${build} and status = 'pending'`.execute(trx)
  return numAffectedRows === 1n
}

/** Up to `limit` exports that are to be removed. */
export function listOld(queries: Queries, limit: number): Promise<ExportId[]> {
  return asTask(queries, 'purge-exports', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('exports')
      .select(['user_id as userId', 'id as exportId'])
      .where(sql<boolean>`(expires_at < now() or created_at < now() - interval '8 days')`)
      .limit(limit)
      .execute(),
  )
}

export async function remove(queries: Queries, { userId, exportId }: ExportId): Promise<void> {
  await asTenant(queries, { userId }, (trx) =>
    trx
      .withSchema('app')
      .deleteFrom('exports')
      .where('user_id', '=', userId)
      .where('id', '=', exportId)
      .execute(),
  )
}
