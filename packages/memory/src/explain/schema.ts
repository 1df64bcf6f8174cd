import { explanationLanguages } from '@memory/engine/explain/languages'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { asOf, filter, period, readOnly, subjects } from '../schema.ts'

export const ExplainText = operation({
  id: 'explainText',
  method: 'post',
  path: '/v1/memory/text/explain',
  tag: 'Text memory',
  summary: 'What the memory has on a query, and why that was found',
  description:
    'Quotes up to three stored texts as they are, and says of each how near it is to the query, which words they share and whether it is often used shortly before or after the first. Of a very long text whole sentences are quoted, or a part of one that is very long itself. Nothing is generated.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'explain',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] }),
      lang: f.choice(explanationLanguages).nullable().optional().meta({
        description:
          'Language of the explanation; null that of the query, English when it is neither. Quotes stay in theirs.',
      }),
      filter,
      subject: subjects,
      ...period,
      read_only: readOnly,
      as_of: asOf.meta({
        description:
          'As at text retrieve: what is said is what was known then. What was learned of use since is left out.',
      }),
    })
    .meta({ id: 'ExplainTextRequest' }),
  response: z
    .object({
      explanation: z.string(),
      method: z.enum(['evidence', 'no_evidence']).meta({
        description:
          '`no_evidence` when nothing stored is near enough to the query to be quoted, or has every word that says what it is about.',
      }),
      confidence: z.number().min(0).max(1).meta({
        description: 'Probability that the first text quoted states what the query says; 0 without evidence.',
      }),
    })
    .meta({ id: 'ExplainTextResponse' }),
  errors: ['query_limit_reached'],
})
