import { ApiError } from '@memory/shared/catalogue/errors'
import type { Tenant, Trx } from '@memory/shared/platform/database/database'
import { type EmailTokenPurpose, findTokenOwner } from './email-token-store.ts'
import { type Account, lockUser } from './user-store.ts'

/**
 * Finds and locks the account of a mailed token. The transaction must be one of `withTokenHash`; it goes on as the account's
 * tenant.
 * @throws ApiError invalid_token; token_revoked when the account is suspended or deleted
 */
export async function lockTokenOwner(
  trx: Trx,
  switchTenant: (tenant: Tenant) => Promise<void>,
  purpose: EmailTokenPurpose,
  hash: Uint8Array,
): Promise<Account> {
  const userId = await findTokenOwner(trx, purpose, hash)
  if (userId === undefined) throw new ApiError('invalid_token')
  await switchTenant({ userId })
  const account = await lockUser(trx, userId)
  if (account?.status !== 'active') throw new ApiError('token_revoked')
  return account
}
