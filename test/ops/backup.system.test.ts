import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canMount, mountDisk } from '../faults/full-disk.ts'
import {
  CommandProcess,
  type Exit,
  run,
  type ServiceProcess,
  startService,
} from '../process/service-process.ts'
import { Anonymous, newEmail } from '../support/accounts.ts'
import { bare, newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

/** The folder of the server's programs: those of another version may not understand it. */
const bin = process.env.TEST_POSTGRES_BIN
const canRun = !onPostgres || bin !== undefined
/** Of the data folder's own, that the master key is kept apart in. */
const masterKey = Buffer.alloc(32, 5).toString('base64')

/** What a service's data lie in, and commands work on. */
interface Place {
  dataDir: string
  settings: Record<string, string>
  database: TestDatabase | undefined
}

const opened: Place[] = []
const services: ServiceProcess[] = []
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-backup-'))
})

afterEach(async () => {
  for (const service of services.splice(0)) await service.stop('SIGKILL')
  for (const { database } of opened.splice(0)) await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A new place that holds nothing. */
async function newPlace(name: string): Promise<Place> {
  const database = await newDatabase(bare)
  const dataDir = join(folder, name)
  const settings = { MEMORY_DATA_DIR: dataDir, MASTER_KEY: masterKey, MEMORY_BOOTSTRAP: 'on' }
  const place: Place = { dataDir, settings, database }
  if (database !== undefined) {
    place.settings = { ...settings, DATABASE_URL: database.url, PATH: `${bin}:${process.env.PATH}` }
  }
  opened.push(place)
  return place
}

async function start({ dataDir, settings }: Place): Promise<ServiceProcess> {
  const service = await startService(dataDir, settings)
  services.push(service)
  return service
}

const command = (name: string, args: string[], { settings }: Place): Promise<Exit> =>
  run(`apps/cli/src/${name}.ts`, args, settings)

/** A place with some texts, and a backup of it, made while the service works. */
async function backedUp(texts: string[]) {
  const place = await newPlace('original')
  const service = await start(place)
  await service.client().store(texts)
  const backup = join(folder, 'backup')
  expect(await command('backup', [backup], place)).toMatchObject({ code: 0, stdout: `${backup}\n` })
  return { place, service, backup, key: readFileSync(join(place.dataDir, 'local-api-key'), 'utf8').trim() }
}

/** The folder that a backup is made in until it is whole. */
function draftOf(backup: string): string | undefined {
  const name = readdirSync(dirname(backup)).find(
    (each) => each.startsWith(`${basename(backup)}.`) && each.endsWith('.partial'),
  )
  return name && join(dirname(backup), name)
}

async function storedIn(service: ServiceProcess, key: string): Promise<string[]> {
  const { body } = await service.client(key).get('/v1/memory/patterns?limit=200')
  return body.patterns.map(({ text }: { text: string }) => text).sort()
}

describe.runIf(canRun)('F12 a backup', () => {
  it('is of one moment while texts are stored; restored it has them, opens what is sealed and finds', async () => {
    const place = await newPlace('original')
    const service = await start(place)
    const client = service.client()
    const stored = ['Ada moved to Lisbon.', 'Ben keeps bees.', 'Cleo sails.']
    await client.store(stored)
    const before = stored.length
    const [email, password] = [newEmail(), 'a password of this test']
    const { body: ada } = await new Anonymous(service.url).post('/v1/auth/register', { email, password })
    const asAda = { Authorization: `Bearer ${ada.access_token}` }
    const backup = join(folder, 'backup')
    const backingUp = new CommandProcess('apps/cli/src/backup.ts', [backup], place.settings)
    while (!backingUp.ended) {
      const text = `Fact ${stored.length}.`
      stored.push(text)
      expect((await client.post('/v1/memory/text/store', { text })).status).toBe(200)
    }
    expect(await backingUp.exit).toMatchObject({ code: 0, stdout: `${backup}\n` })
    expect(stored.length).toBeGreaterThan(before)
    const key = readFileSync(join(place.dataDir, 'local-api-key'), 'utf8').trim()
    expect((await service.stop('SIGTERM')).code).toBe(0)

    const other = await newPlace('restored')
    const restored = await command('restore', [backup, '--verify'], other)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toMatch(
      /Verified: \d+ patterns of 1 space are all in the index, .*3 texts were encoded/,
    )
    // A worker beside PostgreSQL has a ledger of its own; the embedded database has none but this one.
    expect(restored.stdout.includes('Warning: No ledger was found in')).toBe(onPostgres)
    const again = await start(other)
    const found = await storedIn(again, key)
    expect(found.length).toBeGreaterThanOrEqual(before)
    expect(found).toEqual(stored.slice(0, found.length).sort())
    expect(await again.client(key).retrieve('Where does Ada live?', { top_k: 1 })).toEqual([stored[0]])
    expect((await new Anonymous(again.url).get('/v1/users/me', asAda)).body.email).toBe(email)
  }, 180_000)

  it('erases again what was erased since, and refuses a place that holds data unless it is told to move it', async () => {
    const { place, service, backup, key } = await backedUp(['Ada moved to Lisbon.'])
    const { body: ben } = await new Anonymous(service.url).post('/v1/auth/register', {
      email: newEmail(),
      password: 'a password of this test',
    })
    await service.client().store(['Later.'])
    expect((await command('backup', [backup], place)).stderr).toMatch(
      /is there already: name another folder\.\n$/,
    )
    const later = join(folder, 'later')
    expect(await command('backup', [later], place)).toMatchObject({ code: 0 })
    await service.stop('SIGTERM')
    // Without a service too, where the data are a database alone.
    const stopped = join(folder, 'stopped')
    expect(await command('backup', [stopped], place)).toMatchObject({ code: 0 })

    const refused = await command('restore', [backup], place)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/holds .*--force, which moves it aside/),
    ])
    const line = JSON.stringify({ kind: 'user', id: ben.user_id, at: new Date().toISOString() })
    const worker = join(folder, 'erasures-of-worker.ndjson')
    // The first line was cut short by a crash.
    writeFileSync(worker, `${line.slice(0, 25)}\n${line}\n`)
    const nowhere = join(folder, 'nowhere.ndjson')
    expect(await command('restore', [later, '--force', '--ledger', nowhere], place)).toMatchObject({
      code: 1,
      stderr: `${nowhere} is no ledger: name the erasures.ndjson of a process that erased.\n`,
    })
    const forced = await command('restore', [later, '--force', '--ledger', worker], place)
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('was cut short') })
    expect(forced.stdout).toContain(
      'Erasures: 1 users and organizations that had come back were erased again.',
    )
    expect(forced.stdout).toMatch(/What was there before is .*_before_\d{8}t\d{6} now/)
    const again = await start(place)
    expect(await storedIn(again, key)).toEqual(['Ada moved to Lisbon.', 'Later.'])
    const asBen = { Authorization: `Bearer ${ben.access_token}` }
    expect((await new Anonymous(again.url).get('/v1/users/me', asBen)).status).toBe(401)
  }, 180_000)

  it('that is damaged, or of another master key, is refused, and nothing is changed', async () => {
    const { backup } = await backedUp(['Ada moved to Lisbon.'])
    const target = await newPlace('target')
    const refusal = async (damage: (copy: string) => void, place = target) => {
      const copy = join(folder, randomUUID())
      cpSync(backup, copy, { recursive: true })
      damage(copy)
      const { code, stderr } = await command('restore', [copy], place)
      expect(code).toBe(1)
      return stderr
    }
    const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const [largest] = Object.keys(files).sort((a, b) => files[b].bytes - files[a].bytes) as [string]
    expect(
      await refusal((copy) => {
        const bytes = readFileSync(join(copy, largest))
        bytes[1_000] = (bytes[1_000] as number) ^ 1
        writeFileSync(join(copy, largest), bytes)
      }),
    ).toMatch(/is damaged: .+ has another checksum\. Nothing was restored/)
    expect(await refusal((copy) => truncateSync(join(copy, largest), 100))).toMatch(
      /has 100 bytes instead of/,
    )
    expect(await refusal((copy) => rmSync(join(copy, largest)))).toMatch(/is missing/)
    expect(await refusal((copy) => rmSync(join(copy, 'manifest.json')))).toMatch(/is no whole backup/)
    expect(
      await refusal((copy) => {
        const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'))
        manifest.tables['app.patterns']++
        writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest))
      }),
    ).toMatch(/app\.patterns has 1 rows instead of 2\. It is not used/)
    const stranger = {
      ...target,
      settings: { ...target.settings, MASTER_KEY: Buffer.alloc(32, 6).toString('base64') },
    }
    expect(await refusal(() => {}, stranger)).toMatch(/^The master key is not the one/)
    if (!onPostgres) {
      const { MASTER_KEY: _, ...settings } = target.settings
      expect(await refusal(() => {}, { ...target, settings })).toMatch(/^There is no master key/)
      expect(existsSync(join(target.dataDir, 'database'))).toBe(false)
    }
    // It is as empty as before.
    expect(await command('restore', [backup], target)).toMatchObject({ code: 0, stderr: '' })
  }, 180_000)

  it('that is interrupted leaves nothing under its name; a restore that is interrupted keeps the service from starting', async () => {
    const { place, backup, service, key } = await backedUp(['Ada moved to Lisbon.'])
    const second = join(folder, 'second')
    const interrupt = async (signal: NodeJS.Signals) => {
      const left = draftOf(second)
      const making = new CommandProcess('apps/cli/src/backup.ts', [second], place.settings)
      await until(() => ![undefined, left].includes(draftOf(second)), 'the backup to begin')
      await making.stop(signal)
      expect(existsSync(second)).toBe(false)
    }
    await interrupt('SIGKILL')
    const draft = draftOf(second)
    // The service that copies may have removed it already.
    if (draft !== undefined) {
      expect((await command('restore', [draft], place)).stderr).toMatch(/is no whole backup|There is no /)
    }
    await interrupt('SIGTERM')
    // The service that copied may find only later that nobody waits. What the killed one left went when this one began.
    await until(() => draftOf(second) === undefined, 'nothing to be left')
    await until(
      async () => (await command('backup', [second], place)).code === 0,
      'the interrupted one to be over',
      60_000,
    )
    expect(await storedIn(service, key)).toEqual(['Ada moved to Lisbon.'])

    const target = await newPlace('target')
    const restoring = new CommandProcess('apps/cli/src/restore.ts', [backup], target.settings)
    await until(() => isRestoring(target), 'the restore to begin')
    await restoring.stop('SIGKILL')
    const refused = await run('apps/api/src/main.ts', [], { ...target.settings, PORT: '0', OPS_PORT: '0' })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^A restore into .+ was interrupted/),
    ])
    expect(await command('restore', [backup, '--verify'], target)).toMatchObject({ code: 0, stderr: '' })
    expect(await storedIn(await start(target), key)).toEqual(['Ada moved to Lisbon.'])
  }, 240_000)

  it('forced and interrupted, and then of a damaged one, leaves what was there before', async () => {
    const { place, backup, service, key } = await backedUp(['Ada moved to Lisbon.'])
    await service.client(key).store(['Ben keeps bees.'])
    await service.stop('SIGTERM')
    const restoring = new CommandProcess('apps/cli/src/restore.ts', [backup, '--force'], place.settings)
    await until(() => isLoading(place), 'the restore to begin')
    await restoring.stop('SIGKILL')
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    manifest.tables['app.patterns']++
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest))
    expect((await command('restore', [backup, '--force'], place)).stderr).toMatch(/app\.patterns has 1 rows/)
    expect(await storedIn(await start(place), key)).toEqual(['Ada moved to Lisbon.', 'Ben keeps bees.'])
  }, 180_000)

  it.runIf(canMount)(
    'onto a full disk says so and leaves nothing',
    async () => {
      const { place } = await backedUp(['Ada moved to Lisbon.'])
      const disk = mountDisk(onPostgres ? 1 : 16)
      try {
        disk.fill(0.05)
        const full = await command('backup', [join(disk.folder, 'backup')], place)
        expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/[Ff]ull|No space left/)])
        expect(readdirSync(disk.folder)).toEqual(['filler'])
      } finally {
        disk.remove()
      }
    },
    120_000,
  )
})

