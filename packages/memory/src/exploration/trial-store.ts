import type { Pair } from '@memory/engine/exploration/pairs'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { vectorArray } from '@memory/shared/platform/database/vector-array'
import { type RawBuilder, sql } from 'kysely'
import { lockSpace } from '../store.ts'

/** How many trials of a pair found it valid, and how many did not. */
export interface TrialRecord extends Pair {
  valid: number
  invalid: number
}

/** Records of pairs; there is none for a pair that was never tried. */
export function findTrials(
  queries: Queries,
  spaceId: string,
  pairs: readonly Pair[],
): Promise<TrialRecord[]> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<TrialRecord>`
      select t.a, t.b, t.valid, t.invalid
        from unnest(${pairs.map(({ a }) => a)}::int[], ${pairs.map(({ b }) => b)}::int[]) as p (a, b)
        join app.pair_trials t on t.space_id = ${spaceId} and t.a = p.a and t.b = p.b`.execute(trx)
    return rows
  })
}

/** What one more trial of a pair found. */
export interface TrialOutcome extends Pair {
  isValid: boolean
  coherence: number
  priority: number
}

/**
 * Writes the outcomes of trials that were made with the space at version `seen`. Pairs with a pattern that is gone, or has
 * changed since, are left out.
 * @param pairsMax how many records are kept, the latest ones
 */
export async function saveTrials(
  trx: Trx,
  spaceId: string,
  seen: number,
  at: Date,
  outcomes: readonly TrialOutcome[],
  pairsMax: number,
): Promise<void> {
  if (outcomes.length === 0) return
  // Nothing may be forgotten between the check of versions and the commit.
  await lockSpace(trx, spaceId)
  const column = <T>(read: (outcome: TrialOutcome) => T) => outcomes.map(read)
  await sql`
    insert into app.pair_trials as t (space_id, a, b, valid, invalid, coherence, priority, tried_at)
      select ${spaceId}, n.a, n.b, n.valid, 1 - n.valid, n.coherence, n.priority, ${at.toISOString()}::timestamptz
        from unnest(
          ${column(({ a }) => a)}::int[], ${column(({ b }) => b)}::int[],
          ${column(({ isValid }) => Number(isValid))}::int[],
          ${column(({ coherence }) => coherence)}::float8[], ${column(({ priority }) => priority)}::float8[]
        ) as n (a, b, valid, coherence, priority)
        where ${areAsSeen(spaceId, seen)}
      on conflict (space_id, a, b) do update set
        valid = t.valid + excluded.valid, invalid = t.invalid + excluded.invalid,
        coherence = excluded.coherence, priority = excluded.priority, tried_at = excluded.tried_at`.execute(
    trx,
  )
  await sql`
    delete from app.pair_trials t where t.space_id = ${spaceId} and (t.a, t.b) in (
      select o.a, o.b from app.pair_trials o where o.space_id = ${spaceId} and o.consolidated_at is null
        order by o.tried_at desc, o.a, o.b offset ${pairsMax}
    )`.execute(trx)
}

/** A pair of which sleep has not made a composition. */
export interface Candidate extends Pair {
  priority: number
  valid: number
  invalid: number
}

/** Condition: the pattern whose idx is in a column is current. Looked up one by one, for the reason given at `areAsSeen`. */
export const isThere = (spaceId: string, column: string): RawBuilder<boolean> => sql`exists (
  select from app.named_patterns(${spaceId}, array[${sql.ref(column)}]) p
    where app.is_current(p.expires_at, p.valid_to, p.enters_at))`

/** Candidates whose patterns are both current, highest priority first. @param least lower limits for each of these figures */
export function listCandidates(
  queries: Queries,
  spaceId: string,
  least: { priority?: number; valid?: number; validity?: number },
  count: number,
): Promise<Candidate[]> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<Candidate>`
      select t.a, t.b, t.priority, t.valid, t.invalid from (
          select t.* from app.pair_trials t
            where t.space_id = ${spaceId} and t.consolidated_at is null and t.priority >= ${least.priority ?? 0}
              and t.valid >= ${least.valid ?? 0}
              and (1 + t.valid) / (2.0 + t.valid + t.invalid) >= ${least.validity ?? 0}
            order by t.priority desc, t.a, t.b
        ) as t
        where ${isThere(spaceId, 't.a')} and ${isThere(spaceId, 't.b')}
        order by t.priority desc, t.a, t.b limit ${count}`.execute(trx)
    return rows
  })
}

/** A pair to make a composition of. */
export interface NewComposition extends Pair {
  key: Float32Array
  strength: number
}

/**
 * Condition: both patterns of a pair `n` exist and are unchanged since the space had version `seen`, and the space was not
 * embedded anew since. Looked up one by one: a join may be planned to read all patterns of the space, which took a second for
 * 100,000.
 */
