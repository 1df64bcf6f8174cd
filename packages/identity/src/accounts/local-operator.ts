import { randomBytes } from 'node:crypto'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { localOrganizationId } from '../keys/bootstrap.ts'
import { addOwner, lockOrganization } from '../organizations/operator.ts'
import type { AccountsContext } from './context.ts'
import { requireActive } from './login.ts'
import { issueTokens, type StartedSession, startSession, type Tokens } from './sessions.ts'
import { type Account, appointPlatformAdmin, insertUser, lockUser, recordLogin } from './user-store.ts'

/** The user for whoever runs a local service; an owner of the local organization. The id is fixed, so that there is only one. */
export const operatorId = '00000000-0000-4000-8000-000000000002'
/** Addresses that lead nowhere outside this machine. The second is for when somebody has registered the first. */
const operatorEmails = () =>
  ['', `-${randomBytes(4).toString('hex')}`].map((end) => `operator${end}@memory.localhost`)

/**
 * Signs in the operator of a local service by the console link that its start printed. It works once, and only from the machine
 * itself. Whoever can read the service's output can read its data folder too, so the operator becomes a platform admin; but not
 * when the service has a public https address, where only the settings name platform admins.
 * @throws ApiError invalid_token, account_deleted, account_suspended
 */
export async function signInOperator(
  context: AccountsContext,
  token: string,
  origin: Origin,
): Promise<Tokens> {
  // An attempt from elsewhere must not use the link up.
  const putBack = origin.isLocal ? context.consoleLinks.take(token) : undefined
  if (putBack === undefined) throw new ApiError('invalid_token')
  try {
    return await issueTokens(context, await startAsOperator(context, origin))
  } catch (error) {
    // What could not be done, as while the database is away, is tried again with the same link: no other is made before a restart.
    putBack()
    throw error
  }
}

async function startAsOperator(
  { queries, passwords, settings }: AccountsContext,
  origin: Origin,
): Promise<StartedSession> {
  // A random password that nobody knows: this user signs in only by links.
  const passwordHash = await passwords.hash(randomBytes(32).toString('base64url'))
  const tenant = { userId: operatorId, organizationId: localOrganizationId }
  return asTenant(queries, tenant, async (trx) => {
    await lockOrganization(trx, localOrganizationId)
    const operator = await ensureOperator(trx, passwordHash)
    requireActive(operator)
    await addOwner(trx, localOrganizationId, operator)
    const isAppointed = !settings.verifiedAdminsOnly && (await appointPlatformAdmin(trx, operatorId))
    await recordLogin(trx, operatorId)
    const started = await startSession(trx, operatorId, origin)
    await recordAudit(trx, {
      action: 'login',
      actor: { kind: 'user', userId: operatorId, sessionId: started.sessionId, email: operator.email },
      origin,
      userId: operatorId,
      details: { by: 'console link', ...(isAppointed && { platform_admin: true }) },
    })
    return started
  })
}

async function ensureOperator(trx: Trx, passwordHash: string): Promise<Account> {
  const found = await lockUser(trx, operatorId)
  if (found !== undefined) return found
  for (const email of operatorEmails()) {
    const isMade = await insertUser(trx, {
      id: operatorId,
      email,
      full_name: null,
      password_hash: passwordHash,
      is_platform_admin: false,
      registered_locally: true,
    })
    if (isMade) break
  }
  const made = await lockUser(trx, operatorId)
  if (made === undefined) throw new Error('The operator that was made is not there.')
  return made
}
