import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../engine/naive.ts'
import { onPostgres } from '../support/database.ts'
import { asOwner, newOrganization, openTestDatabase } from './open-database.ts'

let database: Database
let queries: Queries

beforeAll(async () => {
  // Two connections: requests share them, one after the other.
  database = await openTestDatabase(2)
  queries = database.queries
  await asOwner(queries, async (trx) => {
    await sql`create table public.parents (id int primary key)`.execute(trx)
    await sql`create table public.children (
      parent int references public.parents deferrable initially deferred)`.execute(trx)
    await sql`grant all on public.parents, public.children to memory_app`.execute(trx)
  })
})

afterAll(() => database.close())

/** Organizations whose spaces this statement sees. */
async function visible(runner: Queries): Promise<string[]> {
  const rows = await runner
    .withSchema('app')
    .selectFrom('spaces')
    .select('organization_id')
    .distinct()
    .execute()
  return rows.map(({ organization_id }) => organization_id)
}

async function tenantOf(runner: Queries): Promise<string | null> {
  const { rows } = await sql<{ tenant: string | null }>`
    select app.current_organization()::text as tenant`.execute(runner)
  return rows[0]?.tenant ?? null
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

describe('transactions', () => {
  it('I3 a query outside does not run in the open transaction of another request, with its tenant', async () => {
    const { organizationId } = await newOrganization(queries)
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const inside = asTenant(queries, { organizationId }, async (trx) => {
      const before = await visible(trx)
      entered.resolve()
      await leave.promise
      return { before, after: await visible(trx) }
    })
    await entered.promise
    let ended = false
    const outside = Promise.all([visible(queries), tenantOf(queries)]).finally(() => {
      ended = true
    })
    await turns(50)
    // The embedded database has one session: what is outside waits.
    if (!onPostgres) expect(ended).toBe(false)
    leave.resolve()
    expect(await inside).toEqual({ before: [organizationId], after: [organizationId] })
    expect(await outside).toEqual([[], null])
  })

  it('I3 of 50 transactions at once, each sees its own tenant only, beside queries without one', async () => {
    const tenants: string[] = []
    for (let n = 0; n < 50; n++) tenants.push((await newOrganization(queries)).organizationId)
    const random = randomFrom(7)
    const insides = tenants.map((organizationId) =>
      asTenant(queries, { organizationId }, async (trx) => {
        const seen: string[][] = []
        for (let look = 0; look < 3; look++) {
          seen.push(await visible(trx))
          await turns(Math.floor(random() * 4))
        }
        return seen
      }),
    )
    const outsides = Array.from({ length: 50 }, () => visible(queries))
    const seen = await Promise.all(insides)
    expect(seen).toEqual(tenants.map((organizationId) => Array(3).fill([organizationId])))
    expect((await Promise.all(outsides)).flat()).toEqual([])
  })

  it('I3 no tenant is left on a connection by 10,000 requests of which many abort', {
    timeout: 120_000,
  }, async () => {
    const tenants = [
      await newOrganization(queries),
      await newOrganization(queries),
      await newOrganization(queries),
    ]
    const random = randomFrom(11)
    const aborts = [
      async () => {},
      async () => {
        throw new Error('the handler failed')
      },
      async (trx: Queries) => void (await sql`select 1 / 0`.execute(trx)),
      async (trx: Queries) => void (await sql`select from nowhere`.execute(trx)),
      async (trx: Queries) => void (await sql`insert into public.children values (404)`.execute(trx)),
    ]
    let failed = 0
    const foreign: string[] = []
    const request = async () => {
      const pick = Math.floor(random() * (tenants.length + 1))
      const abort = aborts[Math.floor(random() * aborts.length)] as (typeof aborts)[number]
      const tenant = tenants[pick]
      if (tenant === undefined) {
        foreign.push(...(await visible(queries)))
        return
      }
      await asTenant(queries, tenant, async (trx) => {
        foreign.push(...(await visible(trx)).filter((id) => id !== tenant.organizationId))
        await abort(trx)
      }).catch(() => failed++)
    }
    for (let round = 0; round < 500; round++) await Promise.all(Array.from({ length: 20 }, request))
    expect(foreign).toEqual([])
    expect(failed).toBeGreaterThan(5_000)
    expect(await tenantOf(queries)).toBeNull()
  })

  it('leave nothing when the work fails, and pass its error on', async () => {
    const failure = new Error('the handler failed')
    const work = queries.transaction().execute(async (trx) => {
      await sql`insert into public.parents values (1)`.execute(trx)
      throw failure
    })
    await expect(work).rejects.toBe(failure)
    expect((await sql`select * from public.parents where id = 1`.execute(queries)).rows).toEqual([])
  })

  it.each([
    ['a syntax error', 'select from where', '42601'],
    ['a table that is not there', 'select * from nowhere', '42P01'],
    ['a failing expression', 'select 1 / 0', '22012'],
    ['a broken constraint', 'insert into public.parents values (null)', '23502'],
  ])('leave nothing after %s, whose code the caller sees', async (_, statement, code) => {
    let next: unknown
    const work = queries.transaction().execute(async (trx) => {
      await sql`insert into public.parents values (2)`.execute(trx)
      await expect(sql.raw(statement).execute(trx)).rejects.toMatchObject({ code })
      next = await sql`select 1`.execute(trx).catch((error: { code: string }) => error.code)
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(next).toBe('25P02')
    expect((await sql`select * from public.parents where id = 2`.execute(queries)).rows).toEqual([])
    // Outside a transaction the same statement fails the same way, again and again.
    for (let n = 0; n < 2; n++) {
      await expect(sql.raw(statement).execute(queries)).rejects.toMatchObject({ code })
    }
  })

  it('F1 do not say that they were committed when a swallowed error kept them from it', async () => {
    const work = queries.transaction().execute(async (trx) => {
      await sql`insert into public.parents values (3)`.execute(trx)
      await sql`select 1 / 0`.execute(trx).catch(() => {})
    })
    await expect(work).rejects.toThrow()
    expect((await sql`select * from public.parents where id = 3`.execute(queries)).rows).toEqual([])
  })

  it('fail when the commit fails, leave nothing and block nobody', async () => {
    const work = asTenant(queries, await newOrganization(queries), async (trx) => {
      await sql`insert into public.parents values (4)`.execute(trx)
      await sql`insert into public.children values (404)`.execute(trx)
    })
    await expect(work).rejects.toMatchObject({ code: '23503' })
    expect((await sql`select * from public.parents where id = 4`.execute(queries)).rows).toEqual([])
    expect(await tenantOf(queries)).toBeNull()
    await queries.transaction().execute((trx) => sql`insert into public.parents values (4)`.execute(trx))
    expect((await sql`select * from public.parents where id = 4`.execute(queries)).rows).toEqual([{ id: 4 }])
  })
})

describe('values', () => {
  it('come back as they went in, on either database', async () => {
    const moment = new Date('2026-03-01T12:34:56.789Z')
    const bytes = Buffer.from([0, 1, 127, 128, 255])
    const given = { quotes: `a'b"c\\d`, unicode: 'Zürich 東京 🚀', nothing: null }
    const { rows } = await sql<Record<string, unknown>>`select
      ${7}::int as int, ${2 ** 40}::bigint as bigint, ${-0.1}::float8 as float8, ${true}::bool as bool,
      ${null}::text as nothing, ${''}::text as empty, ${given.quotes}::text as quotes,
      ${given.unicode}::text as unicode, ${moment.toISOString()}::timestamptz as moment, ${bytes}::bytea as bytes,
      ${JSON.stringify(given)}::jsonb as json, ${['a', null, 'b,"c"', 'NULL']}::text[] as texts,
      ${[1, 2, 3]}::int[] as ints, ${[]}::int[] as none, '[1,2.5]'::vector::text as vector`.execute(queries)
    const [{ bytes: gotBytes, ...row } = { bytes: undefined }] = rows
    expect(row).toEqual({
      int: 7,
      bigint: 2 ** 40,
      float8: -0.1,
      bool: true,
      nothing: null,
      empty: '',
      quotes: given.quotes,
      unicode: given.unicode,
      moment,
      json: given,
      texts: ['a', null, 'b,"c"', 'NULL'],
      ints: [1, 2, 3],
      none: [],
      vector: '[1,2.5]',
    })
    expect(Buffer.from(gotBytes as Uint8Array)).toEqual(bytes)
  })

  it('count the rows that a change touched', async () => {
    await sql`insert into public.parents values (10), (11), (12)`.execute(queries)
    const update = await sql`update public.parents set id = id where id >= 11 and id <= 12`.execute(queries)
    expect(update.numAffectedRows).toBe(2n)
    const none = await sql`delete from public.parents where id = 99`.execute(queries)
    expect(none.numAffectedRows).toBe(0n)
    const gone = await sql`delete from public.parents where id >= 10 returning id`.execute(queries)
    expect(gone.rows).toHaveLength(3)
  })

  it('are right for more different statements than are kept prepared, asked at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_200 }, async (_, n) => {
        const { rows } = await sql.raw<{ sum: number }>(`select 1 + ${n % 600} as sum`).execute(queries)
        return rows[0]?.sum
      }),
    )
    expect(answers).toEqual(Array.from({ length: 1_200 }, (_, n) => 1 + (n % 600)))
  })
})

