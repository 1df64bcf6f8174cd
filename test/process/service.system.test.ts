import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
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
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { until } from '../support/until.ts'
import { type Exit, run, type ServiceProcess, startService } from './service-process.ts'

// One data directory goes through everything below, in this order: what a failed start destroyed would show at the
// end. The settings name no DATABASE_URL, so that the service holds the directory's embedded database.

const folder = mkdtempSync(join(tmpdir(), 'memory-process-'))
const dataDir = join(folder, 'data')
const databaseDir = join(dataDir, 'database')
const text = 'Ada moved to Lisbon in May.'
/** Items of a request that takes about a second. */
const long = 12
let service: ServiceProcess

beforeAll(async () => {
  service = await startService(dataDir)
  await service.client().store([text])
})

afterAll(async () => {
  await service.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const start = (settings: Record<string, string>): Promise<Exit> =>
  run('apps/api/src/main.ts', [], {
    MEMORY_DATA_DIR: dataDir,
    MEMORY_POOL_THREADS: '1',
    PORT: '0',
    OPS_PORT: '0',
    ...settings,
  })

/** A start that failed as an operator wants it: one sentence that says what is wrong and what to do. */
function expectRefusal({ code, stdout, stderr }: Exit, ...words: string[]): void {
  expect(code).toBe(1)
  for (const word of words) expect(stderr).toContain(word)
  expect(stderr.trimEnd()).not.toContain('\n')
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).not.toContain('"msg":"ready"')
}

const keys = (...args: string[]) => run('apps/cli/src/keys.ts', args, { MEMORY_DATA_DIR: dataDir })

describe('a running service', () => {
  afterAll(async () => {
    await service.stop('SIGKILL')
  })

  it('keeps the first key and the operator’s token where only this user can read them, and prints neither', () => {
    const [key, operator, masterKey] = ['local-api-key', 'operator.json', 'master-key'].map((name) =>
      join(dataDir, name),
    ) as [string, string, string]
    for (const file of [key, operator, masterKey]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const output = service.stdout + service.stderr
    expect(output).toContain(key)
    expect(output).not.toContain(readFileSync(key, 'utf8').trim())
    expect(output).not.toContain(readFileSync(masterKey, 'utf8').trim())
    expect(output).not.toContain((JSON.parse(readFileSync(operator, 'utf8')) as { token: string }).token)
  })

  it('refuses a second process its data directory, and goes on', async () => {
    expectRefusal(await start({}), dataDir, `process ${service.pid}`, 'MEMORY_DATA_DIR')
    expect(await service.client().retrieve('Where does Ada live?')).toEqual([text])
  })

  it('reads the names of metadata as each client writes them, whatever another has sent', async () => {
    const store = (body: string) =>
      fetch(`${service.url}/v1/memory/text/store`, {
        method: 'POST',
        headers: { 'X-API-Key': service.client().key, 'Content-Type': 'application/json' },
        body,
      }).then((answer) => answer.json() as Promise<{ pattern_id: string }>)
    // Of two objects that begin alike, one with a name that is spelt as the other one's is written.
    await store('{"text":"spelt","metadata":{"user":"eve","pr\\\\u00":"eve"}}')
    const { pattern_id } = await store('{"text":"written","metadata":{"user":"ada","pr\\u00e9nom":"Ada"}}')
    const { body } = await service.client().get(`/v1/memory/patterns/${pattern_id}`)
    expect(body).toMatchObject({ text: 'written', metadata: { user: 'ada', prénom: 'Ada' } })
    await service.client().post('/v1/memory/text/forget', { filter: { user: ['ada', 'eve'] } })
  })

  it('lets npm run keys create, list and revoke; a revoked key is refused at once', async () => {
    const created = await keys('create', '--name', 'beside', '--scopes', 'memory:read')
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mem_live_\w{49}\n$/) })
    const key = created.stdout.trim()
    const client = service.client(key)
    expect(await client.retrieve('Where does Ada live?')).toEqual([text])
    expect((await client.post('/v1/memory/text/store', { text })).status).toBe(403)

    const listed = await keys('list')
    expect(listed.code).toBe(0)
    const line = listed.stdout.split('\n').find((each) => each.includes('beside')) as string
    expect(line).toContain(key.slice(0, 16))
    expect(listed.stdout + listed.stderr).not.toContain(key)

    const revoked = await keys('revoke', line.split(' ')[0] as string)
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining('Revoked') })
    const refused = await client.post('/v1/memory/text/retrieve', { query: 'Ada' })
    expect([refused.status, refused.body]).toEqual([401, { detail: 'Invalid API key' }])
    expect((await keys('list')).stdout).not.toContain('beside')
    expect(await keys('revoke', line.split(' ')[0] as string)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such active key'),
    })
  })

  it('lets npm run accounts rotate and retire the keys of access tokens', async () => {
    const accounts = (...args: string[]) =>
      run('apps/cli/src/accounts.ts', args, { MEMORY_DATA_DIR: dataDir })
    const published = async () => {
      const response = await fetch(`${service.url}/.well-known/jwks.json`)
      return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
    }
    const [first] = await published()
    const rotated = await accounts('rotate-signing-key')
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\w-]{43} signs from .+Z\.\n$/),
    })
    const next = rotated.stdout.split(' ')[0]
    const listed = await accounts('list-signing-keys')
    expect(listed.stdout.split('\n').map((line) => line.split('  ').slice(0, 2))).toEqual([
      [next, 'next'],
      [first, 'signs'],
      [''],
    ])
    expect(await accounts('retire-signing-key', first as string)).toMatchObject({ code: 0 })
    expect((await accounts('list-signing-keys')).stdout).toMatch(new RegExp(`^${first}  retired`, 'm'))
    expect(await accounts('retire-signing-key', first as string)).toMatchObject({ code: 1 })
    expect(await accounts('retire-signing-key')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list-signing-keys'),
    })
  })

  it('answers an operator’s request that can not be read or done with what is wrong', async () => {
    const { token } = JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8')) as { token: string }
    const ask = async (body: string) => {
      const response = await fetch(`http://127.0.0.1:${service.opsPort}/ops/keys`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body,
      })
      return [response.status, await response.json()]
    }
    expect(await ask('{"command":')).toEqual([400, { detail: 'The body is not valid JSON' }])
    expect(await ask('')).toEqual([400, { detail: 'The body is not valid JSON' }])
    const large = JSON.stringify({ command: 'list', more: 'x'.repeat(70_000) })
    expect(await ask(large)).toEqual([413, { detail: 'The body is larger than 65536 bytes' }])
    const expired = {
      command: 'create',
      newOrganization: { name: 'Never made', plan: 'free' },
      name: 'late',
      environment: 'live',
      scopes: null,
      expiresAt: '2020-01-01T00:00:00Z',
    }
    expect(await ask(JSON.stringify(expired))).toEqual([
      409,
      { detail: 'The key would expire at 2020-01-01T00:00:00.000Z, which is in the past' },
    ])
    expect((await ask('{"command":"list"}'))[0]).toBe(200)
  })

  it('F7 finishes a long request after SIGTERM, takes no other, and exits with 0 as soon as it is answered', async () => {
    const client = service.client()
    const encodings = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${service.opsPort}/metrics`)).text()
      return Number(/^memory_encode_seconds_count (\d+)$/m.exec(metrics)?.[1])
    }
    const before = await encodings()
    const items = Array.from({ length: long }, (_, n) => ({
      text: `Chapter ${n}. ${'It was a long day. '.repeat(40)}`,
    }))
    const storing = client.post('/v1/memory/text/batch-store', { items })
    await until(async () => (await encodings()) > before, 'the request to be in hand')
    const stopping = service.stop('SIGTERM')
    await until(() => service.stdout.includes('"stopping"'), 'the signal to be seen')
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
    expect(service.ended).toBe(false)

    expect((await storing).body).toMatchObject({ stored: long, failed: 0 })
    await until(() => service.ended, 'the process to end', 5_000)
    const { code, signal, stdout } = await stopping
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(stdout).toContain('"stopped"')
    expect(readdirSync(dataDir).sort()).toEqual(['database', 'local-api-key', 'master-key'])
  })
})

describe('a stopped service', () => {
  it('lets npm run keys work without it', async () => {
    const created = await keys('create', '--name', 'without')
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mem_live_\w{49}\n$/) })
    writeFileSync(join(folder, 'key'), created.stdout.trim())
    expect(existsSync(join(dataDir, 'memory.lock'))).toBe(false)
  })

  it('lists a key by a name that forges no row and moves no cursor', async () => {
    const before = (await keys('list')).stdout.split('\n').length
    expect((await keys('create', '--name', 'a\nforged  row\u001b[2J\u202e')).code).toBe(0)
    const { stdout } = await keys('list')
    expect(stdout.split('\n')).toHaveLength(before + 1)
    expect(stdout).toContain('a\ufffdforged  row\ufffd[2J\ufffd')
  })

  it('tells a person who calls npm run keys wrongly how to call it', async () => {
    const calls: [words: string, args: string[]][] = [
      ['Say create, list or revoke', []],
      ['Say create, list or revoke', ['rotate']],
      ['--colour', ['list', '--colour', 'red']],
      ['--scopes', ['create', '--name', 'a', '--scopes', 'memory:admin']],
    ]
    const answers = await Promise.all(calls.map(([, args]) => keys(...args)))
    answers.forEach(({ code, stderr }, n) => {
      expect(code).toBe(2)
      expect(stderr).toContain(calls[n]?.[0])
      expect(stderr).toContain('--help')
      expect(stderr).not.toMatch(/^\s+at /m)
    })
  })

  it('says how each command is called, and touches nothing', async () => {
    const unused = join(folder, 'unused')
    const commands: [words: string, script: string][] = [
      ['npm run keys', 'apps/cli/src/keys.ts'],
      ['npm run accounts', 'apps/cli/src/accounts.ts'],
      ['npm run migrate', 'apps/cli/src/migrate.ts'],
      ['npm run worker', 'apps/worker/src/main.ts'],
    ]
    const ask = (script: string) => run(script, ['--help'], { MEMORY_DATA_DIR: unused })
    const answers = await Promise.all(commands.map(([, script]) => ask(script)))
    answers.forEach(({ code, stdout, stderr }, n) => {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(commands[n]?.[0])
    })
    expect(existsSync(unused)).toBe(false)
  })
})

// Those that `wrong-starts.ts` lists, whose data stay as they are to the byte, are not tried here again.
describe('a start that can not succeed says why in one sentence and destroys nothing', () => {
  it('when the operators’ port is taken', async () => {
    const port = await freePort()
    const blocker: Server = createServer()
    await new Promise<void>((done) => blocker.listen(port, '127.0.0.1', done))
    try {
      expectRefusal(await start({ OPS_PORT: String(port) }), `Port ${port} is in use`, ' OPS_PORT ')
    } finally {
      blocker.close()
    }
  })

  it('T5 when the master key is another one, or missing where it is needed, and prints none', async () => {
    const MASTER_KEY = randomBytes(32).toString('base64')
    const wrong = await start({ MASTER_KEY })
    expectRefusal(wrong, 'master key', 'MASTER_KEY')
    const old = readFileSync(join(dataDir, 'master-key'), 'utf8').trim()
    for (const key of [MASTER_KEY, old]) expect(wrong.stdout + wrong.stderr).not.toContain(key)
    expectRefusal(await start({ MASTER_KEY: `${MASTER_KEY.slice(0, 40)}` }), 'MASTER_KEY must be 32 bytes')
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/memory`
    const commands: [script: string, ...arguments_: string[]][] = [
      ['apps/api/src/main.ts'],
      ['apps/worker/src/main.ts'],
      ['apps/cli/src/accounts.ts', 'list-signing-keys'],
    ]
    for (const [script, ...arguments_] of commands) {
      expectRefusal(await run(script, arguments_, { DATABASE_URL, MASTER_KEY: '' }), 'MASTER_KEY is needed')
    }
  })

  it('when the data directory is a file', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    expectRefusal(await start({ MEMORY_DATA_DIR: file }), file)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('when the encoder is broken', async () => {
    const broken = join(folder, 'broken-models')
    mkdirSync(broken)
    const models = fileURLToPath(new URL('../../models', import.meta.url))
    for (const file of ['tokenizer.json', 'tokenizer_config.json']) {
      copyFileSync(join(models, file), join(broken, file))
    }
    writeFileSync(join(broken, 'model.onnx'), 'not a model')
    expectRefusal(await start({ MEMORY_ENCODER_DIR: broken }), broken)
  })

  it('when a worker is given an argument, which it would not read', async () => {
    const unread = join(folder, 'unread')
    const refused = await run('apps/worker/src/main.ts', ['--port', '8010'], { MEMORY_DATA_DIR: unread })
    expectRefusal(refused, '--port', 'PORT=8010', '--help')
    expect(existsSync(unread)).toBe(false)
  })

  it('when PostgreSQL is not there for a worker', async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/memory`
    expectRefusal(await run('apps/worker/src/main.ts', [], { DATABASE_URL }), 'DATABASE_URL', 'ECONNREFUSED')
  })

  it('when PostgreSQL is not there for npm run keys and npm run migrate', async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/memory`
    expectRefusal(await run('apps/cli/src/migrate.ts', [], { DATABASE_URL }), 'DATABASE_URL', 'ECONNREFUSED')
    expectRefusal(
      await run('apps/cli/src/keys.ts', ['list'], { DATABASE_URL }),
      'DATABASE_URL',
      'ECONNREFUSED',
    )
  })

  it('when the database’s files are damaged', async () => {
    const [file, kept] = [join(databaseDir, 'global', 'pg_control'), join(folder, 'pg_control')]
    copyFileSync(file, kept)
    truncateSync(file, 100)
    expectRefusal(await start({}), databaseDir, 'backup')
    copyFileSync(kept, file)
  })

  it('and the same directory starts when the cause is gone, with everything in it', async () => {
    // With a new master key as well: what was sealed under the old one is sealed anew beside the requests.
    const old = readFileSync(join(dataDir, 'master-key'), 'utf8').trim()
    const MASTER_KEY = `${randomBytes(32).toString('base64')},${old}`
    service = await startService(dataDir, { MASTER_KEY })
    await until(() => service.stdout.includes('sealed under the new master key'), 'the secrets to be sealed')
    const client = service.client()
    expect(await client.retrieve('Where does Ada live?', { top_k: 1 })).toEqual([text])
    expect((await client.get('/v1/memory/text/stats')).body.total_patterns).toBe(1 + long)
    const other = service.client(readFileSync(join(folder, 'key'), 'utf8'))
    expect((await other.get('/v1/memory/text/stats')).status).toBe(200)
    expect((await service.stop('SIGINT')).code).toBe(0)
  })
})
