import type { LearningUpdate } from '@memory/engine/learning/learning-update'
import { initialState, type SpaceState } from '@memory/engine/learning/state'
import { patternsOf, type Trace } from '@memory/engine/learning/trace'
import type { SignalRecord } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What learning starts from. */
export interface Beginning {
  organizationId: string
  /** Of the space. */
  createdAt: Date
  /** Null before the first time. */
  state: SpaceState | null
  /** By actor (hex). */
  traces: Map<string, Trace>
  /** Which of the patterns that were asked for are there. */
  alive: Set<number>
}

/**
 * Locks a space against whoever else learns, stores or forgets, until the transaction ends.
 * @returns undefined for a space that is gone
 */
export async function begin(
  trx: Trx,
  spaceId: string,
  actors: readonly string[],
  indexes: readonly number[],
): Promise<Beginning | undefined> {
  const { rows } = await sql<{
    organization_id: string
    created_at: Date
    state: SpaceState | null
    traces: Record<string, Trace>
    alive: number[]
  }>`
    select * from app.begin_learning(
      ${spaceId}, ${actors.map((actor) => Buffer.from(actor, 'hex'))}::bytea[], ${indexes}::int[])`.execute(
    trx,
  )
  const [row] = rows
  return (
    row && {
      organizationId: row.organization_id,
      createdAt: row.created_at,
      state: row.state,
      traces: new Map(Object.entries(row.traces)),
      alive: new Set(row.alive),
    }
  )
}

/** Observations that the history of a space keeps. */
const historyMax = 1_000

