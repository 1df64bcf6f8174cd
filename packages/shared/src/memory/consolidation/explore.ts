import type { Caller, Input, Output } from '../../catalogue/operation.ts'
import { consolidationPriority, observeTrial, trialGain, uncertainty } from '../../engine/exploration/gain.ts'
import { parameters } from '../../engine/parameters.ts'
import { asTenant } from '../../platform/database/database.ts'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import { type CandidatePair, candidatePairs, explorationRandom } from './candidate-pairs.ts'
import { withLease } from './lease.ts'
import * as lease from './lease-store.ts'
import { breathe, readRandomLevel } from './neighbours.ts'
import type * as schema from './schema.ts'
import { listCandidates, nearestCompositions, saveTrials } from './trial-store.ts'
import { type Trial, type TrialGround, tryPair } from './try-pair.ts'

const { suggestions: suggested, candidates: listed, pairsMax } = parameters.exploration

/** What exploration works with. */
export type Exploration = Pick<
  MemoryContext,
  'compute' | 'queries' | 'spaces' | 'learned' | 'learning' | 'clock'
>

/** Tries pairs of which a trial tells most, one trial each. @throws ApiError consolidation_running */
export function explore(
  context: Exploration,
  caller: Caller,
  { batch_size }: Input<typeof schema.Explore>['body'],
): Promise<Output<typeof schema.Explore>> {
  const { queries, clock } = context
  const { spaceId } = caller
  return withLease(queries, spaceId, async ({ progress, renew }) => {
    const { index, learned } = await readSpace(context, caller)
    const seen = index.version
    const pairs = await candidatePairs(
      context,
      caller,
      { index, learned, explored: progress.explored },
      batch_size,
    )
    const groundOf = groundFinder(context, spaceId, progress.explored)
    const random = explorationRandom(spaceId, progress.explored, 'trials')
    const tried: { pair: CandidatePair; trial: Trial }[] = []
    for (const pair of pairs) {
      const shard = index.shardOf(pair.a)
      if (shard === undefined || !index.isIn(shard, pair.b)) continue
      const trial = await tryPair(context, caller, await groundOf(shard), pair, random)
      if (trial !== undefined) tried.push({ pair, trial })
      await breathe()
    }
    const similarities = await nearestCompositions(
      queries,
      spaceId,
      tried.map(({ trial }) => trial.middle),
    )
    const outcomes = tried.map(({ pair, trial: { isValid, coherence } }, i) => ({
      ...pair,
      isValid,
      coherence,
      priority: consolidationPriority(observeTrial(pair.validity, isValid), coherence, similarities[i]),
    }))
    await asTenant(queries, { spaceId }, async (trx) => {
      await renew(trx)
      await saveTrials(trx, spaceId, seen, clock.now(), outcomes, pairsMax)
    })
    progress.explored++
    return {
      explorations: outcomes.map(({ validity, isValid, coherence, priority }) => ({
        information_gain: trialGain(validity, isValid),
        composition_valid: isValid,
        coherence,
        consolidation_priority: priority,
      })),
      total_explored: outcomes.length,
    }
  })
}

/** The pairs of which the next trial would tell most. */
export async function suggestPairs(
  context: Exploration,
  caller: Caller,
): Promise<Output<typeof schema.ExploreSuggestions>> {
  const { explored } = await lease.read(context.queries, caller.spaceId)
  const { index, learned } = await readSpace(context, caller)
  const pairs = await candidatePairs(context, caller, { index, learned, explored }, suggested)
  return {
    suggestions: pairs.map(({ a, b, gain, validity }) => ({
      pair_id: [a, b],
      expected_information_gain: gain,
      uncertainty: Math.min(1, uncertainty(validity)),
    })),
  }
}

/** Explored pairs that are no compositions yet. */
export async function listConsolidationCandidates(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  { min_priority }: Input<typeof schema.ConsolidationCandidates>['query'],
): Promise<Output<typeof schema.ConsolidationCandidates>> {
  const candidates = await listCandidates(queries, spaceId, { priority: min_priority }, listed)
  return {
    candidates: candidates.map(({ a, b, priority, valid }) => ({
      pair_id: [a, b],
      priority,
      times_validated: valid,
    })),
  }
}

/** A space as it is, with all that this process has seen of its use. */
export async function readSpace(
  { spaces, learned, learning }: Pick<MemoryContext, 'spaces' | 'learned' | 'learning'>,
  { spaceId, spaceVersion, engineVersion }: Caller,
) {
  // What was noted is written first, and comes back with the version that its writing made.
  await learning.read(spaceId)
  const index = await spaces.get(spaceId, spaceVersion)
  return { index, learned: await learned.get(spaceId, engineVersion) }
}

/** Where trials in a shard take place; found out once a shard. */
function groundFinder(
  context: Exploration,
  spaceId: string,
  explored: number,
): (shard: Shard) => Promise<TrialGround> {
  const grounds = new Map<Shard, TrialGround>()
  return async (shard) => {
    let ground = grounds.get(shard)
    if (ground === undefined) {
      const labels = shard.labels().sort()
      const random = explorationRandom(spaceId, explored, `level ${shard.dimensions}`)
      ground = { shard, labels, level: await readRandomLevel(context, spaceId, shard, random) }
      grounds.set(shard, ground)
    }
    return ground
  }
}
