import { startDispatch } from '@memory/identity/webhooks/dispatch'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import { removeOldMails } from '@memory/shared/mail/file-mailer'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { every } from '@memory/shared/platform/periodic'
import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import { createWorkerContext, type WorkerParts } from './context.ts'
import { doJobs, handledJobs } from './jobs.ts'
import { deliverEvents, handlers, notifyOfEvents } from './register.ts'

export type { WorkerParts } from './context.ts'

/** The background work of one process. */
export interface Worker {
  /** Finishes what is in hand, or what takes long as far as it is. */
  stop(): Promise<void>
}

/**
 * Starts the background work: the outbox relay, the attempts at webhooks and the job queue. Any number of workers may
 * run on one database. Events and webhooks don't go through the queue: their rows lease themselves, with an order and
 * a fairness of their own, so that they are delivered while Redis is down; a second queue would only cost more.
 */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const stopping = new AbortController()
  const context = createWorkerContext({ ...parts, signal: stopping.signal })
  const { database, queue, log } = context
  const relay = await startRelay(database, deliverEvents(context), log, Object.keys(handlers), {
    types: notifiedEvents,
    deliver: notifyOfEvents(context),
  })
  const webhooks = await startDispatch({ ...context, random: Math.random }, database)
  // A folder of this process's own: no job for others.
  const own = [
    every(
      3_600_000,
      'removing old mail files',
      async () => removeOldMails(context.outbox, context.clock.now()),
      log,
    ),
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
