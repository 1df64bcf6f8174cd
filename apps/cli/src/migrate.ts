import { parseArgs } from 'node:util'
import { databaseOf } from '@memory/shared/platform/config'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { migratePostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { type CommandOutput, jsonHelp, operatorWork, runCommand } from './command.ts'
import { readSettings, sayDatabase } from './operator.ts'

const help = `Brings the database up to this release.

  npm run migrate

Works on DATABASE_URL, with the rights of its user, or else on the embedded database in MEMORY_DATA_DIR.
npm start does the same unless MEMORY_MIGRATE=off. ${jsonHelp}`

async function run(args: string[], output: CommandOutput): Promise<void> {
  parseArgs({ args })
  const config = readSettings(process.env)
  const database = databaseOf(config)
  const { url } = config.database
  if (url === undefined) {
    await operatorWork(async () => (await openDataDirectory(config.dataDir)).close())
    sayDatabase(database)
    output.result({ database }, () => output.write('The embedded database is up to date.'))
    return
  }
  const applied = await operatorWork(() => requireUsable(migratePostgres(url)))
  sayDatabase(database)
  output.result({ database, applied }, () =>
    output.write(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`),
  )
}

await runCommand(run, help)
