import { decideRouting, evaluateEfe } from '@memory/memory/routing/routing'
import { DecideRouting, EvaluateEfe } from '@memory/memory/routing/schema'
import { endpoint } from '../http/endpoint.ts'

export const routingRoutes = [
  endpoint(DecideRouting, ({ context, caller, body }) => decideRouting(context.memory, caller, body)),
  endpoint(EvaluateEfe, ({ context, caller, body }) => evaluateEfe(context.memory, caller, body)),
]
