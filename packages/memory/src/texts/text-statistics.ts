import type { Caller, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { TextStatistics } from '../schema.ts'
import * as store from '../store.ts'

/** The text statistics operation. */
export async function textStatistics(
  { queries, compute }: Pick<MemoryContext, 'queries' | 'compute'>,
  caller: Caller,
): Promise<Output<typeof TextStatistics>> {
  const { textPatterns, storageBytes } = await store.getStatistics(queries, caller.spaceId)
  return { total_patterns: textPatterns, embedding_dim: compute.dimensions, storage_bytes: storageBytes }
}
