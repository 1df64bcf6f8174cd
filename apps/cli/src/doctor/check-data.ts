import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readDeliveryBacklog } from '@memory/identity/webhooks/deliveries'
import { shardsPersist } from '@memory/memory/index/shards'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { checkClock, checkDatabase, checkIndexes } from '@memory/memory/verify/check-data'
import type { Check } from '@memory/shared/ops/check'
import { refuseUnfinished } from '@memory/shared/platform/backup/restoring'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, ConfigError } from '@memory/shared/platform/config'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import { openAsFound } from '@memory/shared/platform/database/embedded'
import { MigrationError, pendingMigrations } from '@memory/shared/platform/database/migrations'
import { openPostgres, pendingOnPostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { createLog } from '@memory/shared/platform/log'
import { checkKey } from '@memory/shared/platform/master-key'
import { readOutboxBacklog } from '@memory/shared/platform/outbox/outbox'
import { Failure } from '../command.ts'
import { duration } from '../format.ts'
import { askRunningService, findRunningService, takeUnserved } from '../operator.ts'
import { failedCheck } from './failed-check.ts'

/** The most spaces that are checked. */
const spacesMax = 20

/** Checks the database, its master key, clock and index: by the running service, or else by opening the data directory. */
export async function checkData(config: Config): Promise<Check[]> {
  try {
    const { url } = config.database
    return url === undefined ? await checkEmbedded(config) : await checkPostgres(url, config)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof MigrationError || error instanceof Failure)) {
      return [failedCheck('database', error)]
    }
    return [{ name: 'database', state: 'fail', text: error.message, remedy: error.message }]
  }
}

async function checkPostgres(url: string, config: Config): Promise<Check[]> {
  const pending = await requireUsable(pendingOnPostgres(url))
  if (pending.length > 0) return [lacksMigrations(pending)]
  const database = openPostgres(url, 1, createLog('silent'))
  try {
    await requireUsable(requireRowLevelSecurity(database.queries))
    return [...(await checkOpened(database, config)), await checkWork(database.queries)]
  } finally {
    await database.close()
  }
}

async function checkEmbedded(config: Config): Promise<Check[]> {
  const { dataDir } = config
  const folder = join(dataDir, 'database')
  refuseUnfinished(dataDir)
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    return [{ name: 'database', state: 'ok', text: `None is in ${dataDir} yet: the first start makes it.` }]
  }
  const service = await findRunningService(dataDir)
  if (service !== undefined) {
    return (await askRunningService<{ checks: Check[] }>(service, '/ops/checks', {})).checks
  }
  const directory = takeUnserved(dataDir)
  try {
    return await checkFound(folder, config)
  } finally {
    directory.release()
  }
}

async function checkFound(folder: string, config: Config): Promise<Check[]> {
  const found = await openAsFound(folder)
  try {
    const pending = await pendingMigrations(found.connection)
    if (pending.length > 0) return [lacksMigrations(pending)]
    return await checkOpened(await found.asService(), config)
  } finally {
    await found.close()
  }
}

const lacksMigrations = (pending: string[]): Check => ({
  name: 'database',
  state: 'warn',
  text: `The database lacks ${pending.length} migrations of this release.`,
  remedy: 'Make a backup, then start the service, or run npm run migrate.',
})

/** Work that waits for longer has been taken by no worker. */
const lagMaxS = 120

/** Whether some process does the background work. For PostgreSQL only: with the embedded database the service does it itself. */
async function checkWork(queries: Queries): Promise<Check> {
  const name = 'work'
  const backlogs = [await readOutboxBacklog(queries), await readDeliveryBacklog(queries, systemClock.now())]
  const lagS = Math.max(...backlogs.map(({ lagSeconds }) => lagSeconds))
  if (lagS <= lagMaxS) return { name, state: 'ok', text: 'No mail, webhook or notification waits for long.' }
  return {
    name,
    state: 'warn',
    text: `Mails, webhooks or notifications wait, the oldest for ${duration(lagS)}.`,
    remedy: 'Start a worker (npm run worker), or see in its log what fails.',
  }
}

async function checkOpened(database: Database, config: Config): Promise<Check[]> {
  const { queries } = database
  const snapshots = snapshotsIn(config.dataDir)
  const saved = new Set(shardsPersist ? await snapshots.list() : [])
  const open = (spaceId: string) => {
    if (!saved.has(spaceId)) return undefined
    return async () => {
      const index = await snapshots.load(spaceId, () => {})
      if (index === undefined) throw new Error(`The snapshot of space ${spaceId} is gone.`)
      return index
    }
  }
  return [
    await checkDatabase(queries),
    await checkKey(queries, config),
    await checkClock(queries, systemClock),
    await checkIndexes(queries, { open, spacesMax }),
  ]
}
