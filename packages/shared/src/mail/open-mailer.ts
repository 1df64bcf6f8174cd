import { FileMailer } from './file-mailer.ts'
import type { Mailer } from './mailer.ts'
import { SmtpMailer } from './smtp-mailer.ts'

export interface MailSettings {
  /** Undefined: mails are written as files. */
  smtpUrl: string | undefined
  /** An address, or a name and an address in angle brackets. */
  from: string
  /** The folder for those files. */
  folder: string
}

export function openMailer({ smtpUrl, from, folder }: MailSettings): Mailer {
  return smtpUrl === undefined ? new FileMailer(folder, from) : new SmtpMailer(smtpUrl, from)
}
