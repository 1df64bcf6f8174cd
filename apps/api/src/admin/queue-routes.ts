import * as queues from '@memory/shared/ops/queues'
import * as schema from '@memory/shared/ops/queues-schema'
import { endpoint } from '../http/endpoint.ts'

export const queueRoutes = [
  endpoint(schema.ListQueues, ({ context }) => queues.listQueues(context)),
  endpoint(schema.ListJobs, ({ context, params, query }) => queues.listJobs(context, params.queue, query)),
  endpoint(schema.RetryJob, ({ context, caller, params }) => queues.retryJob(context, caller, params)),
  endpoint(schema.RemoveJob, ({ context, caller, params }) => queues.removeJob(context, caller, params)),
]
