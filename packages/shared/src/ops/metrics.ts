import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Queries } from '../platform/database/database.ts'
import { type Backlog, readOutboxBacklog } from '../platform/outbox/outbox.ts'
import type { JobQueue } from '../platform/queue/queue.ts'
import type { JobOutcome } from '../platform/queue/workers.ts'
import { builtFrom, packageVersion } from '../platform/version.ts'
import { type Dependencies, readReadiness } from './readiness.ts'

/** The metrics of background work, for Prometheus. */
export interface WorkMetrics {
  registry: Registry
  jobSeconds: Histogram<'job' | 'outcome'>
}

const jobBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1_800]

export function createWorkMetrics(): WorkMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'memory_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version: packageVersion(), commit: builtFrom(), node: process.version }, 1)
  return {
    registry,
    jobSeconds: new Histogram({
      name: 'memory_job_seconds',
      help: 'Time that this process took for an attempt at a background job.',
      labelNames: ['job', 'outcome'],
      buckets: jobBuckets,
      registers,
    }),
  }
}

/** Handlers of the background work's events that update metrics. */
export function observeWork({ jobSeconds }: WorkMetrics): { onJobOutcome: (outcome: JobOutcome) => void } {
  return {
    onJobOutcome: ({ type, outcome, seconds }) => jobSeconds.observe({ job: type, outcome }, seconds),
  }
}

/** Registers the metrics of the job queue; they have no values while it does not answer. */
export function registerQueueMetrics(registry: Registry, queue: Pick<JobQueue, 'counts' | 'totals'>): void {
  const registers = [registry]
  new Gauge({
    name: 'memory_queue_jobs',
    help: 'Jobs of each queue by state; of the finished only those that are kept.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      const counts = await queue.counts().catch(() => ({}))
      for (const [name, states] of Object.entries(counts)) {
        for (const [state, count] of Object.entries(states)) this.set({ queue: name, state }, count)
      }
    },
  })
  new Counter({
    name: 'memory_queue_jobs_total',
    help: 'Jobs that all workers together have completed, and that have failed for good.',
    labelNames: ['queue', 'outcome'],
    registers,
    async collect() {
      this.reset()
      const totals = await queue.totals().catch(() => ({}))
      for (const [name, outcomes] of Object.entries(totals)) {
        for (const [outcome, count] of Object.entries(outcomes)) this.inc({ queue: name, outcome }, count)
      }
    },
  })
}

/** Registers the state that `/readyz` reports, for alerts. It is read once for both gauges of one scrape. */
export function registerReadiness(
  registry: Registry,
  watched: Dependencies & { readonly leaving: boolean },
): void {
  const registers = [registry]
  const look = sharedLook(() => readReadiness(watched))
  new Gauge({
    name: 'memory_ready',
    help: '1 while /readyz says ready or degraded; 0 while the database does not answer, the process ends, or its encoder is one of before.',
    registers,
    async collect() {
      this.set(watched.leaving || (await look()) === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: 'memory_degraded',
    help: '1 while /readyz says degraded: jobs wait for Redis, or the database only reads or may lose commits; else 0.',
    registers,
    async collect() {
      const found = await look()
      if (found === undefined) this.remove()
      else this.set(found.status === 'degraded' ? 1 : 0)
    },
  })
}

/** Registers the backlog of the outbox, which all processes share. */
export function registerOutboxBacklog(registry: Registry, queries: Queries): void {
  registerBacklog(registry, () => readOutboxBacklog(queries), {
    rows: { name: 'memory_outbox_events', help: 'Events in the outbox: due, or in hand or put off.' },
    lag: { name: 'memory_outbox_lag_seconds', help: 'For how long the oldest event has been due.' },
  })
}

interface Named {
  name: string
  help: string
}

/** Shares one reading between all gauges that ask at the same time; undefined when it fails. */
function sharedLook<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined
  return () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}

/** Registers a backlog in the database as two gauges; they have no values while it does not answer. */
export function registerBacklog(
  registry: Registry,
  read: () => Promise<Backlog>,
  { rows, lag }: { rows: Named; lag: Named },
): void {
  const registers = [registry]
  const look = sharedLook(read)
  new Gauge({
    ...rows,
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      const backlog = await look()
      if (backlog === undefined) return
      this.set({ state: 'due' }, backlog.due)
      this.set({ state: 'later' }, backlog.later)
    },
  })
  new Gauge({
    ...lag,
    registers,
    async collect() {
      const backlog = await look()
      if (backlog === undefined) this.remove()
      else this.set(backlog.lagSeconds)
    },
  })
}
