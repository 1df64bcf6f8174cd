import {
  changeKey,
  createOrganizationKey,
  listOrganizationKeys,
  revokeOrganizationKey,
} from '@memory/identity/keys/manage-keys'
import * as schema from '@memory/identity/keys/schema'
import { endpoint } from '../http/endpoint.ts'

export const keyRoutes = [
  endpoint(schema.ListKeys, ({ context, caller }) =>
    listOrganizationKeys(context.accounts, caller, undefined),
  ),
  endpoint(schema.CreateKey, ({ context, caller, body }) =>
    createOrganizationKey(context.accounts, caller, undefined, body),
  ),
  endpoint(schema.ChangeKey, ({ context, caller, params, body }) =>
    changeKey(context.accounts, caller, undefined, params.key_id, body),
  ),
  endpoint(schema.RevokeKey, ({ context, caller, params }) =>
    revokeOrganizationKey(context.accounts, caller, undefined, params.key_id),
  ),
  endpoint(schema.ListOrganizationKeys, ({ context, caller, params }) =>
    listOrganizationKeys(context.accounts, caller, params.org_id),
  ),
  endpoint(schema.CreateOrganizationKey, ({ context, caller, params, body }) =>
    createOrganizationKey(context.accounts, caller, params.org_id, body),
  ),
  endpoint(schema.ChangeOrganizationKey, ({ context, caller, params, body }) =>
    changeKey(context.accounts, caller, params.org_id, params.key_id, body),
  ),
  endpoint(schema.RevokeOrganizationKey, ({ context, caller, params }) =>
    revokeOrganizationKey(context.accounts, caller, params.org_id, params.key_id),
  ),
]
