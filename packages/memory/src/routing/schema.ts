import { pathways } from '@memory/engine/routing'
import * as f from '@memory/shared/catalogue/fields'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { readOnly } from '../schema.ts'

const tag = 'Inference'

const query = f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] })
const pathway = z.enum(pathways)
const share = z.number().min(0).max(1)

/** What is searched with: a query that is asked in a context reads as its last line. */
export const routedText = (body: { query: string; context?: string | null | undefined }): string =>
  body.context == null || isInvisible(body.context) ? body.query : `${body.context}\n${body.query}`

export const DecideRouting = operation({
  id: 'decideRouting',
  method: 'post',
  path: '/v1/memory/routing/decide',
  tag,
  summary: 'Which pathway a query should take',
  description:
    'exact: by cosine; energy: where the query settles; attention: as recall orders. The one of least expected free energy, unless the regime of the space forces exact.',
  access: 'memory:read',
  queries: () => 1,
  body: z
    .object({
      query,
      context: f.text(0, limits.queryChars).nullable().optional().meta({
        description: 'What was said before the query; read together with it.',
      }),
      read_only: readOnly,
    })
    .meta({ id: 'DecideRoutingRequest' }),
  response: z
    .object({
      pathway,
      scores: z
        .object({ exact: share, energy: share, attention: share })
        .meta({ id: 'RoutingScores', description: 'softmax(-efe): their sum is 1.' }),
      geometric_surprise: share.meta({
        description: 'Angle to the nearest text as a share of a right angle: 0 known, 1 entirely new.',
      }),
      confidence: share.meta({ description: 'The score of the pathway.' }),
    })
    .meta({ id: 'DecideRoutingResponse' }),
  errors: ['query_limit_reached'],
})

const Evaluation = z
  .object({
    efe: z.number().meta({ description: 'Expected free energy in nats: lower is better.' }),
    epistemic_value: z.number().nonnegative().meta({
      description: 'How far the pathway tells the candidates apart, and what its outcome would tell of it.',
    }),
    pragmatic_value: z.number().meta({
      description: 'Expected log preference of what it answers, less the cost of its time; at most 0.',
    }),
  })
  .meta({ id: 'PathwayEvaluation' })

export const EvaluateEfe = operation({
  id: 'evaluateEfe',
  method: 'post',
  path: '/v1/memory/efe/evaluate',
  tag,
  summary: 'Expected free energy of pathways',
  description:
    'Expected free energy of answering a query by each pathway: what the answer would leave unknown, and how little of what is wanted it would bring. efe = -epistemic_value - pragmatic_value, in nats (natural units of information); lower is better.',
  access: 'memory:read',
  queries: () => 1,
  body: z
    .object({
      query,
      pathways: f
        .list(f.choice(pathways), 1, limits.efePathways)
        // `default` would not show in the OpenAPI document, since a list is preprocessed.
        .prefault([...pathways])
        .meta({ description: 'Those to evaluate; one that is named twice counts once.' }),
      read_only: readOnly,
    })
    .meta({ id: 'EvaluateEfeRequest' }),
  response: z
    .object({
      evaluations: z
        .object({
          exact: Evaluation.optional(),
          energy: Evaluation.optional(),
          attention: Evaluation.optional(),
        })
        .meta({ id: 'EfeEvaluations', description: 'By pathway.' }),
      recommended: pathway.meta({ description: 'The one of least efe.' }),
    })
    .meta({ id: 'EvaluateEfeResponse' }),
  errors: ['query_limit_reached'],
})
