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

/** An answer must begin within this time. */
const timeoutMs = 15_000
/** How long a delivery waits that this process can't sign: another may have the key that opens its secret. */
const handedBackMs = 5_000

export interface AttemptContext extends WebhooksContext {
  log: Log
  /** A random number in [0, 1), to spread retries. */
  random: () => number
  /** Overrides the 15 seconds within which an answer must begin. */
  timeoutMs?: number | undefined
  /** Called after each attempt. */
  onAttempt?: ((outcome: AttemptOutcome, seconds: number) => void) | undefined
}

/** The outcome of an attempt. `refused`: the status was not 2xx; `unanswered`: there was no answer. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unanswered'

/** What an attempt needs in addition to the context. */
export interface AttemptUse {
  /** Collects successful attempts, to store them together. */
  notes: SuccessNotes
  /** The webhooks whose secret this process could not open the last time. */
  unsigned: Set<string>
  /** Called when the receiver has answered, or has failed to. */
  answered: () => void
}

/**
 * Makes one attempt at a delivery and stores its outcome. What this process can't sign, such as without the master key, is no attempt
 * and is due again soon.
 * @param stopping fires when the process is to end: an attempt without an answer by then does not count
 */
export async function attempt(
  context: AttemptContext,
  delivery: deliveries.Leased,
  { notes, unsigned, answered }: AttemptUse,
  stopping: AbortSignal,
): Promise<void> {
  const { queries, clock } = context
  const { organizationId } = delivery
  const attemptedAt = clock.now()
  const giveBack = (at: Date) =>
    asTenant(queries, { organizationId }, (trx) => deliveries.giveBack(trx, delivery, at))
  const headers = signed(context, delivery, attemptedAt, unsigned)
  if (headers === undefined) return giveBack(new Date(attemptedAt.getTime() + handedBackMs))
  const began = performance.now()
  const sent = await send(context, delivery, headers, stopping)
  if ('failure' in sent && stopping.aborted) return giveBack(clock.now())
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
    const isDisabled = await asTenant(queries, { organizationId }, (trx) =>
      recordFailure(context, trx, delivery, made, retryAfter),
    )
    if (isDisabled) await deliveries.giveUpPending(queries, delivery)
  }
}

/** An attempt that was made, without what follows for its delivery. */
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

/** The headers of an attempt; undefined where this process can't open the webhook's secret, which is logged once. */
function signed(
  { secrets, log }: AttemptContext,
  { eventId, webhookId, body, ...webhook }: deliveries.Leased,
  at: Date,
  unsigned: Set<string>,
): Record<string, string> | undefined {
  try {
    const keys = webhook.secrets.map((each) => openSecret(secrets, each))
    const headers = signedHeaders(keys, messageIdOf(eventId), at, body)
    if (unsigned.delete(webhookId)) log.info({ webhookId }, 'webhook can be signed again')
    return { ...headers, 'Content-Type': 'application/json', 'User-Agent': 'memory-service' }
  } catch (error) {
    if (!unsigned.has(webhookId))
      log.warn({ err: error, webhookId }, 'webhook can not be signed, deliveries wait')
    unsigned.add(webhookId)
    return undefined
  }
}

/** Sends a delivery, if its URL is still allowed. */
async function send(
  { gate, log, ...context }: AttemptContext,
  { id, webhookId, body, ...webhook }: deliveries.Leased,
  headers: Record<string, string>,
  stopping: AbortSignal,
): Promise<Answer | Unanswered> {
  const timeout = AbortSignal.timeout(context.timeoutMs ?? timeoutMs)
  const signal = AbortSignal.any([stopping, timeout])
  try {
    const url = new URL(webhook.url)
    const addresses = await unless(signal, gate.addressesOf(url))
    return await post({ url, headers, body, addresses, signal })
  } catch (error) {
    // Logs neither the URL nor the answer: both are the tenant's data.
    log.info({ deliveryId: id, webhookId, reason: reasonOf(error) }, 'webhook not answered')
    return { failure: failureOf(error, timeout.aborted) }
  }
}

/** Waits for work that can't be ended, such as asking name servers that do not answer, until the signal fires. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const fired = Promise.withResolvers<never>()
  const onAbort = () => fired.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, fired.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function reasonOf(error: unknown): unknown {
  if (error instanceof TargetRefused) return error.refusal
  const { name, code } = error as { name?: string; code?: unknown }
  return code ?? name
}

/**
 * Stores a failed attempt. If it was the last one, or the receiver is gone permanently, the webhook is disabled; but where it leads
 * to another URL by now, that is to have the delivery next.
 * @returns whether it was; then its other deliveries are to be given up
 */
async function recordFailure(
  context: AttemptContext,
  trx: Trx,
  delivery: deliveries.Leased,
  made: Made,
  retryAfter: string | undefined,
): Promise<boolean> {
  const now = context.clock.now()
  const isGone = made.responseStatus === 410
  const isTest = delivery.eventType === testEvent
  const retryAfterS = readRetryAfter(retryAfter, now)
  const wait =
    isGone || isTest ? undefined : secondsToNext(delivery.attempts + 1, context.random(), retryAfterS)
  const isLast = isGone || (wait === undefined && !isTest)
  const webhook = isLast ? await store.lock(trx, delivery) : undefined
  const hasMoved = webhook !== undefined && webhook.url !== delivery.url
  const nextS = hasMoved ? 0 : wait
  const pending = await deliveries.finish(trx, [
    {
      ...delivery,
      ...made,
      status: nextS === undefined ? 'failed' : 'pending',
      nextAttemptAt: nextS === undefined ? null : new Date(now.getTime() + nextS * 1_000),
    },
  ])
  if (hasMoved || pending.size === 0 || webhook?.status !== 'active') return false
  await disable(context, trx, delivery, isGone ? 'gone' : 'failing')
  return true
}

/** Disables a webhook that is locked. */
async function disable(
  { secrets, clock, log }: AttemptContext,
  trx: Trx,
  id: store.WebhookId,
  reason: 'gone' | 'failing',
): Promise<void> {
  const { organizationId, webhookId } = id
  const { url } = await store.change(trx, id, { status: 'disabled' })
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
