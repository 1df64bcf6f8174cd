import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/free-port.ts'
import { Client } from '../support/client.ts'
import { testMasterKey } from '../support/master-key.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * In tests the embedded database's code stays as it was first compiled: most of their processes end before it pays to
 * optimize it, which is a quarter of what a start takes. It is optimized in the databases that tests open in their own
 * process, and where the fault runner and the schema run start the service, as in production.
 */
const nodeOptions = process.env.VITEST === undefined ? [] : ['--liftoff-only']

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface ProcessOptions {
  /** Folder of another checkout of the repository. */
  checkout?: string | undefined
  /** A program with its arguments that runs the command as its child or in its own place. */
  through?: readonly string[]
}

/** A command of this repository, in a process of its own. */
export class CommandProcess {
  readonly child: ChildProcess
  /** Kept when the process has ended and its output is read. */
  readonly exit: Promise<Exit>
  stdout = ''
  stderr = ''
  ended = false

  constructor(
    script: string,
    args: string[],
    settings: Record<string, string>,
    { checkout = root, through = [] }: ProcessOptions = {},
  ) {
    // Settings of the shell that runs the tests are not the process's.
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const command = [...through, process.execPath, ...nodeOptions, join(checkout, script), ...args]
    this.child = spawn(command[0] as string, command.slice(1), {
      cwd: checkout,
      env: {
        ...{ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE },
        ...(settings.DATABASE_URL === undefined ? {} : { MASTER_KEY: testMasterKey }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.exit = once(this.child, 'close').then(([code, signal]) => {
      this.ended = true
      return { code, signal, stdout: this.stdout, stderr: this.stderr }
    })
  }

  get pid(): number {
    return this.child.pid as number
  }

  stop(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal)
    return this.exit
  }
}

/** Runs a command to its end. */
export function run(script: string, args: string[], settings: Record<string, string>): Promise<Exit> {
  return new CommandProcess(script, args, settings).exit
}

export class ServiceProcess extends CommandProcess {
  readonly dataDir: string
  readonly opsPort: number
  port = 0

  constructor(dataDir: string, opsPort: number, settings: Record<string, string>, options?: ProcessOptions) {
    const all = {
      MEMORY_DATA_DIR: dataDir,
      MEMORY_POOL_THREADS: '1',
      PORT: '0',
      OPS_PORT: String(opsPort),
      ...settings,
    }
    super('apps/api/src/main.ts', [], all, options)
    this.dataDir = dataDir
    this.opsPort = opsPort
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** A client with the key of the first start. */
  client(key = readFileSync(join(this.dataDir, 'local-api-key'), 'utf8').trim()): Client {
    return new Client(this.url, { key, keyId: '', organizationId: '' })
  }
}

/** Starts the service in a data directory and waits until it answers. */
export async function startService(
  dataDir: string,
  settings: Record<string, string> = {},
  options?: ProcessOptions,
): Promise<ServiceProcess> {
  const service = new ServiceProcess(dataDir, await freePort(), settings, options)
  await until(() => {
    if (service.ended) throw new Error(`The service ended: ${service.stderr}`)
    const ready = service.stdout.split('\n').find((line) => line.includes('"msg":"ready"'))
    if (ready === undefined) return false
    service.port = (JSON.parse(ready) as { port: number }).port
    return true
  }, 'the service to be ready').catch(async (error) => {
    await service.stop('SIGKILL')
    throw error
  })
  return service
}
