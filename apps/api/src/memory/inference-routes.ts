import { classifyBelief } from '@memory/shared/memory/inference/belief'
import * as schema from '@memory/shared/memory/inference/schema'
import { endpoint } from '../http/endpoint.ts'

export const inferenceRoutes = [
  endpoint(schema.ClassifyBelief, ({ context, caller, body }) =>
    classifyBelief(context.memory, caller, body),
  ),
]
