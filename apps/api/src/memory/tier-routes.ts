import { retrieveTiered } from '@memory/shared/memory/retrieve-tiered'
import * as schema from '@memory/shared/memory/tier-schema'
import { tierDistribution, tierStatistics } from '@memory/shared/memory/tier-statistics'
import { endpoint } from '../http/endpoint.ts'

export const tierRoutes = [
  endpoint(schema.RetrieveTiered, ({ context, caller, body }) =>
    retrieveTiered(context.memory, caller, body),
  ),
  endpoint(schema.TierDistribution, ({ context, caller }) => tierDistribution(context.memory, caller)),
  endpoint(schema.TierStatistics, ({ context, caller }) => tierStatistics(context.memory, caller)),
]
