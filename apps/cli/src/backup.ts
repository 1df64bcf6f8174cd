import { existsSync, rmdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup, type OnStep } from '@memory/shared/platform/backup/backup-folder'
import { readCopiedFacts } from '@memory/shared/platform/backup/copied-facts'
import { copyClosed } from '@memory/shared/platform/backup/embedded-copy'
import type { DatabaseFacts } from '@memory/shared/platform/backup/facts'
import { dumpPostgres } from '@memory/shared/platform/backup/postgres-dump'
import { PostgresPrograms } from '@memory/shared/platform/backup/postgres-programs'
import type { Config } from '@memory/shared/platform/config'
import { requireUsable } from '@memory/shared/platform/database/postgres'
import { showSteps } from './backup-steps.ts'
import { backupTotals, newBackupName } from './backups.ts'
import {
  asNamed,
  type CommandOutput,
  Failure,
  jsonHelp,
  operatorWork,
  runCommand,
  UsageError,
} from './command.ts'
import { duration } from './format.ts'
import { findRunningService, followRunningService, readSettings, takeUnserved } from './operator.ts'

const help = `Backs up the database while the service works, or while it is stopped.

  npm run backup -- [FOLDER] [--json]

The backup is a folder, which is not there yet; without FOLDER it is memory-DATE in MEMORY_BACKUP_DIR (./backups). It has the database as it is at
one moment, checksums, and how many rows each table has; npm run restore restores it. It does not have the master key:
keep MASTER_KEY, or the file master-key in MEMORY_DATA_DIR, apart from it. A backup that is interrupted leaves none.

The embedded database is copied by the service that runs, through its operators' listener (OPS_PORT). A PostgreSQL is dumped
by pg_dump, which has to be in PATH, as the user of DATABASE_URL, who owns the tables. How far it is goes to standard error.
${jsonHelp}`

async function backup(args: string[], output: CommandOutput): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length > 1) throw new UsageError('Name one folder.')
  const config = readSettings(process.env)
  const [named] = positionals
  const target =
    named === undefined ? join(config.backupDir, newBackupName(new Date())) : asNamed(named, process.env)
  const started = performance.now()
  const { dataDir } = config
  const { url } = config.database
  // Standard output is for the folder.
  const { onStep, stop } = showSteps({ write: (line) => console.error(line), terminal: output.terminal })
  const make = () =>
    url === undefined
      ? makeBackup({ target, database: 'embedded', dataDir, onStep }, (place) =>
          copyEmbeddedTo(place, config, onStep),
        )
      : makeBackup({ target, database: 'postgres', dataDir, onStep }, (file) => dump(url, file, onStep))
  const made = await operatorWork(() => leavingNoFolders(dirname(resolve(target)), make)).finally(stop)
  const seconds = (performance.now() - started) / 1_000
  const { folder, manifest } = made
  const { database, createdAt, tables } = manifest
  output.result({ folder, database, createdAt, seconds, tables }, () => output.write(folder))
  console.error(
    `${backupTotals(manifest)}, in ${duration(seconds)}. The master key is not in it: keep ${placeOfKey(config)} apart, because nothing secret opens without it.`,
  )
}

/** When `make` fails, removes the folders that were made for it: an empty one would look like a place of backups. */
async function leavingNoFolders<Made>(parent: string, make: () => Promise<Made>): Promise<Made> {
  const missing: string[] = []
  for (let folder = parent; !existsSync(folder); folder = dirname(folder)) missing.push(folder)
  try {
    return await make()
  } catch (error) {
    try {
      for (const folder of missing) rmdirSync(folder)
    } catch {
      // It was not made, or holds what somebody else has put there.
    }
    throw error
  }
}

const dumpSizeEveryMs = 1_000

async function dump(url: string, file: string, onStep: OnStep): Promise<DatabaseFacts> {
  const programs = new PostgresPrograms(url, process.env)
  // The dump is compressed, so nobody knows how large it becomes.
  let isDone = false
  const look = setInterval(async () => {
    const found = await stat(file).catch(() => undefined)
    if (!isDone) onStep('copy', found?.size ?? 0, undefined)
  }, dumpSizeEveryMs)
  try {
    return await requireUsable(dumpPostgres(url, programs, file, new AbortController().signal))
  } finally {
    isDone = true
    clearInterval(look)
  }
}

async function copyEmbeddedTo(place: string, { dataDir }: Config, onStep: OnStep): Promise<DatabaseFacts> {
  await copyFrom(dataDir, place, (copied, total) => onStep('copy', copied, total))
  onStep('rows', 0, undefined)
  return await readCopiedFacts(place)
}

async function copyFrom(
  dataDir: string,
  place: string,
  onProgress: (copied: number, total: number) => void,
): Promise<void> {
  const database = join(dataDir, 'database')
  if (!existsSync(join(database, 'PG_VERSION'))) {
    throw new Failure(
      `There is no database in ${dataDir} yet: start the service once, or set MEMORY_DATA_DIR.`,
    )
  }
  const service = await findRunningService(dataDir)
  if (service !== undefined) {
    await followRunningService<CopyLine>(service, '/ops/backup', { target: place }, (line) => {
      // The total is 0 until the service has listed the files.
      if (line.total_bytes > 0) onProgress(line.copied_bytes, line.total_bytes)
    })
    return
  }
  const directory = takeUnserved(dataDir)
  try {
    await copyClosed(database, place, { signal: new AbortController().signal, onProgress })
  } finally {
    directory.release()
  }
}

/** A line of progress from the service, in bytes. */
interface CopyLine {
  copied_bytes: number
  total_bytes: number
}

const placeOfKey = ({ masterKeys, dataDir }: Config): string =>
  masterKeys === undefined ? join(dataDir, 'master-key') : 'MASTER_KEY'

await runCommand(backup, help)
