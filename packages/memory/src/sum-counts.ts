type Counts = Readonly<Record<string, number>>

/** Adds counts of the same names. */
export function sumCounts(one: Counts, other: Counts): Record<string, number> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}
