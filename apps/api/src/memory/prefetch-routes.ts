import * as schema from '@memory/memory/prefetch/schema'
import { invalidatePrefetch, warmCluster, warmPrefetch } from '@memory/memory/prefetch/service'
import { endpoint } from '../http/endpoint.ts'

export const prefetchRoutes = [
  endpoint(schema.WarmPrefetch, ({ context, caller, body }) => warmPrefetch(context.memory, caller, body)),
  endpoint(schema.InvalidatePrefetch, ({ context, caller }) => invalidatePrefetch(context.memory, caller)),
  endpoint(schema.WarmCluster, ({ context, caller, body }) => warmCluster(context.memory, caller, body)),
  endpoint(schema.InvalidateCluster, ({ context, caller }) => invalidatePrefetch(context.memory, caller)),
]
