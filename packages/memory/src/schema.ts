import { contradictionReasons, contradictions } from '@memory/engine/contradiction/contradiction'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Text memory'
const patternsTag = 'Patterns'

export const patternId = z
  .string()
  .meta({ description: 'Starts with `pat_`.', examples: ['pat_01kagw5zdpk2r4f9m0x7y3v8qe'] })
export const latencyMs = z.number().meta({ description: 'Time spent in the service, in milliseconds.' })
export const metadataOut = z.record(z.string(), z.unknown())
export const cosine = z.number().min(-1).max(1).meta({ description: 'Cosine similarity.' })
const when = z.iso.datetime()

export const metadataIn = f
  .metadata()
  .optional()
  .meta({
    description: 'Any JSON object of up to 16 KiB and 8 levels.',
    examples: [{ role: 'user', source: 'chat' }],
  })
export const expiresAt = f
  .timestamp()
  .nullable()
  .optional()
  .meta({ description: 'From this moment the pattern is in no answer; null never. Must be in the future.' })
export const occurredAt = f
  .timestamp()
  .nullable()
  .optional()
  .meta({ description: 'When the fact was stated, for imports. Default: now.' })
const filterDescription = {
  description:
    'What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.',
  examples: [{ role: 'user', source: ['chat', 'mail'] }],
}
export const filter = f.filter().meta(filterDescription)
export const topK = (max: number) => f.integer(1, max).default(5)
export const minSimilarity = f
  .number(-1, 1)
  .nullable()
  .optional()
  .meta({ description: 'Leave out what is less similar than this.' })

export const explain = f
  .boolean()
  .default(false)
  .meta({ description: 'Say in `scores` what each part of the ranking added to a result.' })

export const readOnly = f.boolean().default(false).meta({
  description:
    'Look without leaving a trace in the memory: nothing is learned, counted as an access or prefetched. It still counts as a query.',
})

const textItem = {
  text: f.text(1, limits.textChars).meta({ examples: ['Ada moved to Lisbon in May.'] }),
  metadata: metadataIn,
  expires_at: expiresAt,
  occurred_at: occurredAt,
}

export const TextResult = z
  .object({ text: z.string(), metadata: metadataOut, similarity: cosine, pattern_id: patternId })
  .meta({ id: 'TextResult' })

export const StoreText = operation({
  id: 'storeText',
  method: 'post',
  path: '/v1/memory/text/store',
  tag,
  summary: 'Store a text',
  description: 'Embeds the text and stores it. It is found by searches as soon as this answers.',
  access: 'memory:write',
  usage: 'store',
  idempotent: true,
  body: z.object(textItem).meta({ id: 'StoreTextRequest' }),
  response: z
    .object({
      success: z.boolean(),
      pattern_id: patternId,
      embedding_dim: z.int(),
      patterns_used: z.int(),
      patterns_limit: z.int().meta({ description: '-1 stands for unlimited.' }),
    })
    .meta({ id: 'StoreTextResponse' }),
  errors: ['pattern_limit_reached'],
})

export const BatchStoreTexts = operation({
  id: 'batchStoreTexts',
  method: 'post',
  path: '/v1/memory/text/batch-store',
  tag,
  summary: 'Store up to 50 texts',
  description: `One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. Texts that take more than ${limits.batchEncodingMs / 1_000} seconds to encode are answered with 503 and \`Retry-After\`: nothing is stored, and the same request, sent again, goes on from there.`,
  access: 'memory:write',
  usage: 'store',
  idempotent: true,
  body: z
    .object({ items: f.list(z.object(textItem), 1, limits.batchStoreItems) })
    .meta({ id: 'BatchStoreTextsRequest' }),
  response: z
    .object({ stored: z.int(), failed: z.int(), pattern_ids: z.array(patternId), latency_ms: latencyMs })
    .meta({ id: 'BatchStoreTextsResponse' }),
  errors: ['pattern_limit_reached'],
})

export const RetrievedText = TextResult.extend({
  scores: z
    .object({ semantic: cosine, total: cosine })
    .optional()
    .meta({ description: 'With `explain`: retrieve orders by the cosine alone.' }),
}).meta({ id: 'RetrievedText' })