/** A data folder in which a service seems to run that answers a backup with these lines. */
async function pretendService(dataDir: string, lines: object[]): Promise<Server> {
  mkdirSync(join(dataDir, 'database'), { recursive: true })
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '18\n')
  const server = createServer((req, res) => {
    const isBackup = req.url === '/ops/backup'
    res.end(isBackup ? lines.map((line) => `${JSON.stringify(line)}\n`).join('') : '{"database":"this one"}')
  })
  await listen(server, 0, '127.0.0.1', 'OPS_PORT')
  const { port } = addressOf(server)
  const address = { url: `http://127.0.0.1:${port}`, token: 'token' }
  writeFileSync(join(dataDir, 'operator.json'), JSON.stringify(address))
  return server
}

describe('F12 a backup by the service that runs', () => {
  it.each([
    ['fails', { detail: 'The disk is full.' }, 'The running service refused: The disk is full.\n'],
    [
      'is cut off',
      undefined,
      'The service ended while it was asked: see whether it was done, and try again.\n',
    ],
  ])('that %s in the middle is an error, and leaves nothing', async (_, last, sentence) => {
    const dataDir = join(folder, 'data')
    const half = { copied_bytes: 50, total_bytes: 100 }
    const server = await pretendService(dataDir, [half, half, ...(last ? [last] : [])])
    try {
      const backup = join(folder, 'backup')
      const made = await run('apps/cli/src/backup.ts', [backup, '--json'], { MEMORY_DATA_DIR: dataDir })
      expect(made).toMatchObject({ code: 1, stdout: '', stderr: sentence })
      expect(readdirSync(folder)).toEqual(['data'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

async function isRestoring({ dataDir, database }: Place): Promise<boolean> {
  if (database === undefined) return existsSync(join(dataDir, 'database.restoring'))
  const rows = await onServer(database.url, "select 1 from pg_namespace where nspname = 'memory_restoring'")
  return rows.length > 0
}

/** The same as `isRestoring`, without a connection to the database, beside which a restore that moves data aside refuses to begin. */
async function isLoading(place: Place): Promise<boolean> {
  if (place.database === undefined) return isRestoring(place)
  const name = new URL(place.database.url).pathname.slice(1)
  const loading = `select 1 from pg_stat_activity where datname = '${name}' and application_name = 'pg_restore'`
  return (await onServer(process.env.TEST_DATABASE_URL as string, loading)).length > 0
}

async function onServer(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

describe.runIf(onPostgres && bin !== undefined)('F12 a backup of PostgreSQL', () => {
  const owners = ['first', 'second'].map((name) => `memory_${name}_${randomUUID().slice(0, 8)}`)
  const server = process.env.TEST_DATABASE_URL as string

  beforeAll(async () => {
    for (const owner of owners) await onServer(server, `create role ${owner} login createrole`)
  })

  afterAll(async () => {
    for (const owner of owners) await onServer(server, `drop owned by ${owner} cascade`, `drop role ${owner}`)
  })

  /** A place in a database that an ordinary user owns. */
  async function placeOf(owner: string, name: string): Promise<Place> {
    const place = await newPlace(name)
    const url = new URL(place.database?.url as string)
    const database = url.pathname.slice(1)
    await onServer(
      url.href,
      `alter database ${database} owner to ${owner}`,
      'create extension if not exists vector',
    )
    // As whoever sets up a server does, on which the service's role is there already.
    await onServer(url.href, `grant memory_app to ${owner}`, `grant create on schema public to ${owner}`)
    url.username = owner
    return { ...place, settings: { ...place.settings, DATABASE_URL: url.href } }
  }

  it('by an ordinary owner has the rows of everybody, and is restored for another owner', async () => {
    const [first, second] = owners as [string, string]
    const place = await placeOf(first, 'original')
    const service = await start(place)
    await service.client().store(['Ada moved to Lisbon.'])
    const key = readFileSync(join(place.dataDir, 'local-api-key'), 'utf8').trim()
    const backup = join(folder, 'backup')
    expect(await command('backup', [backup], place)).toMatchObject({ code: 0, stdout: `${backup}\n` })
    // Wherever it is taken, it stays its maker's.
    expect(statSync(join(backup, 'database.dump')).mode & 0o777).toBe(0o600)
    const { tables } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    expect(tables).toMatchObject({ 'app.patterns': 1, 'app.organizations': 1, 'app.master_keys': 1 })
    await service.stop('SIGTERM')

    const other = await placeOf(second, 'restored')
    expect(await command('restore', [backup, '--verify'], other)).toMatchObject({ code: 0, stderr: '' })
    expect(await storedIn(await start(other), key)).toEqual(['Ada moved to Lisbon.'])
    // What was restored is backed up like any.
    expect(await command('backup', [join(folder, 'again')], other)).toMatchObject({ code: 0 })
  }, 180_000)

  it('that is killed takes the program along that dumps', async () => {
    const place = await newPlace('original')
    await (await start(place)).stop('SIGTERM')
    const looking = new pg.Client({ connectionString: place.database?.url as string })
    const holding = new pg.Client({ connectionString: place.database?.url as string })
    await Promise.all([looking.connect(), holding.connect()])
    const dumping = async (state: string) => {
      const { rows } = await looking.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'pg_dump' and ${state}`,
      )
      return rows.length
    }
    try {
      await holding.query('begin; lock table app.organizations in access exclusive mode')
      const making = new CommandProcess('apps/cli/src/backup.ts', [join(folder, 'backup')], place.settings)
      await until(async () => (await dumping("wait_event_type = 'Lock'")) === 1, 'the program to wait')
      await making.stop('SIGKILL')
      await holding.query('rollback')
      await until(async () => (await dumping('true')) === 0, 'the program to end')
      expect(statSync(join(draftOf(join(folder, 'backup')) as string, 'database.dump')).size).toBe(0)
    } finally {
      await Promise.all([looking.end(), holding.end()])
    }
  }, 60_000)

  it('is restored although the program of a restore that was killed is still at work', async () => {
    const place = await newPlace('original')
    await (await start(place)).stop('SIGTERM')
    const backup = join(folder, 'backup')
    expect(await command('backup', [backup], place)).toMatchObject({ code: 0 })
    const target = await newPlace('target')
    const url = target.database?.url as string
    await onServer(url, 'create schema memory_restoring')
    const left = new pg.Client({ connectionString: url, application_name: 'pg_restore' })
    const ended = new Promise<void>((resolve) => left.once('end', resolve))
    left.on('error', () => {})
    await left.connect()
    await left.query('begin; create schema app')
    expect(await command('restore', [backup], target)).toMatchObject({ code: 0, stderr: '' })
    await ended
  }, 60_000)

  /** A restore whose program waits, before it does anything, until it is told to go on. */
  async function pausedRestore(backup: string, { settings }: Place) {
    const programs = join(folder, 'programs')
    const [begun, goOn] = [join(programs, 'begun'), join(programs, 'go-on')]
    mkdirSync(programs)
    execFileSync('mkfifo', [goOn])
    writeFileSync(
      join(programs, 'pg_restore'),
      `#!/bin/sh\ncase "$1" in --dbname=*) : >'${begun}'; read _ <'${goOn}' ;; esac\nexec '${bin}/pg_restore' "$@"\n`,
      { mode: 0o755 },
    )
    const PATH = `${programs}:${settings.PATH}`
    const restoring = new CommandProcess('apps/cli/src/restore.ts', [backup, '--force'], {
      ...settings,
      PATH,
    })
    await until(() => restoring.ended || existsSync(begun), 'the program to begin')
    return { restoring, goOn: () => writeFile(goOn, '\n') }
  }

  it('is restored by one at a time: a second restore is refused, and the first one goes on', async () => {
    const { place, backup, service, key } = await backedUp(['Ada moved to Lisbon.'])
    await service.client().store(['Ben keeps bees.'])
    await service.stop('SIGTERM')
    const { restoring, goOn } = await pausedRestore(backup, place)
    try {
      for (const args of [[backup], [backup, '--force']]) {
        expect(await command('restore', args, place)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^Another restore into the database at DATABASE_URL is at work/),
        })
      }
      await goOn()
      expect(await restoring.exit).toMatchObject({ code: 0, stderr: '' })
    } finally {
      await restoring.stop('SIGTERM')
    }
    expect(await storedIn(await start(place), key)).toEqual(['Ada moved to Lisbon.'])
  }, 120_000)

  it('is left to the next restore by one that has lost its connection, also when that one fails', async () => {
    const { place, backup, service, key } = await backedUp(['Ada moved to Lisbon.'])
    await service.stop('SIGTERM')
    const { restoring, goOn } = await pausedRestore(backup, place)
    try {
      await onServer(
        place.settings.DATABASE_URL as string,
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      expect(await command('restore', [backup], place)).toMatchObject({ code: 0, stderr: '' })
      await goOn()
      expect((await restoring.exit).code).toBe(1)
    } finally {
      await restoring.stop('SIGTERM')
    }
    expect(await storedIn(await start(place), key)).toEqual(['Ada moved to Lisbon.'])
  }, 120_000)

  it('says what to install where a program is missing or older than the server', async () => {
    const place = await newPlace('original')
    await (await start(place)).stop('SIGTERM')
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const attempt = () =>
      command('backup', [join(folder, 'backup')], {
        ...place,
        settings: { ...place.settings, PATH: programs },
      })
    expect((await attempt()).stderr).toMatch(
      /^There is no pg_dump in PATH: install PostgreSQL's client programs of/,
    )
    writeFileSync(join(programs, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.9"\n')
    chmodSync(join(programs, 'pg_dump'), 0o755)
    expect((await attempt()).stderr).toMatch(
      /^pg_dump in PATH is of PostgreSQL 15, and the database of 1[68]: install/,
    )
  }, 60_000)
})
