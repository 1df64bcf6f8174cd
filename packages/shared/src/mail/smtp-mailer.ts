import { createTransport } from 'nodemailer'
import { MailError, type Mailer, type Message } from './mailer.ts'
import { messageOptions } from './message-options.ts'

/** Sends mails over SMTP. */
export class SmtpMailer implements Mailer {
  readonly #transport: ReturnType<typeof createTransport>
  readonly #from: string

  /** @param url smtp: (with STARTTLS if the server supports it) or smtps:, with user and password if needed */
  constructor(url: string, from: string) {
    this.#transport = createTransport({
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    })
    this.#from = from
  }

  /** Connects and logs in, without sending anything. @throws MailError */
  async verify(): Promise<void> {
    try {
      await this.#transport.verify()
    } catch (error) {
      throw toMailError(error, 'can not be used')
    } finally {
      this.#transport.close()
    }
  }

  async send(message: Message): Promise<void> {
    const { text, html } = message
    try {
      await this.#transport.sendMail({ ...messageOptions(message, this.#from), text, html })
    } catch (error) {
      throw toMailError(error)
    }
  }
}

/**
 * The answers by which a server refuses a recipient. Whatever else it refuses concerns every mail, until somebody mends the
 * settings or the server: the sender, the sign-in, a ban. Many servers say that too only when they are given the recipient; the
 * second code (RFC 3463) tells it apart: 1 is about addresses, but 1.7 and 1.8 about the sender's, and 2 is about mailboxes.
 */
const refusesRecipient = /^5\d\d[ -]5\.(?:1\.(?![78]\b)|2\.)|^55[0-3]\b(?![ -]5\.\d)/

/** Only the server's codes are kept, since its text may contain the recipient's address. */
function toMailError(error: unknown, what = 'did not take a mail'): MailError {
  const { code, responseCode, command, response } = error as {
    code?: string
    responseCode?: number
    command?: string
    response?: string
  }
  const why = [code, responseCode, command].filter((part) => part !== undefined).join(' ') || 'unknown reason'
  const permanent = command === 'RCPT TO' && refusesRecipient.test(response ?? '')
  return new MailError(`The SMTP server ${what}: ${why}.`, permanent)
}
