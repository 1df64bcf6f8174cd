import { faded } from '../learning/association.ts'

/** A link of a pattern that is about to go: associations have a < b, transitions lead from `one` to `other`. */
export interface Link {
  one: number
  other: number
  /** Weight or count, as it was at a time. */
  value: number
  /** Ms since 1970. */
  at: number
}

/**
 * The associations of duplicates as those of the patterns that they merge into, for whoever adds them by
 * 1 - w <- (1 - w) kept. What linked a pattern to its own duplicate is dropped.
 * @param keptOf the pattern that a duplicate merges into
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
    const [a, b] = x < y ? [x, y] : [y, x]
    const { kept } = moved.get(`${a},${b}`) ?? { kept: 1 }
    moved.set(`${a},${b}`, { a, b, kept: kept * (1 - faded(value, at, now)) })
  }
  return [...moved.values()]
}

/** The transitions of duplicates as those of the patterns that they merge into, for whoever adds them up. */
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
