import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { repository } from '../support/environment.ts'
import { masterKey, newFolder, removeFolder, type ServerOptions, startServer } from '../support/server.ts'
import { Mixture } from '../vectors/mixture.ts'
import { newDatabase } from '../vectors/servers.ts'
import type { LoadAnswers, LoadOrder } from './load.ts'
import {
  filteredDimensions,
  filteredKinds,
  filteredPatterns,
  vectorDimensions,
  vectorPatterns,
} from './loads.ts'
import { Prober, type Samples } from './prober.ts'

/** A service with an organization that is measured and one that may make a load. */
export interface Subject {
  /** Times of the measured organization, beside a load or alone. */
  measure(load: string | undefined): Promise<Samples>
  /** What the last load was answered. */
  answers: LoadAnswers
  close(): Promise<void>
}

export interface Measuring {
  /** How long each load is measured. */
  ms: number
  /** Requests of the measured organization. */
  perSecond: number
  /** Further settings of the service. */
  settings: Record<string, string>
}

/** A load has the service busy after this. */
const settleMs = 1_500

/** @param checkout folder of the service's code; undefined: this one */
export async function openSubject(
  checkout: string | undefined,
  postgresUrl: string | undefined,
  { ms, perSecond, settings }: Measuring,
): Promise<Subject> {
  const dataDir = newFolder()
  const databaseUrl = postgresUrl && (await newDatabase(postgresUrl))
  const key = await newOrganizationKey({ dataDir, databaseUrl, checkout })
  const server = await startServer({ dataDir, databaseUrl, checkout, settings })
  const loader = readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim()
  const connection = await server.connect()
  const store = async (count: number, atOnce: number, dimensions: number) => {
    const mixture = new Mixture(dimensions, count / 100, 1)
    for (let first = 0; first < count; first += atOnce) {
      const patterns = Array.from({ length: atOnce }, (_, i) => ({
        key: Array.from(mixture.next()),
        value: [first + i],
        metadata: { kind: (first + i) % filteredKinds },
      }))
      await connection.json('POST', '/v1/memory/batch/store', { patterns })
    }
  }
  await store(vectorPatterns, 1_000, vectorDimensions)
  await store(filteredPatterns, 5_000, filteredDimensions)
  connection.close()
  const prober = new Prober(server.port, key)
  await prober.prepare()
  await prober.measure(3_000, perSecond)
  const subject: Subject = {
    answers: {},
    async measure(load) {
      if (load === undefined) return prober.measure(ms, perSecond)
      const child = fork(new URL('load.ts', import.meta.url))
      const answered = begin(child, { name: load, port: server.port, key: loader })
      await once(child, 'message')
      await delay(settleMs)
      const samples = await prober.measure(ms, perSecond)
      child.send('stop')
      subject.answers = await answered
      // What the service still does for it ends before anything else is measured.
      await delay(settleMs)
      return samples
    },
    async close() {
      prober.close()
      await server.stop()
      removeFolder(dataDir)
    },
  }
  return subject
}

/** Starts a load. @returns what it was answered, once it was told to stop */
function begin(child: ChildProcess, order: LoadOrder): Promise<LoadAnswers> {
  child.send(order)
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object') resolve(message as LoadAnswers)
    })
    child.once('exit', (code) => reject(new Error(`The load ended with status ${code}.`)))
  })
}

/** A key of a new organization, made on a database that was started once: a command makes none. */
export async function newOrganizationKey(server: Omit<ServerOptions, 'settings'>): Promise<string> {
  const { dataDir, databaseUrl, checkout = repository } = server
  await (await startServer(server)).stop()
  const made = spawnSync(
    process.execPath,
    [
      ...['apps/cli/src/keys.ts', 'create'],
      ...['--name', 'bench', '--new-organization', 'Quiet', '--plan', 'enterprise'],
    ],
    {
      cwd: checkout,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        MEMORY_DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }),
      },
    },
  )
  if (made.status !== 0) throw new Error(`No key was made: ${made.stderr}`)
  return made.stdout.trim()
}
