import { eraseExpired, purgeIdempotencyKeys, purgeTombstones } from '@memory/shared/memory/housekeeping'
import type { Database } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { every } from '@memory/shared/platform/periodic'
import { deliverEvent } from './register.ts'

/** The background work of one process. */
export interface Worker {
  /** Finishes what is in hand. */
  stop(): Promise<void>
}

/** Starts the background work: the outbox relay and housekeeping. Any number of workers may run on one database. */
export async function startWorker(database: Database, log: Log): Promise<Worker> {
  const { queries } = database
  const relay = await startRelay(database, deliverEvent, log)
  const chores = [
    every(60_000, 'erasing expired patterns', () => eraseExpired(queries), log),
    every(300_000, 'purging tombstones', () => purgeTombstones(queries), log),
    every(300_000, 'purging idempotency keys', () => purgeIdempotencyKeys(queries), log),
  ]
  return {
    stop: async () => {
      await Promise.all([relay.stop(), ...chores.map((chore) => chore.stop())])
    },
  }
}
