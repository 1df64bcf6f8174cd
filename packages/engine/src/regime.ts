import { parameters } from './parameters.ts'

const { highAbove, calmBelow, anomalyAbove, recoveryBelow, burstSteps, recoverySteps } = parameters.regime

/** The states of a space's reaction to surprise, from usual to alarmed, and on the way back. */
export const regimes = ['normal', 'high_surprise', 'anomaly', 'recovery'] as const
export type Regime = (typeof regimes)[number]

/** A regime, with the counters that decide when it ends. */
export interface RegimeState {
  regime: Regime
  /** The least number of steps that an anomaly still lasts; 0 in other regimes. */
  burstLeft: number
  /** Calm steps in a row so far in a recovery; 0 in other regimes. */
  calmSteps: number
}

const enter = (regime: Regime): RegimeState => ({ regime, burstLeft: 0, calmSteps: 0 })

/** An anomaly that lasts at least `burst` steps from now. */
export const enterAnomaly = (burst: number): RegimeState => ({
  regime: 'anomaly',
  burstLeft: burst,
  calmSteps: 0,
})

/** Whether a regime is guarded: searches are exact, nothing is consolidated, and it ends by time alone too. */
export const isGuarded = (regime: Regime): boolean => regime === 'anomaly' || regime === 'recovery'

/**
 * The regime after one step. Thresholds for leaving a regime are lower than for entering it (hysteresis), so that a signal near a
 * threshold does not change it at every step. An anomaly ends once its burst is over and the signal has fallen; a recovery ends
 * after `recoverySteps` calm steps in a row.
 * @param signal after the step
 */
export function stepRegime(state: RegimeState, signal: number): RegimeState {
  const { regime } = state
  if (regime === 'anomaly') {
    const burstLeft = Math.max(0, state.burstLeft - 1)
    return burstLeft === 0 && signal < recoveryBelow ? enter('recovery') : { ...state, burstLeft }
  }
  if (signal > anomalyAbove) return enterAnomaly(burstSteps)
  if (regime === 'recovery') {
    const calmSteps = signal < calmBelow ? state.calmSteps + 1 : 0
    return calmSteps >= recoverySteps ? enter('normal') : { ...state, calmSteps }
  }
  if (regime === 'normal') return signal > highAbove ? enter('high_surprise') : state
  return signal < calmBelow ? enter('normal') : state
}

/** One change of the regime. */
export interface RegimeChange {
  from: Regime
  to: Regime
  /** Milliseconds since 1970. */
  at: number
}

/**
 * The changes of the regime in a history. Most records, such as an injection into an anomaly, have the regime of the record
 * before and are no change.
 * @param previous the regime before the first record
 */
export function changesOf(
  previous: Regime,
  records: readonly { regime: Regime; at: number }[],
): RegimeChange[] {
  return records.flatMap(({ regime, at }, i) => {
    const from = records[i - 1]?.regime ?? previous
    return from === regime ? [] : [{ from, to: regime, at }]
  })
}
