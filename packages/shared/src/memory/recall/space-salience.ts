import { parameters } from '../../engine/parameters.ts'
import { type Moments, silent, weightedMoments } from '../../engine/recall/moments.ts'
import { salienceOf } from '../../engine/salience.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'

const { strengthStart } = parameters.learning
const { deviationMin } = parameters.salience

/** Saliences of all patterns move slowly: for so long their moments are kept. */
const keptMs = 10_000

interface Known {
  at: number
  moments: Moments
}

const known = new WeakMap<SpaceLearning, Known>()

/**
 * Mean and deviation (0.3 at least) of the salience of a space's patterns, silent until one has been in an answer.
 * Patterns that were in none differ by their store time alone, so each minute in which some were stored counts them together.
 * @param end idx that the next pattern of the space will get
 * @param now ms since 1970
 */
export function salienceMoments(learning: SpaceLearning, end: number, now: number): Moments {
  if (!learning.isUsed) return silent
  const before = known.get(learning)
  if (before !== undefined && Math.abs(now - before.at) < keptMs) return before.moments
  const { mean, deviation } = weightedMoments(contributions(learning, end, now))
  const moments = { mean, deviation: Math.max(deviation, deviationMin) }
  known.set(learning, { at: now, moments })
  return moments
}

function* contributions(
  learning: SpaceLearning,
  end: number,
  now: number,
): Generator<{ value: number; count: number }> {
  const unused = learning.epochs.map(([first], i) => (learning.epochs[i + 1]?.[0] ?? end) - first)
  for (const { idx, ...use } of learning.uses()) {
    const epoch = learning.epochOf(idx)
    unused[epoch] = (unused[epoch] ?? 0) - 1
    yield { value: salienceOf(use, now), count: 1 }
  }
  for (const [epoch, [, storedAt]] of learning.epochs.entries()) {
    const use = { storedAt, count: 0, lastAt: storedAt, strength: strengthStart }
    yield { value: salienceOf(use, now), count: unused[epoch] ?? 0 }
  }
}
