import { openEncoder } from '@memory/engine/encoder/encoder'
import { SpaceCache } from '@memory/memory/index/space-cache'
import { checkIndexes } from '@memory/memory/verify/check-data'
import { limits } from '@memory/shared/catalogue/limits'
import type { Check } from '@memory/shared/ops/check'
import { systemClock } from '@memory/shared/platform/clock'
import type { Config } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'

const spacesMax = 100

/** Makes indexes from the rows of a restored database, and searches them as the service will. */
export async function verifyRestored(
  { queries }: Database,
  { encoderDir, indexBudgetBytes }: Pick<Config, 'encoderDir' | 'indexBudgetBytes'>,
): Promise<Check[]> {
  const comparer = await openEncoder(encoderDir, { dimensions: limits.embeddingDimensions })
  const budget = { budgetBytes: indexBudgetBytes, clock: systemClock, log: createLog('warn') }
  const spaces = new SpaceCache({ queries, ...budget })
  try {
    const open = (spaceId: string) => (version: number) => spaces.get(spaceId, version)
    return [await checkIndexes(queries, { open, done: (id) => spaces.release(id), comparer, spacesMax })]
  } finally {
    await comparer.close()
  }
}
