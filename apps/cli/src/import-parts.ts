import type { Line } from '@memory/shared/transfer/lines'
import type { CommandClient } from './client.ts'
import { Failure } from './command.ts'
import { parseLine } from './import-line.ts'

const pageSize = 200
/** Own ids of one filter, which is no longer than the service takes it when they are as long as they may be. */
const deletedAtOnce = 10

/** Any but the first. */
const isPart = { part: { $gte: 2 }, parts: { $gte: 2 } }

/**
 * Deletes the parts that texts of a file had when they were longer: a text is stored anew under its own id, and the parts
 * behind what it needs now would stay, as if it still said them. (Parts of ids that had to be shortened are not known again.)
 * @param lines of the whole file @returns how many were deleted; a sentence, where that failed: all is stored by then
 */
export async function deleteSurplusParts(
  client: CommandClient,
  lines: AsyncIterable<Line>,
): Promise<number | string> {
  try {
    const parts = await partsOf(client)
    if (parts.size === 0) return 0
    const ids = new Set<string>()
    for await (const line of lines) {
      const parsed = parseLine(line, Date.now())
      if (parsed.kind === 'item' && parsed.externalId !== undefined) ids.add(parsed.externalId)
    }
    const surplus = [...parts].filter(([id, whole]) => ids.has(whole) && !ids.has(id)).map(([id]) => id)
    let deleted = 0
    for (let from = 0; from < surplus.length; from += deletedAtOnce) {
      const some = surplus.slice(from, from + deletedAtOnce)
      deleted += (await client.forget({ filter: { ...isPart, $external_id: { $in: some } } })).forgotten
    }
    return deleted
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `Where a text has become shorter, parts of what it was may be left: ${error.message}`
  }
}

/** Own ids of all parts but the first, with those of the texts that they are parts of. */
async function partsOf(client: CommandClient): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.searchPatterns({
      filter: { ...isPart, $external_id: { $exists: true } },
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { external_id: id, metadata } of page.patterns) {
      const end = `#${metadata?.part}`
      if (id?.endsWith(end)) found.set(id, id.slice(0, -end.length))
    }
    cursor = page.next_cursor
  }
  return found
}
