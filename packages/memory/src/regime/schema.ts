import { parameters } from '@memory/engine/parameters'
import { regimes } from '@memory/engine/regime'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Regime and neuromodulation'

const regime = z.enum(regimes)
const share = z.number().min(0).max(1)
const gate = share.meta({ description: 'sigmoid(2 (signal - 1)): near 0 as usual, near 1 when much is new.' })
const mean = z.number().meta({ description: 'Of the surprises of searches: 0 known, 1 entirely new.' })
const std = z.number().positive()

/** They change what all searches and stores of a space follow, and take nothing from it. */
const ofSpace = { selects: true, removes: false } as const

export const ReadRegime = operation({
  id: 'regime',
  method: 'get',
  path: '/v1/memory/regime',
  tag,
  summary: 'The regime that the space is in',
  description:
    'normal; high_surprise, when searches and stores are newer than usual; anomaly, when they are so for long; recovery, until it has been calm for ten steps. A step is a search, other than in `batch/retrieve`, or a store, or, in anomaly and recovery, a second without one. Reading is no step.',
  access: 'memory:read',
  response: z
    .object({
      regime,
      anomaly_active: z.boolean(),
      policy_overrides: z
        .object({
          force_exact: z.boolean().meta({ description: 'Searches are exact: in anomaly and recovery.' }),
          bypass_consolidation: z
            .boolean()
            .meta({ description: 'Sleep does nothing: in anomaly and recovery.' }),
          learning_rate_multiplier: z.number().positive().meta({
            description: '0.5 + gate in normal and high_surprise, 0.1 in anomaly, 0.5 in recovery.',
          }),
        })
        .meta({ id: 'PolicyOverrides' }),
      modulation_signal: z.number().meta({
        description: 'Smoothed standard score of what was new: about 0 as usual.',
      }),
    })
    .meta({ id: 'RegimeResponse' }),
})

export const RegimeHistory = operation({
  id: 'regimeHistory',
  method: 'get',
  path: '/v1/memory/regime/history',
  tag,
  summary: 'The latest regimes',
  description: `One for each search, store, injection and change by time alone, oldest first; the last ${limits.signalRecords} are kept.`,
  access: 'memory:read',
  query: z.object({ last_n: f.queryInteger(1, limits.signalRecords, 50) }),
  response: z
    .object({
      history: z.array(regime),
      timestamps: z.array(z.iso.datetime()).meta({ description: 'Of each regime in the history.' }),
      distribution: z
        .object({ normal: share, high_surprise: share, anomaly: share, recovery: share })
        .meta({ description: 'Share of each regime in the history; all 0 where that is empty.' }),
      transitions: z.int().min(0).meta({ description: 'Changes of the regime within the history.' }),
    })
    .meta({ id: 'RegimeHistoryResponse' }),
})

export const InjectAnomaly = operation({
  id: 'injectAnomaly',
  method: 'post',
  path: '/v1/memory/regime/inject-anomaly',
  tag,
  summary: 'Begin an anomaly',
  description: 'For tests of what the policy overrides do. It ends by itself; the audit log keeps it.',
  access: 'memory:write',
  ...ofSpace,
  limit: 'anomaly',
  body: z
    .object({
      magnitude: f
        .number(0, parameters.modulation.magnitudeMax)
        .default(3)
        .meta({ description: 'What the signal rises by.' }),
    })
    .meta({ id: 'InjectAnomalyRequest' }),
  response: z
    .object({
      anomaly_triggered: z.boolean(),
      previous_regime: regime,
      new_regime: regime,
      burst_duration: z.int().positive().meta({
        description: 'Steps for which it lasts at least: 5 + round(5 magnitude).',
      }),
    })
    .meta({ id: 'InjectAnomalyResponse' }),
})

export const ReadModulation = operation({
  id: 'modulationState',
  method: 'get',
  path: '/v1/memory/neuromodulation/state',
  tag,
  summary: 'The signal that the regime follows, and what it is measured against',
  access: 'memory:read',
  response: z
    .object({
      signal: z.number(),
      gate,
      regime,
      calibration: z
        .object({
          ema_mean: mean,
          ema_std: std,
          last_calibrated: z.iso.datetime().meta({
            description: 'When the statistics began anew: at first with the space.',
          }),
        })
        .meta({ id: 'Calibration' }),
    })
    .meta({ id: 'ModulationResponse' }),
})

export const ModulationHistory = operation({
  id: 'modulationHistory',
  method: 'get',
  path: '/v1/memory/neuromodulation/history',
  tag,
  summary: 'The latest signals',
  description: 'The records of the regime’s history, oldest first; the three lists go together.',
  access: 'memory:read',
  query: z.object({ window: f.queryInteger(1, limits.signalRecords, 100) }),
  response: z
    .object({
      signals: z.array(z.number()),
      gates: z.array(gate),
      timestamps: z.array(z.iso.datetime()),
    })
    .meta({ id: 'ModulationHistoryResponse' }),
})

export const CalibrateModulation = operation({
  id: 'calibrateModulation',
  method: 'post',
  path: '/v1/memory/neuromodulation/calibrate',
  tag,
  summary: 'Begin the statistics anew',
  description:
    'Mean and deviation of searches are those of the latest hundred, or those of a new space where there are fewer than ten; those of stores are as in a new space, and the signal is 0. The regime follows with the next search or store.',
  access: 'memory:write',
  ...ofSpace,
  body: z
    .object({
      reason: f.text(0, limits.reasonChars).default('manual_reset').meta({ description: 'Comes back.' }),
    })
    .meta({ id: 'CalibrateModulationRequest' }),
  response: z
    .object({
      recalibrated: z.boolean(),
      previous_mean: mean,
      previous_std: std,
      new_mean: mean,
      new_std: std,
      reason: z.string(),
    })
    .meta({ id: 'CalibrateModulationResponse' }),
})
