import { randomUUID } from 'node:crypto'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import { registrationAttempts } from '@memory/shared/throttle/attempts'
import { foundOrganization } from '../organizations/service.ts'
import type { AccountsContext } from './context.ts'
import { nameOfOrganization } from './organization-name.ts'
import { checkPassword } from './password-rules.ts'
import { issueTokens, startSession } from './sessions.ts'
import { findAccount, insertUser } from './user-store.ts'
import { sendVerification } from './verification.ts'

export interface Registration {
  /** In the normalized form of `mailboxOf`. */
  email: string
  password: string
  full_name?: string | null | undefined
  /** An alias of `full_name`. */
  name?: string | null | undefined
  organization_name?: string | null | undefined
}

/**
 * Makes a user, an organization owned by the user, and a session.
 * @throws ApiError email_taken, too_many_attempts, unavailable; ValidationError
 */
export async function register(context: AccountsContext, body: Registration, origin: Origin) {
  const { passwords, settings } = context
  checkPassword(body.password, body.email, settings.passwordBlocklist, ['body', 'password'])
  return passwords.attempt(() => createAccount(context, body, origin))
}

async function createAccount(context: AccountsContext, body: Registration, origin: Origin) {
  const { queries, passwords, settings, throttle } = context
  const { email, password } = body
  await throttle.take(registrationAttempts(origin.ip))
  // Checked before the expensive hash. A concurrent registration of the same address is detected by the insert below.
  if (await findAccount(queries, email)) throw new ApiError('email_taken')
  const passwordHash = await passwords.hash(password)
  const userId = randomUUID()
  const organizationId = randomUUID()
  const fullName = body.full_name ?? body.name ?? null
  const session = await asTenant(queries, { userId, organizationId }, async (trx) => {
    const inserted = await insertUser(trx, {
      id: userId,
      email,
      full_name: fullName,
      password_hash: passwordHash,
      is_platform_admin: settings.platformAdmins.has(email) && origin.isLocal && !settings.verifiedAdminsOnly,
      registered_locally: origin.isLocal,
    })
    if (!inserted) throw new ApiError('email_taken')
    const name = body.organization_name ?? nameOfOrganization(fullName, email)
    await foundOrganization(trx, { id: organizationId, name, plan: settings.defaultPlan }, userId)
    const started = await startSession(trx, userId, origin)
    await sendVerification({ ...context, ...settings }, trx, { id: userId, email })
    await recordAudit(trx, {
      action: 'register',
      actor: { kind: 'user', userId, sessionId: started.sessionId, email },
      origin,
      organizationId,
      userId,
    })
    return started
  })
  const { access_token, refresh_token } = await issueTokens(context, session)
  return {
    user_id: userId,
    organization_id: organizationId,
    email,
    access_token,
    refresh_token,
    message: 'Account created. A link to verify the email address has been sent to it.',
  }
}
