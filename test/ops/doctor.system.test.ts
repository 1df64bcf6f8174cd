import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMigrations } from '@memory/shared/platform/database/migrations'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { run, type ServiceProcess, startService } from '../process/service-process.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'

interface Found {
  ok: boolean
  checks: { name: string; state: string; text: string; remedy?: string }[]
}

let folder: string
let database: TestDatabase | undefined
let settings: Record<string, string>
let service: ServiceProcess | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-doctor-'))
  database = await newDatabase()
  settings = {
    MEMORY_DATA_DIR: join(folder, 'data'),
    PORT: '0',
    OPS_PORT: '0',
    ...(database === undefined ? {} : { DATABASE_URL: database.url, MEMORY_BOOTSTRAP: 'on' }),
  }
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function examine(changed: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run('apps/cli/src/doctor.ts', ['--json'], {
    ...settings,
    ...changed,
  })
  const { ok, checks } = JSON.parse(stdout) as Found
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  const check = (name: string) => checks.find((each) => each.name === name)
  return { code, stderr, ok, states, check }
}

const allWell = {
  settings: 'ok',
  versions: 'ok',
  rights: 'ok',
  encoder: 'ok',
  database: 'ok',
  key: 'ok',
  clock: 'ok',
  index: 'ok',
  ports: 'ok',
  redis: 'ok',
  mail: 'ok',
  // A service with a database of its own does all work itself.
  ...(onPostgres && { work: 'ok' }),
}

