import type { PlanName } from '../catalogue/plans.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Throttle } from '../throttle/throttle.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { Exchanges } from './exchanges.ts'
import type { Passwords } from './passwords.ts'

/** What the services around accounts work with. */
export interface AccountsContext {
  queries: Queries
  /** For signing in, of which a crowd must not hold up everybody else. */
  patientQueries: Queries
  clock: Clock
  secrets: Secrets
  accessTokens: AccessTokens
  passwords: Passwords
  throttle: Throttle
  exchanges: Exchanges
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
