import { startDispatch } from '@memory/identity/webhooks/dispatch'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import { removeOldMails } from '@memory/shared/mail/file-mailer'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { every } from '@memory/shared/platform/periodic'
import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import { resealEveryMs, sayWhichIsFirst } from '@memory/shared/platform/reseal'
import { createWorkerContext, type WorkerParts } from './context.ts'
import { doJobs, handledJobs } from './jobs.ts'
import { deliverEvents, handlers, notifyOfEvents } from './register.ts'

export type { WorkerParts } from './context.ts'

/** The background work of one process. */
export interface Worker {
  /** Stops the background work: short work is finished, long work is interrupted and resumed by another worker. */
  stop(): Promise<void>
}

/**
 * Starts the background work: the outbox relay, the delivery of webhooks and the job queue. Any number of workers may run on
 * one database. Events and webhooks do not go through the job queue: they are leased directly in their tables, with their own
 * rules of order and fairness, so that they are delivered even while Redis is down.
 */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const stopping = new AbortController()
  const context = createWorkerContext({ ...parts, signal: stopping.signal })
  const { database, queue, secrets, log } = context
  const { queries } = database
  await sayWhichIsFirst(queries, secrets)
  const relay = await startRelay(database, deliverEvents(context), log, Object.keys(handlers), {
    types: notifiedEvents,
    deliver: notifyOfEvents(context),
  })
  const webhooks = await startDispatch({ ...context, random: Math.random }, database)
  // Not a job of the queue, since the folder is this process's own.
  const own = [
    every(
      3_600_000,
      'removing old mail files',
      async () => removeOldMails(context.outbox, context.clock.now()),
      log,
    ),
    every(resealEveryMs, 'saying which master key is first', () => sayWhichIsFirst(queries, secrets), log),
  ]
  const { signal } = stopping
  const opening: Promise<QueueWorkers | undefined> = queue
    .work({ types: handledJobs, handle: doJobs(context), onOutcome: parts.onJobOutcome, signal })
    .catch((error) => {
      if (!signal.aborted) log.error({ err: error }, 'job queue not opened')
      return undefined
    })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([
        relay.stop(),
        webhooks.stop(),
        opening.then((workers) => workers?.stop()),
        ...own.map((each) => each.stop()),
      ])
    },
  }
}