describe('npm run doctor', () => {
  it.runIf(!onPostgres)('before the first start finds nothing wrong, and makes nothing', async () => {
    const { code, states } = await examine()
    expect([code, states.database, states.encoder]).toEqual([0, 'ok', 'ok'])
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it('beside a running service, and after it, finds that all is well', async () => {
    const { PORT: _, OPS_PORT: __, ...ofService } = settings
    service = await startService(join(folder, 'data'), ofService)
    await service.client().store(['Ada moved to Lisbon.', 'Ben keeps bees.'])
    await service.client().retrieve('Where does Ada live?', { top_k: 1 })
    const beside = await examine({ OPS_PORT: String(service.opsPort) })
    expect(beside).toMatchObject({ code: 0, ok: true, states: allWell })
    expect(beside.check('ports')?.text).toContain(`he service answers on port ${service.opsPort}`)
    // In another folder it would find the port taken.
    const elsewhere = await examine({
      MEMORY_DATA_DIR: join(folder, 'other'),
      OPS_PORT: String(service.opsPort),
    })
    expect(elsewhere.states.ports).toBe(onPostgres ? 'ok' : 'fail')
    if (!onPostgres) {
      expect(elsewhere.check('ports')).toMatchObject({
        text: `A Memory Service answers on port ${service.opsPort}, and none runs in ${join(folder, 'other')}: it is that of another folder.`,
        remedy: 'Stop it, or set OPS_PORT to another port.',
      })
      expect(existsSync(join(folder, 'other'))).toBe(false)
    }
    if (!onPostgres)
      expect(beside.check('index')?.text).toMatch(/^2 patterns of 1 space are all in the index/)
    if (!onPostgres) {
      const key = join(folder, 'data', 'master-key')
      renameSync(key, `${key}.gone`)
      const without = await examine({ OPS_PORT: String(service.opsPort) })
      expect(without).toMatchObject({ code: 1, states: { ...allWell, key: 'fail' } })
      expect(without.check('key')?.text).toContain('There is no master key')
      renameSync(`${key}.gone`, key)
    }
    expect((await service.stop('SIGTERM')).code).toBe(0)

    const after = await examine()
    expect(after).toMatchObject({ code: 0, ok: true, states: allWell })
    const tables = listMigrations().filter(({ name }) => /^\d/.test(name))
    expect(after.check('database')?.text).toContain(`is at ${tables.at(-1)?.name}.`)
    expect(readdirSync(join(folder, 'data'))).not.toContain('memory.lock')
    const text = await run('apps/cli/src/doctor.ts', [], settings)
    expect(text.stdout).toMatch(/^ok {4}encoder .+ encodes a known sentence as it should/m)
  }, 120_000)

  it.runIf(!onPostgres)(
    'and a backup say of a service without an operators’ listener that it takes no commands',
    async () => {
      service = await startService(join(folder, 'data'), { ...settings, OPS_PORT: '0' })
      const { port } = new URL(service.url)
      const { code, states, check } = await examine({ PORT: port })
      const sentence = `The data directory ${join(folder, 'data')} is in use by process ${service.pid}, which takes no commands: stop it, or start it with OPS_PORT set to a port.`
      expect([code, states.database, states.ports]).toEqual([1, 'fail', 'ok'])
      expect(check('database')?.text).toBe(sentence)
      const backup = await run('apps/cli/src/backup.ts', [join(folder, 'backup')], settings)
      expect([backup.code, backup.stderr]).toEqual([1, `${sentence}\n`])
      expect((await service.stop('SIGTERM')).code).toBe(0)
    },
    60_000,
  )

  it.runIf(onPostgres)('says that nobody does what waits', async () => {
    const client = new pg.Client({ connectionString: database?.url })
    await client.connect()
    const { rows } = await client.query(
      "insert into app.outbox (type, payload, available_at) values ('mail.queued', '{}', now() - interval '1 hour') returning id",
    )
    const { code, states, check } = await examine()
    expect([code, states.work]).toEqual([0, 'warn'])
    expect(check('work')?.remedy).toContain('npm run worker')
    await client.query('delete from app.outbox where id = $1', [rows[0].id])
    await client.end()
  })

  it('says what to do about each thing that is wrong', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((done) => taken.listen(port, '127.0.0.1', done))
    chmodSync(join(folder, 'data', 'local-api-key'), 0o644)
    const ill = await examine({
      MEMORY_DATADIR: '/elsewhere',
      MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
      MEMORY_ENCODER_DIR: folder,
      PORT: String(port),
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'memory@example.com',
    })
    taken.close()
    chmodSync(join(folder, 'data', 'local-api-key'), 0o600)
    expect(ill).toMatchObject({
      code: 1,
      ok: false,
      states: {
        ...{ settings: 'warn', rights: 'warn', encoder: 'fail', key: 'fail' },
        ...{ ports: 'fail', redis: 'fail', mail: 'fail', database: 'ok' },
      },
    })
    for (const name of ['settings', 'rights', 'encoder', 'key', 'ports', 'redis', 'mail']) {
      expect(ill.check(name)?.remedy, name).toMatch(/\w/)
    }
    expect(ill.check('settings')?.text).toContain('MEMORY_DATADIR')
    const text = await run('apps/cli/src/doctor.ts', [], { ...settings, MEMORY_ENCODER_DIR: folder })
    expect([text.code, text.stdout]).toEqual([
      1,
      expect.stringMatching(/What to do \(1 thing\):\n {2}1\. encoder: /),
    ])
  }, 60_000)

  it('reports a setting that can’t be read, and a database that can’t be opened', async () => {
    const unset = await examine({ PORT: 'many' })
    expect([unset.code, unset.states]).toEqual([1, { settings: 'fail' }])
    if (onPostgres) {
      const away = await examine({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` })
      expect([away.code, away.states.database]).toEqual([1, 'fail'])
    } else {
      writeFileSync(join(folder, 'data', 'database', 'PG_VERSION'), '16\n')
      const broken = await examine()
      expect([broken.code, broken.states.database]).toEqual([1, 'fail'])
      writeFileSync(join(folder, 'data', 'database', 'PG_VERSION'), '18\n')
    }
  }, 60_000)

  it.runIf(!onPostgres)(
    'says of an interrupted restore what a start says',
    async () => {
      mkdirSync(join(folder, 'data', 'database.restoring'))
      const start = await run('apps/api/src/main.ts', [], settings)
      expect([start.code, start.stderr]).toEqual([
        1,
        expect.stringMatching(/^A restore into .+ was interrupted/),
      ])
      const { code, check } = await examine()
      expect([code, `${check('database')?.text}\n`]).toEqual([1, start.stderr])
      rmSync(join(folder, 'data', 'database.restoring'), { recursive: true })
    },
    60_000,
  )
})
