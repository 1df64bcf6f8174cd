import { advanceTo, policyOf } from '@memory/engine/modulation'
import type { Reliability } from '@memory/engine/reliability'
import { fadeReliability } from '@memory/engine/reliability'
import type { Pathway } from '@memory/engine/routing'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'

/** What a space's state says about pathways now. */
export interface PathwayPolicy {
  /** The regime demands exact answers. */
  forceExact: boolean
  reliability: Readonly<Record<Pathway, Reliability>>
}

/** Reads a space's policy. @throws ApiError when the space is gone */
export async function pathwayPolicy(
  { learned, clock }: Pick<MemoryContext, 'learned' | 'clock'>,
  { spaceId, engineVersion }: Pick<Caller, 'spaceId' | 'engineVersion'>,
): Promise<PathwayPolicy> {
  const { state } = await learned.get(spaceId, engineVersion)
  const now = clock.now().getTime()
  const { exact, energy, attention } = state.reliability
  return {
    forceExact: policyOf(advanceTo(state.modulation, now).state).forceExact,
    reliability: {
      exact: fadeReliability(exact, now),
      energy: fadeReliability(energy, now),
      attention: fadeReliability(attention, now),
    },
  }
}
