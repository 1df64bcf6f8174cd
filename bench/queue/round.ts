import { asTask, asTenant, type Database } from '../../packages/shared/src/platform/database/database.ts'
import type { Log } from '../../packages/shared/src/platform/log.ts'
import { append } from '../../packages/shared/src/platform/outbox/outbox.ts'
import { startRelay } from '../../packages/shared/src/platform/outbox/relay.ts'
import type { JobQueue } from '../../packages/shared/src/platform/queue/queue.ts'
import { quantile } from '../support/statistics.ts'

/** What one round of one way to hand work over took. */
export interface Round {
  /** Handed over while nobody worked, then worked off. */
  addedPerSecond: number
  donePerSecond: number
  /** From handing over, one at a time, to the handler. */
  pickUpP50Ms: number
  pickUpP99Ms: number
  /** Of this process for one that is handed over and done. */
  processorMs: number
}

/** One way to hand work over. */
export interface Way {
  add(): Promise<unknown>
  /** @returns what ends it */
  work(handle: () => void): Promise<() => Promise<unknown>>
}

/** @param count of jobs in each part of the round */
export async function measureRound(way: Way, count: number): Promise<Round> {
  const adding = performance.now()
  for (let i = 0; i < count; i++) await way.add()
  const added = performance.now()
  let done = 0
  let waiting = Promise.withResolvers<number>()
  const all = Promise.withResolvers<number>()
  const stop = await way.work(() => {
    if (++done === count) all.resolve(performance.now())
    else if (done > count) waiting.resolve(performance.now())
  })
  const drained = await all.promise
  const before = process.cpuUsage()
  const pickUps: number[] = []
  for (let i = 0; i < count; i++) {
    waiting = Promise.withResolvers<number>()
    const began = performance.now()
    await way.add()
    pickUps.push((await waiting.promise) - began)
  }
  await stop()
  const { user, system } = process.cpuUsage(before)
  return {
    addedPerSecond: (1_000 * count) / (added - adding),
    donePerSecond: (1_000 * count) / (drained - added),
    pickUpP50Ms: quantile(pickUps, 0.5),
    pickUpP99Ms: quantile(pickUps, 0.99),
    processorMs: (user + system) / 1_000 / count,
  }
}

/** Jobs without contents, four in hand at once. */
export const queueWay = (queue: JobQueue): Way => ({
  add: () => queue.add('purge-traces', {}),
  work: async (handle) => {
    const workers = await queue.work({ types: [], handle: async () => handle() })
    return () => workers.stop()
  },
})

const type = 'memory.pattern_limit_reached'

/** Events of the outbox, which its relay leases, delivers and removes by itself. */
export function outboxWay(database: Database, log: Log, organizationId: string, spaceId: string): Way {
  const { queries } = database
  return {
    add: () =>
      asTenant(queries, { organizationId }, (trx) =>
        append(trx, organizationId, type, { spaceId, used: 1, limit: 1 }),
      ),
    work: async (handle) => {
      const relay = await startRelay(database, async () => handle(), log, [type])
      return async () => {
        await relay.stop()
        await asTask(queries, 'relay-outbox', (trx) =>
          trx.withSchema('app').deleteFrom('outbox').where('type', '=', type).execute(),
        )
      }
    },
  }
}
