/** A complete mail. */
export interface Message {
  /** The mail's id. It is the same when the mail is sent again, so that receivers can drop duplicates. */
  id: string
  at: Date
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mails. */
export interface Mailer {
  /** @throws MailError */
  send(message: Message): Promise<void>
}

/** Thrown when a mail could not be sent. Its message contains neither addresses nor texts. */
export class MailError extends Error {
  override name = 'MailError'
  /** Whether the mail's recipient was refused permanently: this mail would be refused again, unlike others. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}
