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

/** What background work works with. */
export interface WorkerContext {
  database: Database
  queries: Queries
  queue: JobQueue
  secrets: Secrets
  mailer: Mailer
  log: Log
  clock: Clock
  dataDir: string
  /** Folder of mails that become files. */
  outbox: string
  /** Fires when the process is about to end: what takes long stops where it is. */
  signal: AbortSignal
  /** Drops what this process holds of a space in memory. */
  forgetSpace: (spaceId: string) => void
  /** For consolidation of spaces. */
  spaceWork: SpaceWork
  /** What links begin with, without a slash at the end. */
  publicBaseUrl: string
  /** How long entries of the audit log are kept. */
  auditRetentionDays: number
  /** Signs receipts of erasures. */
  receipts: ReceiptAuthority
  /** Where webhooks may lead. */
  gate: AddressGate
  /** Is told of each attempt at a webhook. */
  onAttempt: AttemptContext['onAttempt']
}

/** What of it a process has in any case. */
export interface WorkerParts {
  config: Config
  database: Database
  queue: JobQueue
  secrets: Secrets
  log: Log
  clock: Clock
  /** Is told of each attempt at a job. */
  onJobOutcome?: (outcome: JobOutcome) => void
  onAttempt?: AttemptContext['onAttempt']
  signal?: AbortSignal
  /** The memory of a process that answers requests; without it the work opens one of its own. */
  memory?: Omit<SpaceWork, 'log' | 'release'>
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
