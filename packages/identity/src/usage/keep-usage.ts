import { retention } from '@memory/shared/catalogue/retention'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { dayMs, floorTo, hourMs } from './calendar.ts'
import * as store from './retention-store.ts'

interface Kept {
  queries: Queries
  clock: Clock
}

/** Notes what each space holds in this hour; called some times an hour, so that its last moment is not missed by much. */
export function takeUsageSnapshot({ queries, clock }: Kept): Promise<void> {
  return store.takeSnapshots(queries, new Date(floorTo(clock.now(), hourMs)))
}

/** Makes old usage coarser and drops what is older still. Safe to run twice, and in several processes at once. */
export async function rollUpUsage({ queries, clock }: Kept): Promise<void> {
  const nowMs = clock.now().getTime()
  const day = new Date(floorTo(nowMs - retention.hoursMs, dayMs))
  await store.rollUpCalls(queries, day)
  await store.rollUpSnapshots(queries, day)
  await store.rollUpLatencies(queries, new Date(floorTo(nowMs - retention.latenciesMs, hourMs)))
  const oldest = new Date(floorTo(nowMs - retention.daysMs, dayMs))
  await store.purge(queries, {
    calls: oldest,
    latencies: new Date(nowMs - retention.latencyHoursMs),
    snapshots: oldest,
  })
  await store.purgeQueryCounts(queries)
}
