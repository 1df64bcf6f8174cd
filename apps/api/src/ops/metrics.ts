import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import { registerWebhookMetrics } from '@memory/identity/webhooks/metrics'
import type { MemoryContext, MemoryEvents } from '@memory/memory/context'
import type { ErrorCode } from '@memory/shared/catalogue/errors'
import {
  createWorkMetrics,
  registerOutboxBacklog,
  registerQueueMetrics,
  type WorkMetrics,
} from '@memory/shared/ops/metrics'
import type { Clock } from '@memory/shared/platform/clock'
import type { Database } from '@memory/shared/platform/database/database'
import type { JobQueue } from '@memory/shared/platform/queue/queue'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Scheduler } from '../pool/scheduler.ts'
import type { PoolObserver } from '../pool/thread-pool.ts'

/** The metrics of this process, for Prometheus. */
export interface Metrics extends WorkMetrics {
  requestSeconds: Histogram<'method' | 'route' | 'status'>
  refusedQuotas: Counter<'error'>
  failedLogins: Counter<'error'>
  encodeSeconds: Histogram
  embeddingCacheLookups: Counter<'result'>
  payloadCacheLookups: Counter<'result'>
  payloadCacheEvictions: Counter
  filters: Counter<'result'>
  filteredRows: Counter
  prefetchHints: Counter<'result'>
  prefetchedPayloads: Counter
  prefetchedPayloadsUsed: Counter
}

const requestBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

/** Errors of requests that exceed a plan. */
const quotaErrors: readonly ErrorCode[] = ['query_limit_reached', 'pattern_limit_reached', 'plan_exceeded']
/** Errors of failed sign-ins. In the last two the password was right, but the account is suspended or deleted. */
const loginErrors: readonly ErrorCode[] = [
  ...(['invalid_login', 'wrong_password', 'invalid_mfa_code'] as const),
  ...(['account_suspended', 'account_deleted'] as const),
]

/** A counter by error. All labels exist from the start, at 0, so that the first increase is visible. */
function countErrors(
  registers: Registry[],
  codes: readonly ErrorCode[],
  named: { name: string; help: string },
): Counter<'error'> {
  const counter = new Counter({ ...named, labelNames: ['error'], registers })
  for (const error of codes) counter.inc({ error }, 0)
  return counter
}

/** Counts the error of a request. */
export function countError({ refusedQuotas, failedLogins }: Metrics, error: ErrorCode): void {
  if (quotaErrors.includes(error)) refusedQuotas.inc({ error })
  if (loginErrors.includes(error)) failedLogins.inc({ error })
}

export function createMetrics(): Metrics {
  const work = createWorkMetrics()
  const registers = [work.registry]
  return {
    ...work,
    requestSeconds: new Histogram({
      name: 'memory_http_request_seconds',
      help: 'Time from a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: requestBuckets,
      registers,
    }),
    refusedQuotas: countErrors(registers, quotaErrors, {
      name: 'memory_refused_quotas_total',
      help: "Requests refused since a plan allows no more, by the answer's error.",
    }),
    failedLogins: countErrors(registers, loginErrors, {
      name: 'memory_failed_logins_total',
      help: "Passwords and codes that were refused, by the answer's error.",
    }),
    encodeSeconds: new Histogram({
      name: 'memory_encode_seconds',
      help: 'Time to encode one text, without waiting for a thread.',
      buckets: requestBuckets,
      registers,
    }),
    embeddingCacheLookups: new Counter({
      name: 'memory_embedding_cache_lookups_total',
      help: 'Texts looked up in the embedding cache; the hit rate is hit / (hit + miss).',
      labelNames: ['result'],
      registers,
    }),
    payloadCacheLookups: new Counter({
      name: 'memory_payload_cache_lookups_total',
      help: 'Patterns of answers looked up in the payload cache; the hit rate is hit / (hit + miss).',
      labelNames: ['result'],
      registers,
    }),
    filters: new Counter({
      name: 'memory_filters_total',
      help: 'Filters of searches and lists, by whether the metadata index knew all (index) or rows were read (rows).',
      labelNames: ['result'],
      registers,
    }),
    filteredRows: new Counter({
      name: 'memory_filter_rows_read_total',
      help: 'Patterns read from the database for filters that the metadata index could not answer alone.',
      registers,
    }),
    payloadCacheEvictions: new Counter({
      name: 'memory_payload_cache_evictions_total',
      help: 'Payloads that made room for others in the cache.',
      registers,
    }),
    prefetchHints: new Counter({
      name: 'memory_prefetch_wishes_total',
      help: 'Patterns found, by whether what probably follows them was looked for (taken) or not (dropped).',
      labelNames: ['result'],
      registers,
    }),
    prefetchedPayloads: new Counter({
      name: 'memory_prefetched_payloads_total',
      help: 'Payloads that were read into the cache before an answer needed them.',
      registers,
    }),
    prefetchedPayloadsUsed: new Counter({
      name: 'memory_prefetched_payloads_used_total',
      help: 'Of those, payloads that an answer has needed.',
      registers,
    }),
  }
}

