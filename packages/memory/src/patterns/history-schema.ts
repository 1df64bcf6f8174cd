import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { metadataOut, Pattern, patternParams, patternsTag } from '../schema.ts'

const when = z.iso.datetime().nullable()

const PatternVersion = z
  .object({
    version: z.int(),
    text: z.string().nullable(),
    value: z.array(z.number()).nullable().meta({ description: 'Null for a text.' }),
    metadata: metadataOut.nullable(),
    occurred_at: when,
    expires_at: when,
    valid_from: when,
    valid_to: when,
    changed_at: z.iso.datetime().meta({ description: 'When this version was made.' }),
    changed_by: z.string().nullable().meta({
      description:
        'Id of the API key or user that made it; null for the service itself, or when it is not known.',
    }),
    change: z.enum(['created', 'updated', 'superseded', 'reverted', 'merged']),
    redacted: z.boolean().meta({ description: 'What it held was erased, or its `expires_at` has passed.' }),
  })
  .meta({ id: 'PatternVersion' })

export const ListVersions = operation({
  id: 'listVersions',
  method: 'get',
  path: '/v1/memory/patterns/{pattern_id}/history',
  tag: patternsTag,
  summary: 'Versions of a pattern',
  description:
    'Newest first, the one that is there now at the head. The last `MEMORY_VERSIONS_KEPT` that others replaced are kept, each for a year; they go with the pattern.',
  access: 'memory:read',
  subjects: 'rows',
  params: patternParams,
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.versionsMax, limits.versionsDefault),
  }),
  response: z
    .object({ versions: z.array(PatternVersion), next_cursor: z.string().nullable() })
    .meta({ id: 'PatternHistory' }),
  errors: ['pattern_not_found'],
})

export const RevertPattern = operation({
  id: 'revertPattern',
  method: 'post',
  path: '/v1/memory/patterns/{pattern_id}/revert',
  tag: patternsTag,
  summary: 'Make a pattern what it was',
  description:
    'Text or vectors, metadata and times are those of the version, in a new version; `external_id` and `subject` stay. An expiry that is over is left out.',
  access: 'memory:write',
  subjects: 'rows',
  versioned: true,
  params: patternParams,
  body: z.object({ version: f.integer(1, 2 ** 31 - 1) }).meta({ id: 'RevertPatternRequest' }),
  response: Pattern,
  errors: ['pattern_not_found', 'version_not_found', 'version_mismatch'],
})

export const RedactVersion = operation({
  id: 'redactVersion',
  method: 'delete',
  path: '/v1/memory/patterns/{pattern_id}/history/{version}',
  tag: patternsTag,
  summary: 'Erase what a version held',
  description:
    'That it was there, when and by whom stays. The version that is there now is changed or deleted instead.',
  access: 'memory:write',
  subjects: 'rows',
  params: patternParams.extend({ version: f.queryInteger() }),
  response: Message,
  errors: ['pattern_not_found', 'version_not_found', 'current_version'],
})
