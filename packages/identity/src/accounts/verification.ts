import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import { hashToken, newToken } from '../tokens/single-use-token.ts'
import type { AccountsContext, LinkContext } from './context.ts'
import { putEmailToken, useEmailToken } from './email-token-store.ts'
import { requestMail } from './mail-request.ts'
import { proveAddress } from './prove-address.ts'
import { lockTokenOwner } from './token-owner.ts'

/** Mails a user a link to verify the address. The user must be the transaction's tenant. */
export async function sendVerification(
  { secrets, publicBaseUrl }: LinkContext,
  trx: Trx,
  user: { id: string; email: string },
): Promise<void> {
  const { token, hash } = newToken('verify')
  await putEmailToken(trx, user.id, 'verify-email', hash)
  await enqueueMail(trx, secrets, {
    to: user.email,
    template: 'verify-email',
    parameters: { link: `${publicBaseUrl}/verify-email#token=${token}` },
    userId: user.id,
  })
}

/** Mails another link, if the address has an unverified account. Neither answer nor time reveal whether it has. */
export async function resendVerification(context: AccountsContext, email: string, origin: Origin) {
  await requestMail(context, 'verify-email', email, origin)
  return { message: 'If this address has an account that is not verified, a link has been sent to it.' }
}

/** @throws ApiError invalid_token, token_revoked */
export async function verifyEmail({ queries, settings }: AccountsContext, token: string, origin: Origin) {
  const hash = hashToken(token)
  await withTokenHash(queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const account = await lockTokenOwner(trx, switchTenant, 'verify-email', hash)
    if (!(await useEmailToken(trx, account.id, 'verify-email', hash))) throw new ApiError('invalid_token')
    await proveAddress(trx, settings.platformAdmins, account, 'link', origin)
  })
  return { message: 'Email address verified' }
}
