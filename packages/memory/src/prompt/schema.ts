import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { externalIdOut, filter, latencyMs, patternId, readOnly, subjects } from '../schema.ts'

/** What a context is made as. */
const contextFormats = ['text', 'messages', 'json'] as const
export type ContextFormat = (typeof contextFormats)[number]

/** Why a text is in a context. */
export const lineKinds = ['standing', 'added', 'changed', 'ended', 'found'] as const
export type LineKind = (typeof lineKinds)[number]

const ContextItem = z
  .object({
    kind: z.enum(lineKinds),
    pattern_id: patternId,
    external_id: externalIdOut,
    occurred_at: z.iso.datetime(),
    text: z.string(),
    cut: z.boolean().optional().meta({ description: 'True where only a part of the text is shown.' }),
  })
  .meta({ id: 'ContextItem' })

const count = z.int().min(0)

export const ReadContext = operation({
  id: 'readContext',
  method: 'post',
  path: '/v1/memory/context',
  tag: 'Text memory',
  summary: 'What an assistant should know now',
  description:
    'Standing facts (protected, personal and most used texts that are valid now) and what recall finds for the query, a line each with its id and date, within a budget of tokens and fenced as data. The standing facts come first and are the same bytes whatever is asked, while none of them changes. No language model is involved. Counts as one query.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'recall',
  queries: () => 1,
  tagged: true,
  body: z
    .object({
      query: f
        .text(1, limits.queryChars)
        .nullable()
        .optional()
        .meta({
          description: 'Without it standing facts alone are answered, as many as the budget has room for.',
          examples: ['Where does Ada live?'],
        }),
      token_budget: f.integer(limits.contextTokensMin, limits.contextTokensMax).default(2_000).meta({
        description:
          'What the context takes at most, marks of the fence included, counted by the service’s own encoder: other models count otherwise, most of them less.',
      }),
      format: f.choice(contextFormats).default('text').meta({
        description:
          '`text`: one fenced text; `messages`: one message of what stands and one of what was found, to be put where they belong; `json`: the lines as objects, counted as `text` would have them.',
      }),
      since: f.timestamp().nullable().optional().meta({
        description:
          'Answer in place of the standing facts what was added, changed or has ended since this time, the last first: `as_of` of an earlier answer.',
      }),
      subject: subjects,
      filter,
      read_only: readOnly,
    })
    .meta({ id: 'ReadContextRequest' }),
  response: z
    .object({
      format: z.enum(contextFormats),
      text: z.string().optional().meta({
        description: 'With format `text`: the fenced lines; empty where there is nothing to say.',
      }),
      messages: z
        .array(z.object({ role: z.literal('user'), content: z.string() }).meta({ id: 'ContextMessage' }))
        .optional()
        .meta({
          description:
            'With format `messages`. Their role is `user`: stored texts must not speak with the authority of a system message.',
        }),
      items: z.array(ContextItem).optional().meta({ description: 'With format `json`.' }),
      lines: z
        .object(Object.fromEntries(lineKinds.map((kind) => [kind, count])) as Record<LineKind, typeof count>)
        .meta({ id: 'ContextLines', description: 'How many lines of each kind are shown.' }),
      omitted: count.meta({
        description: 'Standing facts, or changes, that were looked at and had no room.',
      }),
      tokens: count.meta({ description: 'What the context takes, as `tokenizer` counts.' }),
      tokenizer: z.string().meta({ description: 'The encoder whose tokens are counted.' }),
      etag: z.string().meta({ description: 'Of what is shown: another one when any of it is another.' }),
      as_of: z.iso.datetime().meta({
        description:
          'When it was read, for `since`: whatever was stored and is not in this answer has a later time.',
      }),
      latency_ms: latencyMs,
    })
    .meta({ id: 'ReadContextResponse' }),
  errors: ['query_limit_reached'],
})
