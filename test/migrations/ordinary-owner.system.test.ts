import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eraseDue } from '@memory/identity/accounts/erase-accounts'
import { ReceiptKeys } from '@memory/identity/tokens/receipt-keys'
import { purgeAuditLog } from '@memory/shared/audit/audit'
import { systemClock } from '@memory/shared/platform/clock'
import { migratePostgres, openPostgres, pendingOnPostgres } from '@memory/shared/platform/database/postgres'
import { createLog } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../scripts/postgres-server.ts'
import { run, startService } from '../process/service-process.ts'
import { Anonymous } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { testMasterKey } from '../support/master-key.ts'

/** The folder of the programs of the server that tests run on. */
const bin = process.env.TEST_POSTGRES_BIN

/**
 * Roles are a server's, so these tests have one of their own. What a message says a superuser should run is run as it
 * stands there.
 */
describe.runIf(onPostgres && bin !== undefined)('an owner who is no superuser', () => {
  let server: PostgresServer
  let folder: string

  const url = (database: string, user = 'postgres') => {
    const address = new URL(server.url)
    address.username = user
    address.pathname = `/${database}`
    return address.href
  }
  const asSuperuser = async (statements: string, database = 'postgres'): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    return await client.query(statements).finally(() => client.end())
  }
  const newDatabase = async (name: string, owner = 'plain') => {
    await asSuperuser(`create database ${name} owner ${owner}`)
    return url(name, owner)
  }
  /** What the migration of a database says is missing. */
  const refusal = (address: string) =>
    migratePostgres(address).then(
      () => undefined,
      (error: Error) => error.message,
    )
  /** Runs what a refusal says a superuser should. */
  const remedy = async (message: string | undefined, database: string) => {
    const [, statements] = /: run in it, as a superuser, (.+;)$/.exec(message ?? '') ?? []
    await asSuperuser(statements as string, database)
  }
  const command = (name: string, ...args: string[]) =>
    spawnSync(join(server.bin, name), args, { encoding: 'utf8' })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-owner-'))
    server = await startPostgres({ version: '18', durable: false, bin: bin as string })
    await asSuperuser('create role plain login; create role maker login createrole')
  })

  afterAll(() => {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('hears of all that is missing at once, with what gives it, and migrates after that', async () => {
    const address = await newDatabase('first')
    const message = await refusal(address)
    expect(message).toBe(
      "The database first can't be migrated as plain (the extension vector is not created, there is no role memory_app, plain is no member of memory_app): run in it, as a superuser, CREATE EXTENSION vector; CREATE ROLE memory_app NOLOGIN; GRANT memory_app TO plain;",
    )
    await remedy(message, 'first')
    expect(await migratePostgres(address)).not.toEqual([])
    expect(await pendingOnPostgres(address)).toEqual([])
  })

  it('needs no right to create schemas once they are there', async () => {
    await asSuperuser(
      'revoke create on database first from plain; alter database first owner to postgres',
      'first',
    )
    expect(await migratePostgres(url('first', 'plain'))).toEqual([])
    await asSuperuser('alter database first owner to plain', 'first')
  })

  it.each([
    ['create schemas', 'create extension vector', 'GRANT CREATE ON DATABASE odd-1 TO plain;'],
    ['the extension', 'grant create on database "odd-1" to plain', 'CREATE EXTENSION vector;'],
  ])('hears of what alone is missing: %s', async (_, given, missing) => {
    // A name that needs quotes, of a database that is somebody else's.
    await asSuperuser('drop database if exists "odd-1"')
    await asSuperuser('create database "odd-1"')
    await asSuperuser(given, 'odd-1')
    const message = await refusal(url('odd-1', 'plain'))
    expect(message).toContain(missing.replace('odd-1', '"odd-1"'))
    expect(message?.match(/;/g)).toHaveLength(1)
    await remedy(message, 'odd-1')
    expect(await refusal(url('odd-1', 'plain'))).toBeUndefined()
  })

  it('who may create roles needs the extension alone, and the role of another only by its grant', async () => {
    const address = await newDatabase('makers', 'maker')
    const message = await refusal(address)
    // The role is there, and another's to grant.
    expect(message).toMatch(/as a superuser, CREATE EXTENSION vector; GRANT memory_app TO maker;$/)
    await remedy(message, 'makers')
    expect(await refusal(address)).toBeUndefined()
  })

  it('is told at the start which grant is missing, by the API and by a worker', async () => {
    const settings = {
      DATABASE_URL: url('first', 'plain'),
      MEMORY_DATA_DIR: join(folder, 'refused'),
      OPS_PORT: '0',
    }
    await asSuperuser('revoke memory_app from plain')
    for (const main of ['apps/api/src/main.ts', 'apps/worker/src/main.ts']) {
      const { code, stderr } = await run(main, [], { ...settings, MEMORY_MIGRATE: 'off' })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]+GRANT memory_app TO [^\n]+\n$/)])
    }
    const { code, stderr } = await run('apps/cli/src/migrate.ts', [], settings)
    expect([code, stderr]).toEqual([1, expect.stringContaining('as a superuser, GRANT memory_app TO plain;')])
    await asSuperuser('grant memory_app to plain')
  })

  it('serves, is dumped by a role that may, and restores without an error', async () => {
    const text = 'Ada keeps bees.'
    const original = await startService(join(folder, 'original'), {
      DATABASE_URL: url('first', 'plain'),
      MEMORY_BOOTSTRAP: 'on',
    })
    const { key } = original.client()
    await original.client().store([text])
    const ada = { email: 'ada@example.com', password: 'a password of this test' }
    expect((await new Anonymous(original.url).post('/v1/auth/register', ada)).status).toBe(201)
    expect((await original.stop('SIGTERM')).code).toBe(0)

    const dump = join(folder, 'memory.dump')
    const dumpAs = (user: string) =>
      command('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${url('first', user)}`)
    expect(dumpAs('plain').stderr).toContain('row-level security')
    await asSuperuser('create role keeper login bypassrls; grant pg_read_all_data to keeper')
    expect(dumpAs('keeper')).toMatchObject({ status: 0, stderr: '' })

    const address = await newDatabase('restored')
    const restore = (...more: string[]) =>
      command('pg_restore', '--no-owner', ...more, `--dbname=${address}`, dump)
    await asSuperuser('create extension vector', 'restored')
    expect(restore('--no-comments')).toMatchObject({ status: 0, stderr: '' })
    const restored = await startService(join(folder, 'restored'), { DATABASE_URL: address })
    expect(await restored.client(key).retrieve('Who has bees?', { top_k: 1 })).toEqual([text])
    expect((await new Anonymous(restored.url).post('/v1/auth/login', ada)).status).toBe(200)
    expect((await restored.stop('SIGTERM')).code).toBe(0)
  }, 120_000)

  it('erases who is due, takes them out of the audit log, and purges that', async () => {
    const log = createLog('silent')
    const database = openPostgres(url('first', 'plain'), 2, log)
    const { queries } = database
    const audit = async (where: string) =>
      (await asSuperuser(`select from app.audit_log where ${where}`, 'first')).rowCount
    await asSuperuser(
      "update app.users set status = 'deleted', deleted_at = now() - interval '31 days'",
      'first',
    )
    expect(await audit("actor_email = 'ada@example.com'")).toBeGreaterThan(0)
    const erased = await eraseDue({
      receipts: new ReceiptKeys(
        {
          ...{ queries, clock: systemClock },
          secrets: await openSecrets(queries, { dataDir: folder, masterKeys: [testMasterKey] }),
        },
        { issuer: 'test', auditRetentionDays: 30 },
      ),
      ...{ queries, clock: systemClock, log, dataDir: folder },
      signal: new AbortController().signal,
      forgetSpace: () => {},
      snapshots: { discard: async () => {} },
    })
    expect(erased.users).toBe(1)
    expect(await audit("actor_email = 'ada@example.com'")).toBe(0)
    expect(await purgeAuditLog(database.queries, 30)).toBe(0)
    await asSuperuser("update app.audit_log set at = at - interval '31 days'", 'first')
    expect(await purgeAuditLog(database.queries, 30)).toBeGreaterThan(0)
    expect(await audit('true')).toBe(0)
    await database.close()
  })

  it('is told whose the tables are that another has restored', async () => {
    await newDatabase('others')
    const restoring = command(
      'pg_restore',
      '--no-owner',
      `--dbname=${url('others')}`,
      join(folder, 'memory.dump'),
    )
    expect(restoring).toMatchObject({ status: 0, stderr: '' })
    expect(await refusal(url('others', 'plain'))).toMatch(
      /^The tables in the database others belong to postgres: let DATABASE_URL name that user instead of plain, or restore them as plain with pg_restore --no-owner\.$/,
    )
  })

  it('is told to restore again where the server had no role to grant the tables to', async () => {
    for (const name of ['first', 'odd-1', 'makers', 'restored', 'others'])
      await asSuperuser(`drop database "${name}"`)
    await asSuperuser('drop role memory_app')
    const address = await newDatabase('early')
    await asSuperuser('create extension vector', 'early')
    const restore = () =>
      command('pg_restore', '--no-owner', '--no-comments', `--dbname=${address}`, join(folder, 'memory.dump'))
    expect(restore().stderr).toContain('role "memory_app" does not exist')
    const message = await refusal(address)
    const [, statements] = /: run (CREATE ROLE .+;) as a superuser and restore/.exec(message ?? '') ?? []
    await asSuperuser('drop database early')
    await asSuperuser(statements as string)
    await newDatabase('early')
    await asSuperuser('create extension vector', 'early')
    expect(restore()).toMatchObject({ status: 0, stderr: '' })
    expect(await refusal(address)).toBeUndefined()
  })
})
