import { AccelerationStatus, RunBenchmark } from '@memory/memory/acceleration/schema'
import { endpoint } from '../http/endpoint.ts'

export const accelerationRoutes = [
  endpoint(AccelerationStatus, async ({ context }) => context.acceleration.status()),
  endpoint(RunBenchmark, ({ context, caller, body }) => context.acceleration.benchmark(caller, body)),
]
