import { ApiError } from '@memory/shared/catalogue/errors'
import type { Tenant, Trx } from '@memory/shared/platform/database/database'
import { type EmailTokenPurpose, findTokenOwner } from './email-token-store.ts'
import { type Account, lockUser } from './user-store.ts'

/**
 * The account that a mailed token is of, locked, in a transaction that sees what was presented and goes on as the
 * account's.
 * @throws ApiError invalid_token, token_revoked where the account is suspended or deleted
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
