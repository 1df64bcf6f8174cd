import { parameters } from './parameters.ts'
import { enterAnomaly, isGuarded, type Regime, type RegimeState, stepRegime } from './regime.ts'
import {
  boundedSurprise,
  type Calibration,
  clip,
  estimateCalibration,
  standardScore,
  startCalibration,
  updateCalibration,
} from './surprise.ts'

const { retention, gateSlope, gateMidpoint, magnitudeMax, signalMax } = parameters.modulation
const { calmLearning, anomalyLearning, recoveryLearning } = parameters.modulation
const { signalClip, recentMax } = parameters.surprise
const { burstSteps, burstStepsPerMagnitude, stepMs } = parameters.regime

/**
 * Clocks of processes that share a database differ by less than this. A time in a state that is further in the future was written
 * by a clock that has been set back since.
 */
const clocksDifferMs = 60_000

/** How a space reacts to new things. Plain JSON, never changed in place. Times in ms since 1970. */
export interface ModulationState extends RegimeState {
  /** Mean and deviation of the surprises of searches, and of stored keys. */
  searches: Calibration
  stores: Calibration
  /** Smoothed standard score of the surprises: about 0 as usual, positive when more is new. */
  signal: number
  /** When the last step was (an observation, or wall time, see `advanceTo`). */
  steppedAt: number
  lastCalibratedAt: number
  /** The latest surprises of searches, oldest first, `recentMax` at most. */
  recent: number[]
}

/** An entry of the history: one for each observation, each injection, and each change of the regime by time alone. */
export interface SignalRecord {
  /** Milliseconds since 1970. */
  at: number
  /** In [0, 1]; null where nothing was observed. */
  surprise: number | null
  signal: number
  /** In [0, 1]. */
  gate: number
  regime: Regime
}

/** How surprising a query or a newly stored key was. */
export interface SurpriseObservation {
  kind: 'search' | 'store'
  /** In [0, 1], see `geometricSurprise`. */
  surprise: number
  /** Ms since 1970. Before the last step it counts as the time of that step, unless that is ahead of the clock, see `observe`. */
  at: number
}

/** What a regime demands of the rest of the service. */
export interface Policy {
  /** Answer by exact search, whatever routing says. */
  forceExact: boolean
  /** Do not sleep. */
  bypassConsolidation: boolean
  learningRateMultiplier: number
}

/** The state of an unused space. @param createdAt when it was created, ms since 1970 */
export function initialModulation(createdAt: number): ModulationState {
  return {
    searches: startCalibration,
    stores: startCalibration,
    signal: 0,
    regime: 'normal',
    burstLeft: 0,
    calmSteps: 0,
    steppedAt: createdAt,
    lastCalibratedAt: createdAt,
    recent: [],
  }
}

/**
 * Adaptive gain in [0, 1]: sigmoid(gateSlope (signal - gateMidpoint)), near 0 as usual, near 1 when much is new (Aston-Jones and
 * Cohen, An Integrative Theory of Locus Coeruleus-Norepinephrine Function, 2005; Yu and Dayan, Uncertainty, Neuromodulation, and
 * Attention, 2005).
 */
export const gateOf = (signal: number): number => 1 / (1 + Math.exp(-gateSlope * (signal - gateMidpoint)))

/**
 * The policy of a state. The more is new, the faster the space learns; but in an anomaly, which may be a fault or an attack, it
 * hardly learns, since what is learned would stay.
 */
export function policyOf({ regime, signal }: Pick<ModulationState, 'regime' | 'signal'>): Policy {
  const guarded = isGuarded(regime)
  const guardedLearning = regime === 'anomaly' ? anomalyLearning : recoveryLearning
  return {
    forceExact: guarded,
    bypassConsolidation: guarded,
    learningRateMultiplier: guarded ? guardedLearning : calmLearning + gateOf(signal),
  }
}

/**
 * Takes the steps of wall time that are due: in anomaly and recovery one for each `stepMs` without an observation, in which the
 * signal decays; in other regimes none. Stops when the regime is normal, after some 600 steps at most. Idempotent.
 *
 * If the last step was written by a clock that has been set back since, nothing tells how long ago it was, and all steps are
 * taken at once. (Counting from now on would never end, since whoever only reads a state does not write it.)
 * @param now ms since 1970
 * @returns also a record for each change of the regime on the way
 */
