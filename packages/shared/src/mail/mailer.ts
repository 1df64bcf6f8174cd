/** A mail as it is sent. */
export interface Message {
  /** Of the mail: a mail that is sent again has the same, so that receivers can drop the second. */
  id: string
  at: Date
  to: string
  subject: string
  text: string
  html: string
}

/** Takes mails to where people read them. */
export interface Mailer {
  /** @throws MailError */
  send(message: Message): Promise<void>
}

/** A mail that was not taken. Its message has neither address nor text. */
export class MailError extends Error {
  override name = 'MailError'
  /** Refused for good: the same mail would be refused again. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}
