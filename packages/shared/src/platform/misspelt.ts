const prefix = 'MEMORY_'

/**
 * Finds a variable whose name is almost one of `known`, and so would silently have no effect. Names that only look alike do not
 * count, such as MEMORY_SERVICE_HOST, which Kubernetes sets for a service called memory.
 * @returns the name and the one that was meant
 */
export function findMisspelt(
  variables: Record<string, string | undefined>,
  known: readonly string[],
): { name: string; meant: string } | undefined {
  for (const [name, value] of Object.entries(variables)) {
    if (!value || known.includes(name)) continue
    // When the real one is set too, this one must have another purpose.
    const meant = known.find((each) => !variables[each] && isNearMiss(name, each))
    if (meant !== undefined) return { name, meant }
  }
  return undefined
}

/** Compares without underscores and case. The shorter a name, the less it may differ: HOME is not a misspelt HOST. */
function isNearMiss(name: string, known: string): boolean {
  const bare = (text: string) => text.toUpperCase().replaceAll('_', '')
  return distance(bare(name), bare(known)) <= mostDifferences(known)
}

function mostDifferences(known: string): number {
  const isOurs = known.startsWith(prefix)
  // The prefix is common to many names, so it does not count towards the length.
  const { length } = (isOurs ? known.slice(prefix.length) : known).replaceAll('_', '')
  if (isOurs) return length >= 6 ? 2 : 1
  return length >= 10 ? 2 : length >= 8 ? 1 : 0
}

/**
 * The edit distance of two words (Damerau-Levenshtein, optimal string alignment): how many letters have to be added, removed,
 * replaced or swapped with the next one to turn one word into the other.
 */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? before![j - 2]! + 1 : Infinity
      row.push(Math.min(last![j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    ;[before, last] = [last, row]
  }
  return last![b.length]!
}
