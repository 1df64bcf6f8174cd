import { parameters } from '@memory/engine/parameters'
import * as f from '@memory/shared/catalogue/fields'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Consolidation'

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const nats = z.number().min(0)
const pairId = z
  .array(z.int().min(0))
  .length(2)
  .meta({ description: 'pattern_idx of both, the lower first.' })

/** Both look at the whole space, and take nothing from it. */
const overAll = { selects: true, removes: false } as const

export const Explore = operation({
  id: 'explore',
  method: 'post',
  path: '/v1/memory/explore',
  tag,
  summary: 'Try compositions of pairs of patterns',
  description:
    'Associated, near and random pairs of which a trial tells most. A composition is valid in a trial when both parts are near it in a random half of the memory, the memory does not take it for another pattern, and unbinding the one gives back the other.',
  access: 'memory:write',
  ...overAll,
  body: z
    .object({ batch_size: f.integer(1, 20).default(5).meta({ description: 'Pairs to try.' }) })
    .meta({ id: 'ExploreRequest' }),
  response: z
    .object({
      explorations: z.array(
        z
          .object({
            information_gain: nats.meta({ description: 'What the trial told, in nats.' }),
            composition_valid: z.boolean(),
            coherence: share,
            consolidation_priority: share,
          })
          .meta({ id: 'Exploration' }),
      ),
      total_explored: count,
    })
    .meta({ id: 'ExploreResponse' }),
  errors: ['consolidation_running'],
})

export const ExploreSuggestions = operation({
  id: 'exploreSuggestions',
  method: 'get',
  path: '/v1/memory/explore/suggestions',
  tag,
  summary: 'Pairs that are worth a trial',
  access: 'memory:read',
  response: z
    .object({
      suggestions: z.array(
        z
          .object({
            pair_id: pairId,
            expected_information_gain: nats.meta({ description: 'In nats.' }),
            uncertainty: share.meta({
              description: 'Deviation of what is believed of the pair, 1 before its first trial.',
            }),
          })
          .meta({ id: 'ExploreSuggestion' }),
      ),
    })
    .meta({ id: 'ExploreSuggestionsResponse' }),
})

export const ConsolidationCandidates = operation({
  id: 'consolidationCandidates',
  method: 'get',
  path: '/v1/memory/explore/consolidation-candidates',
  tag,
  summary: 'Pairs that sleep may make compositions of',
  description: `Explored pairs that are none yet, those of highest priority first, ${parameters.exploration.candidates} at most. Sleep takes those that at least ${parameters.sleep.validatedMin} trials found valid, and at least ${parameters.sleep.validityMin * 100} % of all, where one more trial of each outcome is counted in.`,
  access: 'memory:read',
  query: z.object({ min_priority: f.queryNumber(0, 1, 0.5) }),
  response: z
    .object({
      candidates: z.array(
        z
          .object({ pair_id: pairId, priority: share, times_validated: count })
          .meta({ id: 'ConsolidationCandidate' }),
      ),
    })
    .meta({ id: 'ConsolidationCandidatesResponse' }),
})

export const DetectSpurious = operation({
  id: 'detectSpurious',
  method: 'post',
  path: '/v1/memory/explore/detect-spurious',
  tag,
  summary: 'Look for spurious attractors',
  description: `Pairs of near neighbours, the strongest ${parameters.spurious.pairsMax} at most, whose middle the memory takes for a mixture of patterns instead of one of them. After ${parameters.spurious.checkMs / 1_000} s the answer is of those that were checked. Each process runs one in a space at a time.`,
  access: 'memory:write',
  ...overAll,
  response: z
    .object({
      spurious_pairs: z.array(pairId),
      total_checked: count,
      spurious_rate: share.meta({ description: 'Spurious pairs of those checked; 0 for none.' }),
    })
    .meta({ id: 'DetectSpuriousResponse' }),
  errors: ['consolidation_running'],
})
