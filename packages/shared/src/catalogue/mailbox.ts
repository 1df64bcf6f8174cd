import { parseEmail } from './fields-parsing.ts'

/** The one name of the mailbox that an email address leads to; what is no address is in lower case. */
export function mailboxOf(email: string): string {
  const parsed = parseEmail(email)
  return 'value' in parsed ? parsed.value : email.toLowerCase()
}
