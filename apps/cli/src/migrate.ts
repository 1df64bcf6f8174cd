import { parseArgs } from 'node:util'
import { ConfigError, databaseOf, readConfig } from '@memory/shared/platform/config'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { MigrationError } from '@memory/shared/platform/database/migrations'
import { migratePostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { type CommandOutput, Failure, jsonHelp, runCommand } from './command.ts'
import { sayDatabase } from './operator.ts'

const help = `Brings the database up to this release.

  npm run migrate

Works on DATABASE_URL, with the rights of its user, or else on the embedded database in MEMORY_DATA_DIR.
npm start does the same unless MEMORY_MIGRATE=off. ${jsonHelp}`

async function run(args: string[], output: CommandOutput): Promise<void> {
  parseArgs({ args })
  try {
    const config = readConfig(process.env)
    const database = databaseOf(config)
    if (config.database.url === undefined) {
      await (await openDataDirectory(config.dataDir)).close()
      sayDatabase(database)
      output.result({ database }, () => output.write('The embedded database is up to date.'))
      return
    }
    const applied = await requireUsable(migratePostgres(config.database.url))
    sayDatabase(database)
    output.result({ database, applied }, () =>
      output.write(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`),
    )
  } catch (error) {
    if (error instanceof ConfigError || error instanceof MigrationError) throw new Failure(error.message)
    throw error
  }
}

await runCommand(run, help)
