import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { nextSlice, signalNow } from '@memory/shared/platform/asker'
import { historyPoints, hourMs, pointOf } from './calendar.ts'
import type { ReadUsageHistory } from './schema.ts'
import { megabytes, type UsageContext } from './service.ts'
import * as store from './store.ts'

/** Points that are written at a time: of a year there are 8,760 hours, and others are answered in between. */
const writtenAtOnce = 500

/** The history of the caller's space: its use and what it stored, point by point. */
export async function readUsageHistory(
  { queries, clock, log }: UsageContext,
  { spaceId }: Caller,
  { period, granularity }: Input<typeof ReadUsageHistory>['query'],
): Promise<JsonText<Output<typeof ReadUsageHistory>>> {
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
  const pointAt = (start: number, i: number): Point => {
    const { patterns, storageBytes } = heldAt[i] as store.Held
    return {
      date: new Date(start).toISOString().slice(0, points.stepMs === hourMs ? undefined : 10),
      ...(counted[i] as (typeof counted)[number]),
      patterns_total: patterns,
      storage_mb: megabytes(storageBytes),
    }
  }
  const parts: string[] = []
  for (let from = 0; from < points.starts.length; from += writtenAtOnce) {
    const some = points.starts.slice(from, from + writtenAtOnce).map((start, i) => pointAt(start, from + i))
    parts.push(`${from === 0 ? '' : ','}${JSON.stringify(some).slice(1, -1)}`)
    await nextSlice(signalNow())
  }
  return new JsonText(`{"period":"${period}","granularity":"${granularity}","data_points":[`, ...parts, ']}')
}

type Point = Output<typeof ReadUsageHistory>['data_points'][number]

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
