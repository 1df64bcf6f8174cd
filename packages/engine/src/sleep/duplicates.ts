import { pairName, pairOf } from '../exploration/pairs.ts'
import { faded } from '../learning/association.ts'

/** A link of a pattern that is about to be removed: an association (`one` < `other`), or a transition from `one` to `other`. */
export interface Link {
  one: number
  other: number
  /** Weight or count, as it was at `at`. */
  value: number
  /** Ms since 1970. */
  at: number
}

/**
 * Moves the associations of duplicates to the patterns that they merge into. An association between a pattern and its own
 * duplicate is dropped.
 * @param keptOf by a duplicate's idx, the pattern that it merges into
 * @returns strengthenings: a weight w changes by 1 - w <- (1 - w) kept
 */
export function moveAssociations(
  links: readonly Link[],
  keptOf: ReadonlyMap<number, number>,
  now: number,
): { a: number; b: number; kept: number }[] {
  const moved = new Map<string, { a: number; b: number; kept: number }>()
  for (const { one, other, value, at } of links) {
    const [x, y] = [keptOf.get(one) ?? one, keptOf.get(other) ?? other]
    if (x === y) continue
    const pair = pairOf(x, y)
    const { kept } = moved.get(pairName(pair)) ?? { kept: 1 }
    moved.set(pairName(pair), { ...pair, kept: kept * (1 - faded(value, at, now)) })
  }
  return [...moved.values()]
}

/**
 * Moves the transitions of duplicates to the patterns that they merge into. A transition between a pattern and its own duplicate
 * is dropped.
 * @param keptOf by a duplicate's idx, the pattern that it merges into
 * @returns counts to be added
 */
export function moveTransitions(
  links: readonly Link[],
  keptOf: ReadonlyMap<number, number>,
  now: number,
): { source: number; target: number; count: number }[] {
  const moved = new Map<string, { source: number; target: number; count: number }>()
  for (const { one, other, value, at } of links) {
    const [source, target] = [keptOf.get(one) ?? one, keptOf.get(other) ?? other]
    if (source === target) continue
    const { count } = moved.get(`${source},${target}`) ?? { count: 0 }
    moved.set(`${source},${target}`, { source, target, count: count + faded(value, at, now) })
  }
  return [...moved.values()]
}
