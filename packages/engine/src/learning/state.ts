import { initialModulation, type ModulationState } from '../modulation.ts'
import { type HeadWeights, startWeights } from '../recall/heads.ts'
import { type Reliability, unknownReliability } from '../reliability.ts'
import type { Pathway } from '../routing.ts'

export { type Pathway, pathways } from '../routing.ts'

/** What a space has learned on the whole, beside what it has learned of single patterns. Plain JSON, never changed in place. */
export interface SpaceState {
  modulation: ModulationState
  headWeights: HeadWeights
  reliability: Readonly<Record<Pathway, Reliability>>
  /** Mean embedding of the text queries of the whole space so far, and how many it counts as (`askedMax` at most). */
  asked: { mean: readonly number[]; count: number }
  /** The engine version at which it last forgot what was asked; absent before. */
  forgotten?: number
  /** The idx of the first result of the latest search by anybody; null before any. */
  lastTop: number | null
}

/** The state of an unused space. @param createdAt when it was created, ms since 1970 */
export function initialState(createdAt: number): SpaceState {
  return {
    modulation: initialModulation(createdAt),
    headWeights: startWeights,
    reliability: { exact: unknownReliability, energy: unknownReliability, attention: unknownReliability },
    asked: { mean: [], count: 0 },
    lastTop: null,
  }
}
