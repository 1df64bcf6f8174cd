import { z } from 'zod'
import { auditActions } from '../catalogue/audit-actions.ts'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { Message } from '../catalogue/message.ts'
import { operation } from '../catalogue/operation.ts'

const tag = 'Security'

const Session = z
  .object({
    id: z.string(),
    device: z.string().meta({ description: 'From the `User-Agent` of the sign-in.' }),
    ip_address: z.string().meta({ description: 'Of the sign-in; empty where it is not known.' }),
    location: z.string(),
    last_active: z.iso.datetime().meta({ description: 'Written about once a minute.' }),
    created_at: z.iso.datetime(),
    is_current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
  })
  .meta({ id: 'Session' })

export type Session = z.output<typeof Session>

export const ListSessions = operation({
  id: 'listSessions',
  method: 'get',
  path: '/v1/security/sessions',
  tag,
  summary: 'Where the user is signed in',
  access: 'user',
  response: z.array(Session),
})

export const RevokeSession = operation({
  id: 'revokeSession',
  method: 'delete',
  path: '/v1/security/sessions/{session_id}',
  tag,
  summary: 'Sign a session out',
  description: 'Its access and refresh tokens are refused at once.',
  access: 'user',
  params: z.object({ session_id: z.string() }),
  response: Message,
  errors: ['session_not_found'],
})

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
  tag,
  summary: 'What was done, by whom, from where',
  description:
    'Newest first. Organization admins see the organization’s entries and their own, everybody else their own.',
  access: 'user',
  query: z.object({
    page: f.queryInteger(1, limits.auditPageMax, 1),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({ entries: z.array(AuditLogEntry), page: z.int(), limit: z.int(), has_more: z.boolean() })
    .meta({ id: 'AuditLog' }),
})
