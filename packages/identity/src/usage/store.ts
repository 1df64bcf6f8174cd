import type { UsageClass } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { SketchBins } from './latency-sketch.ts'

/** The id that stands, among the callers, for all users with access tokens together. */
export const sessionCaller = '00000000-0000-0000-0000-000000000000'

/** Numbers of requests by class, and the number of all their queries. */
export interface Calls {
  stores: number
  retrieves: number
  recalls: number
  explains: number
  consolidations: number
  other: number
  queries: number
}

export const noCalls: Calls = {
  stores: 0,
  retrieves: 0,
  recalls: 0,
  explains: 0,
  consolidations: 0,
  other: 0,
  queries: 0,
}

/** The requests of one caller in one hour. */
export interface CallerCalls extends Calls {
  spaceId: string
  at: Date
  caller: string
}

/** The latencies of answers of one class, in the unit of time that begins at `at`. */
export interface Latencies extends SketchBins {
  spaceId: string
  at: Date
  operation: UsageClass
}

/** Adds counts to those stored already, in one statement. */
export async function recordUsage(
  queries: Queries,
  calls: readonly CallerCalls[],
  latencies: readonly Latencies[],
): Promise<void> {
  const row = <Each extends { spaceId: string }>({ spaceId, ...each }: Each) => ({
    space_id: spaceId,
    ...each,
  })
  await sql`select app.record_usage(
    ${JSON.stringify(calls.map(row))}::jsonb, ${JSON.stringify(latencies.map(row))}::jsonb)`.execute(queries)
}

/** How much a space stores. */
export interface Held {
  patterns: number
  storageBytes: number
}

export interface HeldAt extends Held {
  at: Date
}

export interface CallsAt extends Calls {
  at: Date
}

/** How much a space stores now, and its requests from a moment on: by hour, old ones by day; in order. */
export function readCalls(
  queries: Queries,
  spaceId: string,
  from: Date,
): Promise<{ held: Held; calls: CallsAt[] }> {
  return asTenant(queries, { spaceId }, async (trx) => ({
    held: await held(trx, spaceId),
    calls: await callsFrom(trx, spaceId, from),
  }))
}

/** Like `readCalls`, with the snapshots of how much the space stored, beginning with the last one before `from`; in order. */
export function readHistory(
  queries: Queries,
  spaceId: string,
  from: Date,
): Promise<{ held: Held; calls: CallsAt[]; snapshots: HeldAt[] }> {
  return asTenant(queries, { spaceId }, async (trx) => ({
    held: await held(trx, spaceId),
    calls: await callsFrom(trx, spaceId, from),
    snapshots: await snapshotsFrom(trx, spaceId, from),
  }))
}

/** How much a space stores. Expired patterns do not count, which are erased within a minute. */
async function held(trx: Trx, spaceId: string): Promise<Held> {
  const { rows } = await sql<Held>`
    select s.patterns_used - (
        select count(*) from app.patterns p where p.space_id = s.id and p.expires_at <= now()
      ) as patterns, s.storage_bytes as "storageBytes"
      from app.spaces s where s.id = ${spaceId}`.execute(trx)
  return rows[0] as Held
}

const sums = (
  ['stores', 'retrieves', 'recalls', 'explains', 'consolidations', 'other', 'queries'] as const
).map((name) => sql<number>`sum(${sql.ref(name)})::bigint`.as(name))

function callsFrom(trx: Trx, spaceId: string, from: Date): Promise<CallsAt[]> {
  return trx
    .withSchema('app')
    .selectFrom('usage_calls')
    .select('at')
    .select(sums)
    .where('space_id', '=', spaceId)
    .where('at', '>=', from)
    .groupBy('at')
    .orderBy('at')
    .execute()
}

