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

/** How often a mail may be asked for to one address. */
const rules: Record<MailKind, RuleName> = {
  'reset-password': 'resetMail',
  'verify-email': 'verificationMail',
}

/** Until then the answer has left, and what is done for an address that has an account holds up no answer to whoever asked. */
const delayS = 1

/** What a request for a mail says. */
export interface MailRequest {
  email: string
  origin: Origin
}

/**
 * Notes that somebody who is not signed in asks for a mail to an address. Whether it has an account is looked up later, in
 * the background: the request does the same for every address, so its time tells nothing.
 */
export async function requestMail(
  { queries, secrets, throttle }: AccountsContext,
  kind: MailKind,
  email: string,
  origin: Origin,
): Promise<void> {
  // Whoever asks too often causes no writes at all, whatever they ask for.
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
