/** Ids, tokens, times: one word with a digit, or shortened. */
const isMade = (text: string) => /^\S*$/.test(text) && /\d|…/.test(text)

/** A text that the service has put together, without the ids in it. */
const withoutIds = (text: unknown) =>
  typeof text === 'string' ? text.replaceAll(/\bpat_[0-9a-z]{26}\b/g, 'pat_…') : text

type Visit = (documented: unknown, actual: unknown, at: string) => void

/** Goes through a documented answer and a real one side by side. */
function walk(documented: unknown, actual: unknown, at: string, visit: Visit): void {
  visit(documented, actual, at)
  if (!isObject(documented) || !isObject(actual)) return
  for (const key of Object.keys(documented)) {
    if (key in actual) walk(documented[key], actual[key], `${at}.${key}`, visit)
  }
}

/**
 * What distinguishes a real answer from the documented one: keys, lengths of lists, types, and values but for numbers and
 * what the service makes anew each time (ids, tokens, times).
 * @returns a sentence for each difference
 */
export function differences(documented: unknown, actual: unknown): string[] {
  const found: string[] = []
  walk(documented, actual, '$', (said, is, at) => {
    if (typeOf(said) !== typeOf(is)) found.push(`${at}: ${typeOf(said)} is documented, ${typeOf(is)} came`)
    else if (isObject(said) && isObject(is)) {
      const keys = Object.keys(is)
      for (const key of Object.keys(said)) if (!(key in is)) found.push(`${at}.${key} did not come`)
      for (const key of keys) if (!(key in said)) found.push(`${at}.${key} is not documented`)
    } else if (
      typeof said !== 'number' &&
      withoutIds(said) !== withoutIds(is) &&
      !(typeof said === 'string' && isMade(said))
    ) {
      found.push(`${at}: ${JSON.stringify(said)} is documented, ${JSON.stringify(is)} came`)
    }
  })
  return found
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
