import { parameters } from '@memory/engine/parameters'
import {
  type MeanDeviation,
  meanDeviation,
  noSignal,
  weightedMeanDeviation,
} from '@memory/engine/recall/mean-deviation'
import { salienceOf } from '@memory/engine/salience'
import type { PatternSet } from '../index/pattern-set.ts'
import { goldenRatio, type SpaceLearning } from '../learning/space-learning.ts'

const { deviationMin } = parameters.salience

/** Mean and deviation over a space change slowly and are kept for this long. */
const keptMs = 10_000

/** Larger spaces are sampled: a salience takes 1 us to compute, which blocks the event loop. */
const sampleMax = 2_048

/** How many idx are looked at to find unused patterns, at some 20 ns each. More than `sampleMax`, since most may be deleted. */
const probedMax = 8 * sampleMax

interface Known {
  /** When it was measured, in ms since 1970. */
  at: number
  meanDeviation: MeanDeviation
}

const known = new WeakMap<SpaceLearning, Known>()

/**
 * Mean and deviation (at least `deviationMin`) of the salience of a space's patterns; `noSignal` as long as no pattern has been
 * in an answer or was changed by sleep.
 * @param end the idx that the next pattern of the space will get
 * @param now ms since 1970
 * @param isStored whether a pattern still exists; default: all do
 */
export function salienceMeanDeviation(
  learning: SpaceLearning,
  end: number,
  now: number,
  isStored: (idx: number) => boolean = () => true,
): MeanDeviation {
  if (learning.usedCount === 0) return noSignal
  const before = known.get(learning)
  if (before !== undefined && Math.abs(now - before.at) < keptMs) return before.meanDeviation
  const { mean, deviation } = weightedMeanDeviation(contributions(learning, end, now, isStored))
  const meanDeviation = { mean, deviation: Math.max(deviation, deviationMin) }
  known.set(learning, { at: now, meanDeviation })
  return meanDeviation
}

/** Like `salienceMeanDeviation`, but only over the patterns that the caller may see, sampled if they are many. */
export function visibleSalience(learning: SpaceLearning, visible: PatternSet, now: number): MeanDeviation {
  if (learning.usedCount === 0) return noSignal
  const sample = visible.spread(sampleMax)
  if (!sample.some((idx) => learning.hasUse(idx))) return noSignal
  const { mean, deviation } = meanDeviation(sample.map((idx) => salienceOf(learning.useOf(idx), now)))
  return { mean, deviation: Math.max(deviation, deviationMin) }
}

/** Saliences of a sample of the space's patterns, with the number of patterns that each stands for. */
function* contributions(
  learning: SpaceLearning,
  end: number,
  now: number,
  isStored: (idx: number) => boolean,
): Generator<{ value: number; count: number }> {
  const usedStep = Math.ceil(learning.usedCount / sampleMax)
  for (const { idx, ...use } of learning.uses(usedStep)) {
    if (isStored(idx)) yield { value: salienceOf(use, now), count: usedStep }
  }
  // The unused patterns. Most idx may belong to deleted patterns, so probe more of them than are needed.
  const unused: number[] = []
  const probed = Math.min(end, probedMax)
  for (let at = 0; at < probed; at++) {
    // Evenly spread without a fixed step, which could coincide with a pattern in what was deleted.
    const idx = probed === end ? at : Math.floor(((at * goldenRatio) % 1) * end)
    if (isStored(idx) && !learning.hasUse(idx)) unused.push(idx)
  }
  const sampleStep = Math.max(1, unused.length / sampleMax)
  for (let at = sampleStep / 2; at < unused.length; at += sampleStep) {
    const value = salienceOf(learning.useOf(unused[Math.floor(at)] as number), now)
    yield { value, count: (end / probed) * sampleStep }
  }
}
