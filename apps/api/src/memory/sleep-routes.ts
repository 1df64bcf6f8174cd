import { ListRuns } from '@memory/memory/runs/schema'
import { listRuns } from '@memory/memory/runs/service'
import { Sleep } from '@memory/memory/sleep/schema'
import { sleep } from '@memory/memory/sleep/sleep'
import { endpoint } from '../http/endpoint.ts'

export const sleepRoutes = [
  endpoint(Sleep, ({ context, caller, body }) => sleep(context.memory, caller, body)),
  endpoint(ListRuns, ({ context, caller, query }) => listRuns(context.memory, caller, query)),
]
