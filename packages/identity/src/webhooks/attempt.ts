import { recordAudit } from '@memory/shared/audit/audit'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { listOwnerEmails } from '../organizations/service.ts'
import { TargetRefused } from './address-gate.ts'
import type { WebhooksContext } from './context.ts'
import * as deliveries from './delivery-store.ts'
import { messageIdOf, testEvent } from './message.ts'
import { type Failure, failureOf } from './outcomes.ts'
import { type Answer, post } from './post.ts'
import { readRetryAfter, secondsToNext } from './schedule.ts'
import { openSecret, signedHeaders } from './secret.ts'
import * as store from './store.ts'
import type { SuccessNotes } from './success-notes.ts'

/** An answer that begins later is none. */
const timeoutMs = 15_000

export interface AttemptContext extends WebhooksContext {
  log: Log
  /** In [0, 1). */
  random: () => number
  /** Instead of the 15 seconds in which an answer has to begin. */
  timeoutMs?: number | undefined
  /** Is told of each attempt. */
  onAttempt?: ((outcome: AttemptOutcome, seconds: number) => void) | undefined
}

/** `refused`: with another status than 2xx. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unanswered'

/** What an attempt is made with. */
export interface AttemptUse {
  /** Of attempts that succeed. */
  notes: SuccessNotes
  /** Called when the receiver has answered, or will not. */
  answered: () => void
}

/**
 * Makes one attempt at a delivery and notes what came of it.
 * @param stopping fires when the process ends: what has no answer by then was no attempt
 */
export async function attempt(
  context: AttemptContext,
  delivery: deliveries.Leased,
  { notes, answered }: AttemptUse,
  stopping: AbortSignal,
): Promise<void> {
  const { queries, clock } = context
  const { organizationId } = delivery
  const attemptedAt = clock.now()
  const began = performance.now()
  const sent = await send(context, delivery, stopping)
  if ('failure' in sent && stopping.aborted) {
    await asTenant(queries, { organizationId }, (trx) => deliveries.giveBack(trx, delivery, clock.now()))
    return
  }
  const tookMs = performance.now() - began
  answered()
  context.onAttempt?.(outcomeOf(sent), tookMs / 1_000)
  const isTaken = 'status' in sent && isSuccess(sent.status)
  const made: Made = {
    attemptedAt,
    durationMs: Math.round(tookMs),
    responseStatus: 'status' in sent ? sent.status : null,
    responseBody: 'status' in sent ? sent.beginning : null,
    failure: 'failure' in sent ? sent.failure : null,
  }
  if (isTaken) await notes.note({ ...delivery, ...made, status: 'delivered', nextAttemptAt: null })
  else {
    const retryAfter = 'status' in sent ? sent.retryAfter : undefined
    await asTenant(queries, { organizationId }, (trx) =>
      recordFailure(context, trx, delivery, made, retryAfter),
    )
  }
}

/** An attempt without what becomes of its delivery. */
type Made = Pick<
  deliveries.Outcome,
  'attemptedAt' | 'durationMs' | 'responseStatus' | 'responseBody' | 'failure'
>

function outcomeOf(sent: Answer | Unanswered): AttemptOutcome {
  if ('failure' in sent) return 'unanswered'
  return isSuccess(sent.status) ? 'delivered' : 'refused'
}

const isSuccess = (status: number) => status >= 200 && status < 300

interface Unanswered {
  failure: Failure
}

/** Sends what is to be delivered, as far as that may be sent there. */
async function send(
  { gate, secrets, clock, log, ...context }: AttemptContext,
  { id, webhookId, eventId, body, ...webhook }: deliveries.Leased,
  stopping: AbortSignal,
): Promise<Answer | Unanswered> {
  const timeout = AbortSignal.timeout(context.timeoutMs ?? timeoutMs)
  const signal = AbortSignal.any([stopping, timeout])
  try {
    const url = new URL(webhook.url)
    const keys = webhook.secrets.map((each) => openSecret(secrets, each))
    const addresses = await gate.addressesOf(url)
    const signed = signedHeaders(keys, messageIdOf(eventId), clock.now(), body)
    const headers = { ...signed, 'Content-Type': 'application/json', 'User-Agent': 'memory-service' }
    return await post({ url, headers, body, addresses, signal })
  } catch (error) {
    // Neither the URL nor what the receiver said: both are the tenant's.
    log.info({ deliveryId: id, webhookId, reason: reasonOf(error) }, 'webhook not answered')
    return { failure: failureOf(error, timeout.aborted) }
  }
}

function reasonOf(error: unknown): unknown {
  if (error instanceof TargetRefused) return error.refusal
  const { name, code } = error as { name?: string; code?: unknown }
  return code ?? name
}

/** Notes an attempt that failed; when it was the last, or the receiver is gone for good, the webhook is disabled. */
async function recordFailure(
  context: AttemptContext,
  trx: Trx,
  delivery: deliveries.Leased,
  made: Made,
  retryAfter: string | undefined,
): Promise<void> {
  const now = context.clock.now()
  const isGone = made.responseStatus === 410
  const isTest = delivery.eventType === testEvent
  const retryAfterS = readRetryAfter(retryAfter, now)
  const wait =
    isGone || isTest ? undefined : secondsToNext(delivery.attempts + 1, context.random(), retryAfterS)
  const noted = await deliveries.finish(trx, [
    {
      ...delivery,
      ...made,
      status: wait === undefined ? 'failed' : 'pending',
      nextAttemptAt: wait === undefined ? null : new Date(now.getTime() + wait * 1_000),
    },
  ])
  if (noted.size > 0 && (isGone || (wait === undefined && !isTest))) {
    await disable(context, trx, delivery, isGone ? 'gone' : 'failing')
  }
}

async function disable(
  { secrets, clock, log }: AttemptContext,
  trx: Trx,
  id: store.WebhookId,
  reason: 'gone' | 'failing',
): Promise<void> {
  const { organizationId, webhookId } = id
  if ((await store.lock(trx, id))?.status !== 'active') return
  const { url } = await store.change(trx, id, { status: 'disabled' })
  await deliveries.failPending(trx, id)
  const { host } = new URL(url)
  await recordAudit(trx, {
    action: 'webhook_disabled',
    actor: { kind: 'system' },
    organizationId,
    target: webhookId,
    details: { host, reason },
  })
  for (const to of await listOwnerEmails(trx, organizationId)) {
    await enqueueMail(trx, secrets, {
      to,
      template: 'webhook-disabled',
      organizationId,
      parameters: { host, webhookId, reason, at: clock.now().toISOString() },
    })
  }
  log.info({ webhookId, reason }, 'webhook disabled')
}
