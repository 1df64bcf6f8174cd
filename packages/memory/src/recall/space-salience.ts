import { parameters } from '@memory/engine/parameters'
import {
  type MeanDeviation,
  meanDeviation,
  noSignal,
  weightedMeanDeviation,
} from '@memory/engine/recall/mean-deviation'
import { salienceOf } from '@memory/engine/salience'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'

const { strengthStart } = parameters.learning
const { deviationMin } = parameters.salience

/** Saliences of all patterns move slowly: for so long their mean and deviation are kept. */
const keptMs = 10_000

/** Of more patterns or store times than this a sample stands for all: to look at each takes 1 us, in which nothing else runs. */
const sampleMax = 2_048

interface Known {
  at: number
  meanDeviation: MeanDeviation
}

const known = new WeakMap<SpaceLearning, Known>()

/**
 * Mean and deviation (0.3 at least) of the salience of a space's patterns, no signal until one has been in an answer or was
 * slept on. Patterns that were in none differ by their store time alone, so each minute in which some were stored counts
 * them together.
 * @param end idx that the next pattern of the space will get
 * @param now ms since 1970
 */
export function salienceMeanDeviation(learning: SpaceLearning, end: number, now: number): MeanDeviation {
  if (learning.usedCount === 0) return noSignal
  const before = known.get(learning)
  if (before !== undefined && Math.abs(now - before.at) < keptMs) return before.meanDeviation
  const { mean, deviation } = weightedMeanDeviation(contributions(learning, end, now))
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
): Generator<{ value: number; count: number }> {
  const { epochs } = learning
  // Store times that follow each other are as good as one.
  const group = Math.max(1, Math.ceil(epochs.length / sampleMax))
  const unused: number[] = []
  for (let at = 0; at < epochs.length; at += group) {
    unused.push((epochs[at + group]?.[0] ?? end) - (epochs[at]?.[0] ?? 0))
  }
  const step = Math.ceil(learning.usedCount / sampleMax)
  for (const { idx, ...use } of learning.uses(step)) {
    const at = Math.floor(learning.epochOf(idx) / group)
    unused[at] = (unused[at] ?? 0) - 1
    yield { value: salienceOf(use, now), count: step }
  }
  if (step > 1) {
    yield* sampledUnused(learning, end, now)
    return
  }
  for (const [at, count] of unused.entries()) {
    const middle = Math.min(at * group + (group >> 1), epochs.length - 1)
    const storedAt = epochs[middle]?.[1] ?? now
    yield { value: salienceOf({ storedAt, count: 0, lastAt: storedAt, strength: strengthStart }, now), count }
  }
}

/** The patterns that have been in no answer, told from the used ones one by one. */
function* sampledUnused(
  learning: SpaceLearning,
  end: number,
  now: number,
): Generator<{ value: number; count: number }> {
  const step = Math.max(1, end / sampleMax)
  for (let at = step / 2; at < end; at += step) {
    const use = learning.useOf(Math.floor(at))
    if (!learning.hasUse(Math.floor(at))) yield { value: salienceOf(use, now), count: step }
  }
}
