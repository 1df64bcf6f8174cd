import { domainToUnicode } from 'node:url'
import { parseEmail } from './fields-parsing.ts'

/** The one name of the mailbox that an email address leads to; what is no address is in lower case. */
export function mailboxOf(email: string): string {
  const parsed = parseEmail(email)
  return 'value' in parsed ? parsed.value : email.toLowerCase()
}

/**
 * How an address may stand in the database: with its domain in ASCII, as addresses are stored, or in Unicode, as they
 * were before domains were brought to ASCII.
 */
export function spellingsOf(email: string): string[] {
  const mailbox = mailboxOf(email)
  const at = mailbox.lastIndexOf('@')
  const domain = domainToUnicode(mailbox.slice(at + 1))
  return [...new Set([mailbox, `${mailbox.slice(0, at)}@${domain}`])]
}
