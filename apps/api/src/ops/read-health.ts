import { statfs } from 'node:fs/promises'
import { kernels } from '@memory/engine/kernels/kernels'
import type { Output } from '@memory/shared/catalogue/operation'
import { inspectReadiness } from '@memory/shared/ops/readiness'
import { inspectDatabase } from '@memory/shared/platform/database/inspect'
import type { Counter } from 'prom-client'
import type { Context } from '../context.ts'
import type { ReadHealth } from './health-schema.ts'

type Health = Output<typeof ReadHealth>

/** The state of this process, its dependencies and measurements. @throws when the database does not answer */
export async function readHealth(context: Context): Promise<Health> {
  const { config, database, pool, memory, metrics, version, commit } = context
  const [readiness, server, redis, disk, embeddings, payloads, evictions] = await Promise.all([
    inspectReadiness(context),
    inspectDatabase(database.queries),
    inspectRedis(config.redisUrl),
    spaceOf(config.dataDir),
    lookupsOf(metrics.embeddingCacheLookups),
    lookupsOf(metrics.payloadCacheLookups),
    countOf(metrics.payloadCacheEvictions),
  ])
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    status: readiness.status,
    reason: 'reason' in readiness ? readiness.reason : null,
    ...{ version, commit, node: process.version },
    started_at: new Date(performance.timeOrigin).toISOString(),
    database: { kind: database.kind, ...server },
    redis,
    kernels: kernels.name,
    encoder: { model: pool.modelId, dimensions: pool.dimensions },
    threads: { count: config.poolThreads, queued: pool.queued },
    disk,
    memory: { resident_bytes: rss, heap_bytes: heapUsed, buffer_bytes: external },
    caches: {
      embeddings: { ...pool.cachedEmbeddings, ...embeddings },
      payloads: { ...memory.payloads.size, ...payloads, evictions },
      index: { spaces: memory.spaces.count, bytes: memory.spaces.size },
      lexical: { bytes: memory.texts.size },
    },
  }
}

/** The state of the Redis of REDIS_URL. Never throws: a Redis that does not answer is part of the result. */
async function inspectRedis(url: string | undefined): Promise<Health['redis']> {
  if (url === undefined) return null
  const { inspectRedis: inspect } = await import('@memory/shared/platform/queue/redis-backend')
  return inspect(url).then(
    ({ version }) => ({ answers: true, version }),
    () => ({ answers: false, version: null }),
  )
}

/** The free space on a folder's disk that this user may use. */
async function spaceOf(folder: string): Promise<Health['disk']> {
  return statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free_bytes: bavail * bsize, total_bytes: blocks * bsize }),
    () => null,
  )
}

async function lookupsOf(counter: Counter<'result'>): Promise<{ hits: number; misses: number }> {
  const { values } = await counter.get()
  const of = (result: string) => values.find(({ labels }) => labels.result === result)?.value ?? 0
  return { hits: of('hit'), misses: of('miss') }
}

async function countOf(counter: Counter): Promise<number> {
  return (await counter.get()).values[0]?.value ?? 0
}
