import { limits } from '@memory/shared/catalogue/limits'
import type { Line } from '@memory/shared/transfer/lines'
import type { CommandClient } from './client.ts'
import { Failure } from './command.ts'
import { parseLine } from './import-line.ts'

const pageSize = 200
/** Matches the parts of divided texts, but for the first of each. */
const isLaterPart = { part: { $gte: 2 }, parts: { $gte: 2 } }

/**
 * Deletes what is left of texts that have become shorter since an earlier import: a text that is stored again under its own id
 * replaces only as many parts as it has now. (Parts whose ids had to be shortened to a hash are not found.)
 * @param lines all lines of the file, which are stored by now
 * @returns how many parts were deleted; a sentence when that failed
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
    for (let from = 0; from < surplus.length; from += limits.deleteByIds)
      deleted += await client.deleteNamed(surplus.slice(from, from + limits.deleteByIds))
    return deleted
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `Where a text has become shorter, parts of what it was may be left: ${error.message}`
  }
}

/** The own ids of all later parts, each with the own id of its text; also of texts that are not valid now. */
async function partsOf(client: CommandClient): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.searchPatterns({
      filter: { ...isLaterPart, $external_id: { $exists: true } },
      include_superseded: true,
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
