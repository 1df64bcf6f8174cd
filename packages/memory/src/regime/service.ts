import {
  advanceTo,
  calibrate,
  gateOf,
  inject,
  type ModulationState,
  policyOf,
  type SignalRecord,
} from '@memory/engine/modulation'
import { changesOf, type Regime } from '@memory/engine/regime'
import { recordAudit } from '@memory/shared/audit/audit'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { Clock } from '@memory/shared/platform/clock'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import type { Learning } from '../learning/learning.ts'
import type * as schema from './schema.ts'

interface Modulated {
  learning: Pick<Learning, 'read' | 'change' | 'listHistory'>
  clock: Clock
}

/** The space's present regime, and its policy. */
export async function readRegime(
  context: Modulated,
  { spaceId }: Caller,
): Promise<Output<typeof schema.ReadRegime>> {
  const { state } = await advancedNow(context, spaceId)
  const { forceExact, bypassConsolidation, learningRateMultiplier } = policyOf(state)
  return {
    regime: state.regime,
    anomaly_active: state.regime === 'anomaly',
    policy_overrides: {
      force_exact: forceExact,
      bypass_consolidation: bypassConsolidation,
      learning_rate_multiplier: learningRateMultiplier,
    },
    modulation_signal: state.signal,
  }
}

/** The latest regimes, the share of each, and how often one changed into another. */
export async function readRegimeHistory(
  context: Modulated,
  { spaceId }: Caller,
  { last_n }: Input<typeof schema.RegimeHistory>['query'],
): Promise<Output<typeof schema.RegimeHistory>> {
  const records = await listRecords(context, spaceId, last_n)
  const history = records.map(({ regime }) => regime)
  const shareOf = (regime: Regime) => history.filter((each) => each === regime).length / (history.length || 1)
  const [first] = history
  return {
    history,
    timestamps: records.map(({ at }) => new Date(at).toISOString()),
    distribution: {
      normal: shareOf('normal'),
      high_surprise: shareOf('high_surprise'),
      anomaly: shareOf('anomaly'),
      recovery: shareOf('recovery'),
    },
    transitions: first === undefined ? 0 : changesOf(first, records).length,
  }
}

/** Puts the space into an anomaly, and records that in the audit log. */
export function injectAnomaly(
  { learning }: Modulated,
  caller: Caller,
  { magnitude }: Input<typeof schema.InjectAnomaly>['body'],
): Promise<Output<typeof schema.InjectAnomaly>> {
  const { actor, origin, organizationId, environment, spaceId } = caller
  return learning.change(
    spaceId,
    (space, now) => {
      const before = advanceTo(space.modulation, now.getTime())
      const { state, record, burst } = inject(before.state, magnitude, now.getTime())
      return {
        state: { ...space, modulation: state },
        records: [...before.records, record],
        result: {
          anomaly_triggered: true,
          previous_regime: before.state.regime,
          new_regime: state.regime,
          burst_duration: burst,
        },
      }
    },
    (trx, { previous_regime, burst_duration }) =>
      recordAudit(trx, {
        action: 'anomaly_injected',
        actor,
        origin,
        organizationId,
        userId: actor.kind === 'user' ? actor.userId : undefined,
        details: { magnitude, previous_regime, burst_duration, environment },
      }),
  )
}

/** The signal, and the statistics of searches' surprises that it is computed from. */
export async function readModulation(
  context: Modulated,
  { spaceId }: Caller,
): Promise<Output<typeof schema.ReadModulation>> {
  const { signal, regime, searches, lastCalibratedAt } = (await advancedNow(context, spaceId)).state
  return {
    signal,
    gate: gateOf(signal),
    regime,
    calibration: {
      ema_mean: searches.mean,
      ema_std: searches.std,
      last_calibrated: new Date(lastCalibratedAt).toISOString(),
    },
  }
}

/** The latest signals, their gates and times. */
export async function readModulationHistory(
  context: Modulated,
  { spaceId }: Caller,
  { window }: Input<typeof schema.ModulationHistory>['query'],
): Promise<Output<typeof schema.ModulationHistory>> {
  const records = await listRecords(context, spaceId, window)
  return {
    signals: records.map(({ signal }) => signal),
    gates: records.map(({ gate }) => gate),
    timestamps: records.map(({ at }) => new Date(at).toISOString()),
  }
}

/** Estimates the statistics anew. */
export function calibrateModulation(
  { learning }: Modulated,
  { spaceId }: Caller,
  { reason }: Input<typeof schema.CalibrateModulation>['body'],
): Promise<Output<typeof schema.CalibrateModulation>> {
  return learning.change(spaceId, (space, now) => {
    const { state, earlier } = calibrate(space.modulation, now.getTime())
    const { searches: previous } = space.modulation
    return {
      state: { ...space, modulation: state },
      records: earlier,
      result: {
        recalibrated: true,
        previous_mean: previous.mean,
        previous_std: previous.std,
        new_mean: state.searches.mean,
        new_std: state.searches.std,
        reason,
      },
    }
  })
}

/**
 * The state after the steps of wall time that are due. If they change the regime they are written at once, since notifications
 * and webhooks depend on that; else the next observation writes them.
 */
async function advancedNow(
  { learning, clock }: Modulated,
  spaceId: string,
): Promise<{ state: ModulationState; records: SignalRecord[] }> {
  const { modulation } = await learning.read(spaceId)
  const advanced = advanceTo(modulation, clock.now().getTime())
  if (changesOf(modulation.regime, advanced.records).length > 0) await keepAdvanced(learning, spaceId)
  return advanced
}

/** Writes the steps. If that fails (on a full disk, say) the request is answered all the same, and the next one tries again. */
async function keepAdvanced(learning: Modulated['learning'], spaceId: string): Promise<void> {
  try {
    await learning.change(spaceId, (space, now) => {
      const { state, records } = advanceTo(space.modulation, now.getTime())
      return { state: { ...space, modulation: state }, records, result: undefined }
    })
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

/** The latest records, including those of wall time that are not written yet. */
async function listRecords(context: Modulated, spaceId: string, last: number): Promise<SignalRecord[]> {
  const { records: due } = await advancedNow(context, spaceId)
  const written = await context.learning.listHistory(spaceId, last)
  // Another request may have written them since the state was read.
  const writtenUntil = written.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  return [...written, ...due.filter(({ at }) => at > writtenUntil)].slice(-last)
}
