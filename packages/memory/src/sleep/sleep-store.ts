import { parameters } from '@memory/engine/parameters'
import type { Disuse } from '@memory/engine/sleep/downscale'
import type { Link } from '@memory/engine/sleep/duplicates'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

const accessHalfLifeS = parameters.tiers.halfLifeMs / 1_000
const linkHalfLifeS = parameters.learning.halfLifeMs / 1_000

/** Which of these patterns are current. True until the end of the transaction, which must hold the space's lock. */
export async function listAlive(trx: Trx, spaceId: string, indexes: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ idx: number }>`
    select p.idx from app.named_patterns(${spaceId}, ${indexes}::int[]) p
      where app.is_current(p.expires_at, p.valid_to, p.enters_at)`.execute(trx)
  return new Set(rows.map(({ idx }) => idx))
}

/** Makes rows for patterns that were in no answer yet: they have none in `pattern_accesses`, which holds the strength. */
async function addAccessRows(trx: Trx, spaceId: string, at: Date, indexes: readonly number[]): Promise<void> {
  const time = at.toISOString()
  await sql`
    insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
      select p.space_id, p.idx, 0, null, app.decay(p.created_at, ${time}::timestamptz, ${accessHalfLifeS}),
             ${time}::timestamptz
        from app.named_patterns(${spaceId}, ${indexes}::int[]) p
      on conflict (space_id, idx) do nothing`.execute(trx)
}

/** Strengthens patterns: s <- s + rate (1 - s). Disuse, which weakens, counts anew from `at`. All must exist. */
export async function strengthen(
  trx: Trx,
  spaceId: string,
  engineVersion: number,
  at: Date,
  indexes: readonly number[],
  rate: number,
): Promise<void> {
  await addAccessRows(trx, spaceId, at, indexes)
  await sql`
    update app.pattern_accesses x
      set strength = least(1, x.strength + ${rate}::float8 * (1 - x.strength)),
          weakened_at = ${at.toISOString()}::timestamptz, engine_version = ${engineVersion}
      from (select * from unnest(${indexes}::int[]) as n (idx) limit ${indexes.length}) as n
      where x.space_id = ${spaceId} and x.idx = n.idx`.execute(trx)
}

/** The idx of patterns that were replayed or weakened since a time, and have been in no answer after that. */
export function listReplayed(queries: Queries, spaceId: string, since: Date): Promise<Set<number>> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ idx: number }>`
      select x.idx from app.pattern_accesses x
        where x.space_id = ${spaceId} and x.weakened_at >= ${since.toISOString()}::timestamptz
          and x.weakened_at >= coalesce(x.last_accessed, x.weakened_at)`.execute(trx)
    return new Set(rows.map(({ idx }) => idx))
  })
}

/** A pattern that may be weakened. */
export interface Unused extends Disuse {
  idx: number
  strength: number
}

/** An array of idx, so that rows are looked up one by one: with a range a query plan might read the whole space. */
const indexesFrom = (firstIdx: number, count: number) =>
  sql`array(select generate_series(${firstIdx}::int, ${firstIdx + count - 1}::int))`

/** Unprotected patterns, of the `count` from `firstIdx` on, that have been in no answer since a time. */
export async function listUnused(
  trx: Trx,
  spaceId: string,
  firstIdx: number,
  count: number,
  since: Date,
): Promise<Unused[]> {
  const { rows } = await sql<{ idx: number; strength: number; used_at: Date; weakened_at: Date | null }>`
    select p.idx, coalesce(x.strength, ${parameters.learning.strengthStart}::float8) as strength,
           coalesce(x.last_accessed, p.created_at) as used_at, x.weakened_at
      from app.named_patterns(${spaceId}, ${indexesFrom(firstIdx, count)}) p
      left join lateral (
        select * from app.pattern_accesses a where a.space_id = p.space_id and a.idx = p.idx offset 0
      ) x on true
      where not p.protected and coalesce(x.last_accessed, p.created_at) < ${since.toISOString()}::timestamptz`.execute(
    trx,
  )
  return rows.map(({ idx, strength, used_at, weakened_at }) => ({
    idx,
    strength,
    usedAt: used_at.getTime(),
    weakenedAt: weakened_at?.getTime() ?? null,
  }))
}

