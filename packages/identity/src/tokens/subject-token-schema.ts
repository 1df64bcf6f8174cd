import * as f from '@memory/shared/catalogue/fields'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { subjectTokenDefaultS, subjectTokenMaxS, subjectTokenMinS } from './lifetimes.ts'

/** The scopes that a token or key bound to an end user may have; no other scope is of use for it. */
export const subjectScopes = ['memory:read', 'memory:write'] as const

export const IssueSubjectToken = operation({
  id: 'issueSubjectToken',
  method: 'post',
  path: '/v1/memory/subject-tokens',
  tag: 'Subjects',
  summary: 'A token for one end user, which a browser may have',
  description:
    'A bearer token (JWT, typ `st+jwt`) that opens what a key with this subject would, for some time. It ends with the key or the session that made it, and lets its bearer do no more than that.',
  access: 'memory:read',
  selects: false,
  body: z
    .object({
      subject: f.subjectName(),
      scopes: f
        .list(f.choice(subjectScopes), 1, subjectScopes.length)
        .optional()
        .meta({ description: 'Default: both, as far as whoever asks has them.' }),
      shared: f.boolean().default(false).meta({
        description: 'Its bearer also reads patterns of no subject, and changes none of them.',
      }),
      ttl_s: f
        .integer(subjectTokenMinS, subjectTokenMaxS)
        .default(subjectTokenDefaultS)
        .meta({ description: 'Seconds for which it holds.' }),
    })
    .meta({ id: 'SubjectTokenRequest' }),
  response: z
    .object({
      token: z.string(),
      token_type: z.literal('Bearer'),
      subject: z.string(),
      shared: z.boolean(),
      scopes: z.array(z.enum(subjectScopes)),
      expires_at: z.iso.datetime(),
    })
    .meta({ id: 'SubjectToken' }),
})
