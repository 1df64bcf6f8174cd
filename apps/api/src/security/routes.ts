import { ReadAuditLog } from '@memory/shared/security/audit-schema'
import { listAuditLog } from '@memory/shared/security/list-audit-log'
import { ListSessions, RevokeSession } from '@memory/shared/security/schema'
import { listSessions, revokeSession } from '@memory/shared/security/sessions'
import { endpoint } from '../http/endpoint.ts'

export const securityRoutes = [
  endpoint(ListSessions, ({ context, caller }) => listSessions(context.database, caller)),
  endpoint(RevokeSession, ({ context, caller, params }) =>
    revokeSession(context.database, caller, params.session_id),
  ),
  endpoint(ReadAuditLog, ({ context, caller, query }) => listAuditLog(context.database, caller, query)),
]
