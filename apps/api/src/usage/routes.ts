import { readUsageHistory } from '@memory/shared/usage/read-history'
import { readLatencies } from '@memory/shared/usage/read-latencies'
import * as schema from '@memory/shared/usage/schema'
import { readOrganizationUsage, summarizeUsage } from '@memory/shared/usage/service'
import { endpoint } from '../http/endpoint.ts'

export const usageRoutes = [
  endpoint(schema.SummarizeUsage, ({ context, caller }) => summarizeUsage(context.usage, caller)),
  endpoint(schema.ReadUsageHistory, ({ context, caller, query }) =>
    readUsageHistory(context.usage, caller, query),
  ),
  endpoint(schema.ReadLatencies, ({ context, caller, query }) => readLatencies(context.usage, caller, query)),
  endpoint(schema.ReadOrganizationUsage, ({ context, caller, params }) =>
    readOrganizationUsage(context.usage, caller, params.org_id),
  ),
]
