import type { Hits } from './kernels/matrix.ts'
import { softmax } from './kernels/softmax.ts'
import { faded } from './learning/association.ts'
import { parameters } from './parameters.ts'

const { nearest, sharpness, steps, discount, doubt, neighbourCount, widthMax } = parameters.successor

/** How often one pattern was found after another: a count that fades since a time. */
export interface Transition {
  /** As it was at `at`. */
  count: number
  /** Milliseconds since 1970. */
  at: number
}

/** By the idx of a pattern, the patterns that followed it, by idx. */
export type Transitions = ReadonlyMap<number, ReadonlyMap<number, Transition>>

/** What is in a space now, and in which order it was stored. */
export interface StoreOrder {
  /** The pattern stored next after this one that is still there. */
  nextInOrder(idx: number): number | undefined
  /** Whether a pattern is still there; without it all are. */
  isStored?(idx: number): boolean
}

/** A pattern that will probably be asked for next. */
export interface Prediction {
  idx: number
  /** In (0, 1]; over all predictions of one start they sum to at most 1. */
  strength: number
}

/** What is left of a transition's count at `now` (ms since 1970); a `now` before `at` counts as `at`. */
export function countAt({ count, at }: Transition, now: number): number {
  const left = faded(count, at, now)
  return left > 0 && Number.isFinite(left) ? left : 0
}

/**
 * The distribution p0 that prediction starts from: softmax(sharpness cos) over the `nearest` patterns.
 * @param hits nearest patterns of the query, best first
 */
export function startDistribution(hits: Hits): Map<number, number> {
  const known = Array.from(hits.labels.subarray(0, nearest), (label, i) => ({
    label,
    score: hits.scores[i] as number,
  })).filter(({ score }) => Number.isFinite(score))
  const weights = softmax(
    Float64Array.from(known, ({ score }) => score),
    sharpness,
  )
  return new Map(known.map(({ label }, i) => [label, weights[i] as number]))
}

/**
 * What comes next, by the successor representation (Dayan, Improving Generalization for Temporal Difference Learning:
 * The Successor Representation, Neural Computation 5(4), 1993) over a short horizon: the sum over t = 1..steps of
 * discount^(t-1) p0 T^t, divided by the sum of the factors. T_ij = n_ij / (sum_j n_ij + doubt), where n_ij is the faded count of
 * transitions from i to j, plus `neighbourCount` if j was stored next after i; `doubt` keeps one old transition from being
 * certain.
 *
 * The likeliest pattern of p0 is what the query itself is about: it is predicted only if it was seen to follow itself. Steps are
 * taken from the `widthMax` likeliest patterns only, which makes strengths a little smaller.
 * @param start probabilities p0 by pattern, of sum 1
 * @param now milliseconds since 1970
 * @returns strongest first, equal ones by pattern
 */
export function predictNext(
  start: ReadonlyMap<number, number>,
  transitions: Transitions,
  order: StoreOrder,
  now: number,
): Prediction[] {
  const rows = new Map<number, Map<number, number>>()
  const rowOf = (idx: number) => {
    const row = rows.get(idx) ?? successorsOf(idx, transitions, order, now)
    rows.set(idx, row)
    return row
  }
  const strengths = new Map<number, number>()
  let reached = new Map(Array.from(start).filter(([, p]) => p > 0 && p <= 1))
  for (let step = 0; step < steps; step++) {
    reached = moveOn(likeliest(reached), rowOf)
    for (const [idx, p] of reached) add(strengths, idx, (discount ** step * p) / discountSum)
  }
  const best = mostLikely(start)
  if (best !== undefined && !transitions.get(best)?.has(best)) strengths.delete(best)
  return Array.from(strengths, ([idx, strength]) => ({ idx, strength })).sort(
    (a, b) => b.strength - a.strength || a.idx - b.idx,
  )
}

const discountSum = Array.from({ length: steps }, (_, step) => discount ** step).reduce((a, b) => a + b, 0)

/** A row of T without its zeros: how likely each of the others comes next, which sums to less than 1. */
export function successorsOf(
  idx: number,
  transitions: Transitions,
  order: StoreOrder,
  now: number,
): Map<number, number> {
  const counts = new Map<number, number>()
  for (const [to, transition] of transitions.get(idx) ?? []) {
    const count = countAt(transition, now)
    if (count > 0 && (order.isStored?.(to) ?? true)) counts.set(to, count)
  }
  const next = order.nextInOrder(idx)
  if (next !== undefined) add(counts, next, neighbourCount)
  let total = doubt
  for (const count of counts.values()) total += count
  return new Map(Array.from(counts, ([to, count]) => [to, count / total]))
}

/** The `widthMax` most likely patterns of a distribution. */
function likeliest(distribution: Map<number, number>): Map<number, number> {
  if (distribution.size <= widthMax) return distribution
  const sorted = Array.from(distribution).sort(([a, p], [b, q]) => q - p || a - b)
  return new Map(sorted.slice(0, widthMax))
}

/** One step: the distribution p times the transition matrix T, whose rows `rowOf` gives. */
function moveOn(
  from: ReadonlyMap<number, number>,
  rowOf: (idx: number) => ReadonlyMap<number, number>,
): Map<number, number> {
  const reached = new Map<number, number>()
  for (const [idx, p] of from) {
    for (const [to, share] of rowOf(idx)) add(reached, to, p * share)
  }
  return reached
}

function mostLikely(distribution: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined
  let greatest = 0
  for (const [idx, p] of distribution) {
    if (p > greatest) {
      best = idx
      greatest = p
    }
  }
  return best
}

function add(sums: Map<number, number>, idx: number, value: number): void {
  sums.set(idx, (sums.get(idx) ?? 0) + value)
}
