import { asTask, type Queries } from '@memory/shared/platform/database/database'
import { purgeRows, rowsAtOnce, untilFewer } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'

const time = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Repeats a statement, which returns how many rows it handled, until it handles fewer than `rowsAtOnce`. */
async function repeat(queries: Queries, statement: ReturnType<typeof sql<{ taken: number }>>): Promise<void> {
  await untilFewer(rowsAtOnce, async () => {
    const { rows } = await asTask(queries, 'keep-usage', (trx) => statement.execute(trx))
    return rows[0]?.taken ?? 0
  })
}

/** Rolls up the hourly counts of requests before a day into daily ones. @param before a UTC midnight */
export function rollUpCalls(queries: Queries, before: Date): Promise<void> {
  return repeat(
    queries,
    sql<{ taken: number }>`
      with hours as (
        delete from app.usage_calls where ctid = any (array(
          select ctid from app.usage_calls
            where at < ${time(before)} and at <> app.day_of(at)
            limit ${rowsAtOnce} for update skip locked
        )) returning *
      ), days as (
        insert into app.usage_calls as u
            (space_id, at, caller, stores, retrieves, recalls, explains, consolidations, other, queries)
          select space_id, app.day_of(at) as day, caller, sum(stores),
                 sum(retrieves), sum(recalls), sum(explains), sum(consolidations), sum(other), sum(queries)
            from hours group by space_id, day, caller order by space_id, day, caller
          on conflict (space_id, at, caller) do update set
            stores = u.stores + excluded.stores, retrieves = u.retrieves + excluded.retrieves,
            recalls = u.recalls + excluded.recalls, explains = u.explains + excluded.explains,
            consolidations = u.consolidations + excluded.consolidations, other = u.other + excluded.other,
            queries = u.queries + excluded.queries
      )
      select count(*)::integer as taken from hours`,
  )
}

/** Merges the latencies within each hour that ended before `before`. @param before the beginning of an hour */
export function rollUpLatencies(queries: Queries, before: Date): Promise<void> {
  return repeat(
    queries,
    sql<{ taken: number }>`
      with pieces as (
        delete from app.usage_latencies where ctid = any (array(
          select ctid from app.usage_latencies
            where at < ${time(before)} and at <> app.hour_of(at)
            limit ${rowsAtOnce} for update skip locked
        )) returning *
      ), merged as (
        select p.space_id, app.hour_of(p.at) as at, p.operation, b.bin,
               sum(b.count)::bigint as count
          from pieces p cross join lateral unnest(p.bins, p.counts) as b (bin, count) group by 1, 2, 3, 4
      ), hours as (
        insert into app.usage_latencies as l (space_id, at, operation, bins, counts)
          select space_id, at, operation, array_agg(bin order by bin), array_agg(count order by bin)
            from merged group by space_id, at, operation order by space_id, at, operation
          on conflict (space_id, at, operation) do update set (bins, counts) = (
            select m.bins, m.counts from app.merge_bins(l.bins, l.counts, excluded.bins, excluded.counts) as m
          )
      )
      select count(*)::integer as taken from pieces`,
  )
}

/**
 * Records how much spaces store, for those where it has changed since the last record. Some spaces a transaction, in the order
 * of their ids, so that with any number of them each statement ends in time.
 * @param at the current hour
 */
export async function takeSnapshots(queries: Queries, at: Date, atOnce: number = rowsAtOnce): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  await untilFewer(atOnce, async () => {
    const { rows } = await asTask(queries, 'keep-usage', (trx) =>
      sql<{ last: string; taken: number }>`
        with page as materialized (
          select s.id, s.patterns_used, s.storage_bytes from app.spaces s
            where s.id > ${after} order by s.id limit ${atOnce}
        ), noted as (
          insert into app.usage_snapshots as u (space_id, at, patterns, storage_bytes)
            select s.id, ${time(at)}, s.patterns_used, s.storage_bytes
              from page s
              left join lateral (
                select l.patterns, l.storage_bytes from app.usage_snapshots l
                  where l.space_id = s.id order by l.at desc limit 1
              ) as last on true
              where s.patterns_used <> coalesce(last.patterns, 0) or s.storage_bytes <> coalesce(last.storage_bytes, 0)
              order by s.id
            on conflict (space_id, at) do update set
              patterns = excluded.patterns, storage_bytes = excluded.storage_bytes
        )
        select id as last, (count(*) over ())::integer as taken from page order by id desc limit 1`.execute(
        trx,
      ),
    )
    after = rows[0]?.last ?? after
    return rows[0]?.taken ?? 0
  })
}

/**
 * Rolls up snapshots: keeps only the last one of each day before `before`. Goes by age, oldest first, in one process at a time,
 * so that a later snapshot always replaces an earlier one.
 * @param before a UTC midnight
 */
export function rollUpSnapshots(queries: Queries, before: Date): Promise<void> {
  return repeat(
    queries,
    sql<{ taken: number }>`
      with hours as (
        delete from app.usage_snapshots where ctid = any (array(
          select ctid from app.usage_snapshots
            where at < ${time(before)} and at <> app.day_of(at)
            order by at limit ${rowsAtOnce} for update
        )) returning *
      ), days as (
        insert into app.usage_snapshots as u (space_id, at, patterns, storage_bytes)
          select distinct on (space_id, day) space_id, day, patterns, storage_bytes
            from (
              select *, app.day_of(at) as day from hours
            ) as h
            order by space_id, day, at desc
          on conflict (space_id, at) do update set
            patterns = excluded.patterns, storage_bytes = excluded.storage_bytes
      )
      select count(*)::integer as taken from hours`,
  )
}

/** Deletes requests, latencies and snapshots before a moment, except the last snapshot before it, which is still valid. */
export async function purge(
  queries: Queries,
  before: { calls: Date; latencies: Date; snapshots: Date },
): Promise<void> {
  await purgeRows(queries, 'keep-usage', 'usage_calls', sql`t.at < ${time(before.calls)}`)
  await purgeRows(queries, 'keep-usage', 'usage_latencies', sql`t.at < ${time(before.latencies)}`)
  await purgeRows(
    queries,
    'keep-usage',
    'usage_snapshots',
    sql`t.at < ${time(before.snapshots)} and exists (
      select from app.usage_snapshots later
        where later.space_id = t.space_id and later.at > t.at and later.at < ${time(before.snapshots)}
    )`,
  )
}

/** Deletes the query counts of days that no monthly sum needs any more. */
export async function purgeQueryCounts(queries: Queries): Promise<void> {
  const isUnneeded = sql`t.day < (now() at time zone 'utc')::date - 100`
  const isOfEarlierMonth = sql`t.day < date_trunc('month', now() at time zone 'utc')::date`
  await purgeRows(queries, 'keep-usage', 'query_counts', isUnneeded)
  await purgeRows(queries, 'keep-usage', 'subject_queries', isOfEarlierMonth)
}
