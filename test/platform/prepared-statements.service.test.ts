import { migratePostgres, openPostgres } from '@memory/shared/platform/database/postgres'
import { PreparingPool } from '@memory/shared/platform/database/prepared-statements'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { silent } from './open-database.ts'

it('the driver waits for statements as long as their transaction lets them take, and not in the next one', async () => {
  const limits: (number | undefined)[] = []
  const client = {
    query: async ({ query_timeout }: { query_timeout?: number }) => limits.push(query_timeout),
    getTransactionStatus: () => 'I',
    release: () => {},
  }
  const pool = new PreparingPool({ options: {}, connect: async () => client, end: async () => {} })
  const patient = await pool.connect()
  await patient.query('begin', [])
  await patient.query('set local statement_timeout = 600000', [])
  await patient.query('select $1', [1])
  patient.release()
  await (await pool.connect()).query('select $1', [1])
  expect(limits).toEqual([undefined, 601_000, 601_000, undefined])
})

describe.runIf(onPostgres)('statements prepared on a connection', () => {
  let server: TestDatabase
  let owner: pg.Client
  let database: ReturnType<typeof openPostgres>

  beforeAll(async () => {
    server = (await newDatabase()) as TestDatabase
    await migratePostgres(server.url)
    owner = new pg.Client(server.url)
    await owner.connect()
  })

  afterAll(async () => {
    await owner.end()
    await server.drop()
  })

  beforeEach(() => {
    database = openPostgres(server.url, 1, silent)
    return () => database.close()
  })

  const preparedOnIt = async () => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where ${true}`.execute(database.queries)
    return rows.map(({ statement }) => statement)
  }

  const session = async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.queries)
    return rows[0]?.pid
  }

  /** Gives a function other columns, as a migration may. */
  const define = (columns: string, values: string) =>
    owner.query(`drop function if exists public.changing(integer);
      create function public.changing(p integer) returns table (${columns}) language sql return (${values})`)

  const callIt = (queries = database.queries) =>
    sql`select * from public.changing(${1})`.execute(queries).then(({ rows }) => rows)

  it('are parsed once, whatever their parameters', async () => {
    for (const n of [1, 2, 3]) await sql`select ${n}::int + 1 as more`.execute(database.queries)
    expect((await preparedOnIt()).filter((text) => text.includes('as more'))).toHaveLength(1)
  })

  it('that a migration outdates are run anew, and their connection is not used again', async () => {
    await define('a integer', 'select 1')
    expect(await callIt()).toEqual([{ a: 1 }])
    const before = await session()
    await define('a integer, b integer', 'select (1, 2)')
    expect(await callIt()).toEqual([{ a: 1, b: 2 }])
    expect(await session()).not.toBe(before)
    expect(await callIt()).toEqual([{ a: 1, b: 2 }])
  })

  it('fail a transaction that a migration outdates them for in a way that says to try again', async () => {
    await define('a integer', 'select 1')
    await callIt()
    await define('a integer, b integer', 'select (1, 2)')
    const inTransaction = () => database.queries.transaction().execute((trx) => callIt(trx))
    expect(isDatabaseUnavailable(await inTransaction().catch((error: unknown) => error))).toBe(true)
    expect(await inTransaction()).toEqual([{ a: 1, b: 2 }])
  })

  it('are not counted on after DISCARD ALL', async () => {
    await callIt()
    await sql.raw('discard all').execute(database.queries)
    expect(await callIt()).toHaveLength(1)
  })
})
