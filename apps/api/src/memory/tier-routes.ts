import { retrieveTiered } from '@memory/memory/tiers/retrieve-tiered'
import * as schema from '@memory/memory/tiers/tier-schema'
import { tierDistribution, tierStatistics } from '@memory/memory/tiers/tier-statistics'
import { endpoint } from '../http/endpoint.ts'

export const tierRoutes = [
  endpoint(schema.RetrieveTiered, ({ context, caller, body }) =>
    retrieveTiered(context.memory, caller, body),
  ),
  endpoint(schema.TierDistribution, ({ context, caller }) => tierDistribution(context.memory, caller)),
  endpoint(schema.TierStatistics, ({ context, caller }) => tierStatistics(context.memory, caller)),
]
