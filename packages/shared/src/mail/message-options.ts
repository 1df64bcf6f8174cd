import parseAddresses from 'nodemailer/lib/addressparser'
import type { Message } from './mailer.ts'

/** A message in nodemailer's form. The recipient is passed as a single address, so that commas in it can't add others. */
export function messageOptions({ id, at, to, subject }: Message, from: string) {
  const [sender] = parseAddresses(from, { flatten: true })
  const domain = sender?.address?.split('@').at(-1) || 'localhost'
  return {
    from,
    to: { name: '', address: to },
    subject,
    date: at,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
