import { parameters } from '@memory/engine/parameters'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { filter } from '../schema.ts'

const tag = 'Performance'
const access = 'memory:write'

const { nearest } = parameters.successor
const { width, recent } = parameters.prefetch

const count = z.int().min(0)
const direction = () => f.vector(limits.vectorDimensions, { nonZero: true })
const prefetched = count.meta({ description: 'How many payloads were read that were not in memory.' })

const Invalidated = z
  .object({
    cleared: z.boolean(),
    previous_cache_size: count.meta({ description: 'Payloads of the space that were in memory.' }),
  })
  .meta({ id: 'PrefetchInvalidated' })

const invalidating = {
  method: 'delete',
  path: '/v1/memory/prefetch/invalidate',
  tag,
  summary: 'Drop the payloads of the space from memory',
  description: 'Of the process that answers. They are read again when an answer needs them.',
  access,
  selects: true,
  // What is dropped is read again.
  removes: false,
  response: Invalidated,
} as const

export const WarmPrefetch = operation({
  id: 'warmPrefetch',
  method: 'post',
  path: '/v1/memory/prefetch/warmup',
  tag,
  summary: 'Read into memory what will probably be asked for',
  description: `Begins with the ${nearest} patterns nearest to each key, or the ${recent} used last, and hops to what followed them, what was used with them and what they compose with: the ${width} most strongly reached in each hop. Their payloads are then in the memory of the process that answers, and searches that find them need not read them.`,
  access,
  selects: true,
  removes: false,
  vectors: ['context_keys.*'],
  body: z
    .object({
      context_keys: f
        .list(direction(), 1, limits.contextKeys)
        .nullable()
        .optional()
        .meta({
          description: 'Of any length. Null: the patterns used last.',
          examples: [[[0.1, -0.2, 0.3]]],
        }),
      filter,
      depth: f.integer(1, limits.prefetchDepth).default(1).meta({ description: 'Number of hops.' }),
    })
    .meta({ id: 'WarmPrefetchRequest' }),
  response: z
    .object({
      warmed_up: z.boolean().meta({ description: 'Whether there was anything to begin with.' }),
      patterns_prefetched: prefetched,
      cache_size: count.meta({ description: 'Payloads of the space that are in memory now.' }),
    })
    .meta({ id: 'WarmPrefetchResponse' }),
})

export const InvalidatePrefetch = operation({ ...invalidating, id: 'invalidatePrefetch' })

export const WarmCluster = operation({
  id: 'warmCluster',
  method: 'post',
  path: '/v1/memory/diagnostics/prefetch/warmup',
  tag,
  summary: 'Read into memory what is around a key',
  description: `What \`${WarmPrefetch.path}\` does with one key and one hop.`,
  access,
  selects: true,
  removes: false,
  body: z
    .object({ embedding: direction().meta({ examples: [[0.1, -0.2, 0.3]] }) })
    .meta({ id: 'WarmClusterRequest' }),
  response: z
    .object({
      patterns_prefetched: prefetched,
      cluster_size: count.meta({ description: 'Patterns around the key, those in memory among them.' }),
    })
    .meta({ id: 'WarmClusterResponse' }),
})

export const InvalidateCluster = operation({
  ...invalidating,
  id: 'invalidateCluster',
  method: 'post',
  path: '/v1/memory/diagnostics/prefetch/invalidate',
})
