/** Every mail that the service sends, with what its text says. Links are whole; times are ISO 8601. */
export interface MailParameters {
  'verify-email': { link: string }
  'reset-password': { link: string; ip: string | null }
  'password-changed': { at: string; ip: string | null }
  'refresh-token-reuse': { at: string; ip: string | null; device: string }
  'mfa-enabled': { at: string; ip: string | null }
  'mfa-disabled': { at: string; ip: string | null }
  invitation: { organization: string; inviter: string; role: string; link: string; until: string }
  'account-deleted': { userId: string; until: string }
  'webhook-disabled': { host: string; webhookId: string; reason: 'gone' | 'failing'; at: string }
  'export-ready': { link: string; until: string }
}

export type MailTemplate = keyof MailParameters
