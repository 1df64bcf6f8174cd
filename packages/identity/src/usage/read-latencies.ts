import {
  type Caller,
  type Input,
  type Output,
  type UsageClass,
  usageClasses,
} from '@memory/shared/catalogue/operation'
import { retention } from '@memory/shared/catalogue/retention'
import { dayMs, floorTo, hourMs } from './calendar.ts'
import { LatencySketch } from './latency-sketch.ts'
import type { ReadLatencies } from './schema.ts'
import type { UsageContext } from './service.ts'
import * as store from './store.ts'

/** For each period: how far back it reaches, and the unit by which its latencies are stored; in ms. */
const periods = {
  '1h': { lengthMs: hourMs, unitMs: retention.latencyMs },
  '6h': { lengthMs: 6 * hourMs, unitMs: retention.latencyMs },
  '24h': { lengthMs: dayMs, unitMs: retention.latencyMs },
  '7d': { lengthMs: 7 * dayMs, unitMs: hourMs },
} as const

/** Quantiles of how long requests of the caller's space took. */
export async function readLatencies(
  { queries, clock, log }: UsageContext,
  { spaceId }: Caller,
  { period, operation }: Input<typeof ReadLatencies>['query'],
): Promise<Output<typeof ReadLatencies>> {
  await log.flushForReader([spaceId])
  const { lengthMs, unitMs } = periods[period]
  const from = new Date(floorTo(clock.now().getTime() - lengthMs, unitMs))
  const sketches = new Map(usageClasses.map((each) => [each, new LatencySketch()]))
  for (const { operation, bin, count } of await store.readLatencies(queries, spaceId, from)) {
    sketches.get(operation)?.addBin(bin, count)
  }
  const asked = new LatencySketch()
  for (const [each, sketch] of sketches) {
    if (operation === undefined || operation === each) asked.merge(sketch)
  }
  const percentile = (sketch: LatencySketch | undefined, p: number) => round(sketch?.quantile(p / 100) ?? 0)
  const brief = (each: UsageClass) => ({
    p50: percentile(sketches.get(each), 50),
    p95: percentile(sketches.get(each), 95),
    p99: percentile(sketches.get(each), 99),
  })
  return {
    period,
    operation: operation ?? null,
    percentiles: {
      p50: percentile(asked, 50),
      p75: percentile(asked, 75),
      p90: percentile(asked, 90),
      p95: percentile(asked, 95),
      p99: percentile(asked, 99),
    },
    by_operation: {
      store: brief('store'),
      retrieve: brief('retrieve'),
      recall: brief('recall'),
      explain: brief('explain'),
      consolidate: brief('consolidate'),
    },
    total_requests: asked.count,
  }
}

/** Rounds ms to microseconds: for 0.1 ms, an error of half a percent. */
const round = (ms: number): number => Math.round(ms * 1_000) / 1_000
