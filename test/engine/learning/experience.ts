import type { Feedback, LearningUpdate, Use } from '@memory/engine/learning/learning-update'
import { learnFrom } from '@memory/engine/learning/learning-update'
import { initialState } from '@memory/engine/learning/state'

export const now = Date.UTC(2026, 0, 1)
export const second = 1_000
export const minute = 60 * second

export const start = initialState(now)
/** Learning-rate multiplier before anything has surprised: 0.5 + sigmoid(2 (0 - 1)). */
export const calmRate = 0.5 + 1 / (1 + Math.exp(2))

/** A search that found patterns, equally near unless cosines are given; each has its own query. */
export function use(
  at: number,
  patterns: readonly (number | [idx: number, cosine: number])[],
  more = {},
): Use {
  return {
    kind: 'answer',
    at,
    surprise: null,
    actor: 'ada',
    query: `query at ${at}`,
    pathway: 'exact',
    patterns: patterns.map((one) =>
      typeof one === 'number' ? { idx: one, cosine: 0.5 } : { idx: one[0], cosine: one[1] },
    ),
    ...more,
  }
}

export function feedback(at: number, idx: number, useful: boolean, more = {}): Feedback {
  return { kind: 'feedback', at, actor: 'ada', idx, useful, ...more }
}

export function learn(...observations: Parameters<typeof learnFrom>[2]): LearningUpdate {
  return learnFrom(start, new Map(), observations, () => true)
}

/** Weights after an update of associations that had none, by pair. */
export function weightsOf({ associations }: LearningUpdate): Record<string, number> {
  return Object.fromEntries(associations.map(({ a, b, kept }) => [`${a}-${b}`, 1 - kept]))
}

/** Strengths after an update. */
export function strengthsOf({ strengths }: LearningUpdate): Record<number, number> {
  return Object.fromEntries(strengths.map(({ idx, strength }) => [idx, strength]))
}

export function transitionsOf({ transitions }: LearningUpdate): Record<string, number> {
  return Object.fromEntries(transitions.map(({ source, target, count }) => [`${source}>${target}`, count]))
}
