import { demotedTier, promotedTier, scoreAt, type Tier } from '@memory/engine/tiers'
import type { Queries } from '@memory/shared/platform/database/database'
import type { PatternAccesses } from './accesses.ts'
import { getNextIdx, listTierStates, moveTiers, type TierState } from './tier-store.ts'

/** Patterns looked at, and moved, per statement: moving locks out the space's other writers. */
const stepPatterns = 1_000
/** Patterns that one run looks at by default. */
const runPatterns = 10_000

/** What a run did. */
export interface TierRun {
  /** Patterns that changed tier. */
  moved: number
  /** First idx that the next run has to look at; undefined when this one came to the end of the space. */
  next: number | undefined
}

/**
 * Moves patterns down to the tiers that their access scores call for: `count` patterns from idx `from` on. Safe to repeat after
 * an interruption.
 */
export async function migrateTiers(
  queries: Queries,
  spaceId: string,
  now: Date,
  from = 0,
  count = runPatterns,
): Promise<TierRun> {
  const spaceEnd = await getNextIdx(queries, spaceId)
  const end = Math.min(from + count, spaceEnd)
  let moved = 0
  for (let first = from; first < end; first += stepPatterns) {
    const states = await listTierStates(queries, spaceId, first, Math.min(stepPatterns, end - first))
    moved += await move(queries, spaceId, states, ({ tier, score, protected: isProtected }) =>
      demotedTier(tier, scoreAt(score, now), isProtected),
    )
  }
  return { moved, next: end < spaceEnd ? end : undefined }
}

/**
 * Moves up the patterns that were among the first of an answer.
 * @param states of the patterns that are not hot, as they were before `accesses` were counted
 */
export async function promoteAccessed(
  queries: Queries,
  spaceId: string,
  now: Date,
  states: readonly TierState[],
  accesses: PatternAccesses,
): Promise<void> {
  await move(queries, spaceId, states, ({ idx, tier, score }) => {
    const beforeTop = accesses.get(idx)?.beforeTop
    return beforeTop === undefined ? tier : promotedTier(tier, scoreAt(score, now) + beforeTop)
  })
}

async function move(
  queries: Queries,
  spaceId: string,
  states: readonly TierState[],
  tierOf: (state: TierState) => Tier,
): Promise<number> {
  const moves = states
    .map((state) => ({ idx: state.idx, from: state.tier, to: tierOf(state) }))
    .filter(({ from, to }) => from !== to)
  return moves.length === 0 ? 0 : moveTiers(queries, spaceId, moves)
}
