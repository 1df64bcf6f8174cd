import { z } from 'zod'
import { auditActions } from '../catalogue/audit-actions.ts'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { operation } from '../catalogue/operation.ts'

const AuditLogEntry = z
  .object({
    action: z.enum(auditActions),
    actor_email: z.string().meta({
      description:
        'For an API key, of the user who made it. Empty for what the service or its operator did, and for users who were erased.',
    }),
    ip: z.string().optional(),
    user_agent: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
    success: z.boolean(),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'AuditEntry' })

export type AuditLogEntry = z.output<typeof AuditLogEntry>

export const ReadAuditLog = operation({
  id: 'readAuditLog',
  method: 'get',
  path: '/v1/security/audit-log',
  tag: 'Security',
  summary: 'What was done, by whom, from where',
  description: `Newest first. Organization admins see the organization’s entries and their own, everybody else their own. page × limit is at most ${limits.auditDepth.toLocaleString('en')}; since and until lead further.`,
  access: 'user',
  query: z.object({
    page: f.queryInteger(1, limits.auditDepth, 1),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    action: f.queryEnum(auditActions).optional(),
    success: f.queryBoolean().optional().meta({ description: 'Only what succeeded, or what did not.' }),
    actor_email: f.queryString(1, 255).optional().meta({ description: 'Exactly this one, in any case.' }),
    since: f.queryTimestamp().optional().meta({ description: 'Nothing earlier.' }),
    until: f.queryTimestamp().optional().meta({ description: 'Only what is earlier.' }),
  }),
  response: z
    .object({ entries: z.array(AuditLogEntry), page: z.int(), limit: z.int(), has_more: z.boolean() })
    .meta({ id: 'AuditLog' }),
})
