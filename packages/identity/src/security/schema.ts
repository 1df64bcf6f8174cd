import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Security'

const Session = z
  .object({
    id: z.string(),
    device: z.string().meta({ description: 'From the `User-Agent` of the sign-in.' }),
    ip_address: z.string().meta({ description: 'Of the sign-in; empty where it is not known.' }),
    location: z.string(),
    last_active: z.iso.datetime().meta({ description: 'Written about once a minute.' }),
    created_at: z.iso.datetime(),
    client: z
      .string()
      .optional()
      .meta({ description: 'The program that the user has let in by MCP, where the session is one’s.' }),
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