/** An observer of the pool that updates metrics. */
export function poolObserver(metrics: Metrics): PoolObserver {
  return {
    encoded: (seconds) => metrics.encodeSeconds.observe(seconds),
    cacheLookup: (hit) => metrics.embeddingCacheLookups.inc({ result: hit ? 'hit' : 'miss' }),
  }
}

/** Handlers of the memory's events that update metrics. */
export function memoryEvents(metrics: Metrics): MemoryEvents {
  const count = (counter: Counter<'result'>, results: Record<string, number>) => {
    for (const [result, n] of Object.entries(results)) if (n > 0) counter.inc({ result }, n)
  }
  return {
    lookedUp: (hit, miss) => count(metrics.payloadCacheLookups, { hit, miss }),
    evicted: () => metrics.payloadCacheEvictions.inc(),
    warmed: (n) => metrics.prefetchedPayloads.inc(n),
    warmedUsed: (n) => metrics.prefetchedPayloadsUsed.inc(n),
    filtered: (read) => {
      metrics.filters.inc({ result: read === 0 ? 'index' : 'rows' })
      metrics.filteredRows.inc(read)
    },
    hinted: (taken, dropped) => count(metrics.prefetchHints, { taken, dropped }),
  }
}

/** The sources of values that are read only when metrics are requested. */
export interface Measured {
  queue: JobQueue
  database: Database
  clock: Clock
  pool: Pick<Scheduler, 'queued' | 'cachedEmbeddings'>
  memory: Pick<MemoryContext, 'spaces' | 'texts' | 'payloads' | 'learned'>
}

/** Registers values that are read only when metrics are requested. @returns the function to call after each webhook attempt */
export function registerReadings(metrics: Metrics, measured: Measured): AttemptContext['onAttempt'] {
  const { queue, database, clock } = measured
  registerQueueMetrics(metrics.registry, queue)
  registerOutboxBacklog(metrics.registry, database.queries)
  registerGauges(metrics, measured)
  return registerWebhookMetrics(metrics.registry, { queries: database.queries, clock })
}

function registerGauges({ registry }: Metrics, { pool, memory }: Measured): void {
  const { spaces, texts, payloads, learned } = memory
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('memory_pool_queued_tasks', 'Tasks that wait for a pool thread.', () => pool.queued)
  gauge('memory_embedding_cache_entries', 'Embeddings in the cache.', () => pool.cachedEmbeddings.entries)
  gauge('memory_embedding_cache_bytes', 'Memory of the embedding cache.', () => pool.cachedEmbeddings.bytes)
  gauge('memory_payload_cache_entries', 'Payloads in the cache.', () => payloads.size.entries)
  gauge('memory_payload_cache_bytes', 'Memory of the payload cache.', () => payloads.size.bytes)
  gauge('memory_index_spaces', 'Memory spaces held in the index.', () => spaces.count)
  gauge('memory_index_bytes', 'Memory of the index.', () => spaces.size)
  gauge(
    'memory_lexical_index_bytes',
    'Memory of what recall alone searches: words, and passages of long texts.',
    () => texts.size,
  )
  gauge('memory_learning_bytes', 'Memory of what spaces have learned.', () => learned.size)
}
