import type { EventPayload } from '@memory/shared/catalogue/events'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { writeDecoys } from './decoy-store.ts'
import { type MailKind, type MailRequest, openRequest } from './mail-request.ts'
import { sendReset } from './reset-password.ts'
import { type Account, findAccount } from './user-store.ts'
import { sendVerification } from './verification.ts'

export interface AnswerContext {
  queries: Queries
  secrets: Secrets
  /** What links begin with. */
  publicBaseUrl: string
}

interface Answer {
  isDue(account: Account): boolean
  /** Sends it to the transaction's tenant. */
  send(context: AnswerContext, trx: Trx, account: Account, request: MailRequest): Promise<void>
  /** Rows that `send` writes; as many are written where it is not sent. */
  rows: number
}

const answers: Record<MailKind, Answer> = {
  'reset-password': {
    isDue: () => true,
    send: (context, trx, account, { origin }) => sendReset(context, trx, account, origin),
    rows: 4,
  },
  'verify-email': {
    isDue: ({ email_verified_at }) => email_verified_at === null,
    send: (context, trx, account) => sendVerification(context, trx, account),
    rows: 3,
  },
}

/** Sends the mail that was asked for, where there is an account that it is due to; else does as much for nobody. */
export async function answerMailRequest(
  context: AnswerContext,
  payload: EventPayload<'account.mail_requested'>,
): Promise<void> {
  const { queries, secrets } = context
  const request = openRequest(secrets, payload)
  const { isDue, send, rows } = answers[payload.kind]
  const account = await findAccount(queries, request.email)
  if (account?.status === 'active' && isDue(account)) {
    await asTenant(queries, { userId: account.id }, (trx) => send(context, trx, account, request))
  } else {
    await writeDecoys(queries, rows)
  }
}
