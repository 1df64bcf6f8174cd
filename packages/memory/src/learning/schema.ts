import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

export const GiveFeedback = operation({
  id: 'giveFeedback',
  method: 'post',
  path: '/v1/memory/feedback',
  tag: 'Text memory',
  summary: 'Say whether a pattern was useful',
  description:
    'Teaches the space: a useful pattern grows stronger, the heads that ranked it first count more, and the way it was found is relied on more. Without a query, the answer is meant that the same actor got within the last five minutes; with it, what that query recalls now.',
  access: 'memory:write',
  subjects: 'rows',
  body: z
    .object({
      pattern_id: f.plainString(),
      useful: f.boolean(),
      query: f
        .text(1, limits.queryChars)
        .nullable()
        .optional()
        .meta({ description: 'What was asked when the pattern was useful, or was not.' }),
    })
    .meta({ id: 'GiveFeedbackRequest' }),
  response: Message,
  errors: ['pattern_not_found'],
})
