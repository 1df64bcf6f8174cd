import { beliefClasses } from '@memory/engine/belief/model'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { patternId, readOnly } from '../schema.ts'

const tag = 'Inference'
const probability = z.number().min(0).max(1)

export const ClassifyBelief = operation({
  id: 'classifyBelief',
  method: 'post',
  path: '/v1/memory/belief/classify',
  tag,
  summary: 'Whether a statement is known',
  description:
    'Compares a statement with the text patterns of the space: `exact_match`, one of them states the same, be it in one of its sentences; `composition`, it puts several of them together; `novel`, it says something else. In an empty space everything is novel.',
  access: 'memory:read',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Ada relocated to Lisbon in May.'] }),
      read_only: readOnly,
    })
    .meta({ id: 'ClassifyBeliefRequest' }),
  response: z
    .object({
      classification: z.enum(beliefClasses).meta({ description: 'The class that is most probable.' }),
      probabilities: z
        .object({ exact_match: probability, composition: probability, novel: probability })
        .meta({ id: 'BeliefProbabilities', description: 'Their sum is 1.' }),
      best_match_id: patternId.nullable().meta({
        description:
          'The text pattern that is nearest, or has the nearest sentence, whatever the class; null when there is none.',
      }),
      confidence: probability.meta({ description: 'Probability of the class given.' }),
    })
    .meta({ id: 'ClassifyBeliefResponse' }),
  errors: ['query_limit_reached'],
})