export function areAsSeen(spaceId: string, seen: number): RawBuilder<boolean> {
  const versionOf = (column: 'a' | 'b') =>
    sql`(select p.version from app.patterns p where p.space_id = ${spaceId} and p.idx = ${sql.ref(`n.${column}`)})`
  return sql`${versionOf('a')} <= ${seen} and ${versionOf('b')} <= ${seen}
    and (select s.history_floor from app.spaces s where s.id = ${spaceId}) <= ${seen}`
}

/**
 * Makes compositions of pairs that are unchanged since the space had version `seen`, where they are among its strongest.
 * @param keptMax how many compositions of the space are kept, the strongest ones, of equals those that are there; the trials of
 *   those that make room go with them
 * @returns how many were made
 */
export async function insertCompositions(
  trx: Trx,
  spaceId: string,
  seen: number,
  at: Date,
  compositions: readonly NewComposition[],
  keptMax: number,
): Promise<number> {
  if (compositions.length === 0) return 0
  await lockSpace(trx, spaceId)
  const { rows } = await sql<{ a: number; b: number }>`
    with n as (
      select * from unnest(
        ${compositions.map(({ a }) => a)}::int[], ${compositions.map(({ b }) => b)}::int[],
        ${vectorArray(compositions.map(({ key }) => key))}::vector[],
        ${compositions.map(({ strength }) => strength)}::float8[]
      ) as n (a, b, key, strength)
      where ${areAsSeen(spaceId, seen)}
    ), strongest as (
      select a, b from (
        select a, b, strength, true as is_there from app.compositions where space_id = ${spaceId}
        union all select a, b, strength, false from n
      ) as each order by strength desc, is_there desc, a, b limit ${keptMax}
    )
    insert into app.compositions (space_id, a, b, key, strength, created_at)
      select ${spaceId}, n.a, n.b, n.key, n.strength, ${at.toISOString()}::timestamptz from n
        where (n.a, n.b) in (select s.a, s.b from strongest s)
      on conflict (space_id, a, b) do nothing
      returning a, b`.execute(trx)
  await sql`
    update app.pair_trials t set consolidated_at = ${at.toISOString()}::timestamptz
      from unnest(${rows.map(({ a }) => a)}::int[], ${rows.map(({ b }) => b)}::int[]) as n (a, b)
      where t.space_id = ${spaceId} and t.a = n.a and t.b = n.b`.execute(trx)
  await sql`
    with gone as (
      delete from app.compositions c where c.space_id = ${spaceId} and (c.a, c.b) in (
        select o.a, o.b from app.compositions o where o.space_id = ${spaceId}
          order by o.strength desc, o.created_at, o.a, o.b offset ${keptMax}
      ) returning c.a, c.b
    )
    delete from app.pair_trials t using gone where t.space_id = ${spaceId} and t.a = gone.a and t.b = gone.b`.execute(
    trx,
  )
  return rows.length
}

/** A composition, seen from one of its patterns. */
export interface Partner {
  idx: number
  /** The other pattern's idx. */
  partner: number
  strength: number
}

/** The compositions that patterns are part of. */
export function listPartners(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<Partner[]> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<Partner>`
      select c.a as idx, c.b as partner, c.strength from app.compositions c
        where c.space_id = ${spaceId} and c.a = any (${indexes}::int[])
      union all
      select c.b, c.a, c.strength from app.compositions c
        where c.space_id = ${spaceId} and c.b = any (${indexes}::int[])`.execute(trx)
    return rows
  })
}

/** For each vector its greatest cosine with a composition's key; undefined if no key has its length. */
export async function nearestCompositions(
  queries: Queries,
  spaceId: string,
  vectors: readonly Float32Array[],
): Promise<(number | undefined)[]> {
  if (vectors.length === 0) return []
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ n: number; similarity: number | null }>`
      -- Unit vectors: the cosine of what is large or small overflows. Each is made once, not for each pair, which took ten times
      -- as long. Of a vector of zeros the cosine is NaN, which max would take for the greatest.
      with q as materialized (
        select q.n, l2_normalize(q.key) as key from unnest(${vectorArray(vectors)}::vector[]) with ordinality as q (key, n)
      ), c as materialized (
        select l2_normalize(c.key) as key from app.compositions c where c.space_id = ${spaceId}
      )
      select q.n::int as n, max(nullif(1 - (c.key <=> q.key), 'NaN')) as similarity
        from q join c on vector_dims(c.key) = vector_dims(q.key)
        group by q.n`.execute(trx),
  )
  const found = new Map(rows.map(({ n, similarity }) => [n, similarity]))
  return vectors.map((_, i) => found.get(i + 1) ?? undefined)
}
