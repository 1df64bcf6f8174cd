import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { Anonymous, newEmail } from '../support/accounts.ts'
import { bare, newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'

/** The folder of the server's programs: those of another version may not understand it. */
const bin = process.env.TEST_POSTGRES_BIN

/** Every table's number of rows and a checksum of what they hold. */
async function checksums(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as sum
          from ${name} t`,
      )
      sums[name] = rows[0]?.sum ?? ''
    }
    return sums
  } finally {
    await client.end()
  }
}

describe.runIf(onPostgres && bin !== undefined)('F12 a backup of PostgreSQL', () => {
  const role = `memory_backup_${randomUUID().slice(0, 8)}`
  let folder: string
  let original: TestDatabase
  let restored: TestDatabase
  let service: ServiceProcess | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-backup-'))
    original = (await newDatabase()) as TestDatabase
    restored = (await newDatabase(bare)) as TestDatabase
  })

  afterAll(async () => {
    await service?.stop('SIGKILL')
    await asOwner(`drop owned by ${role}; drop role ${role}`)
    await original.drop()
    await restored.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function asOwner(statements: string): Promise<void> {
    const client = new pg.Client({ connectionString: original.url })
    await client.connect()
    await client.query(statements)
    await client.end()
  }

  const command = (name: string, ...args: string[]) =>
    spawnSync(join(bin as string, name), args, { encoding: 'utf8' })

  const start = (name: string, { url }: TestDatabase) =>
    startService(join(folder, name), { DATABASE_URL: url, MEMORY_BOOTSTRAP: 'on' })

  it('by a role that row level security does not hold for gives everything back: rows, secrets, searches', async () => {
    service = await start('original', original)
    const client = service.client()
    const texts = ['Ada moved to Lisbon.', 'Ben keeps bees.', 'Cleo sails.']
    await client.store(texts)
    const [email, password] = [newEmail(), 'a password of this test']
    const { body: ada } = await new Anonymous(service.url).post('/v1/auth/register', { email, password })
    const asAda = { Authorization: `Bearer ${ada.access_token}` }
    const webhook = { url: 'https://1.1.1.1/hook' }
    expect((await new Anonymous(service.url).post('/v1/webhooks', webhook, asAda)).status).toBe(201)
    expect((await service.stop('SIGTERM')).code).toBe(0)

    const dump = join(folder, 'memory.dump')
    const as = new URL(original.url)
    as.username = role
    const dumpIt = () => command('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${as.href}`)
    await asOwner(`create role ${role} login; grant pg_read_all_data to ${role}`)
    const refused = dumpIt()
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('row-level security')])
    await asOwner(`alter role ${role} bypassrls`)
    expect(dumpIt()).toMatchObject({ status: 0, stderr: '' })
    const restoring = command('pg_restore', '--no-owner', `--dbname=${restored.url}`, dump)
    expect(restoring).toMatchObject({ status: 0, stderr: '' })

    const sums = await checksums(original.url)
    expect(sums['app.patterns']).toMatch(/^3 /)
    expect(sums['app.webhook_secrets']).toMatch(/^1 /)
    expect(await checksums(restored.url)).toEqual(sums)

    service = await start('restored', restored)
    expect(await service.client(client.key).retrieve('Where does Ada live?', { top_k: 1 })).toEqual([
      texts[0],
    ])
    // The key that signed the token and the webhook's secret are sealed in the database.
    const anyone = new Anonymous(service.url)
    expect((await anyone.get('/v1/users/me', asAda)).body.email).toBe(email)
    expect((await anyone.post('/v1/auth/login', { email, password })).status).toBe(200)
    const { webhooks } = (await anyone.get('/v1/webhooks', asAda)).body
    expect((await anyone.post(`/v1/webhooks/${webhooks[0].id}/rotate-secret`, {}, asAda)).status).toBe(200)
    expect((await service.stop('SIGTERM')).code).toBe(0)
  })
})
