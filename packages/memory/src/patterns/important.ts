import type { JsonStream, JsonText } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import type { Queries } from '@memory/shared/platform/database/database'
import { inParts } from '@memory/shared/platform/in-parts'
import type { MemoryContext } from '../context.ts'
import type { ListImportant } from './important-schema.ts'
import { listImportant } from './pattern-store.ts'

type ImportantFacts = Output<typeof ListImportant>

/** Facts read first, while nobody knows how long they are, and characters of them that are read at a time from then on. */
const firstFacts = 100
const readChars = 2 ** 20
/** The greatest that the database knows. */
const idxMax = 2 ** 31 - 1

/** Personal facts among the texts of a space, newest first. Those of the longest texts are sent as they are read. */
export function importantFacts(
  { queries }: Pick<MemoryContext, 'queries'>,
  caller: Caller,
): Promise<JsonText<ImportantFacts> | JsonStream<ImportantFacts>> {
  return inParts(partsOf(queries, caller.spaceId))
}

async function* partsOf(queries: Queries, spaceId: string): AsyncGenerator<string, void> {
  yield '{"important":['
  let left: number = limits.importantMax
  let [before, count] = [idxMax, firstFacts]
  while (left > 0) {
    const wanted = Math.min(left, count)
    const rows = await listImportant(queries, spaceId, before, wanted)
    const facts = rows.map(({ idx, id, external_id, ...fact }) =>
      JSON.stringify({ pattern_id: id, ...(external_id !== null && { external_id }), ...fact }),
    )
    const part = facts.join(',')
    const last = rows.at(-1)
    if (last !== undefined) yield left === limits.importantMax ? part : `,${part}`
    if (last === undefined || rows.length < wanted) break
    left -= rows.length
    before = last.idx
    count = Math.max(1, Math.floor((readChars * rows.length) / part.length))
  }
  yield ']}'
}
