import { breakDownUsage } from '@memory/identity/usage/break-down'
import { readUsageHistory } from '@memory/identity/usage/read-history'
import { readLatencies } from '@memory/identity/usage/read-latencies'
import * as schema from '@memory/identity/usage/schema'
import { readOrganizationUsage, summarizeUsage } from '@memory/identity/usage/service'
import { endpoint } from '../http/endpoint.ts'

export const usageRoutes = [
  endpoint(schema.SummarizeUsage, ({ context, caller }) => summarizeUsage(context.usage, caller)),
  endpoint(schema.ReadUsageHistory, ({ context, caller, query }) =>
    readUsageHistory(context.usage, caller, query),
  ),
  endpoint(schema.ReadLatencies, ({ context, caller, query }) => readLatencies(context.usage, caller, query)),
  endpoint(schema.BreakDownUsage, ({ context, caller, query }) =>
    breakDownUsage(context.usage, caller, query),
  ),
  endpoint(schema.ReadOrganizationUsage, ({ context, caller, params }) =>
    readOrganizationUsage(context.usage, caller, params.org_id),
  ),
]
