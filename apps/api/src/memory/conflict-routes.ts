import { ListConflicts, ReopenConflict, ResolveConflict } from '@memory/memory/conflicts/schema'
import { listConflicts, reopenConflict, resolveConflict } from '@memory/memory/conflicts/service'
import { endpoint } from '../http/endpoint.ts'

export const conflictRoutes = [
  endpoint(ListConflicts, ({ context, caller, query }) => listConflicts(context.memory, caller, query)),
  endpoint(ResolveConflict, ({ context, caller, params, body }) =>
    resolveConflict(context.memory, caller, params.conflict_id, body),
  ),
  endpoint(ReopenConflict, ({ context, caller, params }) =>
    reopenConflict(context.memory, caller, params.conflict_id),
  ),
]
