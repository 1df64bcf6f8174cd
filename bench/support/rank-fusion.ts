/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): the sum of 1 / (60 + rank) over the rankings. */
export function fusedByRank(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    for (const [i, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (61 + i))
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id)
}