async function snapshotsFrom(trx: Trx, spaceId: string, from: Date): Promise<HeldAt[]> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('usage_snapshots')
    .select(['at', 'patterns', 'storage_bytes'])
    .where('space_id', '=', spaceId)
    .where('at', '>=', (eb) =>
      eb.fn.coalesce(
        eb
          .selectFrom('usage_snapshots as before')
          .select((before) => before.fn.max('before.at').as('at'))
          .where('before.space_id', '=', spaceId)
          .where('before.at', '<', from),
        sql<Date>`${from.toISOString()}::timestamptz`,
      ),
    )
    .orderBy('at')
    .execute()
  return rows.map(({ at, patterns, storage_bytes: storageBytes }) => ({ at, patterns, storageBytes }))
}

/** How much a space stores now, and the requests of each of its callers from a moment on. */
export function readCallers(
  queries: Queries,
  spaceId: string,
  from: Date,
): Promise<{ held: Held; callers: { caller: string; calls: number }[] }> {
  return asTenant(queries, { spaceId }, async (trx) => ({
    held: await held(trx, spaceId),
    callers: (await callsOfCallers(trx, spaceId, { since: from, until: undefined })).map(
      ({ caller, ...calls }) => ({
        caller,
        calls: totalOf(calls),
      }),
    ),
  }))
}

/** A period: from a moment on, until before another one if that is given. */
export interface Span {
  since: Date
  until: Date | undefined
}

/** The number of requests of all classes. */
export const totalOf = ({ queries: _, ...calls }: Calls): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0)

/** The requests of each caller of a space. */
export function readCallsOfCallers(
  queries: Queries,
  spaceId: string,
  span: Span,
): Promise<(Calls & { caller: string })[]> {
  return asTenant(queries, { spaceId }, (trx) => callsOfCallers(trx, spaceId, span))
}

function callsOfCallers(
  trx: Trx,
  spaceId: string,
  { since, until }: Span,
): Promise<(Calls & { caller: string })[]> {
  return trx
    .withSchema('app')
    .selectFrom('usage_calls')
    .select('caller')
    .select(sums)
    .where('space_id', '=', spaceId)
    .where('at', '>=', since)
    .$if(until !== undefined, (query) => query.where('at', '<', until as Date))
    .groupBy('caller')
    .execute()
}

/** How much is stored of a subject, and how much of that was stored within a period. */
export interface SubjectShare {
  subject: string
  patterns: number
  stored: number
}

/** How much a space stores, and up to `count` of its subjects, sorted by name, after the name `after`. */
export function readSubjects(
  queries: Queries,
  spaceId: string,
  { after, count, since, until }: Span & { after: string | undefined; count: number },
): Promise<{ held: Held; subjects: SubjectShare[] }> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<SubjectShare>`
      select l.subject, l.patterns, coalesce(n.stored, 0)::integer as stored
        from app.list_subjects(${spaceId}, ${after ?? null}, null, ${count}) l
        left join lateral (
          select count(*) as stored from app.patterns p
            where p.space_id = ${spaceId} and p.subject = l.subject and (p.expires_at is null or p.expires_at > now())
              and p.created_at >= ${since.toISOString()}::timestamptz
              and (${until?.toISOString() ?? null}::timestamptz is null or p.created_at < ${until?.toISOString() ?? null}::timestamptz)
        ) n on true
        order by l.subject`.execute(trx)
    return { held: await held(trx, spaceId), subjects: rows }
  })
}

/** The numbers of answers per class and latency bin, from a moment on. */
export async function readLatencies(
  queries: Queries,
  spaceId: string,
  from: Date,
): Promise<{ operation: UsageClass; bin: number; count: number }[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ operation: UsageClass; bin: number; count: number }>`
      select l.operation, b.bin, sum(b.count)::bigint as count
        from app.usage_latencies l cross join lateral unnest(l.bins, l.counts) as b (bin, count)
        where l.space_id = ${spaceId} and l.at >= ${from.toISOString()}::timestamptz
        group by l.operation, b.bin`.execute(trx),
  )
  return rows
}
