import { retention } from '@memory/shared/catalogue/retention'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { dayMs, floorTo, hourMs } from './calendar.ts'
import * as store from './retention-store.ts'

interface Kept {
  queries: Queries
  clock: Clock
}

/** Records how much each space stores in this hour. Called several times an hour, so the last call is close to the hour's end. */
export function takeUsageSnapshot({ queries, clock }: Kept): Promise<void> {
  return store.takeSnapshots(queries, new Date(floorTo(clock.now(), hourMs)))
}

/** Rolls old usage up to coarser units and deletes still older usage. Safe to repeat, and to run in several processes at once. */
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
