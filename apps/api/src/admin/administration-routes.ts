import * as schema from '@memory/identity/administration/schema'
import * as administration from '@memory/identity/administration/service'
import { endpoint } from '../http/endpoint.ts'

export const administrationRoutes = [
  endpoint(schema.ListPlans, async ({ context }) => administration.listPlans(context.accounts)),
  endpoint(schema.ListAllOrganizations, ({ context, query }) =>
    administration.listAllOrganizations(context.accounts, query),
  ),
  endpoint(schema.ListAllUsers, ({ context, query }) => administration.listAllUsers(context.accounts, query)),
  endpoint(schema.GetAnyUser, ({ context, params }) =>
    administration.getAnyUser(context.accounts, params.user_id),
  ),
  endpoint(schema.SuspendUser, ({ context, caller, params, body }) =>
    administration.suspendUser(context.accounts, caller, params.user_id, body),
  ),
  endpoint(schema.ActivateUser, ({ context, caller, params }) =>
    administration.activateUser(context.accounts, caller, params.user_id),
  ),
  endpoint(schema.ReadTotalUsage, ({ context, query }) =>
    administration.readTotalUsage(context.accounts, query),
  ),
]
