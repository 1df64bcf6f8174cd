import { contradictionReasons, contradictions } from '@memory/engine/contradiction/contradiction'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { conflictRules } from './store.ts'

const tag = 'Text memory'
export const patternsTag = 'Patterns'

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
export const externalId = f
  .visibleString(1, limits.externalIdChars)
  .nullable()
  .optional()
  .meta({ description: 'Your own id for it, one of a kind in the space.', examples: ['note-17'] })
const when_ = (description: string) => f.timestamp().nullable().optional().meta({ description })
export const subjectOf = f
  .subjectName()
  .nullable()
  .optional()
  .meta({ description: 'The end user whose it is; not `.` or `..`.', examples: ['ada'] })
/** What items of all stores have beside their contents. */
export const address = {
  external_id: externalId,
  subject: subjectOf,
  protected: f.boolean().nullable().optional().meta({
    description:
      'Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has; else, and where it is null, what its metadata and category say.',
  }),
  valid_from: when_(
    'From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is valid now, and what is yet to come from that time on.',
  ),
  valid_to: when_('Until when it holds. Default: without end.'),
  supersedes: f.plainString().nullable().optional().meta({
    description:
      'The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this one’s `valid_from`, which must not be earlier than when that one was said to begin.',
  }),
}
export const onConflict = f.choice(conflictRules).default('replace').meta({
  description:
    'What happens where an `external_id` is there already: replace its text, vectors, metadata and times, said or not (`pattern_id` and `pattern_idx` stay, and `subject` and `protected` where nothing is said of them; what is the same makes no version), skip what is sent, or refuse all of it with 409. What is of another `subject` than is named is not replaced: that is a 409 too.',
})
export const created = z
  .boolean()
  .meta({ description: 'False where a pattern with this `external_id` was there.' })
export const createdList = z.array(created.nullable()).meta({
  description: 'Of each item, in order; null for one that failed.',
})
const filterDescription = {
  description:
    'What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at $expires_at $text`.',
  examples: [{ role: 'user', source: ['chat', 'mail'] }],
}
export const filter = f.filter().meta(filterDescription)
export const filterInQuery = f.queryFilter().meta({
  ...filterDescription,
  description: `As JSON. ${filterDescription.description}`,
  examples: ['{"role":"user"}'],
})
/** Whose patterns an operation looks at. */
export const subjects = f.subjects().meta({
  description:
    'The end user whose patterns are meant, or several of them; null for patterns of none. Default: all.',
})
/** Of what is removed. */
const selectingFilter = f.removalFilter().meta({
  ...filterDescription,
  description: `${filterDescription.description} An empty one is refused, and null: they would select everything.`,
})
const periodDescriptions = {
  after: 'Only what occurred (`occurred_at`) at this time or later.',
  before: 'Only what occurred (`occurred_at`) earlier than this time, which is not included.',
}
/** Of which time the patterns are that an operation looks at. */
export const period = {
  after: f.timestamp().nullable().optional().meta({ description: periodDescriptions.after }),
  before: f.timestamp().nullable().optional().meta({ description: periodDescriptions.before }),
}
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
  text: f.longText().meta({ examples: ['Ada moved to Lisbon in May.'] }),
  metadata: metadataIn,
  expires_at: expiresAt,
  occurred_at: occurredAt,
  ...address,
}

/** In results: only where there is one. */
export const externalIdOut = z.string().optional().meta({ description: 'Where it has one.' })

export const TextResult = z
  .object({
    text: z.string(),
    metadata: metadataOut,
    similarity: cosine,
    pattern_id: patternId,
    external_id: externalIdOut,
  })
  .meta({ id: 'TextResult' })

export const storeErrors = [
  'pattern_limit_reached',
  'pattern_not_found',
  'external_id_exists',
  'pattern_of_other_kind',
  'already_superseded',
] as const

export const StoreText = operation({
  id: 'storeText',
  method: 'post',
  path: '/v1/memory/text/store',
  tag,
  summary: 'Store a text',
  description: 'Embeds the text and stores it. It is found by searches as soon as this answers.',
  access: 'memory:write',
  subjects: 'rows',
  usage: 'store',
  idempotent: true,
  body: z.object({ ...textItem, on_conflict: onConflict }).meta({ id: 'StoreTextRequest' }),
  response: z
    .object({
      success: z.boolean(),
      pattern_id: patternId,
      created,
      embedding_dim: z.int(),
      patterns_used: z.int(),
      patterns_limit: z.int().meta({ description: '-1 stands for unlimited.' }),
    })
    .meta({ id: 'StoreTextResponse' }),
  errors: storeErrors,
})

