import type { Queries } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { MailParameters, MailTemplate } from './catalogue.ts'
import { toHtml, toText } from './letter.ts'
import { MailError, type Mailer, type Message } from './mailer.ts'
import * as store from './store.ts'
import { isTemplate, writeLetter } from './templates.ts'

export interface SendContext {
  queries: Queries
  secrets: Secrets
  mailer: Mailer
  log: Log
}

/** A mail that is older than this is dropped: its links have expired, and its news is old. */
const staleAfterS = 3 * 24 * 3_600
/** After this many permanent refusals (half a minute or more) a mail is given up: a server may be mistaken at first. */
const refusalsMax = 5

/**
 * Sends a mail and removes it; one that has waited for too long is removed alone. After a crash in between, it is sent again with the same Message-ID.
 * @throws when it could not be sent and should be tried again
 */
export async function sendQueuedMail(context: SendContext, mailId: string): Promise<void> {
  const { queries, mailer, log } = context
  const mail = await store.find(queries, mailId, staleAfterS)
  // The mail was sent by an earlier attempt that crashed afterwards, or it was erased with its user.
  if (mail === undefined) return
  const about = { mailId, template: mail.template }
  if (mail.isStale) {
    log.error(about, 'mail given up')
    await store.remove(queries, mailId)
    return
  }
  try {
    await mailer.send(compose(context.secrets, mail))
  } catch (error) {
    if (!(error instanceof MailError && error.permanent)) throw error
    const refusals = await store.noteRefusal(queries, mailId)
    if (refusals === undefined || refusals < refusalsMax) throw error
    log.error({ err: error, ...about }, 'mail given up')
    await store.remove(queries, mailId)
    return
  }
  await store.remove(queries, mailId)
  log.info(about, 'mail sent')
}

function compose(secrets: Secrets, { id, createdAt, ...mail }: store.QueuedMail): Message {
  if (!isTemplate(mail.template)) throw new MailError(`There is no mail ${mail.template}.`, false)
  const plain = secrets.open(mail.parameters, { purpose: 'mail', id })
  const parameters = JSON.parse(new TextDecoder().decode(plain)) as MailParameters[MailTemplate]
  const letter = writeLetter(mail.template, parameters as never)
  return {
    id,
    at: createdAt,
    to: mail.recipient,
    subject: letter.subject,
    text: toText(letter),
    html: toHtml(letter),
  }
}