describe('the role of a connection', () => {
  it('I2 is the application role, which owns nothing and has no privileges over row level security', async () => {
    await requireRowLevelSecurity(queries)
    const { rows } =
      await sql`select current_user::text as name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
      (select count(*)::int from pg_class c where c.relowner = r.oid) as tables,
      (select count(*)::int from pg_namespace n where n.nspowner = r.oid) as schemas,
      (select count(*)::int from pg_proc p where p.proowner = r.oid) as functions
      from pg_roles r where rolname = current_user`.execute(queries)
    expect(rows).toEqual([
      {
        name: 'memory_app',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        tables: 0,
        schemas: 0,
        functions: 0,
      },
    ])
  })

  it.runIf(onPostgres)('I2 is the application role after RESET ROLE and DISCARD ALL, too', async () => {
    await queries.connection().execute(async (connection) => {
      for (const statement of ['reset role', 'discard all', 'reset session authorization']) {
        await sql.raw(statement).execute(connection)
        const { rows } = await sql`select current_user::text as name`.execute(connection)
        expect(rows).toEqual([{ name: 'memory_app' }])
      }
    })
  })

  it('I2 a role that row level security does not hold for is refused with one sentence', async () => {
    await newOrganization(queries)
    await expect(asOwner(queries, requireRowLevelSecurity)).rejects.toThrow(
      /^Row level security does not hold for the database role \w+: .+\.$/,
    )
  })
})
