import { createWorkMetrics, type WorkMetrics } from '@memory/shared/ops/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'

/** What operators see of this process, in Prometheus' form. */
export interface Metrics extends WorkMetrics {
  requestSeconds: Histogram<'method' | 'route' | 'status'>
  encodeSeconds: Histogram
  embeddingCacheLookups: Counter<'result'>
  payloadCacheLookups: Counter<'result'>
  payloadCacheEvictions: Counter
  prefetchWishes: Counter<'result'>
  prefetchedPayloads: Counter
  prefetchedPayloadsUsed: Counter
}

/** Values that are read when metrics are asked for. */
export interface Gauges {
  queuedTasks(): number
  cachedEmbeddings(): { entries: number; bytes: number }
  cachedPayloads(): { entries: number; bytes: number }
  residentSpaces(): { count: number; bytes: number }
  /** Memory in bytes. */
  residentTexts(): number
}

const requestBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

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
    payloadCacheEvictions: new Counter({
      name: 'memory_payload_cache_evictions_total',
      help: 'Payloads that made room for others in the cache.',
      registers,
    }),
    prefetchWishes: new Counter({
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

export function registerGauges({ registry }: Metrics, gauges: Gauges): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('memory_pool_queued_tasks', 'Tasks that wait for a pool thread.', gauges.queuedTasks)
  gauge('memory_embedding_cache_entries', 'Embeddings in the cache.', () => gauges.cachedEmbeddings().entries)
  gauge(
    'memory_embedding_cache_bytes',
    'Memory of the embedding cache.',
    () => gauges.cachedEmbeddings().bytes,
  )
  gauge('memory_payload_cache_entries', 'Payloads in the cache.', () => gauges.cachedPayloads().entries)
  gauge('memory_payload_cache_bytes', 'Memory of the payload cache.', () => gauges.cachedPayloads().bytes)
  gauge('memory_index_spaces', 'Memory spaces held in the index.', () => gauges.residentSpaces().count)
  gauge('memory_index_bytes', 'Memory of the index.', () => gauges.residentSpaces().bytes)
  gauge('memory_lexical_index_bytes', 'Memory of the lexical indexes of recall.', () =>
    gauges.residentTexts(),
  )
}
