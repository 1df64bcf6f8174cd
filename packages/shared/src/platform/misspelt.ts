const prefix = 'MEMORY_'

/**
 * Finds a variable that is almost one of `known`: what it says would silently not be done. What only looks alike, such as
 * MEMORY_SERVICE_HOST, which Kubernetes sets for a service called memory, is somebody else's.
 * @returns the name and the one that was meant
 */
export function findMisspelt(
  variables: Record<string, string | undefined>,
  known: readonly string[],
): { name: string; meant: string } | undefined {
  for (const [name, value] of Object.entries(variables)) {
    if (!value || known.includes(name)) continue
    // Where the real one is set too, this one has another purpose.
    const meant = known.find((each) => !variables[each] && isNearMiss(name, each))
    if (meant !== undefined) return { name, meant }
  }
  return undefined
}

/** Underscores apart; HOME is not HOST, so the shorter a name is, the less it may differ. */
function isNearMiss(name: string, known: string): boolean {
  const bare = (text: string) => text.toUpperCase().replaceAll('_', '')
  return distance(bare(name), bare(known)) <= mostDifferences(known)
}

function mostDifferences(known: string): number {
  const isOurs = known.startsWith(prefix)
  // What many begin with tells nothing apart.
  const { length } = (isOurs ? known.slice(prefix.length) : known).replaceAll('_', '')
  if (isOurs) return length >= 6 ? 2 : 1
  return length >= 10 ? 2 : length >= 8 ? 1 : 0
}

/** How many letters have to be added, removed, replaced, or swapped with the next, to make one word the other. */
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
