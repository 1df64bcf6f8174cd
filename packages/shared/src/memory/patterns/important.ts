import { limits } from '../../catalogue/limits.ts'
import type { Caller, Output } from '../../catalogue/operation.ts'
import type { MemoryContext } from '../context.ts'
import type { ListImportant } from './important-schema.ts'
import { listImportant } from './pattern-store.ts'

/** Personal facts among the texts of a space, newest first. */
export async function importantFacts(
  { queries }: Pick<MemoryContext, 'queries'>,
  caller: Caller,
): Promise<Output<typeof ListImportant>> {
  const rows = await listImportant(queries, caller.spaceId, limits.importantMax)
  return { important: rows.map(({ id, ...fact }) => ({ pattern_id: id, ...fact })) }
}
