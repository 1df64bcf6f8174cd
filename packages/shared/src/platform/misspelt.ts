import { editDistance } from '../catalogue/edit-distance.ts'

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
  return editDistance(bare(name), bare(known)) <= mostDifferences(known)
}

function mostDifferences(known: string): number {
  const isOurs = known.startsWith(prefix)
  // The prefix is common to many names, so it does not count towards the length.
  const { length } = (isOurs ? known.slice(prefix.length) : known).replaceAll('_', '')
  if (isOurs) return length >= 6 ? 2 : 1
  return length >= 10 ? 2 : length >= 8 ? 1 : 0
}
