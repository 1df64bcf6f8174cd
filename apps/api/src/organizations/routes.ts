import { acceptInvitation } from '@memory/identity/accounts/accept-invitation'
import { invite, listInvitations, withdrawInvitation } from '@memory/identity/organizations/invitations'
import { changeMember, listMembers, removeMember } from '@memory/identity/organizations/manage-members'
import {
  changeOrganization,
  getOrganization,
  listOrganizations,
} from '@memory/identity/organizations/manage-organizations'
import * as schema from '@memory/identity/organizations/schema'
import { endpoint } from '../http/endpoint.ts'

export const organizationRoutes = [
  endpoint(schema.ListOrganizations, ({ context, caller }) => listOrganizations(context.accounts, caller)),
  endpoint(schema.GetOrganization, ({ context, caller, params }) =>
    getOrganization(context.accounts, caller, params.org_id),
  ),
  endpoint(schema.ChangeOrganization, ({ context, caller, params, body }) =>
    changeOrganization(context.accounts, caller, params.org_id, body),
  ),
  endpoint(schema.ListMembers, ({ context, caller, params }) =>
    listMembers(context.accounts, caller, params.org_id),
  ),
  endpoint(schema.ChangeMember, ({ context, caller, params, body }) =>
    changeMember(context.accounts, caller, params.org_id, params.user_id, body.role),
  ),
  endpoint(schema.RemoveMember, ({ context, caller, params }) =>
    removeMember(context.accounts, caller, params.org_id, params.user_id),
  ),
  endpoint(schema.ListInvitations, ({ context, caller, params }) =>
    listInvitations(context.accounts, caller, params.org_id),
  ),
  endpoint(schema.Invite, ({ context, caller, params, body }) =>
    invite(context.accounts, caller, params.org_id, body),
  ),
  endpoint(schema.WithdrawInvitation, ({ context, caller, params }) =>
    withdrawInvitation(context.accounts, caller, params.org_id, params.invitation_id),
  ),
  endpoint(schema.AcceptInvitation, ({ context, caller, body }) =>
    acceptInvitation(context.accounts, caller, body.token),
  ),
]
