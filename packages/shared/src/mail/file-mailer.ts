import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailer, Message } from './mailer.ts'
import { messageOptions } from './message-options.ts'

const keptMs = 30 * 86_400_000

/** Deletes mails that are 30 days old, and also incomplete files of that age. */
export async function removeOldMails(folder: string, now: Date): Promise<void> {
  const oldest = nameTime(new Date(now.getTime() - keptMs))
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const [, time] = mailFile.exec(name) ?? []
    if (time !== undefined && time < oldest) await rm(join(folder, name), { force: true })
  }
}

/** The time at the beginning of a mail's file name; names sort by it. */
const nameTime = (at: Date) => at.toISOString().replaceAll(':', '-')

const mailFile = /^\.?(\d{4}-\d\d-\d\dT[\d.-]+Z)-[\da-f-]{36}\.eml(\.new)?$/

/** Writes each mail as a file into a folder; the names sort by time. A mail that is sent again replaces its file. */
export class FileMailer implements Mailer {
  readonly #folder: string
  readonly #from: string

  constructor(folder: string, from: string) {
    this.#folder = folder
    this.#from = from
  }

  async send(message: Message): Promise<void> {
    const name = `${nameTime(message.at)}-${message.id}.eml`
    const bytes = await this.#compose(message)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const unfinished = join(this.#folder, `.${name}.new`)
    const file = await open(unfinished, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, join(this.#folder, name))
  }

  /** Composes the file without encoding its text, since people read these files and copy links from them. */
  #compose(message: Message): Promise<Buffer> {
    const lines = message.text.replaceAll('\n', '\r\n')
    const raw = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines}`
    const options = { ...messageOptions(message, this.#from), text: { raw }, html: message.html }
    return new MailComposer(options).compile().build()
  }
}
