import { createTransport } from 'nodemailer'
import { MailError, type Mailer, type Message } from './mailer.ts'
import { messageOptions } from './message-options.ts'

/** Sends mails over SMTP. */
export class SmtpMailer implements Mailer {
  readonly #transport: ReturnType<typeof createTransport>
  readonly #from: string

  /** @param url smtp: (STARTTLS where the server has it) or smtps:, with user and password where needed */
  constructor(url: string, from: string) {
    this.#transport = createTransport({
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    })
    this.#from = from
  }

  /** Connects and signs in, and sends nothing. @throws MailError */
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

/** What a server says of one mail; what it says of the login is a matter of settings, which can be put right. */
const aboutTheMail = new Set(['EENVELOPE', 'EMESSAGE'])

/** The server's own words may repeat the recipient, so only its codes are told. */
function toMailError(error: unknown, what = 'did not take a mail'): MailError {
  const { code, responseCode, permanent } = error as {
    code?: string
    responseCode?: number
    permanent?: boolean
  }
  const why = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown reason'
  return new MailError(`The SMTP server ${what}: ${why}.`, permanent === true && aboutTheMail.has(code ?? ''))
}
