import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import { type PostgresServer, startPostgres } from '../../../scripts/postgres-server.ts'
import { CommandProcess, type ServiceProcess, startService } from '../../process/service-process.ts'
import { until } from '../../support/until.ts'
import { RedisServer } from './redis-server.ts'

/** Signs as the payment provider. */
export const billingSecret = `whsec_${randomBytes(32).toString('base64')}`

const common = {
  MEMORY_BILLING_SECRET: billingSecret,
  MEMORY_DEFAULT_PLAN: 'enterprise',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
}

/** How a process stands, and the last that it said but for requests. */
function stateOf(name: string, process: CommandProcess | undefined): string {
  if (process === undefined) return `${name} was not started`
  const { exitCode, signalCode } = process.child
  const said = process.stdout.split('\n').filter((line) => line !== '' && !line.includes('"msg":"request"'))
  const lines = [...said.slice(-20), process.stderr.slice(-4_000)].join('\n')
  return `${name} ${process.ended ? `ended (${signalCode ?? exitCode})` : 'runs'}:\n${lines}`
}

/** An API process at an address of its own, which it keeps over restarts. */
export class Api {
  readonly url: string
  readonly #folder: string
  readonly #settings: Record<string, string>
  #process: ServiceProcess | undefined
  /** Milliseconds from the start of the process until it was ready, of each start. */
  readonly starts: number[] = []

  constructor(folder: string, port: number, settings: Record<string, string>) {
    this.#folder = folder
    this.url = `http://127.0.0.1:${port}`
    this.#settings = { ...common, ...settings, PORT: String(port), LOG_LEVEL: 'info' }
  }

  async start(): Promise<void> {
    const began = performance.now()
    this.#process = await startService(this.#folder, this.#settings)
    this.starts.push(performance.now() - began)
  }

  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL')
  }

  /** Ends it in order. @returns the exit code and how long that took, in seconds */
  async end(): Promise<{ code: number | null; seconds: number }> {
    const began = performance.now()
    const exit = await this.#process?.stop('SIGTERM')
    return { code: exit?.code ?? null, seconds: (performance.now() - began) / 1_000 }
  }

  state(): string {
    return stateOf(this.url, this.#process)
  }

  /** What it says of itself; undefined while it does not answer. */
  async readiness(): Promise<{ status: number; body: { status?: string } } | undefined> {
    try {
      const response = await fetch(`${this.url}/readyz`)
      return { status: response.status, body: (await response.json()) as { status?: string } }
    } catch {
      return undefined
    }
  }
}

/** A worker process. */
export class Worker {
  readonly starts: number[] = []
  readonly #settings: Record<string, string>
  #process: CommandProcess | undefined

  constructor(settings: Record<string, string>) {
    this.#settings = { ...common, ...settings }
  }

  async start(): Promise<void> {
    const began = performance.now()
    const worker = new CommandProcess('apps/worker/src/main.ts', [], this.#settings)
    this.#process = worker
    await until(
      () => {
        if (worker.ended) throw new Error(`The worker ended: ${worker.stdout}${worker.stderr}`)
        return worker.stdout.includes('worker ready')
      },
      'the worker',
      // For one that hangs: on a machine that is busy with other tests a start takes its time.
      180_000,
    )
    this.starts.push(performance.now() - began)
  }

  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL')
  }

  state(): string {
    return stateOf('A worker', this.#process)
  }
}

/** Every process of a deployment, on this machine. */
export interface Cluster {
  apis: Api[]
  workers: Worker[]
  /** Undefined: the embedded database. */
  postgres: PostgresServer | undefined
  redis: RedisServer | undefined
  /** Settings with which a process reaches the database and the queue. */
  settings: Record<string, string>
  stop(): Promise<void>
}

/** Two API processes and two workers over PostgreSQL and Redis. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-faults-'))
  const postgres = await startPostgres({ version: '18', durable: true })
  const redis = await RedisServer.start()
  const settings = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    MEMORY_DATA_DIR: join(folder, 'worker'),
  }
  const apis: Api[] = []
  for (const n of [1, 2])
    apis.push(new Api(join(folder, `api-${n}`), await freePort(), settingsOfApi(settings)))
  const workers = [new Worker(settings), new Worker(settings)]
  const cluster: Cluster = {
    apis,
    workers,
    postgres,
    redis,
    settings,
    stop: async () => {
      await Promise.all([...apis, ...workers].map((each) => each.kill()))
      await redis.stop()
      postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return startOrStop(cluster)
}

/** One process over the embedded database, which does everything. */
export async function startEmbedded(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-faults-'))
  const api = new Api(folder, await freePort(), {})
  return startOrStop({
    apis: [api],
    workers: [],
    postgres: undefined,
    redis: undefined,
    settings: { MEMORY_DATA_DIR: folder },
    stop: async () => {
      await api.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

function settingsOfApi({ DATABASE_URL, REDIS_URL }: { DATABASE_URL: string; REDIS_URL: string }) {
  return { DATABASE_URL, REDIS_URL }
}

async function startOrStop(cluster: Cluster): Promise<Cluster> {
  try {
    // The instances start at once: one migrates.
    await Promise.all(cluster.apis.map((api) => api.start()))
    await Promise.all(cluster.workers.map((worker) => worker.start()))
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
