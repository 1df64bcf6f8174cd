import { registerWebhookMetrics } from '@memory/identity/webhooks/metrics'
import { createOpsListener, type Watched } from '@memory/shared/ops/listener'
import {
  createWorkMetrics,
  observeWork,
  registerOutboxBacklog,
  registerQueueMetrics,
  registerReadiness,
} from '@memory/shared/ops/metrics'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, ConfigError, readConfig } from '@memory/shared/platform/config'
import { reportLooseCommits } from '@memory/shared/platform/database/database'
import { openPostgres, requireMigrated, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { addressOf, drain, listen } from '@memory/shared/platform/http-server'
import { mendJsonParse } from '@memory/shared/platform/json-parse'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import { keepPrivate } from '@memory/shared/platform/private-folders'
import { failStart, isHelpAsked, onStopSignal, refuseArguments } from '@memory/shared/platform/process'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { requireSurroundings } from '@memory/shared/platform/surroundings'
import { packageVersion } from '@memory/shared/platform/version'
import { startWorker } from './worker.ts'

/** At a stop, requests for metrics that are being answered have this long. */
const opsDrainMs = 1_000

/** The settings that a worker process reads, for its --help. */
const read = [
  ...(['DATABASE_URL', 'DATABASE_POOL_SIZE', 'REDIS_URL', 'MASTER_KEY', 'MEMORY_DATA_DIR'] as const),
  ...(['SMTP_URL', 'MAIL_FROM', 'PUBLIC_BASE_URL', 'WEBHOOK_ALLOW_CIDRS'] as const),
  ...(['MEMORY_INDEX_BUDGET', 'ACCEL', 'MEMORY_VERSIONS_KEPT', 'MEMORY_AUDIT_RETENTION_DAYS'] as const),
  ...(['OPS_HOST', 'WORKER_OPS_PORT', 'LOG_LEVEL'] as const),
]

async function main(): Promise<void> {
  if (isHelpAsked()) {
    process.stdout.write(
      settingsHelp(
        'npm run worker',
        'Starts a process for background work. Other settings of the service may be set beside these.',
        read,
      ),
    )
    return
  }
  refuseArguments()
  mendJsonParse()
  const config = readConfig(process.env)
  if (config.database.url === undefined) {
    throw new ConfigError(
      'A worker of its own needs DATABASE_URL: with the embedded database npm start does the background work itself.',
    )
  }
  const log = createLog(config.logLevel)
  for (const warning of await requireSurroundings(config)) log.warn(warning)
  for (const warning of keepPrivate(config.dataDir)) log.warn(warning)
  const clock = systemClock
  await requireMigrated(config.database.url)
  const database = openPostgres(config.database.url, config.database.poolSize, log)
  await requireUsable(requireRowLevelSecurity(database.queries))
  await reportLooseCommits(database.queries, log)
  const secrets = await requireUsable(openSecrets(database.queries, config))
  const queue = new JobQueue({ redisUrl: config.redisUrl, database, log })
  const metrics = createWorkMetrics()
  registerQueueMetrics(metrics.registry, queue)
  registerOutboxBacklog(metrics.registry, database.queries)
  const worker = await startWorker({
    ...{ config, database, queue, secrets, log, clock },
    ...observeWork(metrics),
    onAttempt: registerWebhookMetrics(metrics.registry, { queries: database.queries, clock }),
  })
  const watched = { database, queue, version: packageVersion(), metrics, log, leaving: false }
  registerReadiness(metrics.registry, watched)
  const ops = await serveOperators(watched, config.http)
  log.info({ opsPort: ops && addressOf(ops).port }, 'worker ready')
  onStopSignal(log, async () => {
    watched.leaving = true
    await worker.stop()
    if (ops !== undefined) await drain(ops, opsDrainMs)
    await queue.close()
    await database.close()
  })
}

/** Several workers may share a machine and its settings, so a worker whose port is taken goes on without this listener. */
async function serveOperators(watched: Watched, { workerOpsPort: port, opsHost }: Config['http']) {
  if (port === undefined) return undefined
  return listen(createOpsListener(watched), port, opsHost, 'WORKER_OPS_PORT').catch((error) => {
    if (!(error instanceof ConfigError)) throw error
    watched.log.warn({ port }, `no operators' listener: ${error.message}`)
    return undefined
  })
}

main().catch(failStart)
