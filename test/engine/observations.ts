import type { ModulationState, SignalRecord } from '@memory/engine/modulation'
import { observe } from '@memory/engine/modulation'

/** Normally distributed surprises within [0, 1] (Box and Muller 1958). */
export function normals(random: () => number, count: number, mean: number, std: number): number[] {
  return Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return Math.max(0, Math.min(1, mean + std * radius * Math.cos(2 * Math.PI * random())))
  })
}

/** Searches with these surprises, one each 100 ms. @returns the last state, and a record of each */
export function searchAll(
  state: ModulationState,
  surprises: readonly number[],
): { state: ModulationState; records: SignalRecord[] } {
  const records: SignalRecord[] = []
  let current = state
  for (const surprise of surprises) {
    const observed = observe(current, { kind: 'search', surprise, at: current.steppedAt + 100 })
    current = observed.state
    records.push(observed.record)
  }
  return { state: current, records }
}
