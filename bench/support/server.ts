import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import { Connection } from './client.ts'
import { repository } from './environment.ts'
import { processorMs, type ResidentMemory, residentMemory } from './process-use.ts'

export interface ServerOptions {
  /** Folder of the embedded database and the first API key. */
  dataDir: string
  /** An empty PostgreSQL database to use instead of the embedded one. */
  databaseUrl?: string | undefined
  /** Further settings of the service. */
  settings?: Record<string, string>
  /** Folder of another checkout to start the service from. */
  checkout?: string | undefined
}

/** The service in a process of its own, ready to answer. */
export interface Server {
  port: number
  /** From the start of the process to the first 200 of /readyz. */
  readyMs: number
  /** A new connection that carries the API key of the first start. */
  connect(): Promise<Connection>
  memory(): ResidentMemory
  /** Processor time used so far. */
  processorMs(): number
  /** Sum of a Prometheus sample over its labels; undefined where the service has no such metric. */
  metric(name: string): Promise<number | undefined>
  stop(): Promise<void>
}

const readyWithinMs = 120_000

/** The same in every run: a database that was used before opens with it. */
export const masterKey = Buffer.alloc(32, 7).toString('base64')

/** A new folder for a server's data; remove it with `removeFolder`. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'memory-bench-'))

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/**
 * Starts the service and waits until it is ready. Only the settings named here reach it: a DATABASE_URL of
 * the caller's environment must not, because benches empty the space they measure in.
 */
export async function startServer({
  dataDir,
  databaseUrl,
  settings = {},
  checkout = repository,
}: ServerOptions): Promise<Server> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const logFile = `${dataDir}.log`
  const log = openSync(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, ['apps/api/src/main.ts'], {
    cwd: checkout,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      MEMORY_DATA_DIR: dataDir,
      ...(databaseUrl === undefined
        ? {}
        : { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, MEMORY_BOOTSTRAP: 'on' }),
      ...settings,
    },
  })
  closeSync(log)
  // A bench that fails does not leave the service running.
  const abandon = () => child.kill('SIGKILL')
  process.once('exit', abandon)
  try {
    await untilReady(child, port, started)
  } catch (cause) {
    child.kill('SIGKILL')
    const lines = readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n')
    throw new Error(`The service did not get ready. The end of its log:\n${lines}`, { cause })
  }
  const readyMs = performance.now() - started
  const key = readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim()
  return {
    port,
    readyMs,
    connect: () => Connection.open(port, { 'x-api-key': key }),
    memory: () => residentMemory(child.pid as number),
    processorMs: () => processorMs(child.pid as number),
    metric: (name) => readMetric(opsPort, name),
    stop: async () => {
      await stopProcess(child)
      process.off('exit', abandon)
      rmSync(logFile, { force: true })
    },
  }
}

async function untilReady(child: ChildProcess, port: number, started: number): Promise<void> {
  while (performance.now() - started < readyWithinMs) {
    if (child.exitCode !== null) throw new Error(`The service ended with status ${child.exitCode}`)
    const connection = await Connection.open(port).catch(() => undefined)
    const answer = await connection?.send('GET', '/readyz').catch(() => undefined)
    connection?.close()
    if (answer?.status === 200) return
    await delay(10)
  }
  throw new Error(`The service was not ready after ${readyWithinMs / 1000} s`)
}

async function readMetric(opsPort: number, name: string): Promise<number | undefined> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`)
  const samples = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
  return samples.length === 0 ? undefined : samples.reduce((sum, value) => sum + value, 0)
}

/** Asks the process to end, and ends it after 15 s. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => {
    console.warn('The process did not end within 15 s of SIGTERM.')
    child.kill('SIGKILL')
  }, 15_000)
  await ended
  clearTimeout(timer)
}
