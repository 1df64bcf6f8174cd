import { Sleep } from '@memory/memory/sleep/schema'
import { sleep } from '@memory/memory/sleep/sleep'
import { endpoint } from '../http/endpoint.ts'

export const sleepRoutes = [
  endpoint(Sleep, ({ context, caller, body }) => sleep(context.memory, caller, body)),
]
