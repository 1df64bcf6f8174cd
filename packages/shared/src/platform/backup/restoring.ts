import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import type { MigrationConnection } from '../database/migration-connection.ts'

/** What the embedded database's folder is called until a restore is done; while it is there, no service starts. */
export const restoringFolder = 'database.restoring'

/** A schema that is there until a restore into a PostgreSQL is done; while it is there, no service starts. */
export const restoringSchema = 'memory_restoring'

/** What a restore calls the database that it replaces, from before the restored one has its place until after. */
export const replacedFolder = 'database.replaced'

/** @throws ConfigError when a restore was interrupted: the service would start on an older database, or on a new one */
export function refuseUnfinished(dataDir: string): void {
  const [database, draft, replaced] = [
    join(dataDir, 'database'),
    join(dataDir, restoringFolder),
    join(dataDir, replacedFolder),
  ]
  const isThere = existsSync(database)
  if (!isThere && existsSync(replaced)) {
    const otherwise = `, or rename ${replaced} to ${database} and then remove ${draft}, to go on with what was there before`
    throw interrupted(dataDir, otherwise)
  }
  if (!existsSync(draft)) return
  const rest = isThere ? 'go on with what was there before' : 'start on an empty database'
  throw interrupted(dataDir, `, or remove ${draft} to ${rest}`)
}

/** @throws ConfigError where a restore into the PostgreSQL of DATABASE_URL was interrupted */
export async function refuseUnfinishedPostgres(
  connection: Pick<MigrationConnection, 'query'>,
): Promise<void> {
  const [row] = await connection.query<{ there: boolean }>(
    'select to_regnamespace($1) is not null as there',
    [restoringSchema],
  )
  if (row?.there) throw interrupted('the database at DATABASE_URL')
}

const interrupted = (where: string, otherwise = '') =>
  new ConfigError(
    `A restore into ${where} was interrupted, so what is there is not whole: run npm run restore again${otherwise}.`,
  )

/** The name that a restore gives to what it moves aside. */
export const asideName = (name: string, now: Date) =>
  `${name}_before_${now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .toLowerCase()}`
