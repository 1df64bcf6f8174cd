import { tiers } from '@memory/engine/tiers'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import {
  asOf,
  filter,
  includeSuperseded,
  minSimilarity,
  momentOut,
  period,
  readOnly,
  subjects,
  topK,
} from '../schema.ts'

const tag = 'Tiered storage'
const count = z.int().min(0)
const share = z.number().min(0).max(1)

export const RetrieveTiered = operation({
  id: 'retrieveTiered',
  method: 'post',
  path: '/v1/memory/tiered/retrieve',
  tag,
  summary: 'Find the texts nearest in meaning, with their tiers',
  description:
    'Cosine similarity over all text patterns of the space, or over those of one tier; best first, ties in store order.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'retrieve',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] }),
      top_k: topK(limits.tieredTopK),
      tier: f
        .choice(tiers)
        .nullable()
        .optional()
        .meta({ description: 'Only patterns of this tier; null all.' }),
      filter,
      subject: subjects,
      ...period,
      min_similarity: minSimilarity,
      read_only: readOnly,
      as_of: asOf.meta({
        description: 'As at text retrieve; tiers are those of now, of which no history is kept.',
      }),
      include_superseded: includeSuperseded,
    })
    .meta({ id: 'RetrieveTieredRequest' }),
  response: z
    .object({
      results: z.array(
        z
          .object({
            text: z.string(),
            tier: z.enum(tiers),
            confidence: share.meta({ description: 'Cosine similarity, negative ones as 0.' }),
            last_accessed: z.iso
              .datetime()
              .nullable()
              .meta({ description: 'When it was last in an answer before this one; null never.' }),
            ...momentOut,
          })
          .meta({ id: 'TieredResult' }),
      ),
    })
    .meta({ id: 'RetrieveTieredResponse' }),
  errors: ['query_limit_reached'],
})

export const TierDistribution = operation({
  id: 'tierDistribution',
  method: 'get',
  path: '/v1/memory/tiered/distribution',
  tag,
  summary: 'Patterns by tier',
  description:
    'New patterns are hot. Those that are little used move to warm, then to cold; being among an answer’s first three moves them up again.',
  access: 'memory:read',
  response: z
    .object({ hot: count, warm: count, cold: count, total: count })
    .meta({ id: 'TierDistributionResponse' }),
})

export const TierStatistics = operation({
  id: 'tierStatistics',
  method: 'get',
  path: '/v1/memory/tiered/stats',
  tag,
  summary: 'Which tiers answers come from',
  description: 'An access is a pattern in an answer. Answers are counted within about a second.',
  access: 'memory:read',
  response: z
    .object({
      hot_hit_rate: share.meta({ description: 'Share of the accesses; 0 before the first.' }),
      warm_hit_rate: share,
      cold_hit_rate: share,
      promotions: count.meta({ description: 'Moves to a higher tier.' }),
      demotions: count.meta({ description: 'Moves to a lower tier.' }),
      total_accesses: count,
    })
    .meta({ id: 'TierStatisticsResponse' }),
})
