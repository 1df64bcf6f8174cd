import { systemClock } from '@memory/shared/platform/clock'
import { ConfigError, readConfig } from '@memory/shared/platform/config'
import { openPostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import { failStart, isHelpAsked, onStopSignal } from '@memory/shared/platform/process'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { startWorker } from './worker.ts'

async function main(): Promise<void> {
  if (isHelpAsked()) {
    process.stdout.write(
      settingsHelp(
        'npm run worker',
        'Starts a process for background work. It reads the settings of database, Redis, master key, mail, links, data directory, index budget and log.',
      ),
    )
    return
  }
  const config = readConfig(process.env)
  if (config.database.url === undefined) {
    throw new ConfigError(
      'A worker of its own needs DATABASE_URL: with the embedded database npm start does the background work itself.',
    )
  }
  const log = createLog(config.logLevel)
  const database = openPostgres(config.database.url, config.database.poolSize, log)
  await requireUsable(requireRowLevelSecurity(database.queries))
  const secrets = await requireUsable(openSecrets(database.queries, config))
  const queue = new JobQueue({ redisUrl: config.redisUrl, database, log })
  const worker = await startWorker({ config, database, queue, secrets, log, clock: systemClock })
  log.info('worker ready')
  onStopSignal(log, async () => {
    await worker.stop()
    await queue.close()
    await database.close()
  })
}

main().catch(failStart)
