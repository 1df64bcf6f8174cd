/** Gives the patterns that a pattern leads to, each with a strength in [0, 1]. */
export type LinksOf = (idx: number) => Iterable<readonly [idx: number, strength: number]>

/**
 * One hop of spreading activation, A_j = sum_i A_i s_ij over the links of the last hop's patterns i to patterns j not reached
 * yet.
 * @param last activations of the last hop's patterns, by idx
 * @param reached all patterns reached so far, those of the last hop included
 * @param width how many patterns to return at most
 * @returns activations by idx, strongest first, equal ones by idx
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
