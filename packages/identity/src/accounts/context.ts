import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { Throttle } from '@memory/shared/throttle/throttle'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { ConsoleLinks } from './console-links.ts'
import type { Exchanges } from './exchanges.ts'
import type { Passwords } from './passwords.ts'

/** What the services around accounts work with. */
export interface AccountsContext {
  queries: Queries
  /** For signing in, of which a crowd must not hold up everybody else. */
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

/** What mails with a link are written with. */
export type LinkContext = Pick<AccountsContext, 'secrets'> & Pick<AccountSettings, 'publicBaseUrl'>

interface AccountSettings {
  /** What links in mails begin with, without a slash at the end; never taken from a request. */
  publicBaseUrl: string
  /** Mailboxes of those who run the service. */
  platformAdmins: ReadonlySet<string>
  /** Whether they are so only once their address is verified, wherever they registered. */
  verifiedAdminsOnly: boolean
  /** Plan of the organizations that registrations create. */
  defaultPlan: PlanName
  /** Whether common passwords are refused. */
  passwordBlocklist: boolean
  /** From one address. */
  registrationsPerHour: number
}
