import { connect, createServer, type Socket } from 'node:net'
import { migratePostgres, openPostgres, withConnection } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { asOwner, silent } from './open-database.ts'

describe.runIf(onPostgres)('a connection to PostgreSQL', () => {
  let server: TestDatabase

  beforeAll(async () => {
    server = (await newDatabase()) as TestDatabase
    await migratePostgres(server.url)
  })

  afterAll(() => server.drop())

  const withParameters = (parameters: Record<string, string>) => {
    const url = new URL(server.url)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  it.each([
    ['nothing', {}],
    ['options', { options: '-c role=none -c statement_timeout=0 -c synchronous_commit=off' }],
    [
      'time limits',
      { statement_timeout: '90000', lock_timeout: '90000', idle_in_transaction_session_timeout: '90000' },
    ],
  ])(
    'I2 has the application role and the time limits whatever the URL asks for: %s',
    async (_, parameters) => {
      const database = openPostgres(withParameters(parameters), 1, silent)
      try {
        const { rows } = await sql`select current_user::text as role,
        current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('synchronous_commit') as commit`.execute(database.queries)
        expect(rows).toEqual([{ role: 'memory_app', statement: '5s', lock: '2s', idle: '10s', commit: 'on' }])
      } finally {
        await database.close()
      }
    },
  )

  /** The default of each, and what gives other answers, or none. */
  const meanings: [name: string, byDefault: string, other: string][] = [
    ['DateStyle', 'ISO, MDY', 'SQL, DMY'],
    ['IntervalStyle', 'postgres', 'iso_8601'],
    ['TimeZone', 'UTC', 'Asia/Kathmandu'],
    ['bytea_output', 'hex', 'escape'],
    ['extra_float_digits', '1', '-15'],
    ['array_nulls', 'on', 'off'],
    ['transform_null_equals', 'off', 'on'],
    ['default_transaction_isolation', 'read committed', 'serializable'],
    ['row_security', 'on', 'off'],
  ]

  describe('of a database, a user and a URL with settings of their own', () => {
    let own: TestDatabase
    let url: string

    beforeAll(async () => {
      own = (await newDatabase()) as TestDatabase
      const set = (whose: string) =>
        meanings.map(([name, , other]) => `alter ${whose} set ${name} to '${other}';`).join(' ')
      await withConnection(own.url, async ({ exec }) => {
        await exec(set(`database ${new URL(own.url).pathname.slice(1)}`))
        await exec('create role memory_set login superuser')
        await exec(set('role memory_set'))
      })
      const address = new URL(own.url)
      address.username = 'memory_set'
      const options = meanings.map(([name, , other]) => `-c ${name}=${other.replaceAll(' ', '')}`).join(' ')
      address.searchParams.set('options', options)
      url = address.href
    })

    afterAll(async () => {
      await own.drop()
      await withConnection(server.url, ({ exec }) => exec('drop role memory_set'))
    })

    it('has those that answers depend on, in every pool', async () => {
      const expected = Object.fromEntries(meanings.map(([name, byDefault]) => [name, byDefault]))
      const statement = `select ${meanings.map(([name]) => `current_setting('${name}') as "${name}"`).join(', ')}`
      const database = openPostgres(url, 1, silent)
      const queue = database.openQueuePool(1)
      try {
        expect((await sql.raw(statement).execute(database.queries)).rows).toEqual([expected])
        expect((await queue.query(statement)).rows).toEqual([expected])
        expect(await withConnection(url, ({ query }) => query(statement))).toEqual([expected])
      } finally {
        await queue.end()
        await database.close()
      }
    })

    it('answers alike', async () => {
      const service = await startServer({ DATABASE_URL: url })
      try {
        const client = await service.newClient()
        const at = '2026-02-03T04:05:06.789Z'
        const names = Array.from({ length: 12 }, (_, n) => `note ${n}`)
        const stored = await Promise.all(
          names.map((text) => client.post('/v1/memory/text/store', { text, occurred_at: at })),
        )
        expect(stored.map(({ status }) => status)).toEqual(names.map(() => 200))
        const [first] = (await client.get('/v1/memory/patterns?limit=20')).body.patterns
        expect(Math.abs(Date.parse(first.created_at) - Date.now())).toBeLessThan(600_000)
        expect(first.occurred_at).toBe(at)
        const found = await client.post('/v1/memory/text/recall', {
          query: 'note',
          after: at,
          before: '2026-02-04T00:00:00Z',
          top_k: 20,
        })
        expect(found.body.results).toHaveLength(names.length)
        const paths = [
          '/v1/usage/history?period=7d',
          '/v1/memory/runs',
          '/v1/memory/text/stats',
          '/v1/memory/map',
        ]
        for (const path of paths) expect((await client.get(path)).status, path).toBe(200)
        expect((await client.post('/v1/memory/sleep', {})).status).toBe(200)
        const vector = [0.1, 1 / 3, Math.PI]
        await client.post('/v1/memory/store', { key: vector, value: vector })
        const { body } = await client.post('/v1/memory/query', { embedding: vector, top_k: 1 })
        expect(body.results[0].value).toEqual([...new Float32Array(vector)].map((x) => expect.closeTo(x, 6)))
      } finally {
        await service.close()
      }
    })
  })

  it('keeps what else the URL sets', async () => {
    const url = withParameters({ options: '-c work_mem=7MB', application_name: 'a name' })
    const database = openPostgres(url, 1, silent)
    try {
      const { rows } = await sql`select current_setting('work_mem') as memory,
        current_setting('application_name') as name`.execute(database.queries)
      expect(rows).toEqual([{ memory: '7MB', name: 'a name' }])
    } finally {
      await database.close()
    }
  })

  it('I2 is refused when it has another role, or one that owns a table', async () => {
    const database = openPostgres(server.url, 1, silent)
    const refusal = /^Row level security does not hold for the database role \w+: .+\.$/
    try {
      await requireRowLevelSecurity(database.queries)
      await asOwner(database.queries, async (trx) => {
        await sql`create role memory_other in role memory_app`.execute(trx)
        await sql`set local role memory_other`.execute(trx)
        await expect(requireRowLevelSecurity(trx)).rejects.toThrow(refusal)
        await sql`set local role postgres`.execute(trx)
        await sql`alter table app.query_counts owner to memory_app`.execute(trx)
        await sql`set local role memory_app`.execute(trx)
        await expect(requireRowLevelSecurity(trx)).rejects.toThrow(refusal)
        throw new Error('undo')
      }).catch((error: Error) => expect(error.message).toBe('undo'))
    } finally {
      await database.close()
    }
  })

  it('F9 is waited for 2 s at most, then the request may come again', async () => {
    const database = openPostgres(server.url, 1, silent)
    const [entered, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const inside = database.queries.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      entered.resolve()
      await leave.promise
    })
    await entered.promise
    const began = performance.now()
    const error = await sql`select 1`.execute(database.queries).catch((error: unknown) => error)
    const seconds = (performance.now() - began) / 1_000
    leave.resolve()
    await inside
    await database.close()
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(seconds).toBeGreaterThan(1.9)
    expect(seconds).toBeLessThan(3)
  })

  it.each([
    ['28000', 'alter role memory_refused nologin'],
    ['42501', 'revoke connect on database DB from public'],
    ['42501', 'revoke memory_app from memory_refused'],
    ['55000', 'alter database DB allow_connections false'],
    ['3D000', 'alter database DB rename to DB_renamed'],
  ])('F4 that PostgreSQL refuses with %s is one that is away: %s', async (code, statement) => {
    const own = (await newDatabase()) as TestDatabase
    const name = new URL(own.url).pathname.slice(1)
    const url = new URL(own.url)
    url.username = 'memory_refused'
    const refused = openPostgres(url.href, 1, silent)
    const pool = refused.openQueuePool(1)
    try {
      await withConnection(server.url, async ({ exec }) => {
        await exec('drop role if exists memory_refused')
        await exec('create role memory_refused login; grant memory_app to memory_refused')
        await exec(statement.replaceAll('DB', name))
      })
      const error = await sql`select 1`.execute(refused.queries).catch((error: unknown) => error)
      expect(error).toMatchObject({ code })
      expect(isDatabaseUnavailable(error)).toBe(true)
      const ofQueue = await pool.query('select 1').catch((error: unknown) => error)
      expect(isDatabaseUnavailable(ofQueue)).toBe(true)
      const ofListener = await refused.listen('channel', () => {}).catch((error: unknown) => error)
      expect(isDatabaseUnavailable(ofListener)).toBe(true)
    } finally {
      await pool.end()
      await refused.close()
      await withConnection(server.url, ({ exec }) => exec(`drop database if exists ${name}_renamed`))
      await own.drop()
      await withConnection(server.url, ({ exec }) => exec('drop role memory_refused'))
    }
  })

  it('F4 that works is not away where a statement is refused', async () => {
    const database = openPostgres(server.url, 1, silent)
    const error = await sql`create schema mine`.execute(database.queries).catch((error: unknown) => error)
    await database.close()
    expect(error).toMatchObject({ code: '42501' })
    expect(isDatabaseUnavailable(error)).toBe(false)
  })

  it('I3 is not used again after a statement got no answer, which may have begun a transaction', async () => {
    const { hostname, port } = new URL(server.url)
    const held: (() => void)[] = []
    let isHolding = false
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname)
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('error', () => to.destroy()).on('close', () => to.destroy())
      }
      client.pipe(upstream)
      upstream.on('data', (data) => {
        if (isHolding) held.push(() => client.write(data))
        else client.write(data)
      })
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const through = new URL(server.url)
    through.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
    const [database, other] = [openPostgres(through.href, 1, silent), openPostgres(server.url, 1, silent)]
    try {
      await asOwner(other.queries, (trx) =>
        sql`create table public.notes as select 0 as n; grant all on public.notes to memory_app`.execute(trx),
      )
      await sql`select 1`.execute(database.queries)
      isHolding = true
      const late = database.queries.transaction().execute(async () => {})
      await expect(late).rejects.toThrow('Query read timeout')
      isHolding = false
      for (const answer of held) answer()
      await sql`insert into public.notes values (1)`.execute(database.queries)
      // It is there for everybody: it was no part of the transaction that nobody ends.
      expect((await sql`select from public.notes where n = 1`.execute(other.queries)).rows).toHaveLength(1)
    } finally {
      await Promise.all([database.close(), other.close()])
      proxy.close()
    }
  })

  it('ends a notification connection that comes about after it is no longer wanted', async () => {
    const { hostname, port } = new URL(server.url)
    const held: (() => void)[] = []
    const open = new Set<Socket>()
    let seen = 0
    const proxy = createServer((client) => {
      open.add(client)
      client.on('error', () => {}).on('close', () => open.delete(client))
      const forward = () => {
        const upstream = connect(Number(port), hostname)
        upstream.on('error', () => client.destroy())
        client.on('close', () => upstream.destroy())
        client.pipe(upstream).pipe(client)
      }
      if (++seen === 1) forward()
      else held.push(forward)
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const through = new URL(server.url)
    through.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
    const database = openPostgres(through.href, 1, silent)
    let notified = 0
    const stop = await database.listen('a', () => notified++)
    for (const socket of open) socket.destroy()
    await until(() => held.length === 1, 'the listener to connect again')
    const stopped = stop()
    held[0]?.()
    await stopped
    await until(() => open.size === 0, 'the late connection to end')
    expect(notified).toBe(1)
    await database.close()
    proxy.close()
  })

  it('finds out that a notification connection is lost of which nobody said so, and ends one', async () => {
    const { hostname, port } = new URL(server.url)
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
    const through = new URL(server.url)
    through.host = `127.0.0.1:${proxy.port}`
    const database = openPostgres(through.href, 1, silent, 50)
    const heard: string[] = []
    const stop = await database.listen('a', (payload) => heard.push(payload))
    const other = openPostgres(server.url, 1, silent)
    try {
      proxy.lose()
      await until(() => heard.length === 2, 'another connection')
      await sql`select pg_notify('a', 'told')`.execute(other.queries)
      await until(() => heard.length === 3, 'the notification')
      expect(heard).toEqual(['', '', 'told'])
      proxy.freeze()
      await stop()
    } finally {
      proxy.close()
      await Promise.all([database.close(), other.close()])
    }
  })
})
