import { explore, listConsolidationCandidates, suggestPairs } from '@memory/memory/exploration/explore'
import * as schema from '@memory/memory/exploration/schema'
import { detectSpurious } from '@memory/memory/exploration/spurious'
import { endpoint } from '../http/endpoint.ts'

export const explorationRoutes = [
  endpoint(schema.Explore, ({ context, caller, body }) => explore(context.memory, caller, body)),
  endpoint(schema.ExploreSuggestions, ({ context, caller }) => suggestPairs(context.memory, caller)),
  endpoint(schema.ConsolidationCandidates, ({ context, caller, query }) =>
    listConsolidationCandidates(context.memory, caller, query),
  ),
  endpoint(schema.DetectSpurious, ({ context, caller }) => detectSpurious(context.memory, caller)),
]
