import { parameters } from '@memory/engine/parameters'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import {
  address,
  asOf,
  cosine,
  created,
  createdList,
  expiresAt,
  externalIdOut,
  filter,
  includeSuperseded,
  latencyMs,
  metadataIn,
  metadataOut,
  minSimilarity,
  momentOut,
  occurredAt,
  onConflict,
  patternId,
  period,
  readOnly,
  storeErrors,
  subjects,
  topK,
} from '../schema.ts'

const tag = 'Vector memory'

/** A direction to compare with: a vector that is not all zero. */
const direction = () => f.vector(limits.vectorDimensions, { nonZero: true })
const vectorOut = z.array(z.number())
const confidence = z.number().min(0).max(1)

const embedding = direction().meta({ examples: [[0.1, -0.2, 0.3]] })

const vectorItem = {
  key: direction().meta({
    description: 'What the pattern is found by; kept as float32. It need not be unique.',
    examples: [[0.1, -0.2, 0.3]],
  }),
  value: f.vector().meta({
    description: 'What is found, of any length; kept as float32.',
    examples: [[1, 0.5, 0.25]],
  }),
  metadata: metadataIn,
  source_dim: f.integer(1, limits.vectorDimensions).nullable().optional().meta({
    description:
      'Dimension that key and value were projected down from, at least the key’s length. Queries of that length find the pattern too.',
  }),
  expires_at: expiresAt,
  occurred_at: occurredAt,
  ...address,
}

/** What the fields alone can't tell of `source_dim`. */
export function sourceDimFault(item: {
  key: Float32Array
  source_dim?: number | null | undefined
}): string | undefined {
  if (item.source_dim == null || item.source_dim >= item.key.length) return undefined
  return `source_dim must be at least the key's length of ${item.key.length}`
}

export const StoreVector = operation({
  id: 'storeVector',
  method: 'post',
  path: '/v1/memory/store',
  tag,
  summary: 'Store a key and its value',
  description: 'It is found by searches as soon as this answers.',
  access: 'memory:write',
  subjects: 'rows',
  usage: 'store',
  idempotent: true,
  body: z.object({ ...vectorItem, on_conflict: onConflict }).meta({ id: 'StoreVectorRequest' }),
  response: z
    .object({
      success: z.boolean(),
      pattern_id: patternId,
      created,
      patterns_used: z.int(),
      patterns_limit: z.int().meta({ description: '-1 stands for unlimited.' }),
    })
    .meta({ id: 'StoreVectorResponse' }),
  errors: storeErrors,
})

export const BatchStoreVectors = operation({
  id: 'batchStoreVectors',
  method: 'post',
  path: '/v1/memory/batch/store',
  tag,
  summary: 'Store up to 5,000 keys and values',
  description:
    'One transaction. Near the plan’s limit what fits is stored, in order, and the rest counts as failed. The body may have 64 MiB.',
  access: 'memory:write',
  subjects: 'rows',
  usage: 'store',
  idempotent: true,
  bodyBytes: limits.batchBodyBytes,
  vectors: ['patterns.*.key', 'patterns.*.value'],
  body: z
    .object({ patterns: f.list(z.object(vectorItem), 1, limits.batchPatterns), on_conflict: onConflict })
    .meta({ id: 'BatchStoreVectorsRequest' }),
  response: z
    .object({ stored: z.int(), failed: z.int(), created: createdList })
    .meta({ id: 'BatchStoreVectorsResponse' }),
  errors: storeErrors,
})

const vectorPathways = ['exact', 'energy'] as const
const wantedPathways = [...vectorPathways, 'auto'] as const

/** How a query that is a vector alone is answered. */
export type VectorPathway = (typeof vectorPathways)[number]

/** What a query asks for: one of them, or that routing takes one. */
export type WantedPathway = (typeof wantedPathways)[number]

/**
 * How many patterns a search has to find for a pathway that gives the best `k` of them, and how near they must be: what is
 * less similar than an answer's patterns may be has its part in the energy of the others all the same.
 */
export const candidatesOf = (
  wanted: WantedPathway,
  { k, minScore }: { k: number; minScore: number },
): { k: number; minScore: number } =>
  wanted === 'exact' ? { k, minScore } : { k: Math.max(k, parameters.energy.candidates), minScore: -1 }

const pastVectors = asOf.meta({
  description: 'As at text retrieve, by cosine alone, among keys of the query’s length.',
})

const pathway = z.enum(vectorPathways).meta({ description: 'How the pattern was found.' })

const VectorResult = z
  .object({
    value: vectorOut,
    confidence: confidence.meta({ description: 'Cosine similarity, negative ones as 0.' }),
    pathway,
    pattern_id: patternId,
    external_id: externalIdOut,
    ...momentOut,
  })
  .meta({ id: 'VectorResult' })

