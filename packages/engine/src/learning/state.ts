import { initialModulation, type ModulationState } from '../modulation.ts'
import { type HeadWeights, startWeights } from '../recall/heads.ts'
import { type Reliability, unknownReliability } from '../reliability.ts'
import type { Pathway } from '../routing.ts'

export { type Pathway, pathways } from '../routing.ts'

/** What a space has learned that is not of single patterns. A plain JSON value, never changed in place. */
export interface SpaceState {
  modulation: ModulationState
  headWeights: HeadWeights
  reliability: Readonly<Record<Pathway, Reliability>>
  /** Mean of the texts that were searched with, at length 1, and how many of them it stands for. */
  asked: { mean: readonly number[]; count: number }
  /** The pattern that the last search of all found first; null before any. */
  lastTop: number | null
}

/** The state of a space that nobody has used. @param createdAt ms since 1970 */
export function initialState(createdAt: number): SpaceState {
  return {
    modulation: initialModulation(createdAt),
    headWeights: startWeights,
    reliability: { exact: unknownReliability, energy: unknownReliability, attention: unknownReliability },
    asked: { mean: [], count: 0 },
    lastTop: null,
  }
}
