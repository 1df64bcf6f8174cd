/** What somebody wrote as a filter: an object, nothing, or no JSON object. */
export function readFilter(
  text: string | undefined,
): { filter?: Record<string, unknown>; isWrong?: undefined } | { filter?: undefined; isWrong: true } {
  if (text === undefined || text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { filter: value as Record<string, unknown> }
    }
  } catch {
    // Told below.
  }
  return { isWrong: true }
}
