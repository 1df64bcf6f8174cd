import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { externalIdOut, filter, patternId, period, readOnly, subjects, topK } from '../schema.ts'

export const PredictTexts = operation({
  id: 'predictTexts',
  method: 'post',
  path: '/v1/memory/text/predict',
  tag: 'Text memory',
  summary: 'Which texts are likely to be asked for next',
  description:
    'Learned from which texts were found one after the other; the text of the same subject that was stored next counts a little. The text that the query is about is left out, unless it was seen to follow itself.',
  access: 'memory:read',
  subjects: 'search',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['When does the train to Porto leave?'] }),
      top_k: topK(limits.textTopK),
      filter,
      subject: subjects,
      ...period,
      read_only: readOnly,
    })
    .meta({ id: 'PredictTextsRequest' }),
  response: z
    .object({
      predictions: z.array(
        z
          .object({
            text: z.string(),
            pattern_id: patternId,
            external_id: externalIdOut,
            strength: z.number().min(0).max(1).meta({
              description:
                'Share of what comes within four steps, nearer ones counting more; at most 1 in all.',
            }),
          })
          .meta({ id: 'TextPrediction' }),
      ),
    })
    .meta({ id: 'PredictTextsResponse' }),
  errors: ['query_limit_reached'],
})
