/** What a pattern leads to, each with a strength in [0, 1]. */
export type LinksOf = (idx: number) => Iterable<readonly [idx: number, strength: number]>

/**
 * One hop of spreading activation: the patterns not reached before to which those of the last hop lead most strongly,
 * A_j = sum_i A_i s_ij over all their links.
 * @param last activations by pattern
 * @param reached patterns of the hops before, and those of the last
 * @param width how many at most
 * @returns activations by pattern, strongest first, equal ones by pattern
 */
export function nextHop(
  last: ReadonlyMap<number, number>,
  reached: ReadonlySet<number>,
  linksOf: LinksOf,
  width: number,
): Map<number, number> {
  const activations = new Map<number, number>()
  for (const [from, activation] of last) {
    for (const [to, strength] of linksOf(from)) {
      const passed = activation * strength
      if (passed > 0 && !reached.has(to)) activations.set(to, (activations.get(to) ?? 0) + passed)
    }
  }
  const strongest = [...activations].sort(([a, p], [b, q]) => q - p || a - b)
  return new Map(strongest.slice(0, width))
}
