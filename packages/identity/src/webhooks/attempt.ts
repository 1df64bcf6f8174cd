import { recordAudit } from '@memory/shared/audit/audit'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { listOwnerEmails } from '../organizations/service.ts'
import { TargetRefused } from './address-gate.ts'
import type { WebhooksContext } from './context.ts'
import * as deliveries from './delivery-store.ts'
import { messageIdOf, testEvent } from './message.ts'
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
  const began = performance.now()
  const answer = await send(context, delivery, stopping)
  if (answer === undefined && stopping.aborted) {
    await asTenant(queries, { organizationId }, (trx) => deliveries.giveBack(trx, delivery, clock.now()))
    return
  }
  const tookMs = performance.now() - began
  answered()
  context.onAttempt?.(outcomeOf(answer), tookMs / 1_000)
  const durationMs = Math.round(tookMs)
  if (answer !== undefined && isSuccess(answer.status)) {
    const { status: responseStatus, beginning: responseBody } = answer
    await notes.note({ ...delivery, responseStatus, responseBody, durationMs })
    return
  }
  await asTenant(queries, { organizationId }, (trx) =>
    recordFailure(context, trx, delivery, answer, durationMs),
  )
}

function outcomeOf(answer: Answer | undefined): AttemptOutcome {
  if (answer === undefined) return 'unanswered'
  return isSuccess(answer.status) ? 'delivered' : 'refused'
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** @returns undefined when there was no answer, or nothing may be sent there */
async function send(
  { gate, secrets, clock, log, ...context }: AttemptContext,
  { id, webhookId, eventId, body, ...webhook }: deliveries.Leased,
  stopping: AbortSignal,
): Promise<Answer | undefined> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(context.timeoutMs ?? timeoutMs)])
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
    return undefined
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
  answer: Answer | undefined,
  durationMs: number,
): Promise<void> {
  const now = context.clock.now()
  const responseStatus = answer?.status ?? null
  const isGone = responseStatus === 410
  const isTest = delivery.eventType === testEvent
  const retryAfterS = readRetryAfter(answer?.retryAfter, now)
  const wait =
    isGone || isTest ? undefined : secondsToNext(delivery.attempts + 1, context.random(), retryAfterS)
  const noted = await deliveries.finishFailed(trx, delivery, {
    status: wait === undefined ? 'failed' : 'pending',
    responseStatus,
    responseBody: answer?.beginning ?? null,
    durationMs,
    nextAttemptAt: wait === undefined ? null : new Date(now.getTime() + wait * 1_000),
  })
  if (noted && (isGone || (wait === undefined && !isTest))) {
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
