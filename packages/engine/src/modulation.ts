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
 * The clocks of processes over one database differ by less. What a state says happened so much later than now was
 * written by a clock that has since been set back.
 */
const clocksDifferMs = 60_000

/** How a space reacts to what is new: plain JSON, never changed in place. Times are milliseconds since 1970. */
export interface ModulationState extends RegimeState {
  /** What is usual for searches, and for the keys that are stored. */
  searches: Calibration
  stores: Calibration
  /** Smoothed standard score of the surprises: about 0 as usual, positive when more is new. */
  signal: number
  /** When the last step was. */
  steppedAt: number
  lastCalibratedAt: number
  /** The latest surprises of searches, oldest first, 100 at most. */
  recent: number[]
}

/** What the history keeps: one for each observation, injection, and change of the regime by time alone. */
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

/** How surprising something was that came to a space. */
export interface SurpriseObservation {
  /** Whether a query met the stored keys, or a new key did. */
  kind: 'search' | 'store'
  surprise: number
  /**
   * Milliseconds since 1970; what is up to a minute before the last step counts as at it, as clocks of processes
   * differ a little.
   */
  at: number
}

/** What a regime has the rest of the engine do. */
export interface Policy {
  forceExact: boolean
  bypassConsolidation: boolean
  learningRateMultiplier: number
}

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
 * Adaptive gain in [0, 1]: sigmoid(2 (signal - 1)), near 0 as usual, near 1 when much is new (Aston-Jones and Cohen,
 * An Integrative Theory of Locus Coeruleus-Norepinephrine Function, 2005; Yu and Dayan, Uncertainty, Neuromodulation,
 * and Attention, 2005).
 */
export const gateOf = (signal: number): number => 1 / (1 + Math.exp(-gateSlope * (signal - gateMidpoint)))

/**
 * What the state commands. What is new is learned faster, but hardly while it may be a fault or an attack: what goes
 * into a memory then would stay there.
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
 * The state with the steps of wall time that are due: in anomaly and recovery, one for each second without an
 * observation, in which the signal decays. It ends where the regime is normal, after some 600 steps at most, however
 * long ago the last one was; elsewhere time changes nothing. Advancing twice is advancing once.
 *
 * How long ago a step was that a clock wrote which has been set back since, nothing tells: all steps are taken at once.
 * To begin to count now would never end it: who looks at a state does not write down that no step was due.
 * @param now milliseconds since 1970
 * @returns also the changes of the regime on the way
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
 * The state with one more observation in it, after the steps of wall time before it.
 * @returns also the observation's record, and those of `advanceTo`, which come before it
 */
export function observe(
  state: ModulationState,
  { kind, surprise: observed, at }: SurpriseObservation,
): { state: ModulationState; record: SignalRecord; earlier: SignalRecord[] } {
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
 * The state in an anomaly, whatever it was in. The burst of a further injection replaces that of the last.
 * @param magnitude what the signal rises by, in [0, 100]
 * @returns also the steps for which the anomaly lasts at least, the record of the injection, and those of `advanceTo`
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
 * The state with statistics made anew: those of searches from the latest ones kept, those of stores as at the start,
 * the signal 0. The regime stays until the next step.
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

/** The later of a time and now, where that is one; now where the time was written by a clock that was set back. */
const later = (time: number, now: number): number => {
  if (!Number.isFinite(now)) return time
  return isFarAhead(time, now) ? now : Math.max(time, now)
}
