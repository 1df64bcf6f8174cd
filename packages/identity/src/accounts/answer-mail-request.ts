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
  /** The base URL of links, without a trailing slash. */
  publicBaseUrl: string
}

interface Answer {
  /** Whether the account should get the mail. */
  isDue(account: Account): boolean
  /** Sends the mail; the account's user must be the transaction's tenant. */
  send(context: AnswerContext, trx: Trx, account: Account, request: MailRequest): Promise<void>
  /** How many rows `send` writes. Without an account as many decoys are written, so that both take the same time. */
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

/** Sends a requested mail, if there is an account that should get it; else writes as many rows, to take the same time. */
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
