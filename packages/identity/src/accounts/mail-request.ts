import { randomUUID } from 'node:crypto'
import type { EventPayload } from '@memory/shared/catalogue/events'
import type { Origin } from '@memory/shared/catalogue/operation'
import { asTask } from '@memory/shared/platform/database/database'
import { append } from '@memory/shared/platform/outbox/outbox'
import type { Secrets } from '@memory/shared/platform/secrets'
import { mailRequestAttempts } from '@memory/shared/throttle/attempts'
import type { RuleName } from '@memory/shared/throttle/rules'
import type { AccountsContext } from './context.ts'

type Payload = EventPayload<'account.mail_requested'>
export type MailKind = Payload['kind']

/** The limits on how often a mail to one address may be requested. */
const rules: Record<MailKind, RuleName> = {
  'reset-password': 'resetMail',
  'verify-email': 'verificationMail',
}

/** The delay until the mail is handled. By then the answer was sent, so the work for an existing account can't slow it down. */
const delayS = 1

/** A request for a mail. */
export interface MailRequest {
  email: string
  origin: Origin
}

/**
 * Stores the request of somebody who is not signed in for a mail to an address. Whether the address has an account is only looked
 * up later, in the background. So the request does the same for every address, and its time reveals nothing.
 */
export async function requestMail(
  { queries, secrets, throttle }: AccountsContext,
  kind: MailKind,
  email: string,
  origin: Origin,
): Promise<void> {
  // Requests over the limit are ignored without an error, and write nothing.
  if (!(await throttle.tryTake(mailRequestAttempts(origin.ip)))) return
  if (!(await throttle.tryTake([{ rule: rules[kind], of: [email] }]))) return
  const payload = sealRequest(secrets, kind, { email, origin })
  await asTask(queries, 'send-mail', (trx) => append(trx, null, 'account.mail_requested', payload, delayS))
}

function sealRequest(secrets: Secrets, kind: MailKind, request: MailRequest): Payload {
  const id = randomUUID()
  const plain = new TextEncoder().encode(JSON.stringify(request))
  return { kind, id, sealed: Buffer.from(secrets.seal(plain, { purpose: 'mail', id })).toString('base64') }
}

export function openRequest(secrets: Secrets, { id, sealed }: Payload): MailRequest {
  const plain = secrets.open(Buffer.from(sealed, 'base64'), { purpose: 'mail', id })
  return JSON.parse(new TextDecoder().decode(plain)) as MailRequest
}