/** Sets the strengths of patterns after weakening. */
export async function setStrengths(
  trx: Trx,
  spaceId: string,
  engineVersion: number,
  at: Date,
  strengths: readonly { idx: number; strength: number }[],
): Promise<void> {
  const indexes = strengths.map(({ idx }) => idx)
  await addAccessRows(trx, spaceId, at, indexes)
  await sql`
    update app.pattern_accesses x
      set strength = n.strength, weakened_at = ${at.toISOString()}::timestamptz, engine_version = ${engineVersion}
      from unnest(${indexes}::int[], ${strengths.map(({ strength }) => strength)}::float8[]) as n (idx, strength)
      where x.space_id = ${spaceId} and x.idx = n.idx`.execute(trx)
}

/** Condition: an association, whose lower idx is of the `count` from `firstIdx` on, has faded below `associationMin`. */
const isFaded = (spaceId: string, at: Date, firstIdx: number, count: number) => sql`
  w.space_id = ${spaceId} and w.a >= ${firstIdx} and w.a < ${firstIdx + count}
    and w.weight * app.decay(w.at, ${at.toISOString()}::timestamptz, ${linkHalfLifeS})
      < ${parameters.learning.associationMin}`

/** Whether there is such an association. */
export async function hasFaded(
  trx: Trx,
  spaceId: string,
  at: Date,
  firstIdx: number,
  count: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from app.associations w where ${isFaded(spaceId, at, firstIdx, count)} limit 1`.execute(trx)
  return rows.length > 0
}

/** Deletes such associations. */
export async function dropFaded(
  trx: Trx,
  spaceId: string,
  at: Date,
  firstIdx: number,
  count: number,
): Promise<void> {
  await sql`delete from app.associations w where ${isFaded(spaceId, at, firstIdx, count)}`.execute(trx)
}

/** A pattern whose text an older one, `kept`, has too. */
export interface Duplicate {
  idx: number
  /** The idx of the pattern that stays. */
  kept: number
  /** `occurred_at` as a caller gave it for one of the copies; null if none was given. */
  event: Date | null
}

/**
 * Duplicates among the `count` patterns from `firstIdx` on: text patterns of which an older one has the same text, metadata,
 * subject and expiry. Protected patterns, and those with an own name or a validity, are never duplicates. `kept` is the oldest
 * copy.
 *
 * Nor are patterns that were changed since they were stored, except by merging, which changes nothing but their time. Their earlier
 * versions would be removed with them; and one that stayed would not show, of an earlier time, what the removed copy was then.
 *
 * Copies with different given times (`occurred_at`) are different events and are not merged. Copies without a given time belong
 * to the event of the oldest copy that has one. A time was given if it differs from `created_at`: without one, the database sets
 * both columns from the same clock.
 */
export async function listDuplicates(
  trx: Trx,
  spaceId: string,
  firstIdx: number,
  count: number,
): Promise<Duplicate[]> {
  const isWanted = sql`p.idx >= ${firstIdx} and p.idx < ${firstIdx + count}`
  const texts = sql`
    select distinct n.text_hash, n.subject from app.named_patterns(${spaceId}, ${indexesFrom(firstIdx, count)}) n
      where n.text_hash is not null`
  const { rows } = await sql<Duplicate>`
    with copies as (
      select p.idx, p.text_hash, coalesce(p.metadata, '{}') as metadata, p.expires_at,
             case when p.occurred_at <> p.created_at then p.occurred_at end as given,
             p.subject, ${isWanted} and app.is_current(p.expires_at, p.valid_to, p.enters_at) as wanted
        from (${texts}) t cross join lateral app.copies_of_text(${spaceId}, t.text_hash, t.subject) p
        where p.text is not null and not p.protected and p.external_id is null
          and p.valid_from is null and p.valid_to is null and p.supersedes is null
          and (p.revision = 1 or p.change = 'merged')
    ), events as (
      select c.*, coalesce(given, first_value(given) over (
               partition by text_hash, metadata, expires_at, subject order by given is null, idx
             )) as event
        from copies c
    ), known as (
      select e.*, min(idx) over (partition by text_hash, metadata, expires_at, subject, event) as kept from events e
    )
    select idx, kept, event from known where wanted and kept < idx order by idx`.execute(trx)
  return rows
}

/**
 * Sets `occurred_at` of kept patterns that were given no time to that of their event, which makes a new revision of each.
 * @param versionsKept how many earlier revisions of each are kept
 * @returns the idx of the patterns that were changed
 */
export async function setEvents(
  trx: Trx,
  spaceId: string,
  duplicates: readonly Pick<Duplicate, 'kept' | 'event'>[],
  versionsKept: number,
): Promise<number[]> {
  const told = new Map(duplicates.map(({ kept, event }) => [kept, event?.toISOString()]))
  const known = [...told].filter(([, event]) => event !== undefined)
  if (known.length === 0) return []
  const { rows } = await sql<{ told: number[] }>`
    select app.tell_events(
      ${spaceId}, ${known.map(([kept]) => kept)}::int[], ${known.map(([, event]) => event)}::timestamptz[], ${versionsKept}
    ) as told`.execute(trx)
  return rows[0]?.told ?? []
}

/** As `listDuplicates`, in a transaction of its own. */
export const findDuplicates = (
  queries: Queries,
  spaceId: string,
  firstIdx: number,
  count: number,
): Promise<Duplicate[]> =>
  asTenant(queries, { spaceId }, (trx) => listDuplicates(trx, spaceId, firstIdx, count))

/** All associations and transitions from or to these patterns. */
export async function listLinks(
  trx: Trx,
  spaceId: string,
  indexes: readonly number[],
): Promise<{ associations: Link[]; transitions: Link[] }> {
  interface Row {
    one: number
    other: number
    value: number
    at: Date
  }
  const { rows: associations } = await sql<Row>`
    select w.a as one, w.b as other, w.weight as value, w.at from app.associations w
      where w.space_id = ${spaceId} and (w.a = any (${indexes}::int[]) or w.b = any (${indexes}::int[]))`.execute(
    trx,
  )
  const { rows: transitions } = await sql<Row>`
    select t.source as one, t.target as other, t.count as value, t.at from app.transitions t
      where t.space_id = ${spaceId} and (t.source = any (${indexes}::int[]) or t.target = any (${indexes}::int[]))`.execute(
    trx,
  )
  const toLink = ({ at, ...row }: Row): Link => ({ ...row, at: at.getTime() })
  return { associations: associations.map(toLink), transitions: transitions.map(toLink) }
}

/** Adds the accesses of duplicates to those of the patterns that they merge into; the greatest strength stays. */
export async function moveAccesses(
  trx: Trx,
  spaceId: string,
  engineVersion: number,
  at: Date,
  duplicates: readonly Duplicate[],
): Promise<void> {
  const time = at.toISOString()
  await addAccessRows(
    trx,
    spaceId,
    at,
    duplicates.flatMap(({ idx, kept }) => [idx, kept]),
  )
  await sql`
    update app.pattern_accesses x set
        access_count = x.access_count + m.accesses,
        last_accessed = greatest(x.last_accessed, m.last_accessed),
        access_score = x.access_score * app.decay(x.scored_at, ${time}::timestamptz, ${accessHalfLifeS}) + m.score,
        scored_at = greatest(x.scored_at, ${time}::timestamptz),
        strength = greatest(x.strength, m.strength), engine_version = ${engineVersion}
      from (
        select n.kept, sum(d.access_count)::bigint as accesses, max(d.last_accessed) as last_accessed,
               sum(d.access_score * app.decay(d.scored_at, ${time}::timestamptz, ${accessHalfLifeS})) as score,
               max(d.strength) as strength
          from unnest(${duplicates.map(({ idx }) => idx)}::int[], ${duplicates.map(({ kept }) => kept)}::int[])
            as n (idx, kept)
          join app.pattern_accesses d on d.space_id = ${spaceId} and d.idx = n.idx
          group by n.kept
      ) as m
      where x.space_id = ${spaceId} and x.idx = m.kept`.execute(trx)
  const kept = [...new Set(duplicates.map(({ kept }) => kept))]
  await sql`select app.raise_use_steps(${spaceId}, ${kept}::int[])`.execute(trx)
}