export const BatchStoreTexts = operation({
  id: 'batchStoreTexts',
  method: 'post',
  path: '/v1/memory/text/batch-store',
  tag,
  summary: 'Store up to 50 texts',
  description: `One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. Texts that take more than ${limits.batchEncodingMs / 1_000} seconds to encode are answered with 503 and \`Retry-After\`: nothing is stored, and the same request, sent again, goes on from there.`,
  access: 'memory:write',
  subjects: 'rows',
  usage: 'store',
  idempotent: true,
  body: z
    .object({ items: f.list(z.object(textItem), 1, limits.batchStoreItems), on_conflict: onConflict })
    .meta({ id: 'BatchStoreTextsRequest' }),
  response: z
    .object({
      stored: z.int(),
      failed: z.int(),
      pattern_ids: z.array(patternId).meta({ description: 'Of those that are stored, in order.' }),
      created: createdList,
      latency_ms: latencyMs,
    })
    .meta({ id: 'BatchStoreTextsResponse' }),
  errors: storeErrors,
})

const supersededDescription = {
  description: 'Those too that are not valid any more, or not yet.',
}
export const includeSuperseded = f.boolean().default(false).meta(supersededDescription)
export const asOf = f.timestamp().nullable().optional().meta({
  description:
    'Answer from what was recorded and valid at this time, in the versions of then, as far as they are kept. Every key is compared, which takes longer, and nothing is learned.',
})
/** What results say beside, of a time or of what is not valid. */
export const momentOut = {
  version: z
    .int()
    .optional()
    .meta({ description: 'This and what follows only with `as_of` or `include_superseded`.' }),
  valid_from: when.optional(),
  valid_to: when.nullable().optional(),
  superseded_by: patternId.nullable().optional(),
}

