import { type CommandClient, ServiceError } from './client.ts'
import { count, counted } from './format.ts'

/** How many patterns of an export are looked for in the space: fewer than the 200 that one request may name. */
export const lookedFor = 50

/**
 * Looks whether a file was exported from the space that it is imported into: its lines without an own id would be stored there a
 * second time.
 * @param ids the `pattern_id` of the first such lines
 * @returns a sentence that says so; undefined when none of them is there
 */
export async function describeDoubles(
  client: CommandClient,
  ids: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0) return undefined
  try {
    const there = await client.countThere(ids)
    return there === 0
      ? undefined
      : `The file was exported from this space: of its first ${counted(ids.length, 'line')} without an external_id ${count(there)} are in it, and are stored a second time.`
  } catch (error) {
    // The key may only write, or an earlier release of the service does not know the request.
    if (error instanceof ServiceError && error.status < 500) return undefined
    throw error
  }
}
