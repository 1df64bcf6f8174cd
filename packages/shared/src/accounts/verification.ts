import { enqueueMail } from '../mail/enqueue.ts'
import type { Trx } from '../platform/database/database.ts'
import type { AccountsContext } from './context.ts'
import { putEmailToken } from './email-token-store.ts'
import { newToken } from './single-use-token.ts'

/** Mails a link that verifies an address, to a user who is the transaction's tenant. */
export async function sendVerification(
  { secrets, settings }: AccountsContext,
  trx: Trx,
  user: { id: string; email: string },
): Promise<void> {
  const { token, hash } = newToken('verify')
  await putEmailToken(trx, user.id, 'verify-email', hash)
  await enqueueMail(trx, secrets, {
    to: user.email,
    template: 'verify-email',
    parameters: { link: `${settings.publicBaseUrl}/verify-email#token=${token}` },
    userId: user.id,
  })
}
