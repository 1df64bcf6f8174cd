import { ConfigError, readConfig } from '@memory/shared/platform/config'
import { openPostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { createLog } from '@memory/shared/platform/log'
import { failStart, isHelpAsked, onStopSignal } from '@memory/shared/platform/process'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { startWorker } from './worker.ts'

async function main(): Promise<void> {
  if (isHelpAsked()) {
    process.stdout.write(
      settingsHelp(
        'npm run worker',
        'Starts a process for background work. It reads the database and log settings.',
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
  const worker = await startWorker(database, log)
  log.info('worker ready')
  onStopSignal(log, async () => {
    await worker.stop()
    await database.close()
  })
}

main().catch(failStart)
