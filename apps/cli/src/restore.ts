import { parseArgs } from 'node:util'
import type { Reapplied } from '@memory/identity/accounts/erase-accounts'
import type { Check } from '@memory/shared/ops/check'
import { type Backup, newestBackup, openBackup } from '@memory/shared/platform/backup/backup-folder'
import { PostgresPrograms } from '@memory/shared/platform/backup/postgres-programs'
import { restoreEmbedded } from '@memory/shared/platform/backup/restore-embedded'
import { restorePostgres } from '@memory/shared/platform/backup/restore-postgres'
import type { Config } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { requireUsable } from '@memory/shared/platform/database/postgres'
import { openSecrets, requireKeysOf } from '@memory/shared/platform/master-key'
import { backupTotals } from './backups.ts'
import {
  asNamed,
  type CommandOutput,
  Failure,
  jsonHelp,
  operatorWork,
  runCommand,
  UsageError,
} from './command.ts'
import { verifyRestored } from './doctor/verify-restored.ts'
import { duration } from './format.ts'
import { readSettings } from './operator.ts'
import { missingLedger, readLedgers, reapplyErasuresTo } from './reapply-erasures.ts'

const help = `Restores a backup into an empty database, while no service runs.

  npm run restore -- [FOLDER] [--verify] [--force] [--ledger FILE] [--json]

FOLDER is what npm run backup has made; without one it is the newest in MEMORY_BACKUP_DIR (./backups). The embedded database is restored into
MEMORY_DATA_DIR, a dump of PostgreSQL into the database of DATABASE_URL by pg_restore, which has to be in PATH. The master key that
the backup was made under has to be there: MASTER_KEY, or the file master-key in MEMORY_DATA_DIR.

Checksums and the rows of every table are compared, the database is brought up to this release, and what erasures.ndjson in
MEMORY_DATA_DIR says was erased is erased again. Only then is it in place; until then no service starts on it.

  --verify  also reads the vectors into an index, looks for some of them in it, and encodes some texts again
  --force   moves a database that is there aside, instead of refusing
  --ledger FILE  also erases again what this erasures.ndjson says: that of another process that erased, as a worker with a
            data folder of its own; may be repeated
${jsonHelp}`

interface Request {
  folder: string | undefined
  verify: boolean
  force: boolean
  /** Ledgers of processes with other data folders. */
  ledgers: readonly string[]
}

async function restore(args: string[], output: CommandOutput): Promise<void> {
  const request = readRequest(args)
  const config = readSettings(process.env)
  const started = performance.now()
  const checks: string[] = []
  let warning: string | undefined
  const { aside, manifest } = await operatorWork(async () => {
    const others = await readLedgers(request.ledgers)
    const backup = await openBackup(request.folder ?? (await findNewest(config)))
    requireSameKind(backup, config)
    requireKeysOf(backup.manifest.masterKeys, config)
    const complete = async (database: Database) => {
      await openSecrets(database.queries, config)
      const reapplied = await reapplyErasuresTo(database, config, others)
      warning = missingLedger(config, reapplied)
      checks.push(...describe(reapplied))
      if (request.verify) checks.push(...(await verify(database, config)))
    }
    const { dataDir } = config
    const aside = await restoreTo(config, { backup, dataDir, force: request.force, complete })
    return { aside, manifest: backup.manifest }
  })
  const seconds = (performance.now() - started) / 1_000
  output.result({ seconds, checks, ...(warning !== undefined && { warning }), aside }, () => {
    output.write(`Restored in ${duration(seconds)}. ${backupTotals(manifest)}.`)
    for (const line of checks) output.write(line)
    if (warning !== undefined) output.write(`Warning: ${warning}`)
    for (const each of aside)
      output.write(`What was there before is ${each} now: remove it when you need it no more.`)
    output.write('Start the service: npm start')
  })
}

function readRequest(args: string[]): Request {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      verify: { type: 'boolean' },
      force: { type: 'boolean' },
      ledger: { type: 'string', multiple: true, default: [] },
    },
  })
  if (positionals.length > 1) throw new UsageError('Name one backup.')
  const [folder] = positionals
  return {
    folder: folder && asNamed(folder, process.env),
    verify: values.verify ?? false,
    force: values.force ?? false,
    ledgers: values.ledger.map((file) => asNamed(file, process.env)),
  }
}

async function findNewest({ backupDir }: Config): Promise<string> {
  const newest = await newestBackup(backupDir)
  if (newest !== undefined) return newest
  throw new UsageError(`There is no backup in the folder ${backupDir}: name the one to restore.`)
}

function requireSameKind({ manifest }: Backup, { database }: Config): void {
  const isEmbedded = manifest.database === 'embedded'
  if (isEmbedded === (database.url === undefined)) return
  throw new Failure(
    isEmbedded
      ? 'This is a backup of the embedded database: unset DATABASE_URL to restore it.'
      : 'This is a backup of a PostgreSQL: set DATABASE_URL to the one that it is to be restored into.',
  )
}

async function restoreTo(
  { database: { url } }: Config,
  request: Parameters<typeof restoreEmbedded>[0],
): Promise<string[]> {
  if (url === undefined) return [(await restoreEmbedded(request)) ?? []].flat()
  const programs = new PostgresPrograms(url, process.env)
  return requireUsable(restorePostgres(url, programs, request, new AbortController().signal))
}

/** What was found before it counts as restored, a line each. */
function describe({ found }: Reapplied): string[] {
  const lines = [
    'Checksums: every file is as it was written.',
    'Rows: every table has as many as were backed up.',
    'Master key: it opens the secrets.',
  ]
  if (found > 0)
    lines.push(`Erasures: ${found} users and organizations that had come back were erased again.`)
  return lines
}

/** @returns what was found, a line each @throws Failure for a fault, with which it does not count as restored */
async function verify(database: Database, config: Config): Promise<string[]> {
  const checks: Check[] = await verifyRestored(database, config)
  const failed = checks.find(({ state }) => state === 'fail')
  if (failed !== undefined) throw new Failure(`${failed.text} Nothing was put in place.`)
  return checks.map(({ text }) => `Verified: ${text}`)
}

await runCommand(restore, help)
