/** How often something may be attempted. */
export interface Rule {
  limit: number
  windowS: number
}

/** Failed logins of one email from one address, from one address, and of one email from anywhere. */
export interface LoginLimits {
  pair: number
  address: number
  email: number
}

/** Every limit on attempts. */
export interface Rules {
  loginPair: Rule
  loginAddress: Rule
  loginEmail: Rule
  /** Wrong codes of one user from anywhere, by who knows the password already. */
  mfaUser: Rule
  registrationAddress: Rule
  /** Requests for mails from one address, whoever they are to. */
  mailRequestAddress: Rule
  /** Documents of programs that one address has the service read, each at an address of its choice. */
  clientDocument: Rule
  /** Mails to one address that anybody may ask for. */
  verificationMail: Rule
  resetMail: Rule
  /** Invitations by one user. */
  invitation: Rule
  /** Exports by one user: each is kept for a week. */
  export: Rule
  /** What one user changes of accounts, keys, members and organizations. */
  userChange: Rule
  /** What one organization changes of its webhooks, and deliveries that it asks for again. */
  webhookChange: Rule
  /** Tests of webhooks by one organization: each sends a request to an address of its choice. */
  webhookTest: Rule
  /** Anomalies that one organization injects. */
  anomaly: Rule
}

export type RuleName = keyof Rules

const quarterHourS = 15 * 60
const hourS = 60 * 60
const dayS = 24 * hourS

/** @param limits as the settings have them; what nobody needs to change stands here */
export function makeRules({
  login,
  registrationsPerHour,
}: {
  login: LoginLimits
  registrationsPerHour: number
}): Rules {
  return {
    loginPair: { limit: login.pair, windowS: quarterHourS },
    loginAddress: { limit: login.address, windowS: quarterHourS },
    loginEmail: { limit: login.email, windowS: quarterHourS },
    mfaUser: { limit: 20, windowS: quarterHourS },
    registrationAddress: { limit: registrationsPerHour, windowS: hourS },
    mailRequestAddress: { limit: 100, windowS: hourS },
    clientDocument: { limit: 60, windowS: hourS },
    verificationMail: { limit: 5, windowS: hourS },
    resetMail: { limit: 5, windowS: hourS },
    invitation: { limit: 100, windowS: hourS },
    export: { limit: 5, windowS: dayS },
    userChange: { limit: 1_000, windowS: hourS },
    webhookChange: { limit: 1_000, windowS: hourS },
    webhookTest: { limit: 60, windowS: hourS },
    anomaly: { limit: 600, windowS: hourS },
  }
}
