import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@memory/shared/platform/database/database'
import { openEmbedded } from '@memory/shared/platform/database/embedded'
import { EmbeddedUpkeep } from '@memory/shared/platform/database/embedded-upkeep'
import { type TableUse, tableUpkeep } from '@memory/shared/platform/database/table-upkeep'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOwner } from './open-database.ts'

const hourMs = 3_600_000
const outside = 'vacuum (process_main false)'
const lookThrough = 'vacuum (truncate off, process_toast false)'
const unused: TableUse = {
  outside: { live: 100, dead: 0, keptMsAgo: 2 * hourMs },
  live: 1_000,
  dead: 0,
  changed: 0,
  added: 0,
  age: 10,
  bytes: 1_000_000,
  keptMsAgo: 2 * hourMs,
}

describe('what a table needs', () => {
  it.each<[string, Partial<TableUse>, string[]]>([
    ['unused', {}, []],
    ['a fifth dead', { dead: 251 }, ['vacuum (analyze)']],
    ['less than that, for a short time', { dead: 250, keptMsAgo: hourMs - 1 }, []],
    ['less than that, for an hour', { dead: 1, keptMsAgo: hourMs }, ['vacuum (analyze)']],
    ['a tenth changed', { changed: 151 }, ['analyze']],
    ['less than a tenth changed', { changed: 150 }, []],
    ['rows that were never frozen', { age: 150_000_001 }, ['vacuum (analyze)']],
    ['many new rows', { live: 300_000, added: 20_001, changed: 20_001 }, [lookThrough]],
    [
      'long values of few rows dead for an hour',
      { outside: { live: 100, dead: 1, keptMsAgo: hourMs } },
      [outside],
    ],
    ['a fifth of long values dead', { outside: { live: 100, dead: 71, keptMsAgo: 0 } }, [outside]],
    ['long values of few rows dead', { outside: { live: 100, dead: 70, keptMsAgo: hourMs - 1 } }, []],
    ['many new rows of few', { live: 30_000, added: 20_001, changed: 20_001 }, [lookThrough, 'analyze']],
  ])('%s', (_, use, wanted) => {
    expect(tableUpkeep({ ...unused, ...use }, false)).toEqual(wanted)
  })

  it('is done in steps for a large table, since nothing else runs beside a statement', () => {
    const commands = tableUpkeep({ ...unused, live: 100_000, dead: 20_051, changed: 20_051 }, false)
    expect(commands).toHaveLength(4)
    expect(commands).not.toContain('vacuum (analyze)')
    expect(commands.at(-1)).toBe('analyze')
  })

  it('is unknown after a start: small tables are vacuumed, and large ones wait for what is counted', () => {
    expect(tableUpkeep(unused, true)).toEqual(['vacuum (analyze)'])
    expect(tableUpkeep({ ...unused, bytes: 17 * 2 ** 20 }, true)).toEqual([])
    expect(tableUpkeep({ ...unused, bytes: 8_192 }, true)).toEqual([])
  })
})

