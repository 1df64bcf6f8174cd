import { eraseDue } from '@memory/shared/accounts/erase-accounts'
import { purgeExports } from '@memory/shared/accounts/exports'
import { purgeSessions } from '@memory/shared/accounts/sessions'
import { tellOfExpiringKeys } from '@memory/shared/keys/tell-expiring'
import { removeOldMails } from '@memory/shared/mail/file-mailer'
import { runDueTasks } from '@memory/shared/memory/consolidation/run-due'
import {
  eraseExpired,
  purgeIdempotencyKeys,
  purgeTombstones,
  purgeTraces,
} from '@memory/shared/memory/housekeeping'
import { purgeNotifications } from '@memory/shared/notifications/service'
import { purgeInvitations } from '@memory/shared/organizations/invitations'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { every } from '@memory/shared/platform/periodic'
import { purgeAttempts } from '@memory/shared/throttle/throttle'
import { rotateSigningKeyWhenDue } from '@memory/shared/tokens/rotate-signing-keys'
import { noteHeld, rollUpUsage } from '@memory/shared/usage/keep-usage'
import { purgeDeliveries } from '@memory/shared/webhooks/deliveries'
import { Dispatcher } from '@memory/shared/webhooks/dispatcher'
import { createWorkerContext, type WorkerParts } from './context.ts'
import { deliverEvents, handlers } from './register.ts'

export type { WorkerParts } from './context.ts'

/** The background work of one process. */
export interface Worker {
  /** Finishes what is in hand, or what takes long as far as it is. */
  stop(): Promise<void>
}

/** Starts the background work: the outbox relay and housekeeping. Any number of workers may run on one database. */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const stopping = new AbortController()
  const context = createWorkerContext({ ...parts, signal: stopping.signal })
  const { database, queries, log } = context
  const relay = await startRelay(database, deliverEvents(context), log, Object.keys(handlers))
  const webhooks = new Dispatcher({ ...context, random: Math.random })
  const chores = [
    every(1_000, 'delivering webhooks', () => webhooks.run(), log),
    every(3_600_000, 'purging deliveries', () => purgeDeliveries(queries), log),
    every(60_000, 'erasing expired patterns', () => eraseExpired(queries), log),
    every(300_000, 'purging tombstones', () => purgeTombstones(queries), log),
    every(600_000, 'purging traces', () => purgeTraces(queries), log),
    every(300_000, 'purging idempotency keys', () => purgeIdempotencyKeys(queries), log),
    every(
      3_600_000,
      'removing old mail files',
      () => removeOldMails(context.outbox, context.clock.now()),
      log,
    ),
    every(3_600_000, 'purging exports', () => purgeExports(queries), log),
    every(600_000, 'erasing deleted accounts', () => eraseDue(context), log),
    every(60_000, 'telling of expiring keys', () => tellOfExpiringKeys(queries), log),
    every(3_600_000, 'purging notifications', () => purgeNotifications(queries), log),
    every(300_000, 'purging attempts', () => purgeAttempts(queries), log),
    every(3_600_000, 'purging sessions', () => purgeSessions(queries), log),
    every(3_600_000, 'purging invitations', () => purgeInvitations(queries), log),
    every(300_000, 'noting what spaces hold', () => noteHeld(context), log),
    every(3_600_000, 'rolling usage up', () => rollUpUsage(context), log),
    every(60_000, 'consolidating spaces', () => runDueTasks(context.spaceWork, context.signal), log),
    every(3_600_000, 'rotating the signing key', () => rotateSigningKeyWhenDue(context), log),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([relay.stop(), webhooks.stop(), ...chores.map((chore) => chore.stop())])
    },
  }
}
