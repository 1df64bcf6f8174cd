/** What somebody wrote as a filter, or as metadata: an object, nothing, or no JSON object that can be sent. */
export function readFilter(
  text: string | undefined,
): { filter?: Record<string, unknown>; isWrong?: undefined } | { filter?: undefined; isWrong: true } {
  if (text === undefined || text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text, requireNumber)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { filter: value as Record<string, unknown> }
    }
  } catch {
    // Told below.
  }
  return { isWrong: true }
}

/** JSON has no word for a number such as 1e999, which is read as infinite and could not be sent. */
function requireNumber(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError()
  return value
}
