/** How often something may be attempted. */
export interface Rule {
  limit: number
  windowS: number
}

/** The most failed logins in 15 minutes: of one email from one address, from one address, of one email from any address. */
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
  /** Wrong codes for one user, from any address, by somebody who knows the password. */
  mfaUser: Rule
  /** Sign-ins of one user whose password is right, also those that wait for a code. */
  signIn: Rule
  registrationAddress: Rule
  /** Requests for mails from one IP address, to any recipients. */
  mailRequestAddress: Rule
  /** Documents of programs that one IP address makes the service read, each at a URL of its choice. */
  clientDocument: Rule
  /** Mails to one email address that anybody may request. */
  verificationMail: Rule
  resetMail: Rule
  /** Invitations that are mailed to one email address, of whichever organizations. */
  invitationMail: Rule
  /** Invitations by one user. */
  invitation: Rule
  /** Exports by one user: each is kept for a week. */
  export: Rule
  /** Changes of accounts, keys, members and organizations by one user. */
  userChange: Rule
  /** Changes of webhooks by one organization, and deliveries that it repeats. */
  webhookChange: Rule
  /** Tests of webhooks by one organization: each sends a request to a URL of its choice. */
  webhookTest: Rule
  /** Anomalies that one organization injects. */
  anomaly: Rule
}

export type RuleName = keyof Rules

const quarterHourS = 15 * 60
const hourS = 60 * 60
const dayS = 24 * hourS

/** Makes the rules. @param limits those that the settings can change; all others are fixed here */
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
    signIn: { limit: 1_000, windowS: hourS },
    registrationAddress: { limit: registrationsPerHour, windowS: hourS },
    mailRequestAddress: { limit: 100, windowS: hourS },
    clientDocument: { limit: 60, windowS: hourS },
    verificationMail: { limit: 5, windowS: hourS },
    resetMail: { limit: 5, windowS: hourS },
    invitationMail: { limit: 5, windowS: hourS },
    invitation: { limit: 100, windowS: hourS },
    export: { limit: 5, windowS: dayS },
    userChange: { limit: 1_000, windowS: hourS },
    webhookChange: { limit: 1_000, windowS: hourS },
    webhookTest: { limit: 60, windowS: hourS },
    anomaly: { limit: 600, windowS: hourS },
  }
}
