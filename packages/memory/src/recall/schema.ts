import { pathways } from '@memory/engine/learning/state'
import { headNames } from '@memory/engine/recall/heads'
import { regimes } from '@memory/engine/regime'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import {
  asOf,
  explain,
  filter,
  includeSuperseded,
  latencyMs,
  minSimilarity,
  momentOut,
  period,
  readOnly,
  subjects,
  TextResult,
  topK,
} from '../schema.ts'

const count = z.int().min(0)
const share = z.number().min(0).max(1)

const when = z.iso.datetime()

const character = z.int().min(0)

/** In deviations over the space: what each head adds, weighted as it counts. */
const addedScore = z.number()

export const RecalledText = TextResult.extend({
  ...momentOut,
  scores: z
    .object({
      ...(Object.fromEntries(headNames.map((head) => [head, addedScore])) as Record<
        (typeof headNames)[number],
        typeof addedScore
      >),
      time: addedScore.meta({ description: 'For being of the time that the query names, else 0.' }),
      total: addedScore,
    })
    .optional()
    .meta({
      description:
        'With `explain`: what each part of the ranking added, in standard deviations over the space, and their sum, by which texts are ordered. Copies, identifiers and newer values are arranged after that.',
    }),
  passage: z
    .object({ start: character, end: character })
    .optional()
    .meta({
      description:
        'Of a long text: where the part is that is nearest to the query, if that is nearer than the whole. From the first character up to the end, counted in Unicode code points as every other count of characters.',
      examples: [{ start: 4_210, end: 4_985 }],
    }),
}).meta({ id: 'RecalledText' })

export const RecallTexts = operation({
  id: 'recallTexts',
  method: 'post',
  path: '/v1/memory/text/recall',
  tag: 'Text memory',
  summary: 'Find the texts that answer best',
  description:
    'Orders candidates by meaning, words, associations from use, neighbourhood in store order and salience. What is asked and used teaches the space which of these count. A long text is also found by its passages. `similarity` stays the cosine of the whole text.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'recall',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] }),
      top_k: topK(limits.textTopK),
      filter,
      subject: subjects,
      ...period,
      min_similarity: minSimilarity,
      reference_time: f.timestamp().nullable().optional().meta({
        description: 'From when “yesterday” or “last week” in the query is seen. Default: now.',
      }),
      time: f.boolean().default(true).meta({
        description:
          'Prefer texts of the time that the query names (`info.time`), if it surely names one: yesterday, last week, in March, 7 May 2024 and the like, in English, French, German, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese, in UTC. Others are found too; `after` and `before` leave them out.',
      }),
      explain,
      read_only: readOnly,
      as_of: asOf.meta({
        description: 'As at text retrieve, by meaning alone: what was learned since is of another time.',
      }),
      include_superseded: includeSuperseded,
    })
    .meta({ id: 'RecallTextsRequest' }),
  response: z
    .object({
      results: z.array(RecalledText),
      info: z
        .object({
          pathway: z
            .enum(pathways)
            .meta({ description: 'exact while the regime forces it, else attention.' }),
          surprise: share.meta({
            description:
              'Angle to the nearest text, as a share of a right angle: 0 known, 1 unlike everything.',
          }),
          candidates: count.meta({ description: 'Texts that were scored.' }),
          reranked: z.boolean().meta({ description: 'The order differs from that by cosine.' }),
          head_weights: z.object(
            Object.fromEntries(headNames.map((head) => [head, share])) as Record<
              (typeof headNames)[number],
              typeof share
            >,
          ),
          lexical_hits: count.meta({ description: 'Texts of the space that share a term with the query.' }),
          co_access_boosted: count.meta({ description: 'Results that associations from use have raised.' }),
          collapsed: count.meta({
            description: 'Copies of texts that were left out: of one text the newest is answered.',
          }),
          regime: z.enum(regimes),
          time: z.object({ from: when, to: when, expression: z.string() }).optional().meta({
            description:
              'The time that the query names, up to before `to`, and its words for it: texts whose `occurred_at` lies in it were preferred. Absent where it surely names none, and with `time: false` or `as_of`.',
          }),
        })
        .meta({ id: 'RecallInfo' }),
      latency_ms: latencyMs,
    })
    .meta({ id: 'RecallTextsResponse' }),
  errors: ['query_limit_reached'],
})
