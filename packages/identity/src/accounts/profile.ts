import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { AccountsContext } from './context.ts'
import type { ChangeProfile, User } from './profile-schema.ts'
import * as store from './profile-store.ts'

type Reading = Pick<AccountsContext, 'queries'>

export function getProfile({ queries }: Reading, caller: SignedIn): Promise<User> {
  return asTenant(queries, { userId: caller.userId }, (trx) => readProfile(trx, caller))
}

/** Changes those fields that are given. */
export function changeProfile(
  { queries }: Reading,
  caller: SignedIn,
  { full_name }: Input<typeof ChangeProfile>['body'],
): Promise<User> {
  const { userId } = caller
  return asTenant(queries, { userId }, async (trx) => {
    if (full_name !== undefined) await store.setName(trx, userId, full_name)
    return readProfile(trx, caller)
  })
}

/** @throws ApiError token_revoked for a user who has been erased since the request was authenticated */
async function readProfile(trx: Trx, { userId, organization }: SignedIn): Promise<User> {
  const row = await store.find(trx, userId)
  if (row === undefined) throw new ApiError('token_revoked')
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    email_verified: row.email_verified_at !== null,
    mfa_enabled: Boolean(row.mfa_enabled),
    status: row.status,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at.toISOString(),
    avatar_url: row.avatar_url,
    is_platform_admin: row.is_platform_admin,
    organization_id: organization?.id ?? null,
  }
}
