import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { acceptInvitation as accept } from '../organizations/invitations.ts'
import type { AcceptInvitation } from '../organizations/schema.ts'
import type { AccountsContext } from './context.ts'
import { proveAddress } from './prove-address.ts'

/** Makes the caller a member by a mailed token, which also shows that the mailbox is theirs. @throws as `accept` */
export function acceptInvitation(
  { queries, settings }: Pick<AccountsContext, 'queries' | 'settings'>,
  caller: SignedIn,
  token: string,
): Promise<Output<typeof AcceptInvitation>> {
  const user = { id: caller.userId, email: caller.email }
  return accept({ queries }, caller, token, (trx) =>
    proveAddress(trx, settings.platformAdmins, user, 'invitation', caller.origin),
  )
}
