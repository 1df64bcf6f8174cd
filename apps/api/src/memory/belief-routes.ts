import { classifyBelief } from '@memory/shared/memory/inference/belief'
import { ClassifyBelief } from '@memory/shared/memory/inference/belief-schema'
import { endpoint } from '../http/endpoint.ts'

export const beliefRoutes = [
  endpoint(ClassifyBelief, ({ context, caller, body }) => classifyBelief(context.memory, caller, body)),
]
