import { type CommandClient, ServiceError } from './client.ts'
import { count, counted } from './format.ts'

/** How many of an export's lines are looked for where they are imported: one request, of the 200 that it may name. */
export const lookedFor = 50

/**
 * Looks whether a file was exported from the space that it is imported into: a line without an id of its own is stored there
 * once more. @param ids of the patterns that its first such lines were @returns a sentence; undefined where none is there
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
    // A key may only write, or a service of before does not know the request: then it can't be said.
    if (error instanceof ServiceError && error.status < 500) return undefined
    throw error
  }
}
