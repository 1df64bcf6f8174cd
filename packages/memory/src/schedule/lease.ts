import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import { regardless } from '@memory/shared/platform/asker'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { leaseSeconds, renewing } from '@memory/shared/platform/lease'
import type { Log } from '@memory/shared/platform/log'
import * as store from './lease-store.ts'

/** The exclusive right to consolidate (sleep or explore) a space, for as long as its process lives. */
export interface Lease {
  /** Changed by the holder; saved by `keep` and when the lease ends. */
  progress: store.Progress
  /**
   * Makes sure, in the transaction of a step, that the lease is still held: a process that stood still may have lost it.
   * @throws ApiError consolidation_running if another has taken it over
   */
  renew(trx: Trx): Promise<void>
  /**
   * Saves the progress, so that a killed run is continued from here.
   * @param also called in the same transaction
   * @param organizationId if given, also the tenant of the transaction, to write rows of the organization
   * @throws ApiError as `renew`
   */
  keep(also?: (trx: Trx) => Promise<void>, organizationId?: string): Promise<void>
}

/**
 * Calls `work` while holding, and renewing, the lease of a space. The progress is saved even if `work` throws. If ending the lease fails, this
 * is only logged, since the lease runs out by itself.
 * @throws ApiError consolidation_running if another holds the lease; whatever `work` throws
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
  const keepingUp = renewing(
    'renewing the lease of a space',
    () => asTenant(queries, { spaceId }, (trx) => store.renew(trx, spaceId, holder, leaseSeconds)),
    log,
  )
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
    await keepingUp.stop()
    await regardless(() =>
      store.release(queries, spaceId, holder, progress).catch((err: unknown) => {
        log.warn({ err, spaceId }, 'consolidated space not let go of')
      }),
    )
  }
}
