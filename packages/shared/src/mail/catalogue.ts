/** What ends with the first reset of an account whose address was not verified. */
export type EndedWithReset = {
  readonly [Kind in 'key' | 'webhook' | 'invitation' | 'member']?: number
}

/** Every mail that the service sends, with what its text says. Links are whole; times are ISO 8601. */
export interface MailParameters {
  'verify-email': { link: string }
  /** Mails of the release before do not say whether the address is verified. */
  'reset-password': { link: string; ip: string | null; isVerified?: boolean | undefined }
  /** `ended`: how many things of each kind ended, because nobody had shown the address to be theirs before. */
  'password-changed': { at: string; ip: string | null; ended?: EndedWithReset | undefined }
  'refresh-token-reuse': { at: string; ip: string | null; device: string }
  'mfa-enabled': { at: string; ip: string | null }
  'mfa-disabled': { at: string; ip: string | null }
  invitation: { organization: string; inviter: string; role: string; link: string; until: string }
  'account-deleted': { userId: string; until: string }
  'webhook-disabled': { host: string; webhookId: string; reason: 'gone' | 'failing'; at: string }
  'export-ready': { link: string; until: string }
  'export-failed': { isTooLarge: boolean }
}

export type MailTemplate = keyof MailParameters
