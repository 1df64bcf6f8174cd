import { headNames } from '@memory/engine/recall/heads'
import { regimes } from '@memory/engine/regime'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { patternId } from '../schema.ts'

const share = z.number().min(0).max(1)

export const ReadBrain = operation({
  id: 'readBrain',
  method: 'get',
  path: '/v1/memory/brain',
  tag: 'Inference',
  summary: 'The state of a space at a glance',
  access: 'memory:read',
  response: z
    .object({
      regime: z.enum(regimes),
      surprise: share.meta({
        description:
          'Of the latest search of the whole space, without filter, subject or bound; 0 before the first. A search with `read_only`, of another time or in `batch/retrieve` leaves it as it is.',
      }),
      head_weights: z
        .array(share)
        .length(headNames.length)
        .meta({ description: `In this order: ${headNames.join(', ')}.` }),
      temporal_predictions: z
        .array(z.object({ pattern_id: patternId, strength: share }))
        .meta({ description: 'The five patterns that most likely follow the one that was found last.' }),
      patterns_total: z
        .int()
        .min(0)
        .meta({ description: 'Valid now: without what was superseded or is valid later.' }),
      consolidation_status: z.enum(['idle', 'consolidating']),
    })
    .meta({ id: 'ReadBrainResponse' }),
})
