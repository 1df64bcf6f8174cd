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

/** Error codes about a single mail. Others, such as of the login, are about settings and so never permanent. */
const aboutTheMail = new Set(['EENVELOPE', 'EMESSAGE'])

/** Only the server's codes are kept, since its text may contain the recipient's address. */
function toMailError(error: unknown, what = 'did not take a mail'): MailError {
  const { code, responseCode, permanent } = error as {
    code?: string
    responseCode?: number
    permanent?: boolean
  }
  const why = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown reason'
  return new MailError(`The SMTP server ${what}: ${why}.`, permanent === true && aboutTheMail.has(code ?? ''))
}
