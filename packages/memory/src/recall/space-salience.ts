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

/** Saliences of all patterns move slowly: for so long their mean and deviation are kept. */
const keptMs = 10_000

/** Of more patterns than this a sample stands for all: to look at each takes 1 us, in which nothing else runs. */
const sampleMax = 2_048

/** Of so many it is asked whether they are there and unused, which takes some 20 ns each: most may be deleted. */
const probedMax = 8 * sampleMax

interface Known {
  at: number
  meanDeviation: MeanDeviation
}

const known = new WeakMap<SpaceLearning, Known>()

/**
 * Mean and deviation (0.3 at least) of the salience of a space's patterns, no signal until one has been in an answer or was
 * slept on.
 * @param end idx that the next pattern of the space will get
 * @param now ms since 1970
 * @param isStored whether a pattern is still there; without it all are
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

/** The same of those patterns alone that a caller may see, or of a sample that stands for them. */
export function visibleSalience(learning: SpaceLearning, visible: PatternSet, now: number): MeanDeviation {
  if (learning.usedCount === 0) return noSignal
  const sample = visible.spread(sampleMax)
  if (!sample.some((idx) => learning.hasUse(idx))) return noSignal
  const { mean, deviation } = meanDeviation(sample.map((idx) => salienceOf(learning.useOf(idx), now)))
  return { mean, deviation: Math.max(deviation, deviationMin) }
}

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
  // The others have been in no answer. Where memories come and go, most that were ever stored are deleted.
  const unused: number[] = []
  const probed = Math.min(end, probedMax)
  for (let at = 0; at < probed; at++) {
    // Evenly over all, and in no step that what was deleted may be in too.
    const idx = probed === end ? at : Math.floor(((at * goldenRatio) % 1) * end)
    if (isStored(idx) && !learning.hasUse(idx)) unused.push(idx)
  }
  const sampleStep = Math.max(1, unused.length / sampleMax)
  for (let at = sampleStep / 2; at < unused.length; at += sampleStep) {
    const value = salienceOf(learning.useOf(unused[Math.floor(at)] as number), now)
    yield { value, count: (end / probed) * sampleStep }
  }
}