export const RetrievedText = TextResult.extend({
  ...momentOut,
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
  subjects: 'search',
  usage: 'retrieve',
  queries: () => 1,
  body: z
    .object({
      query: f.text(1, limits.queryChars).meta({ examples: ['Where does Ada live?'] }),
      top_k: topK(limits.textTopK),
      filter,
      subject: subjects,
      ...period,
      min_similarity: minSimilarity,
      explain,
      read_only: readOnly,
      as_of: asOf,
      include_superseded: includeSuperseded,
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
  subjects: 'none',
  selects: false,
  body: z
    .object({ text_a: f.text(1, limits.queryChars), text_b: f.text(1, limits.queryChars) })
    .meta({ id: 'CompareTextsRequest' }),
  response: z.object({ similarity: cosine, embedding_dim: z.int() }).meta({ id: 'CompareTextsResponse' }),
})

const vectorOfText = z.array(z.number())
const tooLongToEncode = `Texts that take more than ${limits.batchEncodingMs / 1_000} seconds to encode are answered with 503 and \`Retry-After\`: the same request, sent again, goes on from there.`

export const EmbedText = operation({
  id: 'embedText',
  method: 'post',
  path: '/v1/memory/text/embed',
  tag,
  summary: 'Embedding of a text, or of several',
  description: `Of one \`text\` in \`embedding\`, of \`texts\` in \`embeddings\`, in their order. ${tooLongToEncode}`,
  access: 'memory:read',
  subjects: 'none',
  selects: false,
  body: z
    .object({
      text: f.longText().optional().meta({ description: 'Required, unless `texts` is given.' }),
      texts: f
        .list(f.longText(), 1, limits.embeddedTexts)
        .optional()
        .meta({ description: 'In place of `text`.' }),
    })
    .meta({ id: 'EmbedTextRequest' }),
  response: z
    .object({
      embedding: vectorOfText.optional().meta({ description: 'Of `text`.' }),
      embeddings: z.array(vectorOfText).optional().meta({ description: 'Of `texts`.' }),
      dim: z.int(),
    })
    .meta({ id: 'EmbedTextResponse' }),
})

export const CreateEmbeddings = operation({
  id: 'createEmbeddings',
  method: 'post',
  path: '/v1/embeddings',
  tag,
  summary: 'Embeddings, as clients of OpenAI ask for them',
  description: `Takes and answers what OpenAI’s endpoint of this name does, so that its clients, and what is built on them, embed with this service: give them \`/v1\` of its address and an API key. Lists of token numbers are refused: they are numbers of another model. ${tooLongToEncode}`,
  access: 'memory:read',
  subjects: 'none',
  selects: false,
  body: z
    .object({
      input: f
        .textOrTexts(1, limits.textChars, limits.embeddedTexts)
        .meta({ examples: ['Ada moved to Lisbon in May.'] }),
      model: f
        .plainString()
        .nullable()
        .optional()
        .meta({ description: 'Whatever is named, there is one model: the answer says which.' }),
      encoding_format: f
        .choice(['float', 'base64'])
        .default('float')
        .meta({ description: '`base64`: of the numbers as float32, little-endian.' }),
      dimensions: f
        .integer(limits.embeddingDimensions, limits.embeddingDimensions)
        .nullable()
        .optional()
        .meta({ description: 'No other than the model has.' }),
      user: f.plainString().nullable().optional().meta({ description: 'Not looked at.' }),
    })
    .meta({ id: 'CreateEmbeddingsRequest' }),
  response: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z
          .object({
            object: z.literal('embedding'),
            index: z.int(),
            embedding: z.union([vectorOfText, z.string()]),
          })
          .meta({ id: 'Embedding' }),
      ),
      model: z.string(),
      usage: z
        .object({ prompt_tokens: z.int(), total_tokens: z.int() })
        .meta({ id: 'EmbeddingsUsage', description: 'Tokens of the model, its special ones included.' }),
    })
    .meta({ id: 'CreateEmbeddingsResponse' }),
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
    'Removes the patterns that meet every condition given: texts about as similar to the query as the threshold says, a category, metadata, an end user. With a query only texts are removed, and none that contradicts it: those are in `kept`. What an earlier version of a pattern held that stays is erased where the version meets the query, category, filter and subject.',
  access: 'memory:write',
  subjects: 'rows',
  queries: (body) => (body.query == null ? 0 : 1),
  body: z
    .object({
      query: f.text(1, limits.queryChars).nullable().optional(),
      category: f.visibleString(1, limits.categoryChars).nullable().optional().meta({
        description:
          'Such as identity, location or health. Compared exactly; those that the service finds are in lower case.',
      }),
      threshold: f
        .number(0.5, 1)
        .default(0.85)
        .meta({ description: 'Least similarity to the query; a higher one forgets fewer.' }),
      filter: selectingFilter,
      subject: subjects,
      dry_run: f
        .boolean()
        .default(false)
        .meta({ description: 'Only say what would be removed. It reads: a key needs `memory:read` too.' }),
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
      versions: z.int().optional().meta({
        description:
          'How many earlier versions of patterns that stay were what was to be forgotten, and hold nothing any more. Only where there are any.',
      }),
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

export const Pattern = z
  .object({
    pattern_id: patternId,
    pattern_idx: z.int(),
    external_id: z.string().nullable(),
    subject: z.string().nullable(),
    text: z.string().nullable(),
    metadata: metadataOut.nullable(),
    tier: z.enum(['hot', 'warm', 'cold']),
    protected: z.boolean(),
    asked_protected: z.boolean().nullable().meta({
      description:
        'What was said of `protected`; null where nothing was, and it follows from metadata and category.',
    }),
    access_count: z.int(),
    created_at: when,
    occurred_at: when,
    expires_at: when.nullable(),
    last_accessed: when.nullable(),
    version: z.int().meta({ description: 'Counts its changes, from 1; the `ETag` of its answers.' }),
    updated_at: when,
    valid_from: when,
    valid_to: when.nullable().meta({ description: 'Once it is over, no search and no list shows it.' }),
    supersedes: patternId.nullable(),
    superseded_by: patternId.nullable(),
  })
  .meta({ id: 'Pattern' })

export type Pattern = z.input<typeof Pattern>

/** Orders of lists: by a time, the oldest first, or with - the newest; patterns of one moment in store order. */
const listOrders = [
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

const listedAsOf = {
  description:
    'What was recorded and valid at this time, in the versions of then, as far as they are kept; in store order.',
}

const PatternList = z
  .object({ patterns: z.array(Pattern), next_cursor: z.string().nullable() })
  .meta({ id: 'PatternList' })

/** Any text: one that is no id is simply not found. */
export const patternParams = z.object({
  pattern_id: z.string().meta({ description: 'Its id, or `ext:` and your own, URL-encoded.' }),
})

export const ListPatterns = operation({
  id: 'listPatterns',
  method: 'get',
  path: '/v1/memory/patterns',
  tag: patternsTag,
  summary: 'List patterns',
  description:
    'In store order, unless asked for in another; those that a filter and words describe, if given.',
  access: 'memory:read',
  subjects: 'search',
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta(cursorDescription),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    order: f.queryEnum(listOrders, 'created_at').meta(orderDescription),
    filter: filterInQuery,
    subject: f.queryString(1, limits.subjectChars).optional().meta({
      description: 'The end user whose patterns are meant; the search takes several, or none.',
    }),
    after: f.queryTimestamp().optional().meta({ description: periodDescriptions.after }),
    before: f.queryTimestamp().optional().meta({ description: periodDescriptions.before }),
    q: f.queryVisibleString(1, limits.queryChars).optional().meta(wordsDescription),
    include_superseded: f.queryBoolean(false).meta(supersededDescription),
    as_of: f.queryTimestamp().optional().meta(listedAsOf),
  }),
  response: PatternList,
})

/** Which patterns a list or a count is of. */
const listed = {
  filter,
  subject: subjects,
  ...period,
  q: f.text(1, limits.queryChars).nullable().optional().meta(wordsDescription),
  include_superseded: includeSuperseded,
  as_of: f.timestamp().nullable().optional().meta(listedAsOf),
}

export const SearchPatterns = operation({
  id: 'searchPatterns',
  method: 'post',
  path: '/v1/memory/patterns/search',
  tag: patternsTag,
  summary: 'List patterns by a filter that is long',
  description: 'As the list, with the filter in the body.',
  access: 'memory:read',
  subjects: 'search',
  body: z
    .object({
      ...listed,
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
  subjects: 'search',
  body: z
    .object({
      ...listed,
    })
    .meta({ id: 'CountPatternsRequest' }),
  response: z.object({ count: z.int() }).meta({ id: 'CountPatternsResponse' }),
})

export const GetPattern = operation({
  id: 'getPattern',
  method: 'get',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'One pattern',
  description: 'Also one that is not valid any more, or not yet.',
  access: 'memory:read',
  subjects: 'rows',
  versioned: true,
  params: patternParams,
  response: Pattern,
  errors: ['pattern_not_found'],
})

export const ChangePattern = operation({
  id: 'changePattern',
  method: 'patch',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'Change a pattern',
  description:
    'What is absent stays, and null clears. A new text is embedded again; id and index stay. Metadata are replaced whole. What it was before is kept as a version; what it has already is no change, and makes none.',
  access: 'memory:write',
  subjects: 'rows',
  versioned: true,
  params: patternParams,
  body: z
    .object({
      text: f.longText().optional(),
      metadata: metadataIn,
      metadata_patch: f
        .metadataPatch()
        .optional()
        .meta({
          description:
            'A merge patch of the metadata (RFC 7396): fields to set, and null for those to remove.',
          examples: [{ source: 'mail', draft: null }],
        }),
      expires_at: expiresAt,
      occurred_at: occurredAt.meta({ description: 'When the fact was stated; null for when it was stored.' }),
      protected: f.boolean().nullable().optional().meta({
        description:
          'Whether consolidation must leave it alone; null for what its metadata and category say.',
      }),
      external_id: externalId,
      subject: subjectOf,
      valid_from: address.valid_from,
      valid_to: address.valid_to,
    })
    .meta({ id: 'ChangePatternRequest' }),
  response: Pattern,
  errors: ['pattern_not_found', 'version_mismatch', 'external_id_exists'],
})

export const DeletePattern = operation({
  id: 'deletePattern',
  method: 'delete',
  path: '/v1/memory/patterns/{pattern_id}',
  tag: patternsTag,
  summary: 'Delete one pattern',
  access: 'memory:write',
  subjects: 'rows',
  versioned: true,
  params: patternParams,
  response: Message,
  errors: ['pattern_not_found', 'version_mismatch'],
})

/** Patterns by their ids, so many in all. */
const namedPatterns = (max: number) => ({
  pattern_ids: f.list(f.plainString(), 0, max).optional(),
  external_ids: f.list(f.plainString(), 0, max).optional(),
})
export const GetPatterns = operation({
  id: 'getPatterns',
  method: 'post',
  path: '/v1/memory/patterns/get',
  tag: patternsTag,
  summary: `Up to ${limits.getByIds} patterns by id`,
  description:
    'By `pattern_id`, then by `external_id`, then by `pattern_idx`, each in the order asked; null where there is none.',
  access: 'memory:read',
  subjects: 'rows',
  body: z
    .object({
      ...namedPatterns(limits.getByIds),
      pattern_indexes: f
        .list(f.integer(0, 2 ** 31 - 1), 0, limits.getByIds)
        .optional()
        .meta({ description: 'Each the `pattern_idx` of one, as pairs of an exploration name it.' }),
    })
    .meta({ id: 'GetPatternsRequest' }),
  response: z.object({ patterns: z.array(Pattern.nullable()) }).meta({ id: 'GetPatternsResponse' }),
})

export const DeletePatterns = operation({
  id: 'deletePatterns',
  method: 'post',
  path: '/v1/memory/patterns/delete',
  tag: patternsTag,
  summary: `Delete up to ${limits.deleteByIds} patterns by id, or all of an end user or that a filter describes`,
  description:
    'Those that are there go, all at once, with all their versions; by `filter`, `subject` or both those too that are not valid any more.',
  access: 'memory:write',
  subjects: 'rows',
  selects: true,
  body: z
    .object({
      ...namedPatterns(limits.deleteByIds),
      filter: selectingFilter,
      subject: subjects,
      dry_run: f
        .boolean()
        .default(false)
        .meta({ description: 'Only say what would be deleted. It reads: a key needs `memory:read` too.' }),
    })
    .meta({ id: 'DeletePatternsRequest' }),
  response: z
    .object({ deleted: z.int(), pattern_ids: z.array(patternId), receipt })
    .meta({ id: 'DeletePatternsResponse' }),
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
