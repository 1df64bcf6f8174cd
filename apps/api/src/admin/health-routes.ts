import { endpoint } from '../http/endpoint.ts'
import { ReadHealth } from '../ops/health-schema.ts'
import { readHealth } from '../ops/read-health.ts'

export const healthRoutes = [endpoint(ReadHealth, ({ context }) => readHealth(context))]
