import { ListSessions, RevokeSession } from '@memory/identity/security/schema'
import { listSessions, revokeSession } from '@memory/identity/security/sessions'
import { listAuditLog } from '@memory/shared/audit/list-audit-log'
import { ReadAuditLog } from '@memory/shared/audit/schema'
import { endpoint } from '../http/endpoint.ts'

export const securityRoutes = [
  endpoint(ListSessions, ({ context, caller }) => listSessions(context.database, caller)),
  endpoint(RevokeSession, ({ context, caller, params }) =>
    revokeSession(context.database, caller, params.session_id),
  ),
  endpoint(ReadAuditLog, ({ context, caller, query }) => listAuditLog(context.database, caller, query)),
]