export const RetrieveTexts = operation({
  id: 'retrieveTexts',
  method: 'post',
  path: '/v1/memory/text/retrieve',
  tag,
  summary: 'Find the texts nearest in meaning',
  description: 'Cosine similarity over all text patterns of the space, best first; ties in store order.',
  access: 'memory:read',
  usage: 'retrieve',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] }),
      top_k: topK(limits.textTopK),
      filter,
      min_similarity: minSimilarity,
      explain,
      read_only: readOnly,
    })
    .meta({ id: 'RetrieveTextsRequest' }),
  response: z
    .object({ results: z.array(RetrievedText), latency_ms: latencyMs })
    .meta({ id: 'RetrieveTextsResponse' }),
  errors: ['query_limit_reached'],
})

export const CompareTexts = operation({
  id: 'compareTexts',
  method: 'post',
  path: '/v1/memory/text/similarity',
  tag,
  summary: 'Cosine similarity of two texts',
  access: 'memory:read',
  selects: false,
  body: z
    .object({ text_a: f.text(1, limits.queryChars), text_b: f.text(1, limits.queryChars) })
    .meta({ id: 'CompareTextsRequest' }),
  response: z.object({ similarity: cosine, embedding_dim: z.int() }).meta({ id: 'CompareTextsResponse' }),
})

export const EmbedText = operation({
  id: 'embedText',
  method: 'post',
  path: '/v1/memory/text/embed',
  tag,
  summary: 'Embedding of a text',
  access: 'memory:read',
  selects: false,
  body: z.object({ text: f.text(1, limits.textChars) }).meta({ id: 'EmbedTextRequest' }),
  response: z.object({ embedding: z.array(z.number()), dim: z.int() }).meta({ id: 'EmbedTextResponse' }),
})

export const TextStatistics = operation({
  id: 'textStatistics',
  method: 'get',
  path: '/v1/memory/text/stats',
  tag,
  summary: 'Texts stored and the space they take',
  access: 'memory:read',
  response: z
    .object({ total_patterns: z.int(), embedding_dim: z.int(), storage_bytes: z.int() })
    .meta({ id: 'TextStatisticsResponse' }),
})

/** The receipt of what was erased. */
export const receipt = z.string().optional().meta({
  description:
    'A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see /v1/memory/receipts.',
})

const KeptText = z
  .object({
    pattern_id: patternId,
    reason: z.enum(contradictionReasons).meta({
      description: `How it contradicts the query. ${Object.entries(contradictions)
        .map(([reason, meaning]) => `${reason}: ${meaning}.`)
        .join(' ')}`,
    }),
  })
  .meta({ id: 'KeptText' })

export const ForgetTexts = operation({
  id: 'forgetTexts',
  method: 'delete',
  path: '/v1/memory/text/forget',
  tag,
  summary: 'Forget selectively',
  description:
    'Removes the patterns that meet every condition given: texts about as similar to the query as the threshold says, a category, metadata. With a query only texts are removed, and none that contradicts it: those are in `kept`.',
  access: 'memory:write',
  queries: (body) => (body.query == null ? 0 : 1),
  body: z
    .object({
      query: f.text(1, limits.queryChars).nullable().optional(),
      category: f.plainString(1, limits.categoryChars).nullable().optional().meta({
        description:
          'Such as identity, location or health. Compared exactly; those that the service finds are in lower case.',
      }),
      threshold: f
        .number(0.5, 1)
        .default(0.85)
        .meta({ description: 'Least similarity to the query; a higher one forgets fewer.' }),
      filter: f.filter({ keepEmpty: true }).meta({
        ...filterDescription,
        description: `${filterDescription.description} An empty one is refused: it would select everything.`,
      }),
      dry_run: f.boolean().default(false).meta({ description: 'Only say what would be removed.' }),
      guard: f.boolean().default(true).meta({
        description:
          'Keep texts that are as similar as the threshold says but contradict the query, in a number, say; false goes by the similarity alone.',
      }),
    })
    .meta({ id: 'ForgetTextsRequest' }),
  response: z
    .object({
      forgotten: z.int(),
      pattern_ids: z.array(patternId),
      kept: z
        .array(KeptText)
        .meta({ description: 'What would have gone without the guard, in store order.' }),
      receipt,
    })
    .meta({ id: 'ForgetTextsResponse' }),
  errors: ['query_limit_reached'],
  idempotent: true,
})

export const ForgetTextsByPost = operation({
  ...ForgetTexts,
  id: 'forgetTextsByPost',
  method: 'post',
  summary: 'Forget selectively, for clients whose DELETE has no body',
  selects: true,
})

