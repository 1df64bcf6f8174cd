import { contradictionReasons, contradictions } from '@memory/engine/contradiction/contradiction'
import { parameters } from '@memory/engine/parameters'
import { conflictKinds, conflicts } from '@memory/engine/sleep/conflicts'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { cosine, patternId } from '../schema.ts'

const tag = 'Conflicts'
const when = z.iso.datetime()

/** What may be said of a conflict, each with what it is then. */
export const resolutions = { keep: 'kept', supersede: 'superseded', dismiss: 'dismissed' } as const
export type Resolution = keyof typeof resolutions
export const conflictStatuses = ['open', ...Object.values(resolutions)] as const

const meanings = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([name, meaning]) => `${name}: ${meaning}.`)
    .join(' ')

const Conflict = z
  .object({
    conflict_id: z.string().meta({ description: 'Starts with `cfl_`.' }),
    kind: z.enum(conflictKinds).meta({ description: meanings(conflicts) }),
    reason: z
      .enum(contradictionReasons)
      .nullable()
      .meta({ description: `In what they differ; null for a near duplicate. ${meanings(contradictions)}` }),
    similarity: cosine,
    status: z.enum(conflictStatuses),
    found_at: when,
    resolved_at: when.nullable(),
    winner: patternId.nullable().meta({ description: 'The pattern that took the place of the other.' }),
    patterns: z
      .array(
        z
          .object({
            pattern_id: patternId,
            external_id: z.string().nullable(),
            subject: z.string().nullable(),
            text: z.string(),
            occurred_at: when,
          })
          .meta({ id: 'ConflictingText' }),
      )
      .meta({ description: 'Both, the older one first.' }),
  })
  .meta({ id: 'Conflict' })

export const ListConflicts = operation({
  id: 'listConflicts',
  method: 'get',
  path: '/v1/memory/conflicts',
  tag,
  summary: 'Texts that say nearly the same, or contradict each other',
  description: `Newest first. Sleep finds them: it compares the texts that were stored or changed since the last one with the ${parameters.conflicts.neighbours} nearest of the same end user, and changes nothing; of each it reports ${parameters.conflicts.perText} pairs at most. Texts of more than ${parameters.contradiction.textCharacters.toLocaleString('en')} characters are not compared. An open conflict is shown while both texts are valid; what is stored or changed of an end user with ${parameters.conflicts.openMax.toLocaleString('en')} open ones is not compared, and in a space without end users it waits until some are resolved.`,
  access: 'memory:read',
  subjects: 'rows',
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    status: f.queryEnum(conflictStatuses, 'open'),
    kind: f.queryEnum(conflictKinds).optional().meta({ description: 'Default: all.' }),
    subject: f.queryString(1, limits.subjectChars).optional().meta({
      description: 'The end user whose texts are meant. Default: all.',
    }),
  }),
  response: z
    .object({ conflicts: z.array(Conflict), next_cursor: z.string().nullable() })
    .meta({ id: 'ConflictList' }),
})

export const ResolveConflict = operation({
  id: 'resolveConflict',
  method: 'post',
  path: '/v1/memory/conflicts/{conflict_id}/resolve',
  tag,
  summary: 'Say what a conflict is',
  description:
    'The pair is not reported again unless one of its texts changes. The same again answers the same; another resolution is refused.',
  access: 'memory:write',
  subjects: 'rows',
  params: z.object({ conflict_id: z.string() }),
  body: z
    .object({
      resolution: f.choice(Object.keys(resolutions) as [Resolution, ...Resolution[]]).meta({
        description:
          'keep: both are true. supersede: one takes the place of the other, as with `supersedes` of a store: the other one is valid until the `valid_from` of the one, or until now where that is no later than its own; its version before is kept. dismiss: it is no conflict.',
      }),
      winner: f.plainString().nullable().optional().meta({
        description:
          'Which of the two takes the place of the other, `pattern_id` or `ext:` and your own; with `supersede` alone. Default: the newer.',
      }),
    })
    .meta({ id: 'ResolveConflictRequest' }),
  response: Conflict,
  errors: ['conflict_not_found', 'conflict_resolved', 'already_superseded'],
})

export const ReopenConflict = operation({
  id: 'reopenConflict',
  method: 'post',
  path: '/v1/memory/conflicts/{conflict_id}/reopen',
  tag,
  summary: 'Take back what was said of a conflict',
  description:
    'It is open again, while both texts are valid; one that is open stays so. Where one pattern took the place of the other, that one is reverted to its version before first.',
  access: 'memory:write',
  subjects: 'rows',
  params: z.object({ conflict_id: z.string() }),
  response: Conflict,
  errors: ['conflict_not_found', 'already_superseded'],
})
