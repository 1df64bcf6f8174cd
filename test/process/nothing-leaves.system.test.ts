import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bare, newDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { CommandProcess, startService } from './service-process.ts'
import { canTrace, readTrace, type Traced, tracedInto } from './system-calls.ts'

// "Nothing leaves your machine": every process of the service is watched at its system calls, in a home of its own,
// while it does what it is for. The variables that make libraries quiet in tests and builds (CI) are not set.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-leaves-')))
const place = (name: string) => {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}
const dataDir = place('data')
const files = place('files')
const home = place('home')
const temporary = place('temporary')
const quietHome = {
  HOME: home,
  TMPDIR: temporary,
  XDG_CACHE_HOME: join(home, 'cache'),
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_DATA_HOME: join(home, 'share'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_RUNTIME_DIR: join(home, 'run'),
  // The tests' own.
  NODE_COMPILE_CACHE: '',
}
let database: TestDatabase | undefined

beforeAll(async () => {
  database = await newDatabase(bare)
})

afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Where a process of the service may write. */
const mayWrite = (path: string) =>
  [dataDir, files].some((allowed) => path === allowed || path.startsWith(`${allowed}/`)) ||
  /^\/dev\/(null|tty)$|^\/proc\/self\//.test(path)

/** This machine, but for its resolver: who asks it wants to know where somebody else is. */
const mayReach = (address: string) => {
  const port = Number(/_port=htons\((\d+)\)/.exec(address)?.[1])
  const own = /inet_addr\("127\.|inet_pton\(AF_INET6, "(::1|::ffff:127\..*?)"/.test(address)
  if (/^sa_family=AF_INET/.test(address)) return own && port !== 53
  // What a program asks the system for names through; a PostgreSQL may be reached by another socket.
  if (/^sa_family=AF_UNIX/.test(address)) return !/nscd|resolve|avahi|sssd/.test(address)
  return /^sa_family=AF_(UNSPEC|NETLINK)/.test(address)
}

const wrong = ({ written, addresses }: Traced) => ({
  written: [...new Set(written.filter((path) => !mayWrite(path)))],
  addresses: [...new Set(addresses.filter((address) => !mayReach(address)))],
})

describe('nothing leaves the machine', () => {
  it.runIf(!canTrace)('is watched by strace', ({ skip }) => {
    console.warn('Not tested here, for want of strace or of the right to trace: apt-get install strace')
    skip()
  })

  it.runIf(canTrace)(
    'is a test that sees a file in the home, a connection and a question to a resolver',
    async () => {
      const script = join(files, 'leaks.mjs')
      // Datagram sockets: connecting them sends nothing.
      writeFileSync(
        script,
        `import { createSocket } from 'node:dgram'
       import { mkdirSync, writeFileSync } from 'node:fs'
       mkdirSync(process.env.HOME + '/cache')
       writeFileSync(process.env.HOME + '/cache/queue', '')
       for (const [port, host] of [[443, '192.0.2.1'], [53, '127.0.0.1'], [443, '127.0.0.1']]) {
         const socket = createSocket('udp4')
         socket.connect(port, host, () => socket.close())
       }`,
      )
      const trace = join(files, 'leaks')
      const leaking = new CommandProcess(script, [], quietHome, { checkout: '/', through: tracedInto(trace) })
      await leaking.exit
      rmSync(join(home, 'cache'), { recursive: true })
      const found = wrong(await readTrace(trace, leaking.pid))
      expect(found.written).toEqual([join(home, 'cache'), join(home, 'cache/queue')])
      expect(found.addresses).toEqual([
        expect.stringContaining('192.0.2.1'),
        expect.stringContaining('htons(53)'),
      ])
    },
  )

  it.runIf(canTrace)('of the service, its worker and its commands while they work', async () => {
    const settings = {
      ...quietHome,
      ...(database === undefined ? {} : { DATABASE_URL: database.url, MEMORY_BOOTSTRAP: 'on' }),
    }
    const trace = (name: string) => join(files, `${name}.trace`)
    const through = (name: string) => ({ through: tracedInto(trace(name)) })
    const service = await startService(dataDir, settings, through('service'))
    const running: CommandProcess[] = [service]
    const pids: Record<string, number> = { service: service.pid }
    try {
      if (database !== undefined) {
        const worker = new CommandProcess(
          'apps/worker/src/main.ts',
          [],
          { ...settings, MEMORY_DATA_DIR: dataDir, WORKER_OPS_PORT: '0' },
          through('worker'),
        )
        running.push(worker)
        pids.worker = worker.pid
        await until(() => worker.stdout.includes('worker ready'), 'the worker')
      }
      const client = service.client()
      // A mail is written, and with it the worker has worked.
      const registered = await fetch(`${service.url}/v1/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.com', password: 'an analytical engine' }),
      })
      expect(registered.status).toBe(201)
      await until(() => readdirSync(dataDir).includes('outbox'), 'the mail')
      await client.store(['Ada moved to Lisbon in May.', 'The cat is called Byron.'])
      expect(await client.retrieve('Where does Ada live?')).toHaveLength(2)
      for (const [path, body] of [
        ['/v1/memory/text/recall', { query: 'Who is Byron?' }],
        ['/v1/memory/store', { key: [1, 0], value: [1] }],
        ['/v1/memory/query', { embedding: [1, 0] }],
        ['/v1/memory/sleep', {}],
      ] as const) {
        expect((await client.post(path, body)).status, path).toBe(200)
      }
      const key = readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim()
      const source = join(files, 'facts.ndjson')
      writeFileSync(source, '{"text":"Grace prefers tea."}\n')
      for (const [command, file] of [
        ['import', source],
        ['export', join(files, 'copy.ndjson')],
      ] as const) {
        const process = new CommandProcess(
          `apps/cli/src/${command}.ts`,
          [file, '--url', service.url, '--key', key],
          quietHome,
          through(command),
        )
        pids[command] = process.pid
        expect(await process.exit, command).toMatchObject({ code: 0 })
      }
      for (const process of running.toReversed()) {
        expect(await process.stop('SIGTERM')).toMatchObject({ code: 0 })
      }
    } finally {
      for (const process of running) await process.stop('SIGKILL')
    }

    const found: Record<string, Traced> = {}
    for (const [name, pid] of Object.entries(pids)) found[name] = await readTrace(trace(name), pid)
    // The watching worked: the service was seen to write, and a command to ask it.
    expect(found.service?.written.some((path) => path.startsWith(dataDir))).toBe(true)
    expect(found.import?.addresses.some((address) => address.includes(`htons(${service.port})`))).toBe(true)
    for (const [name, traced] of Object.entries(found)) {
      expect(wrong(traced), name).toEqual({ written: [], addresses: [] })
    }
    expect([home, temporary].map((each) => readdirSync(each, { recursive: true }))).toEqual([[], []])
  })
})
