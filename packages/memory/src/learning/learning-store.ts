import type { LearningUpdate } from '@memory/engine/learning/learning-update'
import { initialState, type SpaceState } from '@memory/engine/learning/state'
import { patternsOf, type Trace } from '@memory/engine/learning/trace'
import type { SignalRecord } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What `begin` reads for learning to start from. */
export interface Beginning {
  organizationId: string
  /** When the space was created. */
  createdAt: Date
  /** Null if the space has never learned. */
  state: SpaceState | null
  /** The traces of the actors asked for, by the actor's hash (hex). */
  traces: Map<string, Trace>
  /** Which of the patterns asked for exist. */
  alive: Set<number>
  /** The strengths of those of them that have another one than a new pattern. */
  strengths: Map<number, number>
}

/**
 * Locks a space until the transaction ends, against everybody who learns, stores or forgets in it, and reads what learning needs.
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
    strengths: Record<string, number>
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
      strengths: new Map(Object.entries(row.strengths).map(([idx, strength]) => [Number(idx), strength])),
    }
  )
}

/** Records kept in the history of a space. */
const historyMax = 1_000

/** Writes a space's state and appends to its history. @returns the space's new engine version */
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
 * Resets the mean of queries and the last top result in a space's state: the mean of few queries would reveal what they said. Called
 * in the transaction that removes all of the space, or what an end user or a filter names: whoever asks for that means what people
 * have asked too, and the mean does not tell whose it is. Not where ids, a query or a category name single things that were said.
 */
export async function forgetSearches(trx: Trx, spaceId: string, at: Date): Promise<void> {
  const unused = initialState(at.getTime())
  const { asked, lastTop } = unused
  await sql`
    select app.forget_searches(
      ${spaceId}, ${JSON.stringify(unused)}::jsonb, ${JSON.stringify({ asked, lastTop })}::jsonb)`.execute(
    trx,
  )
}

/** The part of an update that is written as rows, beside the state and the history. */
type Written = Omit<LearningUpdate, 'state' | 'records'>

/** Rows per statement: 50 to 80 us each, during which all other queries of the embedded database wait. */
const rowsAtOnce = 100

/** Writes associations, transitions, strengths and traces, in the transaction of `begin`, which has read what they follow from. */
export async function saveUpdate(
  trx: Trx,
  spaceId: string,
  version: number,
  at: Date,
  update: Written,
): Promise<void> {
  for (const part of inParts(update)) await saveSome(trx, spaceId, version, at, part)
}

/** Splits an update into parts of `rowsAtOnce` rows. The rows do not depend on each other. */
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
      ${strengths.map(({ idx }) => idx)}::int[], ${strengths.map(() => 0)}::float8[],
      ${strengths.map(({ strength }) => strength)}::float8[], ${parameters.tiers.halfLifeMs / 1_000}, ${JSON.stringify(traceRows)}::jsonb)`.execute(
    trx,
  )
}

/** The last `count` records of a space's history, oldest first. */
export async function listSignals(queries: Queries, spaceId: string, count: number): Promise<SignalRecord[]> {
  const { rows } = await sql<{ records: SignalRecord[] }>`
    select s as records from app.last_signals(${spaceId}, ${count}) as s`.execute(queries)
  return rows.flatMap(({ records }) => records).slice(-count)
}

/** What a space has learned of its patterns, as tuples. Times in ms since 1970. Weights and counts fade since their `at`. */
export interface LearnedLinks {
  /** [idx, number of answers it was in, time of the last one (null: none), strength]. */
  uses: [number, number, number | null, number][]
  /** [idx, other idx, weight, at]. */
  associations: [number, number, number, number][]
  /** [source idx, target idx, count, at]. */
  transitions: [number, number, number, number][]
}

/** What a space has learned since an engine version. For each pattern with a changed link: all its links of that kind. */
export interface Learned extends LearnedLinks {
  state: SpaceState | null
  /** [first idx, time]: patterns from this idx on, up to the next entry's, were stored at that time. */
  stored: [number, number][]
  /** True where there are changes after the engine version that was read up to. */
  more?: boolean
}

/** What a space has learned since an engine version, or the first of it, with the version that this leads to. */
export interface LearnedSince {
  engineVersion: number
  /** When the space was created. */
  createdAt: Date
  /** The idx that the next pattern will get. */
  end: number
  learned: Learned
}

/** Later than every engine version, to read no links. */
const never = Number.MAX_SAFE_INTEGER
/** The greatest possible idx, to read no store times. */
const everyIdx = 2 ** 31 - 1
/** Store times per statement: a space has one for each minute in which something was stored. */
const storedAtOnce = 5_000

/**
 * Reads what a space has learned: some thousand changes, or fewer, and all store times.
 * @param since engine version after which
 * @param storedAfter idx after which to read store times
 * @returns undefined for a space that is gone
 */
export async function findLearned(
  queries: Queries,
  spaceId: string,
  since: number,
  storedAfter: number,
): Promise<LearnedSince | undefined> {
  const found = await findSome(queries, spaceId, since, storedAfter)
  let page = found?.learned.stored ?? []
  while (page.length === storedAtOnce) {
    page = (await findSome(queries, spaceId, never, page.at(-1)?.[0] ?? everyIdx))?.learned.stored ?? []
    found?.learned.stored.push(...page)
  }
  return found
}

async function findSome(
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
  }>`select * from app.learned_since(${spaceId}, ${since}, ${storedAfter}, ${storedAtOnce})`.execute(queries)
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

/** A space's state and all store times, without its patterns' links. @returns undefined for a space that is gone */
export const findOutline = (queries: Queries, spaceId: string): Promise<LearnedSince | undefined> =>
  findLearned(queries, spaceId, never, -1)

/** A space's state; null if it has never learned. @returns undefined for a space that is gone */
export async function findState(
  queries: Queries,
  spaceId: string,
): Promise<{ createdAt: Date; state: SpaceState | null } | undefined> {
  const found = await findLearned(queries, spaceId, never, everyIdx)
  return found && { createdAt: found.createdAt, state: found.learned.state }
}

/** What is learned of the patterns with an idx in [from, to). Each association comes once, with its lower idx. */
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
