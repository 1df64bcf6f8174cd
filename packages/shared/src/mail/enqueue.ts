import { randomUUID } from 'node:crypto'
import type { Trx } from '../platform/database/database.ts'
import { append } from '../platform/outbox/outbox.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { MailParameters, MailTemplate } from './catalogue.ts'
import * as store from './store.ts'

/** A mail to be sent. */
export interface Mail<Template extends MailTemplate> {
  to: string
  template: Template
  parameters: MailParameters[Template]
  /**
   * The user whom it concerns or, for people without an account, the organization that writes. Must be the transaction's
   * tenant.
   */
  userId?: string | undefined
  organizationId?: string | undefined
}

/** Queues a mail in the transaction of its cause, so that it is sent if and only if that commits. */
export async function enqueueMail<Template extends MailTemplate>(
  trx: Trx,
  secrets: Secrets,
  { to, template, parameters, userId, organizationId }: Mail<Template>,
): Promise<void> {
  const id = randomUUID()
  const plain = new TextEncoder().encode(JSON.stringify(parameters))
  await store.insert(trx, {
    id,
    user_id: userId ?? null,
    organization_id: organizationId ?? null,
    recipient: to,
    template,
    parameters: secrets.seal(plain, { purpose: 'mail', id }),
  })
  await append(trx, userId === undefined ? (organizationId ?? null) : null, 'mail.queued', { mailId: id })
}
