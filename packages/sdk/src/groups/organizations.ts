import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf } from '../operations.ts'
import { byCursor } from '../pages.ts'

/** API keys of the caller's organization. */
export const apiKeysOf = ({ plain, body }: Calls) => ({
  list: plain('GET /v1/api-keys'),
  /** Makes a key, which is shown only here. */
  create: body('POST /v1/api-keys'),
  update: body('PATCH /v1/api-keys/{key_id}'),
  revoke: plain('DELETE /v1/api-keys/{key_id}'),
})

/** Organizations, who belongs to them, and their API keys. */
export const organizationsOf = ({ plain, body }: Calls) => ({
  list: plain('GET /v1/organizations'),
  get: plain('GET /v1/organizations/{org_id}'),
  update: body('PATCH /v1/organizations/{org_id}'),
  members: plain('GET /v1/organizations/{org_id}/members'),
  updateMember: body('PATCH /v1/organizations/{org_id}/members/{user_id}'),
  removeMember: plain('DELETE /v1/organizations/{org_id}/members/{user_id}'),
  invitations: plain('GET /v1/organizations/{org_id}/invitations'),
  /** Invites somebody by mail. */
  invite: body('POST /v1/organizations/{org_id}/invitations'),
  withdrawInvitation: plain('DELETE /v1/organizations/{org_id}/invitations/{invitation_id}'),
  acceptInvitation: body('POST /v1/invitations/accept'),
  apiKeys: plain('GET /v1/organizations/{org_id}/api-keys'),
  /** Makes a key, which is shown only here. */
  createApiKey: body('POST /v1/organizations/{org_id}/api-keys'),
  updateApiKey: body('PATCH /v1/organizations/{org_id}/api-keys/{key_id}'),
  revokeApiKey: plain('DELETE /v1/organizations/{org_id}/api-keys/{key_id}'),
})

/** What a space and an organization have used. */
export const usageOf = ({ plain, query }: Calls) => {
  const breakdown = query('GET /v1/usage/breakdown')
  return {
    summary: plain('GET /v1/usage/summary'),
    history: query('GET /v1/usage/history'),
    latency: query('GET /v1/usage/latency'),
    /** A page of what the use of the space is made of: by operation, key or subject. */
    breakdown,
    /** All that it is made of. */
    allOfBreakdown: (given?: GivenOf<'GET /v1/usage/breakdown'>, options?: CallOptions) =>
      byCursor(breakdown, ({ items }) => items, given, options),
    organization: plain('GET /v1/usage/organization/{org_id}'),
  }
}
