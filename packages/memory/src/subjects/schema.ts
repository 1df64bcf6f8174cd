import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { filterInQuery } from '../schema.ts'

const tag = 'Subjects'
const when = z.iso.datetime()
const count = z.int()

const stored = {
  subject: z.string(),
  patterns: count,
  bytes: count.meta({ description: 'What the patterns take: texts, metadata and vectors.' }),
  first_stored_at: when,
  last_stored_at: when,
}

const params = z.object({ subject: f.plainString(1, limits.subjectChars) })

export const ListSubjects = operation({
  id: 'listSubjects',
  method: 'get',
  path: '/v1/memory/subjects',
  tag,
  summary: 'The end users of whom something is stored',
  description: 'In the order of their names.',
  access: 'memory:read',
  query: z.object({
    cursor: f.queryString(0, 1_000).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    prefix: f
      .queryString(1, limits.subjectChars)
      .optional()
      .meta({ description: 'What their names begin with.' }),
  }),
  response: z
    .object({
      subjects: z.array(z.object(stored).meta({ id: 'StoredSubject' })),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'SubjectList' }),
})

export const GetSubject = operation({
  id: 'getSubject',
  method: 'get',
  path: '/v1/memory/subjects/{subject}',
  tag,
  summary: 'What is stored of one end user',
  access: 'memory:read',
  subjects: 'rows',
  params,
  response: z
    .object({
      ...stored,
      texts: count,
      queries_this_month: count.nullable().meta({
        description: 'null where the organization does not limit them: then they are not counted.',
      }),
    })
    .meta({ id: 'Subject' }),
  errors: ['subject_not_found'],
})

export const ExportSubject = operation({
  id: 'exportSubject',
  method: 'get',
  path: '/v1/memory/subjects/{subject}/export',
  tag,
  summary: 'Every pattern of one end user',
  description:
    'Lines of JSON in store order, as the archive of an account has them: `npm run import` stores them anywhere. Those that a filter describes, if given; also what is not valid now.',
  access: 'memory:read',
  subjects: 'rows',
  params,
  query: z.object({
    filter: filterInQuery,
  }),
  response: z.string().meta({ format: 'binary' }),
  media: 'application/x-ndjson',
  errors: ['subject_not_found'],
})

export const EraseSubject = operation({
  id: 'eraseSubject',
  method: 'delete',
  path: '/v1/memory/subjects/{subject}',
  tag,
  summary: 'Erase one end user',
  description:
    'Removes every pattern of the subject with its versions, passages and links, what was learned of its use, and answers that are kept for its requests, all in one transaction, and answers a receipt. Keys and tokens that are bound to the subject go on.',
  access: 'memory:write',
  subjects: 'rows',
  idempotent: true,
  params,
  response: z
    .object({ subject: z.string(), erased: count, receipt: z.string() })
    .meta({ id: 'ErasedSubject' }),
  errors: ['subject_not_found'],
})
