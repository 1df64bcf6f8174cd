import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from '@memory/shared/platform/backup/backup-folder'
import { copyClosed } from '@memory/shared/platform/backup/embedded-copy'
import { type DatabaseFacts, readFacts } from '@memory/shared/platform/backup/facts'
import { dumpPostgres } from '@memory/shared/platform/backup/postgres-dump'
import { PostgresPrograms } from '@memory/shared/platform/backup/postgres-programs'
import type { Config } from '@memory/shared/platform/config'
import { takeDataDirectory } from '@memory/shared/platform/data-directory'
import { openAsFound } from '@memory/shared/platform/database/embedded'
import { requireUsable } from '@memory/shared/platform/database/postgres'
import { backupsFolder, backupTotals, newBackupName } from './backups.ts'
import { type CommandOutput, Failure, jsonHelp, operatorWork, runCommand, UsageError } from './command.ts'
import { duration } from './format.ts'
import { askRunningService, findRunningService, readSettings } from './operator.ts'

const help = `Backs up the database while the service works, or while it is stopped.

  npm run backup -- [FOLDER] [--json]

The backup is a folder, which is not there yet; without FOLDER it is ${backupsFolder}/memory-DATE. It has the database as it is at
one moment, checksums, and how many rows each table has; npm run restore restores it. It does not have the master key:
keep MASTER_KEY, or the file master-key in MEMORY_DATA_DIR, apart from it. A backup that is interrupted leaves none.

The embedded database is copied by the service that runs, through its operators' listener (OPS_PORT). A PostgreSQL is dumped
by pg_dump, which has to be in PATH, as the user of DATABASE_URL, who owns the tables.
${jsonHelp}`

async function backup(args: string[], output: CommandOutput): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length > 1) throw new UsageError('Name one folder.')
  const config = readSettings(process.env)
  const target = positionals[0] ?? join(backupsFolder, newBackupName(new Date()))
  const started = performance.now()
  const { dataDir } = config
  const { url } = config.database
  const made = await operatorWork(() =>
    url === undefined
      ? makeBackup({ target, database: 'embedded', dataDir }, (place) => copyEmbeddedTo(place, config))
      : makeBackup({ target, database: 'postgres', dataDir }, (file) => dump(url, file)),
  )
  const seconds = (performance.now() - started) / 1_000
  const { folder, manifest } = made
  const { database, createdAt, tables } = manifest
  output.result({ folder, database, createdAt, seconds, tables }, () => output.write(folder))
  console.error(
    `${backupTotals(manifest)}, in ${duration(seconds)}. The master key is not in it: keep ${keyOf(config)} apart, because nothing secret opens without it.`,
  )
}

function dump(url: string, file: string): Promise<DatabaseFacts> {
  const programs = new PostgresPrograms(url, process.env)
  return requireUsable(dumpPostgres(url, programs, file, new AbortController().signal))
}

/** Copies the database, and opens the copy: what can't be opened is no backup. */
async function copyEmbeddedTo(place: string, { dataDir }: Config): Promise<DatabaseFacts> {
  await copyFrom(dataDir, place)
  const copy = await openAsFound(place)
  try {
    return await readFacts((statement) => copy.connection.query(statement))
  } finally {
    await copy.close()
  }
}

async function copyFrom(dataDir: string, place: string): Promise<void> {
  const database = join(dataDir, 'database')
  if (!existsSync(join(database, 'PG_VERSION'))) {
    throw new Failure(
      `There is no database in ${dataDir} yet: start the service once, or set MEMORY_DATA_DIR.`,
    )
  }
  const service = await findRunningService(dataDir)
  if (service !== undefined) {
    await askRunningService(service, '/ops/backup', { target: place })
    return
  }
  const directory = takeDataDirectory(dataDir)
  try {
    await copyClosed(database, place, new AbortController().signal)
  } finally {
    directory.release()
  }
}

const keyOf = ({ masterKeys, dataDir }: Config): string =>
  masterKeys === undefined ? join(dataDir, 'master-key') : 'MASTER_KEY'

await runCommand(backup, help)
