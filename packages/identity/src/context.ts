import type { Clock } from '@memory/shared/platform/clock'
import { type Config, isLocalStart, linkBaseOf } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { LastUse } from '@memory/shared/platform/last-use'
import type { Log } from '@memory/shared/platform/log'
import type { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import type { Secrets } from '@memory/shared/platform/secrets'
import { makeRules } from '@memory/shared/throttle/rules'
import { Throttle } from '@memory/shared/throttle/throttle'
import type { SessionAuthCache } from './accounts/authentication.ts'
import { touch as touchSessions } from './accounts/authentication-store.ts'
import { ConsoleLinks } from './accounts/console-links.ts'
import type { AccountsContext } from './accounts/context.ts'
import { Exchanges } from './accounts/exchanges.ts'
import { operatorId } from './accounts/local-operator.ts'
import { Passwords, type PasswordsOptions } from './accounts/passwords.ts'
import { appointPlatformAdmins } from './accounts/user-store.ts'
import { ClientTokens } from './clients/client-tokens.ts'
import { AuthBatcher } from './keys/auth-batcher.ts'
import { recordKeyUse } from './keys/service.ts'
import { AuthCache } from './security/auth-cache.ts'
import { AccessTokens } from './tokens/access-tokens.ts'
import { ReceiptKeys } from './tokens/receipt-keys.ts'
import { SigningKeys } from './tokens/signing-keys.ts'
import { SubjectTokens } from './tokens/subject-tokens.ts'
import type { UsageContext } from './usage/service.ts'
import { UsageLog } from './usage/usage-log.ts'
import { AddressGate } from './webhooks/address-gate.ts'
import type { WebhooksContext } from './webhooks/context.ts'

/** What authenticates callers. */
export interface CallersContext {
  authentication: AuthBatcher
  /** Recent authentications by access token. Undefined when the database must be asked each time (PostgreSQL). */
  knownSessions: SessionAuthCache | undefined
  keyUse: LastUse
  sessionUse: LastUse
  accessTokens: AccessTokens
  subjectTokens: SubjectTokens
  clientTokens: ClientTokens
}

/** What the services of this package need, by subject. */
export interface IdentityContext {
  callers: CallersContext
  accounts: AccountsContext
  webhooks: WebhooksContext
  usage: UsageContext
  /** Signs receipts of erasures. */
  receipts: ReceiptKeys
}

/** What `openIdentity` needs. */
export interface IdentityParts {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
  clock: Clock
  lowPriority: LowPriorityQueue
  /** How passwords are hashed. */
  passwords: Pick<PasswordsOptions, 'cost' | 'derive'>
}

/** Opens the identity services of an API process, and makes the users named in MEMORY_PLATFORM_ADMINS platform admins. */
export async function openIdentity(parts: IdentityParts): Promise<IdentityContext> {
  const { config, database, secrets, log, clock, lowPriority } = parts
  const { queries } = database
  const { platformAdmins, verifiedAdminsOnly } = config
  // The operator of a local start is no user of the settings, but stays a platform admin.
  const stays = isLocalStart(config) && !verifiedAdminsOnly ? operatorId : undefined
  const unverified = await appointPlatformAdmins(queries, platformAdmins, verifiedAdminsOnly, stays)
  if (unverified > 0)
    log.warn({ count: unverified }, 'platform admins who have to verify their address first')
  const signingKeys = new SigningKeys({ queries, secrets, clock })
  const accessTokens = new AccessTokens(signingKeys, config.issuer, clock)
  return {
    callers: {
      authentication: new AuthBatcher(queries, await AuthCache.open(database)),
      knownSessions: await AuthCache.open(database),
      keyUse: new LastUse((uses) => recordKeyUse(queries, uses), clock, lowPriority),
      sessionUse: new LastUse((uses) => touchSessions(queries, uses), clock, lowPriority),
      accessTokens,
      subjectTokens: new SubjectTokens(signingKeys, config.issuer, clock),
      clientTokens: new ClientTokens(signingKeys, config.issuer, `${linkBaseOf(config)}/mcp`, clock),
    },
    accounts: openAccounts(parts, accessTokens),
    webhooks: { queries, secrets, clock, gate: new AddressGate(config.webhookAllowCidrs) },
    usage: { queries, clock, log: new UsageLog(queries, clock, lowPriority) },
    receipts: new ReceiptKeys({ queries, secrets, clock }, config),
  }
}

function openAccounts(
  { config, database, secrets, clock, passwords }: IdentityParts,
  accessTokens: AccessTokens,
): AccountsContext {
  const { queries, lowPriorityQueries } = database
  const { registrationsPerHour } = config
  return {
    ...{ queries, lowPriorityQueries, clock, secrets, accessTokens },
    passwords: new Passwords({ concurrency: config.passwords.concurrency, ...passwords }),
    throttle: new Throttle(
      lowPriorityQueries,
      makeRules({ login: config.loginLimits, registrationsPerHour }),
    ),
    exchanges: new Exchanges(),
    consoleLinks: new ConsoleLinks(clock),
    settings: {
      publicBaseUrl: linkBaseOf(config),
      platformAdmins: new Set(config.platformAdmins),
      verifiedAdminsOnly: config.verifiedAdminsOnly,
      defaultPlan: config.defaultPlan,
      passwordBlocklist: config.passwords.blocklist,
      registrationsPerHour,
    },
  }
}
