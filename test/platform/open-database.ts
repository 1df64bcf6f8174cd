import { createOrganization } from '@memory/identity/organizations/service'
import { asTenant, type Database, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { migratePostgres, openPostgres } from '@memory/shared/platform/database/postgres'
import { createLog } from '@memory/shared/platform/log'
import { type KyselyPlugin, sql } from 'kysely'
import { newDatabase } from '../support/database.ts'
import { lendDatabase } from '../support/lent-databases.ts'

export const silent = createLog('silent')

/** A migrated, empty database as the application role sees it: embedded, or on the server of TEST_DATABASE_URL. */
export async function openTestDatabase(poolSize = 8): Promise<Database> {
  const server = await newDatabase()
  if (server !== undefined) {
    await migratePostgres(server.url)
    const database = openPostgres(server.url, poolSize, silent)
    return {
      ...database,
      close: async () => {
        await database.close()
        await server.drop()
      },
    }
  }
  return lendDatabase()
}

export interface NewOrganization {
  organizationId: string
  spaceId: string
}

/** A new organization and its live space. */
export async function newOrganization(queries: Queries): Promise<NewOrganization> {
  const organizationId = await createOrganization(queries, 'Test', 'enterprise')
  const { id } = await asTenant(queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('id')
      .where('environment', '=', 'live')
      .executeTakeFirstOrThrow(),
  )
  return { organizationId, spaceId: id }
}

/** Runs `work` as the database's owner, whom row level security does not hold back. */
export function asOwner<T>(queries: Queries, work: (trx: Trx) => Promise<T>): Promise<T> {
  return queries.transaction().execute(async (trx) => {
    const { rows } = await sql<{ name: string }>`select session_user::text as name`.execute(trx)
    await sql`set local role ${sql.id(rows[0]?.name as string)}`.execute(trx)
    return work(trx)
  })
}

/**
 * Queries that fail when a statement contains the text of `failing`, as long as it has one; or that of `afterwards`, once
 * the statement has been executed. They fail with `error`, at first that of a lost connection.
 */
export function withFailures(queries: Queries) {
  const failures = {
    failing: undefined as string | undefined,
    afterwards: undefined as string | undefined,
    count: 0,
    error: new Error('Connection terminated unexpectedly'),
  }
  const lost = new WeakSet<object>()
  const fail = () => {
    failures.count++
    throw failures.error
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node)
      if (failures.failing !== undefined && text.includes(failures.failing)) fail()
      if (failures.afterwards !== undefined && text.includes(failures.afterwards)) lost.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) => (lost.has(queryId) ? fail() : result),
  }
  return Object.assign(failures, { queries: queries.withPlugin(plugin) })
}
