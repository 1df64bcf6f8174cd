import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import type { SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { AccountsContext } from './context.ts'
import * as store from './session-store.ts'

/** Ends the session that the request is part of: its tokens are refused everywhere from the answer on. */
export async function logout({ queries }: AccountsContext, caller: SignedIn) {
  const { userId, sessionId, origin } = caller
  await asTenant(queries, { userId }, async (trx) => {
    // Another request may have ended it meanwhile, and has told of it.
    if (!(await store.revokeSession(trx, userId, sessionId))) return
    await recordAudit(trx, {
      action: 'logout',
      actor: actorOf(caller),
      origin,
      userId,
      target: sessionId,
    })
  })
  return { message: 'Signed out' }
}

/** Ends all sessions of the user, this one too. */
export async function logoutAll({ queries }: AccountsContext, caller: SignedIn) {
  const { userId, origin } = caller
  await asTenant(queries, { userId }, async (trx) => {
    const sessions = await store.revokeSessions(trx, userId)
    await recordAudit(trx, {
      action: 'logout_all',
      actor: actorOf(caller),
      origin,
      userId,
      details: { sessions },
    })
  })
  return { message: 'Signed out everywhere' }
}
