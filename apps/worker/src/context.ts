import { join } from 'node:path'
import { ReceiptKeys } from '@memory/identity/tokens/receipt-keys'
import { AddressGate } from '@memory/identity/webhooks/address-gate'
import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import { openSpaceWork } from '@memory/memory/schedule/open-work'
import type { SpaceWork } from '@memory/memory/schedule/scheduled-run'
import type { Mailer } from '@memory/shared/mail/mailer'
import { openMailer } from '@memory/shared/mail/open-mailer'
import type { Clock } from '@memory/shared/platform/clock'
import { type Config, linkBaseOf } from '@memory/shared/platform/config'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import type { JobQueue } from '@memory/shared/platform/queue/queue'
import type { JobOutcome } from '@memory/shared/platform/queue/workers'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { ReceiptAuthority } from '@memory/shared/receipts/receipt'

/** What the handlers of events and jobs need. */
export interface WorkerContext {
  database: Database
  queries: Queries
  queue: JobQueue
  secrets: Secrets
  mailer: Mailer
  log: Log
  clock: Clock
  dataDir: string
  /** The folder in which mails are written as files when there is no mail server. */
  outbox: string
  /** Fires when the process is to end: long work must then stop. */
  signal: AbortSignal
  /** Drops everything of a space from this process's memory. */
  forgetSpace: (spaceId: string) => void
  /** What jobs on spaces need, such as sleep. */
  spaceWork: SpaceWork
  /** The base URL of links, without a trailing slash. */
  publicBaseUrl: string
  /** Days for which entries of the audit log are kept. */
  auditRetentionDays: number
  /** Signs receipts of erasures. */
  receipts: ReceiptAuthority
  /** Decides to which addresses webhooks may be sent. */
  gate: AddressGate
  /** Called after each attempt to deliver a webhook. */
  onAttempt: AttemptContext['onAttempt']
}

/** What a process must provide for the worker context; the rest is made from this. */
export interface WorkerParts {
  config: Config
  database: Database
  queue: JobQueue
  secrets: Secrets
  log: Log
  clock: Clock
  /** Called after each attempt at a job. */
  onJobOutcome?: (outcome: JobOutcome) => void
  onAttempt?: AttemptContext['onAttempt']
  signal?: AbortSignal
  /** The memory services of a process that also answers requests; without it the worker opens its own. */
  memory?: Omit<SpaceWork, 'log' | 'holding'>
}

export function createWorkerContext(parts: WorkerParts): WorkerContext {
  const { config, database, queue, secrets, log, clock, signal = new AbortController().signal } = parts
  const { mail, dataDir } = config
  const outbox = join(dataDir, 'outbox')
  const spaceWork: SpaceWork =
    parts.memory === undefined
      ? openSpaceWork({
          ...{ queries: database.queries, clock, log },
          versionsKept: config.versionsKept,
          budgetBytes: config.indexBudgetBytes,
        })
      : { ...parts.memory, log }
  return {
    database,
    queries: database.queries,
    queue,
    secrets,
    mailer: openMailer({ ...mail, folder: outbox }),
    log,
    clock,
    dataDir,
    outbox,
    signal,
    forgetSpace: (spaceId) => spaceWork.spaces.drop(spaceId),
    spaceWork,
    publicBaseUrl: linkBaseOf(config),
    auditRetentionDays: config.auditRetentionDays,
    receipts: new ReceiptKeys({ queries: database.queries, secrets, clock }, config),
    gate: new AddressGate(config.webhookAllowCidrs),
    onAttempt: parts.onAttempt,
  }
}
