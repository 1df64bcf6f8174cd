import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import type { SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { AccountsContext } from './context.ts'
import { voidChallenges } from './mfa-store.ts'
import * as store from './session-store.ts'

/** Ends the session of the request. From the answer on, every process refuses its tokens. */
export async function logout({ queries }: AccountsContext, caller: SignedIn) {
  const { userId, sessionId, origin } = caller
  await asTenant(queries, { userId }, async (trx) => {
    // Another request has ended it meanwhile, and recorded that.
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

/** Ends all sessions of the user, including this one, and sign-ins that wait for a code. */
export async function logoutAll({ queries }: AccountsContext, caller: SignedIn) {
  const { userId, origin } = caller
  await asTenant(queries, { userId }, async (trx) => {
    const sessions = await store.revokeSessions(trx, userId)
    await voidChallenges(trx, userId)
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
