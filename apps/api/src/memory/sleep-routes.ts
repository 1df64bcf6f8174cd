import { sleep } from '@memory/shared/memory/consolidation/sleep'
import { Sleep } from '@memory/shared/memory/consolidation/sleep-schema'
import { endpoint } from '../http/endpoint.ts'

export const sleepRoutes = [
  endpoint(Sleep, ({ context, caller, body }) => sleep(context.memory, caller, body)),
]
