import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { Throttle } from '@memory/shared/throttle/throttle'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { ConsoleLinks } from './console-links.ts'
import type { Exchanges } from './exchanges.ts'
import type { Passwords } from './passwords.ts'

/** What the services for accounts need. */
export interface AccountsContext {
  queries: Queries
  /** For signing in: many sign-ins at once must not delay all other requests. */
  lowPriorityQueries: Queries
  clock: Clock
  secrets: Secrets
  accessTokens: AccessTokens
  passwords: Passwords
  throttle: Throttle
  exchanges: Exchanges
  consoleLinks: ConsoleLinks
  settings: AccountSettings
}

/** What is needed to send mails with a link. */
export type LinkContext = Pick<AccountsContext, 'secrets'> & Pick<AccountSettings, 'publicBaseUrl'>

interface AccountSettings {
  /** The base URL of links in mails, without a trailing slash; never taken from a request. */
  publicBaseUrl: string
  /** Email addresses of the platform admins, in the normalized form of `mailboxOf`. */
  platformAdmins: ReadonlySet<string>
  /** Whether platform admins must verify their address even if they registered on this machine. */
  verifiedAdminsOnly: boolean
  /** The plan of organizations created by registrations. */
  defaultPlan: PlanName
  /** Whether common passwords are refused. */
  passwordBlocklist: boolean
  /** Registrations that one IP address may attempt in an hour. */
  registrationsPerHour: number
}
