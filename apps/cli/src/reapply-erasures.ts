import { type Reapplied, reapplyErasures } from '@memory/identity/accounts/erase-accounts'
import { type Erasure, readLedger } from '@memory/identity/accounts/erasure-ledger'
import { ReceiptKeys } from '@memory/identity/tokens/receipt-keys'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, databaseOf } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import { type CommandOutput, Failure } from './command.ts'
import { openExisting, sayDatabase } from './operator.ts'

/** Warnings go to standard error, as standard output is for the result. */
const log = createLog('warn', process.stderr)

/** What the ledgers that `--ledger` names say was erased. @throws Failure for a file that is none */
export async function readLedgers(paths: readonly string[]): Promise<Erasure[]> {
  const all: Erasure[] = []
  for (const path of paths) {
    const noted = await readLedger(path, log).catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`The ledger ${path} can't be read (${error.code ?? error.name}).`, { cause: error })
    })
    if (noted === undefined || noted.length === 0)
      throw new Failure(`${path} is no ledger: name the erasures.ndjson of a process that erased.`)
    all.push(...noted)
  }
  return all
}

/**
 * Erases again what the ledger in the data directory, and others, say was erased, on a database that no service works on.
 * @param others what `readLedgers` has read
 */
export async function reapplyErasuresTo(
  { queries }: Pick<Database, 'queries'>,
  config: Config,
  others: readonly Erasure[],
): Promise<Reapplied> {
  const { dataDir } = config
  const context = {
    queries,
    clock: systemClock,
    log,
    dataDir,
    signal: new AbortController().signal,
    forgetSpace: () => {},
    receipts: new ReceiptKeys(
      { queries, secrets: await openSecrets(queries, config), clock: systemClock },
      config,
    ),
    snapshots: snapshotsIn(dataDir),
  }
  return reapplyErasures(context, others)
}

/**
 * A sentence for a database of which no ledger says that anything was erased, although its workers may have erased; undefined
 * where there is no reason for one. The embedded database has one data directory, whose ledger knows all.
 */
export function missingLedger({ database, dataDir }: Config, { noted }: Reapplied): string | undefined {
  if (noted > 0 || database.url === undefined) return undefined
  return `No ledger was found in ${dataDir}, so nothing was erased again. Workers note what they erase in data folders of their own: where one has an erasures.ndjson, run npm run accounts -- reapply-erasures --ledger FILE before the service starts.`
}

/**
 * Erases what a restored backup has brought back, by the ledger in the data directory and those that are named. It works on the
 * database itself, never through a running service, which would serve meanwhile what must not be there.
 * @throws Failure while a service holds the embedded database
 */
export async function reapplyErasuresOf(
  config: Config,
  ledgers: readonly string[],
  output: CommandOutput,
): Promise<void> {
  const others = await readLedgers(ledgers)
  const database = await openExisting(config)
  try {
    sayDatabase(databaseOf(config))
    const reapplied = await reapplyErasuresTo(database, config, others)
    const warning = missingLedger(config, reapplied)
    if (warning !== undefined) console.error(`Warning: ${warning}`)
    const { found } = reapplied
    output.result({ erasedAgain: found }, () =>
      output.write(
        found === 0
          ? 'Nothing that was erased has come back.'
          : `Erased again: ${found === 1 ? 'one user or organization' : `${found} users and organizations`} that had come back.`,
      ),
    )
  } finally {
    await database.close()
  }
}