const Pattern = z
  .object({
    pattern_id: patternId,
    pattern_idx: z.int(),
    text: z.string().nullable(),
    metadata: metadataOut.nullable(),
    tier: z.enum(['hot', 'warm', 'cold']),
    protected: z.boolean(),
    access_count: z.int(),
    created_at: when,
    occurred_at: when,
    expires_at: when.nullable(),
    last_accessed: when.nullable(),
  })
  .meta({ id: 'Pattern' })

export type Pattern = z.input<typeof Pattern>

/** Orders of lists: by a time, the oldest first, or with - the newest; patterns of one moment in store order. */
export const listOrders = [
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'occurred_at',
  '-occurred_at',
] as const
export type ListOrder = (typeof listOrders)[number]

const orderDescription = {
  description: 'By a time, the oldest first; with - the newest. `created_at` is store order.',
}
const cursorDescription = {
  description: '`next_cursor` of the page before, which must have been asked for in the same order.',
}
const wordsDescription = {
  description: 'Only texts that contain this, in whatever case.',
  examples: ['Lisbon'],
}

const PatternList = z
  .object({ patterns: z.array(Pattern), next_cursor: z.string().nullable() })
  .meta({ id: 'PatternList' })

/** Any text: one that is no id is simply not found. */
const patternParams = z.object({ pattern_id: z.string() })

export const ListPatterns = operation({
  id: 'listPatterns',
  method: 'get',
  path: '/v1/memory/patterns',
  tag: patternsTag,
  summary: 'List patterns',
  description:
    'In store order, unless asked for in another; those that a filter and words describe, if given.',
  access: 'memory:read',
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta(cursorDescription),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    order: f.queryEnum(listOrders, 'created_at').meta(orderDescription),
    filter: f.queryFilter().meta({
      ...filterDescription,
      description: `As JSON. ${filterDescription.description}`,
      examples: ['{"role":"user"}'],
    }),
    q: f.queryString(1, limits.queryChars).optional().meta(wordsDescription),
  }),
  response: PatternList,
})

export const SearchPatterns = operation({
  id: 'searchPatterns',
  method: 'post',
  path: '/v1/memory/patterns/search',
  tag: patternsTag,
  summary: 'List patterns by a filter that is long',
  description: 'As the list, with the filter in the body.',
  access: 'memory:read',
  body: z
    .object({
      filter,
      q: f.text(1, limits.queryChars).nullable().optional().meta(wordsDescription),
      order: f.choice(listOrders).default('created_at').meta(orderDescription),
      cursor: f.plainString(0, 200).nullable().optional().meta(cursorDescription),
      limit: f.integer(1, limits.listMax).default(limits.listDefault),
    })
    .meta({ id: 'SearchPatternsRequest' }),
  response: PatternList,
})

export const CountPatterns = operation({
  id: 'countPatterns',
  method: 'post',
  path: '/v1/memory/patterns/count',
  tag: patternsTag,
  summary: 'How many patterns a filter describes',
  access: 'memory:read',
  body: z
    .object({ filter, q: f.text(1, limits.queryChars).nullable().optional().meta(wordsDescription) })
    .meta({ id: 'CountPatternsRequest' }),
  response: z.object({ count: z.int() }).meta({ id: 'CountPatternsResponse' }),
})

export const GetPattern = operation({
  id: 'getPattern',
  method: 'get',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'One pattern',
  access: 'memory:read',
  params: patternParams,
  response: Pattern,
  errors: ['pattern_not_found'],
})

export const ChangePattern = operation({
  id: 'changePattern',
  method: 'patch',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'Change a text or metadata',
  description:
    'A new text is embedded again; id and index stay. Metadata are replaced whole, null clears them, absent leaves them.',
  access: 'memory:write',
  params: patternParams,
  body: z
    .object({ text: f.text(1, limits.textChars).optional(), metadata: metadataIn })
    .meta({ id: 'ChangePatternRequest' }),
  response: Pattern,
  errors: ['pattern_not_found'],
})

export const DeletePattern = operation({
  id: 'deletePattern',
  method: 'delete',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'Delete one pattern',
  access: 'memory:write',
  params: patternParams,
  response: Message,
  errors: ['pattern_not_found'],
})

export const EmptySpace = operation({
  id: 'emptySpace',
  method: 'delete',
  path: '/v1/memory/patterns',
  tag: patternsTag,
  summary: 'Delete every pattern of the space',
  access: 'memory:write',
  query: z.object({ confirm: f.queryEnum(['all']).meta({ description: 'Must be `all`.' }) }),
  response: Message.extend({ receipt }).meta({ id: 'EmptiedSpace' }),
})