export const QueryVectors = operation({
  id: 'queryVectors',
  method: 'post',
  path: '/v1/memory/query',
  tag,
  summary: 'Values of the nearest keys',
  description:
    'Cosine similarity over all patterns whose key has the query’s length, or was projected down from it; best first, ties in store order. Texts are found by their embedding.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'retrieve',
  queries: () => 1,
  vectors: ['embedding'],
  searches: ({ embedding, top_k, filter, subject, min_similarity, pathway, ...others }) =>
    filter === undefined &&
    subject === undefined &&
    [others.after, others.before, others.as_of].every((time) => time == null) &&
    !others.include_superseded
      ? { query: embedding, ...candidatesOf(pathway, { k: top_k, minScore: min_similarity ?? -1 }) }
      : undefined,
  body: z
    .object({
      embedding,
      top_k: topK(limits.vectorTopK).default(1),
      return_native_dim: f.boolean().default(false).meta({
        description:
          'Bring values to the query’s length: by the inverse of the projection, or cut or padded.',
      }),
      filter,
      subject: subjects,
      ...period,
      min_similarity: minSimilarity,
      pathway: f.choice(wantedPathways).default('exact').meta({
        description:
          'exact: by cosine. energy: the query settles among the patterns nearest to it, as in a Hopfield network, which clears noise up; ordered by the cosine of where it settled. auto: what promises more; a cosine of 0.95 is answered exactly.',
      }),
      as_of: pastVectors,
      include_superseded: includeSuperseded,
      read_only: readOnly,
    })
    .meta({ id: 'QueryVectorsRequest' }),
  response: z
    .object({ results: z.array(VectorResult), latency_ms: latencyMs })
    .meta({ id: 'QueryVectorsResponse' }),
  errors: ['query_limit_reached'],
})

export const BatchRetrieveVectors = operation({
  id: 'batchRetrieveVectors',
  method: 'post',
  path: '/v1/memory/batch/retrieve',
  tag,
  summary: 'Values of the nearest keys for up to 1,000 queries',
  description:
    'Each query counts as one against the plan’s day; those that do not fit whole are refused whole. The body may have 64 MiB and the answer 256 MiB. What is valid now is searched: queries of a time (`as_of`) go one by one to `/v1/memory/query`.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'retrieve',
  queries: (body) => body.queries.length,
  bodyBytes: limits.batchBodyBytes,
  vectors: ['queries.*.embedding'],
  body: z
    .object({
      queries: f.list(
        z.object({
          embedding,
          top_k: topK(limits.vectorTopK).default(1),
          filter,
          subject: subjects,
          ...period,
        }),
        1,
        limits.batchQueries,
      ),
    })
    .meta({ id: 'BatchRetrieveVectorsRequest' }),
  response: z
    .object({ results: z.array(z.array(VectorResult)).meta({ description: 'One list a query, in order.' }) })
    .meta({ id: 'BatchRetrieveVectorsResponse' }),
  errors: ['query_limit_reached'],
})

const RetrievedVector = z
  .object({
    confidence: confidence.meta({
      description: 'The score that the order follows, as a cosine; below 0 as 0, above 1 as 1.',
    }),
    metadata: metadataOut.nullable(),
    was_reranked: z.boolean().meta({ description: 'Its rank differs from its rank by cosine.' }),
    semantic_score: cosine,
    pattern_id: patternId,
    external_id: externalIdOut,
    ...momentOut,
  })
  .meta({ id: 'RetrievedVector' })

const RetrieveVectorsResponse = z
  .object({
    results: z.array(RetrievedVector),
    info: z
      .object({
        boosted: z.boolean().meta({ description: 'The best result gained from more than its cosine.' }),
        n_candidates: z.int().meta({
          description: 'Patterns that were compared; with `as_of` or `include_superseded` those found.',
        }),
        original_top_score: z.number().meta({ description: 'By cosine; 0 when nothing was found.' }),
        boosted_top_score: z.number(),
      })
      .meta({ id: 'RetrieveVectorsInfo' }),
    latency_ms: latencyMs,
  })
  .meta({ id: 'RetrieveVectorsResponse' })

export const RetrieveVectors = operation({
  id: 'retrieveVectors',
  method: 'post',
  path: '/v1/memory/retrieve',
  tag,
  summary: 'Metadata of the nearest keys',
  description:
    'Orders the nearest keys, and what was used or stored together with them, by cosine, associations from use, neighbourhood in store order and salience; answers metadata and scores. In a space that was not used, and whose order of storing means nothing, that is the order by cosine. `semantic_score` is the cosine.',
  access: 'memory:read',
  subjects: 'search',
  usage: 'retrieve',
  queries: () => 1,
  vectors: ['embedding'],
  body: z
    .object({
      embedding,
      top_k: topK(limits.vectorTopK),
      filter,
      subject: subjects,
      ...period,
      min_similarity: minSimilarity,
      as_of: pastVectors,
      include_superseded: includeSuperseded,
      read_only: readOnly,
    })
    .meta({ id: 'RetrieveVectorsRequest' }),
  response: RetrieveVectorsResponse,
  errors: ['query_limit_reached'],
})

