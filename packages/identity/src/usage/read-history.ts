import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { historyPoints, hourMs, pointOf } from './calendar.ts'
import type { ReadUsageHistory } from './schema.ts'
import { megabytes, type UsageContext } from './service.ts'
import * as store from './store.ts'

/** The history of the caller's space: its use and what it stored, point by point. */
export async function readUsageHistory(
  { queries, clock, log }: UsageContext,
  { spaceId }: Caller,
  { period, granularity }: Input<typeof ReadUsageHistory>['query'],
): Promise<Output<typeof ReadUsageHistory>> {
  await log.flushForReader([spaceId])
  const points = historyPoints(clock.now(), period, granularity)
  const { held, calls, snapshots } = await store.readHistory(queries, spaceId, points.from)
  const counted = points.starts.map(() => ({ api_calls: 0, stores: 0, retrieves: 0 }))
  for (const { at, ...each } of calls) {
    const point = counted[pointOf(points, at) ?? -1]
    if (point === undefined) continue
    point.api_calls +=
      each.stores + each.retrieves + each.recalls + each.explains + each.consolidations + each.other
    point.stores += each.stores
    point.retrieves += each.retrieves
  }
  const heldAt = heldAtEnds(
    points.starts.map((start) => start + points.stepMs),
    snapshots,
    held,
  )
  return {
    period,
    granularity,
    data_points: points.starts.map((start, i) => {
      const { patterns, storageBytes } = heldAt[i] as store.Held
      return {
        date: new Date(start).toISOString().slice(0, points.stepMs === hourMs ? undefined : 10),
        ...(counted[i] as (typeof counted)[number]),
        patterns_total: patterns,
        storage_mb: megabytes(storageBytes),
      }
    }),
  }
}

/**
 * How much a space stored at each of these times.
 * @param ends the ends of the points, ascending; the last is in the future
 * @param snapshots in order; each is valid until the next
 */
function heldAtEnds(
  ends: readonly number[],
  snapshots: readonly store.HeldAt[],
  now: store.Held,
): store.Held[] {
  let next = 0
  let last: store.Held = { patterns: 0, storageBytes: 0 }
  const heldAt = ends.map((end) => {
    for (
      let each = snapshots[next];
      each !== undefined && each.at.getTime() < end;
      each = snapshots[++next]
    ) {
      last = each
    }
    return last
  })
  heldAt[heldAt.length - 1] = now
  return heldAt
}
