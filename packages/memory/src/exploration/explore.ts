import { consolidationPriority, observeTrial, trialGain, uncertainty } from '@memory/engine/exploration/gain'
import { parameters } from '@memory/engine/parameters'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { nextSlice } from '@memory/shared/platform/asker'
import type { Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { inOrder } from '../index/in-order.ts'
import type { Shard } from '../index/shard.ts'
import { recordingRun } from '../runs/record-run.ts'
import { type Lease, withLease } from '../schedule/lease.ts'
import * as lease from '../schedule/lease-store.ts'
import { readRandomLevel, type Searching } from '../spaces/neighbours.ts'
import { type OpenSpace, readSpace } from '../spaces/open-space.ts'
import { ShardKeyReader } from '../spaces/shard-key-reader.ts'
import { type CandidatePair, candidatePairs, explorationRandom } from './candidate-pairs.ts'
import type * as schema from './schema.ts'
import { listCandidates, nearestCompositions, saveTrials, type TrialOutcome } from './trial-store.ts'
import { type Trial, type TrialGround, tryPair } from './try-pair.ts'

const { suggestions: suggested, candidates: listed, pairsMax } = parameters.exploration

/** What exploration and sleep need of the context. */
export interface Exploration
  extends Searching,
    Pick<MemoryContext, 'spaces' | 'learned' | 'learning' | 'clock' | 'log' | 'versionsKept'> {}

/**
 * The explore operation: one trial for each of the pairs with the highest expected information gain.
 * @throws ApiError consolidation_running, abandoned when the client hung up (nothing was written then)
 */
export function explore(
  context: Exploration,
  caller: Caller,
  { batch_size }: Input<typeof schema.Explore>['body'],
): Promise<Output<typeof schema.Explore>> {
  const { spaceId } = caller
  return withLease(context, spaceId, async (lease) => {
    const outcomes = await recordingRun(context, spaceId, { kind: 'exploration', cause: 'asked' }, (record) =>
      exploreOnce(context, caller, lease, batch_size, (trx, outcomes) => record(trx, countsOf(outcomes))),
    )
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

/** A pair with the outcome of its trial. */
export type Explored = CandidatePair & TrialOutcome

/** The counts that are recorded of a run. */
export const countsOf = (outcomes: readonly Explored[]) => ({
  total_explored: outcomes.length,
  compositions_valid: outcomes.filter(({ isValid }) => isValid).length,
})

/**
 * Tries `count` pairs, one trial each, and writes all outcomes in one transaction.
 * @param also called in that transaction
 */
export async function exploreOnce(
  context: Exploration,
  space: OpenSpace,
  { progress, keep }: Lease,
  count: number,
  also?: (trx: Trx, outcomes: readonly Explored[]) => Promise<void>,
): Promise<Explored[]> {
  const { queries, clock } = context
  const { spaceId } = space
  const { index, learned } = await readSpace(context, space)
  const seen = index.version
  const pairs = await candidatePairs(context, space, { index, learned, explored: progress.explored }, count)
  const groundOf = groundFinder(context, spaceId, progress.explored)
  const random = explorationRandom(spaceId, progress.explored, 'trials')
  const tried: { pair: CandidatePair; trial: Trial }[] = []
  for (const pair of pairs) {
    const shard = index.shardOf(pair.a)
    if (shard === undefined || !index.isIn(shard, pair.b)) continue
    const trial = await tryPair(context, space, await groundOf(shard), pair, random)
    if (trial !== undefined) tried.push({ pair, trial })
    await nextSlice(space.signal)
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
  // Counted with the trials: otherwise a run after a kill would draw the same again, and one trial would count as two.
  progress.explored++
  await keep(async (trx) => {
    await saveTrials(trx, spaceId, seen, clock.now(), outcomes, pairsMax)
    await also?.(trx, outcomes)
  })
  return outcomes
}

/** The suggestions operation: pairs with the highest expected information gain, without trying them. */
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

/** The candidates operation: tried pairs that are not compositions yet. */
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

/** Makes a function that prepares a shard for trials, once for each shard. */
function groundFinder(
  context: Exploration,
  spaceId: string,
  explored: number,
): (shard: Shard) => Promise<TrialGround> {
  const grounds = new Map<Shard, TrialGround>()
  return async (shard) => {
    let ground = grounds.get(shard)
    if (ground === undefined) {
      const labels = inOrder(shard.labels())
      const random = explorationRandom(spaceId, explored, `level ${shard.dimensions}`)
      const level = await readRandomLevel(context, spaceId, shard, random)
      ground = { shard, labels, level, keys: new ShardKeyReader(context.queries, spaceId, shard) }
      grounds.set(shard, ground)
    }
    return ground
  }
}
