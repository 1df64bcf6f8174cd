import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Identity } from '../support/client.ts'
import type { Answer } from '../support/requests.ts'
import type { TestServer } from '../support/server.ts'

export type Environment = 'live' | 'test'

/** Whose space it is: a client with a key, or a user. */
type Owner = Pick<Identity, 'organizationId'>

/** The entries of a 422 answer without what they echo. */
export function faultsOf(answer: Answer): unknown[] {
  expect(answer.status).toBe(422)
  return answer.body.detail.map(({ type, loc, msg, ctx }: Record<string, unknown>) => ({
    type,
    loc,
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  }))
}

/** What the service says of a text: the entry of a rule of its own. */
export const rule = (loc: (string | number)[], message: string) => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${message}`,
  ctx: { error: {} },
})

export interface SpaceRow {
  id: string
  patterns_used: number
  storage_bytes: number
  next_idx: number
}

export async function getSpace(
  server: TestServer,
  { organizationId }: Owner,
  environment: Environment = 'live',
): Promise<SpaceRow> {
  return asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select(['id', 'patterns_used', 'storage_bytes', 'next_idx'])
      .where('environment', '=', environment)
      .executeTakeFirstOrThrow(),
  )
}

/** Runs `work` in a transaction that sees the rows of a client's space. */
export async function inSpace<T>(
  server: TestServer,
  owner: Owner,
  work: (trx: Trx, space: SpaceRow) => Promise<T>,
  environment: Environment = 'live',
): Promise<T> {
  const space = await getSpace(server, owner, environment)
  const tenant = { organizationId: owner.organizationId, spaceId: space.id }
  return asTenant(server.context.database.queries, tenant, (trx) => work(trx, space))
}

/** The space's counters must be what counting its rows anew gives. */
export async function expectCountersToMatch(server: TestServer, owner: Owner): Promise<void> {
  const { counted, counters } = await inSpace(server, owner, async (trx, space) => {
    // Counted from the contents, not from the column that the counter was added up from.
    const { rows } = await sql<{ patterns: number; bytes: number }>`
      select count(*)::int as patterns, coalesce(sum(
          coalesce(octet_length(text), 0) + coalesce(octet_length(metadata::text), 0) + octet_length(vector_send(key)) + 4
          + coalesce(octet_length(vector_send(value)) + 4, 0)
        ), 0)::int as bytes
        from app.patterns where space_id = ${space.id}`.execute(trx)
    return { counted: rows[0], counters: { patterns: space.patterns_used, bytes: space.storage_bytes } }
  })
  expect(counters).toEqual(counted)
}

/** Runs `work` as the database's owner, whom row level security does not hold. */
export function asOwner<T>(queries: Queries, work: (trx: Trx) => Promise<T>): Promise<T> {
  return queries.transaction().execute(async (trx) => {
    await sql`set local role none`.execute(trx)
    return work(trx)
  })
}

/** The tables of the service in which a row holds a text, anywhere. */
export function tablesHolding(server: TestServer, text: string): Promise<string[]> {
  return asOwner(server.context.database.queries, async (trx) => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
        where table_schema = 'app' and table_type = 'BASE TABLE' order by 1`.execute(trx)
    const holding: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ held: boolean }>`
        select exists (select from ${sql.table(`app.${name}`)} t where strpos(t::text, ${text}) > 0) as held`.execute(
        trx,
      )
      if (rows[0]?.held) holding.push(name)
    }
    return holding
  })
}
