import { classifyBelief } from '@memory/memory/belief/belief'
import { ClassifyBelief } from '@memory/memory/belief/schema'
import { endpoint } from '../http/endpoint.ts'

export const beliefRoutes = [
  endpoint(ClassifyBelief, ({ context, caller, body }) => classifyBelief(context.memory, caller, body)),
]
