import { advanceTo } from '@memory/engine/modulation'
import { headNames } from '@memory/engine/recall/heads'
import { predictNext } from '@memory/engine/successor'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { read as readConsolidation } from '../schedule/lease-store.ts'
import type { ReadBrain } from './schema.ts'

/** How many predictions are answered. */
const predicted = 5

/** The brain operation: an overview of a space's present state. */
export async function readBrain(context: MemoryContext, caller: Caller): Promise<Output<typeof ReadBrain>> {
  const { queries, learning, learned, spaces, payloads, clock } = context
  const { spaceId, spaceVersion, engineVersion } = caller
  const state = await learning.read(spaceId)
  const [index, sequences, consolidation] = await Promise.all([
    spaces.get(spaceId, spaceVersion),
    learned.get(spaceId, engineVersion),
    readConsolidation(queries, spaceId),
  ])
  const now = clock.now().getTime()
  const { state: modulation } = advanceTo(state.modulation, now)
  const start = new Map(state.lastTop === null ? [] : [[state.lastTop, 1]])
  const likely = predictNext(start, sequences.transitions, index, now)
  const known = await payloads.find(
    spaceId,
    index,
    likely.slice(0, 2 * predicted).map(({ idx }) => idx),
    { value: false },
  )
  return {
    regime: modulation.regime,
    surprise: modulation.recent.at(-1) ?? 0,
    head_weights: headNames.map((head) => state.headWeights[head]),
    temporal_predictions: likely
      .flatMap(({ idx, strength }) => {
        const payload = known.get(idx)
        return payload === undefined ? [] : [{ pattern_id: payload.id, strength }]
      })
      .slice(0, predicted),
    patterns_total: index.size,
    consolidation_status: consolidation.running ? 'consolidating' : 'idle',
  }
}
