import { reapplyErasures } from '@memory/identity/accounts/erase-accounts'
import { ReceiptKeys } from '@memory/identity/tokens/receipt-keys'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, databaseOf } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import type { CommandOutput } from './command.ts'
import { openExisting, sayDatabase } from './operator.ts'

/**
 * Erases again what the ledger in the data directory says was erased, on a database that no service works on.
 * @returns how many users and organizations had come back
 */
export async function reapplyErasuresTo(
  { queries }: Pick<Database, 'queries'>,
  config: Config,
): Promise<number> {
  const { dataDir } = config
  return reapplyErasures({
    queries,
    clock: systemClock,
    log: createLog('warn'),
    dataDir,
    signal: new AbortController().signal,
    forgetSpace: () => {},
    receipts: new ReceiptKeys(
      { queries, secrets: await openSecrets(queries, config), clock: systemClock },
      config,
    ),
    snapshots: snapshotsIn(dataDir),
  })
}

/**
 * Erases what a restored backup has brought back, by the ledger in the data directory. It works on the database itself, never
 * through a running service, which would serve meanwhile what must not be there.
 * @throws Failure while a service holds the embedded database
 */
export async function reapplyErasuresOf(config: Config, output: CommandOutput): Promise<void> {
  const database = await openExisting(config)
  try {
    sayDatabase(databaseOf(config))
    const found = await reapplyErasuresTo(database, config)
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