export const QuerySemantic = operation({
  id: 'querySemantic',
  method: 'post',
  path: '/v1/memory/query/semantic',
  tag,
  summary: 'Metadata of the nearest keys',
  description: 'Answers as `/v1/memory/retrieve` does, which replaces it.',
  deprecated: { since: new Date('2026-11-01T00:00:00Z'), successor: RetrieveVectors.path },
  access: 'memory:read',
  subjects: 'search',
  usage: 'retrieve',
  queries: () => 1,
  vectors: ['embedding'],
  body: z
    .object({ embedding, top_k: topK(limits.textTopK), filter, subject: subjects, ...period })
    .meta({ id: 'QuerySemanticRequest' }),
  response: RetrieveVectorsResponse,
  errors: ['query_limit_reached'],
})

export const ComposeVectors = operation({
  id: 'composeVectors',
  method: 'post',
  path: '/v1/memory/compose',
  tag,
  summary: 'The direction between several',
  description: 'The weighted mean of normalised keys, or of the texts’ embeddings, normalised.',
  access: 'memory:read',
  subjects: 'none',
  selects: false,
  body: z
    .object({
      keys: f
        .list(direction(), limits.composeMin, limits.composeMax)
        .nullable()
        .optional()
        .meta({ description: 'Of one length.' }),
      texts: f
        .list(f.longText(), limits.composeMin, limits.composeMax)
        .nullable()
        .optional()
        .meta({ description: 'In place of keys.' }),
      weights: f
        .list(f.number(), limits.composeMin, limits.composeMax)
        .nullable()
        .optional()
        .meta({ description: 'One a key or text, not all zero, may be negative. Default: equal.' }),
    })
    .meta({ id: 'ComposeVectorsRequest' }),
  response: z
    .object({
      result: vectorOut,
      confidence: confidence.meta({
        description: 'Length of the weighted mean: 1 when all agree, near 0 when they cancel.',
      }),
    })
    .meta({ id: 'ComposeVectorsResponse' }),
})

const end = () => direction().nullable().optional()
const endText = () => f.text(1, limits.queryChars).nullable().optional()
const endPattern = () =>
  f.plainString().nullable().optional().meta({ description: 'Its id, or `ext:` and your own.' })

export const ComposeFractional = operation({
  id: 'composeFractional',
  method: 'post',
  path: '/v1/memory/compose/fractional',
  tag,
  summary: 'A point on the way from A to B',
  description:
    'Interpolates directions on the sphere and lengths linearly. Give one of the pairs: keys, texts or patterns.',
  access: 'memory:read',
  subjects: 'rows',
  body: z
    .object({
      key_a: end().meta({ examples: [[1, 0]] }),
      key_b: end().meta({ examples: [[0, 1]] }),
      text_a: endText(),
      text_b: endText(),
      pattern_a_id: endPattern(),
      pattern_b_id: endPattern(),
      alpha: f.number(0, 1).default(0.5).meta({ description: '0 gives A, 1 gives B.' }),
    })
    .meta({ id: 'ComposeFractionalRequest' }),
  response: z
    .object({
      result: vectorOut,
      confidence: confidence.meta({ description: 'Cosine of the result and the nearer end.' }),
      info: z
        .object({
          geodesic_distance: z.number().meta({ description: 'Angle between A and B in radians.' }),
          blend_type: z.enum(['spherical', 'linear', 'antipodal']),
          alpha_used: z.number(),
        })
        .meta({ id: 'ComposeFractionalInfo' }),
    })
    .meta({ id: 'ComposeFractionalResponse' }),
  errors: ['pattern_not_found'],
})

export const ChangeVector = operation({
  id: 'changeVector',
  method: 'put',
  path: '/v1/memory/pattern',
  tag,
  summary: 'Change the value of a key',
  description:
    'Of several patterns with this key the newest that is valid now is changed. Metadata are replaced whole, null clears them, absent leaves them.',
  access: 'memory:write',
  subjects: 'rows',
  selects: true,
  body: z
    .object({ key: direction(), new_value: f.vector(), metadata: metadataIn })
    .meta({ id: 'ChangeVectorRequest' }),
  response: Message,
  errors: ['pattern_not_found', 'text_pattern'],
})

export const DeleteVectors = operation({
  id: 'deleteVectors',
  method: 'delete',
  path: '/v1/memory/pattern',
  tag,
  summary: 'Delete every pattern with a key',
  description:
    'The body is the key itself. Keys are equal when they are as float32. Where texts that differ have the key, none is deleted.',
  access: 'memory:write',
  subjects: 'rows',
  body: direction(),
  response: Message,
  errors: ['pattern_not_found', 'key_of_several_texts'],
})

export const GetVector = operation({
  id: 'getVector',
  method: 'get',
  path: '/v1/memory/pattern/{pattern_idx}',
  tag,
  summary: 'One pattern by its index',
  access: 'memory:read',
  subjects: 'rows',
  /** Any integer: one that no pattern has is not found. */
  params: z.object({ pattern_idx: f.queryInteger() }),
  response: z
    .object({ key: vectorOut, value: vectorOut, metadata: metadataOut.nullable() })
    .meta({ id: 'VectorPattern' }),
  errors: ['pattern_not_found'],
})
