import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import { regardless } from '@memory/shared/platform/asker'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import * as store from './lease-store.ts'

/** A crashed holder's space is free again after this time; a living one renews its lease with every step. */
const leaseSeconds = 60

/** The right to consolidate a space. */
export interface Lease {
  progress: store.Progress
  /** Holds on to the space, within the transaction of a step. @throws ApiError when another has taken it over */
  renew(trx: Trx): Promise<void>
  /**
   * Keeps the progress, so that a run that is killed is gone on with from here. `also` is done in the same transaction,
   * in which the space's organization is the tenant too where it is named. @throws ApiError as `renew`
   */
  keep(also?: (trx: Trx) => Promise<void>, organizationId?: string): Promise<void>
}

/**
 * Does `work` while nobody else consolidates the space. What it changes of the progress is kept, whatever else fails.
 * How it ended is how `work` did: where letting go fails, the lease runs out by itself.
 * @throws ApiError consolidation_running
 */
export async function withLease<T>(
  { queries, log }: { queries: Queries; log: Log },
  spaceId: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const holder = randomUUID()
  const progress = await store.take(queries, spaceId, holder, leaseSeconds)
  if (progress === undefined) throw new ApiError('consolidation_running')
  const renew = async (trx: Trx) => {
    const held = await store.renew(trx, spaceId, holder, leaseSeconds)
    if (!held) throw new ApiError('consolidation_running')
  }
  try {
    return await work({
      progress,
      renew,
      keep: (also, organizationId) =>
        asTenant(queries, { spaceId, organizationId }, async (trx) => {
          await renew(trx)
          await store.save(trx, spaceId, holder, progress)
          await also?.(trx)
        }),
    })
  } finally {
    await regardless(() =>
      store.release(queries, spaceId, holder, progress).catch((err: unknown) => {
        log.warn({ err, spaceId }, 'consolidated space not let go of')
      }),
    )
  }
}