/** @returns the space's new engine version */
export async function saveState(
  trx: Trx,
  spaceId: string,
  state: SpaceState,
  records: readonly SignalRecord[],
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select app.save_state(
      ${spaceId}, ${JSON.stringify(state)}::jsonb, ${JSON.stringify(records.slice(-historyMax))}::jsonb,
      ${historyMax}) as version`.execute(trx)
  return rows[0]?.version ?? 0
}

/**
 * Forgets what a space was searched with, and what it found last, in the transaction that empties it: the mean of few
 * queries tells what they said.
 */
export async function forgetSearches(trx: Trx, spaceId: string): Promise<void> {
  const { asked, lastTop } = initialState(0)
  await sql`
    with forgotten as (
      update app.space_states set state = state || ${JSON.stringify({ asked, lastTop })}::jsonb
        where space_id = ${spaceId} returning space_id
    )
    update app.spaces s set engine_version = s.engine_version + 1 from forgotten f where s.id = f.space_id`.execute(
    trx,
  )
}

/** Lessons that are written into tables. */
type Written = Omit<LearningUpdate, 'state' | 'records'>

/** Rows written in one statement: 50 to 80 us each, in the embedded database of everybody's time. */
const rowsAtOnce = 100

/** Adds what uses have taught, in the transaction of `begin`. */
export async function saveUpdate(
  trx: Trx,
  spaceId: string,
  version: number,
  at: Date,
  update: Written,
): Promise<void> {
  for (const part of inParts(update)) await saveSome(trx, spaceId, version, at, part)
}

/** Lessons, which do not depend on each other, as parts of so many rows. */
function inParts({ associations, transitions, strengths, traces }: Written): Written[] {
  const parts: Written[] = []
  let rows = 0
  const next = () => {
    if (rows++ % rowsAtOnce === 0)
      parts.push({ associations: [], transitions: [], strengths: [], traces: new Map() })
    return parts.at(-1) as Written
  }
  for (const one of associations) next().associations.push(one)
  for (const one of transitions) next().transitions.push(one)
  for (const one of strengths) next().strengths.push(one)
  for (const [actor, trace] of traces) next().traces.set(actor, trace)
  return parts
}

async function saveSome(
  trx: Trx,
  spaceId: string,
  version: number,
  at: Date,
  { associations, transitions, strengths, traces }: Written,
): Promise<void> {
  const { halfLifeMs, associationMin, associationsMax } = parameters.learning
  const traceRows = Object.fromEntries(
    Array.from(traces, ([actor, trace]) => [actor, { trace, patterns: patternsOf(trace) }]),
  )
  await sql`
    select app.learn(
      ${spaceId}, ${version}, ${at.toISOString()}::timestamptz, ${halfLifeMs / 1_000}, ${associationMin},
      ${associationsMax}, ${associations.map(({ a }) => a)}::int[], ${associations.map(({ b }) => b)}::int[],
      ${associations.map(({ kept }) => kept)}::float8[], ${transitions.map(({ source }) => source)}::int[],
      ${transitions.map(({ target }) => target)}::int[], ${transitions.map(({ count }) => count)}::float8[],
      ${strengths.map(({ idx }) => idx)}::int[], ${strengths.map(({ slope }) => slope)}::float8[],
      ${strengths.map(({ shift }) => shift)}::float8[], ${parameters.tiers.halfLifeMs / 1_000}, ${JSON.stringify(traceRows)}::jsonb)`.execute(
    trx,
  )
}

/** The last records of a space, oldest first. */
export async function listSignals(queries: Queries, spaceId: string, count: number): Promise<SignalRecord[]> {
  const { rows } = await sql<{ records: SignalRecord[] }>`
    select s as records from app.last_signals(${spaceId}, ${count}) as s`.execute(queries)
  return rows.flatMap(({ records }) => records).slice(-count)
}

/** What a space has learned of its patterns. Times in ms since 1970. */
export interface LearnedLinks {
  /** [idx, answers, last answer (null: none), strength]. */
  uses: [number, number, number | null, number][]
  /** [idx, other, weight, as of]. */
  associations: [number, number, number, number][]
  /** [source, target, count, as of]. */
  transitions: [number, number, number, number][]
}

/** What a space has learned after an engine version; of every pattern with a changed link, all its links of that kind. */
export interface Learned extends LearnedLinks {
  state: SpaceState | null
  /** [first idx, stored from then on]. */
  stored: [number, number][]
}

export interface LearnedSince {
  engineVersion: number
  createdAt: Date
  /** Above the idx of every pattern. */
  end: number
  learned: Learned
}

/** Later than every engine version, and above every idx. */
const never = Number.MAX_SAFE_INTEGER
const everyIdx = 2 ** 31 - 1

/**
 * @param since engine version
 * @param storedAfter idx: store times of patterns up to it are left out
 * @returns undefined for a space that is gone
 */
export async function findLearned(
  queries: Queries,
  spaceId: string,
  since: number,
  storedAfter: number,
): Promise<LearnedSince | undefined> {
  const { rows } = await sql<{
    engine_version: number
    created_at: Date
    end_idx: number
    learned: Learned
  }>`select * from app.learned_since(${spaceId}, ${since}, ${storedAfter})`.execute(queries)
  const [row] = rows
  return (
    row && {
      engineVersion: row.engine_version,
      createdAt: row.created_at,
      end: row.end_idx,
      learned: row.learned,
    }
  )
}

/** What is learned of the space on the whole, beside its patterns' links. @returns undefined for a space that is gone */
export const findOutline = (queries: Queries, spaceId: string): Promise<LearnedSince | undefined> =>
  findLearned(queries, spaceId, never, -1)

/** @returns undefined for a space that is gone; a state of null before the first time */
export async function findState(
  queries: Queries,
  spaceId: string,
): Promise<{ createdAt: Date; state: SpaceState | null } | undefined> {
  const found = await findLearned(queries, spaceId, never, everyIdx)
  return found && { createdAt: found.createdAt, state: found.learned.state }
}

/** What is learned of the patterns from one idx up to, not with, another: each association once, by its lower idx. */
export async function loadLearnedPage(
  queries: Queries,
  spaceId: string,
  from: number,
  to: number,
): Promise<LearnedLinks> {
  const { rows } = await sql<{ page: LearnedLinks }>`
    select app.learned_page(${spaceId}, ${from}, ${to}) as page`.execute(queries)
  return rows[0]?.page ?? { uses: [], associations: [], transitions: [] }
}