describe('the upkeep of the embedded database', () => {
  let folder: string
  let database: Database

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-upkeep-'))
    database = await openEmbedded(join(folder, 'database'))
  })

  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('leaves no other database that would hold back how old transactions may be, and keeps the tables that all share', async () => {
    const databases = async () => {
      const { rows } = await sql<{ name: string }>`select datname::text as name from pg_database`.execute(
        database.queries,
      )
      return rows.map(({ name }) => name)
    }
    expect(await databases()).toEqual(['postgres'])
    // As installations of releases before have it.
    await sql`reset role`.execute(database.queries)
    await sql.raw('create database template1 template postgres is_template true').execute(database.queries)
    await database.close()
    database = await openEmbedded(join(folder, 'database'))
    expect(await databases()).toEqual(['postgres'])
    await sql`vacuum (analyze) pg_catalog.pg_authid`.execute(database.queries)
  })

  /** An upkeep of its own, as the application role. */
  const upkeep = (walMaxBytes?: number) =>
    new EmbeddedUpkeep(
      {
        exec: async (statement) => void (await sql.raw(statement).execute(database.queries)),
        query: async <Row>(statement: string, parameters: unknown[] = []) =>
          (await database.openQueuePool(1).query(statement, parameters)).rows as Row[],
      },
      walMaxBytes,
    )

  /** What was counted is written down once a second, unless it is asked for. */
  const count = () => sql`select pg_stat_force_next_flush()`.execute(database.queries)

  const readUse = async () => {
    await count()
    const { rows } = await sql<{ dead: number; rows: number }>`
      select s.n_dead_tup::float8 as dead, c.reltuples::float8 as rows
        from pg_stat_all_tables s join pg_class c on c.oid = s.relid where s.relname = 'kept_rows'`.execute(
      database.queries,
    )
    return rows[0]
  }

  it('vacuums and analyzes what was used, a minute after the start and then once a minute', async () => {
    await asOwner(database.queries, async (trx) => {
      await sql`create table app.kept_rows (id integer primary key, text text)`.execute(trx)
      await sql`grant all on app.kept_rows to memory_app`.execute(trx)
      await sql`insert into app.kept_rows select i, 'forgotten' from generate_series(1, 1000) i`.execute(trx)
      await sql`delete from app.kept_rows where id > 600`.execute(trx)
    })
    expect((await readUse())?.dead).toBe(400)
    expect(await database.upkeep?.keep(0)).toEqual([])
    expect(await database.upkeep?.keep(59_999)).toEqual([])
    expect(await database.upkeep?.keep(60_000)).toContain('vacuum (analyze) app.kept_rows')
    expect(await readUse()).toEqual({ dead: 0, rows: 600 })
    await sql`delete from app.kept_rows where id > 300`.execute(database.queries)
    await count()
    expect(await database.upkeep?.keep(60_001)).toEqual([])
    expect(await database.upkeep?.keep(120_000)).toContain('vacuum (analyze) app.kept_rows')
    expect(await readUse()).toEqual({ dead: 0, rows: 300 })
  })

  it('vacuums a large table in steps, after which nothing of what was deleted is left', async () => {
    const kept = upkeep()
    // Longer than what a page has room for many times, and than what compression makes short.
    const long = sql`(select string_agg(md5(i::text || n::text), '') from generate_series(1, 80) n)`
    await asOwner(database.queries, async (trx) => {
      await sql`create table app.kept_rows (id integer primary key, text text)`.execute(trx)
      await sql`grant all on app.kept_rows to memory_app`.execute(trx)
      await sql`insert into app.kept_rows select i, case when i <= 100 then ${long} end from generate_series(1, 30000) i`.execute(
        trx,
      )
    })
    await count()
    await kept.keep(0)
    await kept.keep(60_000)
    const read = async () => {
      await count()
      const { rows } = await sql<{ bytes: number; outside: number }>`
        select pg_relation_size('app.kept_rows')::float8 as bytes, s.n_dead_tup::float8 as outside
          from pg_class c join pg_stat_all_tables s on s.relid = c.reltoastrelid where c.relname = 'kept_rows'`.execute(
        database.queries,
      )
      return rows[0]
    }
    const before = await read()
    expect(before?.outside).toBe(0)
    await sql`delete from app.kept_rows where id <= 10000`.execute(database.queries)
    expect((await read())?.outside).toBeGreaterThan(50)
    const done = await kept.keep(120_000)
    expect(done.filter((command) => command.endsWith(' app.kept_rows'))).toHaveLength(4)
    expect(await readUse()).toEqual({ dead: 0, rows: 20_000 })
    // The places of what was deleted are taken again, as they may be only when no index leads to them any more.
    await sql`insert into app.kept_rows select i, null from generate_series(1, 10000) i`.execute(
      database.queries,
    )
    expect(await read()).toEqual(before)
  })

  it('analyzes sooner what grows fast, each time after twice as much', async () => {
    const kept = upkeep()
    const grow = async (rows: number) => {
      await sql`insert into app.kept_rows select i, repeat(md5(i::text), 20)
        from generate_series(1, ${rows}::int) i`.execute(database.queries)
      await count()
    }
    await asOwner(database.queries, async (trx) => {
      await sql`create table app.kept_rows (id integer, text text)`.execute(trx)
      await sql`grant all on app.kept_rows to memory_app`.execute(trx)
    })
    expect(await kept.keep(0)).toEqual([])
    await grow(300)
    expect(await kept.keep(1)).toEqual([])
    await grow(1_700)
    expect(await kept.keep(2)).toContain('analyze app.kept_rows')
    expect((await readUse())?.rows).toBe(2_000)
    await grow(1_500)
    expect(await kept.keep(3)).toEqual([])
    await grow(2_500)
    expect(await kept.keep(4)).toContain('analyze app.kept_rows')
  })

  it('makes a checkpoint when so much log has gathered', async () => {
    const kept = upkeep(1_000_000)
    const redo = async () => {
      const { rows } = await sql<{
        at: string
      }>`select redo_lsn::text as at from pg_control_checkpoint()`.execute(database.queries)
      return rows[0]?.at
    }
    const before = await redo()
    expect(await kept.keep(0)).toEqual([])
    await asOwner(database.queries, async (trx) => {
      await sql`create table app.filler as select i, repeat(md5(i::text), 20) from generate_series(1, 4000) i`.execute(
        trx,
      )
    })
    // Whether the rows are counted by then, and the table analyzed too, is a matter of time.
    expect(await kept.keep(1)).toContain('checkpoint')
    expect(await redo()).not.toBe(before)
    expect(await kept.keep(2)).not.toContain('checkpoint')
  })
})
