import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { MigrationConnection } from '@memory/shared/platform/database/migration-connection'
import pg from 'pg'
import { bare, newDatabase } from './database.ts'
import { plant } from './plant.ts'

/** A connection with the rights of the database's owner, before the service has opened it. */
export interface Owner extends MigrationConnection {
  /** Another connection to the same database; undefined where there is only one. */
  another(): Promise<Owner | undefined>
  close(): Promise<void>
}

/** Opens a new database. The embedded one is a copy of the seed, with the schema: whoever wants it bare drops `app` first. */
export async function openBare(): Promise<Owner> {
  const database = await newDatabase(bare)
  if (database !== undefined) {
    const first = await connectOwner(database.url)
    return {
      ...first,
      close: async () => {
        await first.close()
        await database.drop()
      },
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'memory-migrations-'))
  plant(folder)
  const first = await openFolder(folder)
  return {
    ...first,
    close: async () => {
      await first.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Opens the embedded database in a folder, as it is. */
export async function openFolder(folder: string): Promise<Owner> {
  const pglite = await PGlite.create({ dataDir: folder, extensions: { vector } })
  return {
    exec: async (statements) => void (await pglite.exec(statements)),
    query: async <Row>(statement: string, parameters: unknown[] = []) =>
      (await pglite.query<Row>(statement, parameters)).rows,
    another: async () => undefined,
    close: () => pglite.close(),
  }
}

/** Connects to a real PostgreSQL. */
export async function connectOwner(url: string): Promise<Owner> {
  const client = new pg.Client({ connectionString: url })
  // A test ends a connection by force; its statement fails with that.
  client.on('error', () => {})
  await client.connect()
  return {
    exec: async (statements) => void (await client.query(statements)),
    query: async <Row>(statement: string, parameters: unknown[] = []) =>
      (await client.query(statement, parameters)).rows as Row[],
    another: () => connectOwner(url),
    close: () => client.end(),
  }
}
