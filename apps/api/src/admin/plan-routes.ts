import { changePlan } from '@memory/identity/organizations/change-plan'
import { ChangePlan } from '@memory/identity/organizations/schema'
import { endpoint } from '../http/endpoint.ts'

export const planRoutes = [
  endpoint(ChangePlan, ({ context, caller, params, body }) =>
    changePlan(context.accounts, caller, params.org_id, body.plan),
  ),
]
