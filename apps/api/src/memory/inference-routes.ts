import { classifyBelief } from '@memory/shared/memory/inference/belief'
import { decideRouting, evaluateEfe } from '@memory/shared/memory/inference/routing'
import { DecideRouting, EvaluateEfe } from '@memory/shared/memory/inference/routing-schema'
import * as schema from '@memory/shared/memory/inference/schema'
import { endpoint } from '../http/endpoint.ts'

export const inferenceRoutes = [
  endpoint(schema.ClassifyBelief, ({ context, caller, body }) =>
    classifyBelief(context.memory, caller, body),
  ),
  endpoint(DecideRouting, ({ context, caller, body }) => decideRouting(context.memory, caller, body)),
  endpoint(EvaluateEfe, ({ context, caller, body }) => evaluateEfe(context.memory, caller, body)),
]