export function advanceTo(
  state: ModulationState,
  now: number,
): { state: ModulationState; records: SignalRecord[] } {
  const records: SignalRecord[] = []
  const isSetBack = isFarAhead(state.steppedAt, now)
  let advanced = state
  while (isGuarded(advanced.regime) && (isSetBack || advanced.steppedAt + stepMs <= now)) {
    const { regime } = advanced
    advanced = step(advanced, retention * advanced.signal, isSetBack ? now : advanced.steppedAt + stepMs)
    if (advanced.regime !== regime) records.push(recordOf(advanced, null))
  }
  return { state: advanced, records }
}

/**
 * Takes the steps of wall time that are due, and then that of an observation.
 * @param now when it is told, ms since 1970, by which a clock that was set back is known: what was observed long before the last step
 *   may be told late only, after the database was away or by a process that was behind
 * @returns also the observation's record, and those of `advanceTo` before it
 */
export function observe(
  state: ModulationState,
  { kind, surprise: observed, at: observedAt }: SurpriseObservation,
  now = observedAt,
): { state: ModulationState; record: SignalRecord; earlier: SignalRecord[] } {
  const at = Math.max(observedAt, Math.min(state.steppedAt, now))
  const { state: before, records: earlier } = advanceTo(state, at)
  const surprise = boundedSurprise(observed)
  const usual = kind === 'search' ? before.searches : before.stores
  const score = clip(standardScore(surprise, usual), signalClip)
  const updated = updateCalibration(usual, surprise)
  const learned =
    kind === 'search'
      ? { ...before, searches: updated, recent: [...before.recent, surprise].slice(-recentMax) }
      : { ...before, stores: updated }
  const signal = retention * before.signal + (1 - retention) * score
  const after = step(learned, signal, later(before.steppedAt, at))
  return { state: after, record: recordOf(after, surprise), earlier }
}

/**
 * Puts the state into an anomaly. A second injection replaces the burst of the first.
 * @param magnitude by how much the signal rises, in [0, magnitudeMax]
 * @returns also how many steps the anomaly lasts at least (`burst`), the record of the injection, and those of `advanceTo`
 */
export function inject(
  state: ModulationState,
  magnitude: number,
  now: number,
): { state: ModulationState; record: SignalRecord; burst: number; earlier: SignalRecord[] } {
  const { state: before, records: earlier } = advanceTo(state, now)
  const rise = Number.isNaN(magnitude) ? 0 : Math.max(0, Math.min(magnitudeMax, magnitude))
  const burst = burstSteps + Math.round(burstStepsPerMagnitude * rise)
  const injected = {
    ...before,
    ...enterAnomaly(burst),
    signal: clip(before.signal + rise, signalMax),
    steppedAt: later(before.steppedAt, now),
  }
  return { state: injected, record: recordOf(injected, null), burst, earlier }
}

/**
 * Estimates the statistics anew: those of searches from the latest surprises kept, those of stores reset to the start. The signal
 * becomes 0; the regime stays until the next step.
 * @returns also the records of `advanceTo`
 */
export function calibrate(
  state: ModulationState,
  now: number,
): { state: ModulationState; earlier: SignalRecord[] } {
  const { state: before, records: earlier } = advanceTo(state, now)
  const calibrated = {
    ...before,
    searches: estimateCalibration(before.recent),
    stores: startCalibration,
    signal: 0,
    lastCalibratedAt: later(before.lastCalibratedAt, now),
  }
  return { state: calibrated, earlier }
}

const step = (state: ModulationState, signal: number, at: number): ModulationState => {
  const { regime, burstLeft, calmSteps } = stepRegime(state, signal)
  return { ...state, signal, regime, burstLeft, calmSteps, steppedAt: at }
}

const recordOf = ({ steppedAt, signal, regime }: ModulationState, surprise: number | null): SignalRecord => ({
  at: steppedAt,
  surprise,
  signal,
  gate: gateOf(signal),
  regime,
})

/** Whether a time was written by a clock that has been set back since. */
const isFarAhead = (time: number, now: number): boolean => Number.isFinite(now) && time - now > clocksDifferMs

/** The later of both times, except that `now` wins over a time written by a clock that was set back. */
const later = (time: number, now: number): number => {
  if (!Number.isFinite(now)) return time
  return isFarAhead(time, now) ? now : Math.max(time, now)
}
