/**
 * What floods of requests, and clients that don't read their answers, do to another organization: its text searches,
 * vector queries, stores and lists, alone and beside each, and the memory of the service.
 *
 *   npm run bench -- floods [--base OTHER_CHECKOUT] [--seconds 8] [--rate 20] [--floods 'lists from 200 sockets']
 *                           [--postgres]
 *
 * --base measures another checkout in the same run, the two taking turns with each flood.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import type { FloodOrder } from './floods/flood.ts'
import { floods, listedMetadataBytes, listedTexts, longPatterns } from './floods/floods.ts'
import { Prober, probes, type Samples } from './noisy-neighbour/prober.ts'
import { newOrganizationKey } from './noisy-neighbour/subject.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    base: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    rate: { type: 'string', default: '20' },
    floods: { type: 'string', default: Object.keys(floods).join(';') },
    postgres: { type: 'boolean', default: false },
  },
})
const names = options.floods.split(';').map((name) => name.trim())
const [ms, perSecond] = [1_000 * Number(options.seconds), Number(options.rate)]
/** Who is not answered for so long has seen enough. */
const patienceMs = 60_000

interface Subject {
  server: Server
  prober: Prober
  loaderKey: string
  close(): Promise<void>
}

interface Figures {
  checkout: string
  flood: string
  /** Over all operations, ms. */
  p50: number
  p95: number
  max: number
  /** The greatest ratio of an operation's p95 to the same alone. */
  ratio: number
  /** Resident memory of the service while it is flooded, and after it, MB. */
  memory: number
  memoryAfter: number
  answered: number
  refused: number
}

async function open(checkout: string | undefined, postgresUrl: string | undefined): Promise<Subject> {
  const dataDir = newFolder()
  const databaseUrl = postgresUrl && (await newDatabase(postgresUrl))
  const key = await newOrganizationKey({ dataDir, databaseUrl, checkout })
  const server = await startServer({ dataDir, databaseUrl, checkout })
  const loaderKey = readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim()
  const connection = await server.connect()
  const note = 'x'.repeat(listedMetadataBytes)
  for (let at = 0; at < listedTexts; at += 50) {
    const items = Array.from({ length: 50 }, (_, i) => ({ text: `Line ${at + i}.`, metadata: { note } }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
  const value = Array.from({ length: 8_192 }, (_, i) => Math.sin(i + 1))
  const patterns = Array.from({ length: longPatterns }, () => ({ key: [1], value }))
  await connection.json('POST', '/v1/memory/batch/store', { patterns })
  connection.close()
  const prober = new Prober(server.port, key)
  await prober.prepare()
  await prober.measure(2_000, perSecond)
  return {
    server,
    prober,
    loaderKey,
    close: async () => {
      prober.close()
      await server.stop()
      removeFolder(dataDir)
    },
  }
}

/** Times of the other organization beside a flood. The service may not live through it. */
async function measure({ server, prober, loaderKey }: Subject, name: string) {
  const child = fork(new URL('floods/flood.ts', import.meta.url))
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(server))
  }, 100)
  const order: FloodOrder = { name, port: server.port, key: loaderKey }
  child.send(order)
  await once(child, 'message')
  await delay(1_000)
  const gaveUp = delay(patienceMs, undefined, { ref: false })
  const samples = await Promise.race([prober.measure(ms, perSecond).catch(() => undefined), gaveUp])
  const counts = once(child, 'message')
  child.send('stop')
  const [{ answered, refused }] = await counts
  clearInterval(watch)
  await delay(3_000)
  return { samples, memory, memoryAfter: memoryOf(server), answered, refused }
}

function memoryOf(server: Server): number {
  try {
    return server.memory().now
  } catch {
    return Number.NaN
  }
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const checkouts = new Map<string, string | undefined>([
  ...(options.base === undefined ? [] : [['base', options.base] as const]),
  ['now', undefined],
])
const figures: Figures[] = []
const subjects = new Map<string, { subject: Subject; alone: Samples }>()
try {
  for (const [checkout, folder] of checkouts) await begin(checkout, folder)
  for (const flood of names) {
    for (const [checkout, folder] of checkouts) {
      const { subject, alone } = subjects.get(checkout) ?? (await begin(checkout, folder))
      const { samples, ...rest } = await measure(subject, flood)
      add(checkout, flood, samples, alone, rest)
      if (samples !== undefined) continue
      console.log(`${checkout}, ${flood}: not answered any more; started anew`)
      await subject.close().catch(() => {})
      subjects.delete(checkout)
    }
  }
} finally {
  for (const { subject } of subjects.values()) await subject.close()
  postgres?.stop()
}
console.log(
  `\n${table(
    [
      'beside',
      'checkout',
      'p50 / p95 / max ms',
      'greatest p95 over alone',
      'memory, after MB',
      'answered, refused',
    ],
    figures.map((f) => [
      f.flood,
      f.checkout,
      [f.p50, f.p95, f.max].map(digits).join(' / '),
      digits(f.ratio),
      [f.memory, f.memoryAfter].map(digits).join(', '),
      `${f.answered}, ${f.refused}`,
    ]),
  )}`,
)
writeResult(postgres === undefined ? 'floods' : 'floods-postgresql', environment, { ms, perSecond, figures })

async function begin(checkout: string, folder: string | undefined) {
  const subject = await open(folder, postgres?.url)
  const alone = await subject.prober.measure(ms, perSecond)
  const begun = { subject, alone }
  subjects.set(checkout, begun)
  const memory = memoryOf(subject.server)
  add(checkout, 'alone', alone, alone, { memory, memoryAfter: memory, answered: 0, refused: 0 })
  return begun
}

function add(
  checkout: string,
  flood: string,
  samples: Samples | undefined,
  alone: Samples,
  rest: Pick<Figures, 'memory' | 'memoryAfter' | 'answered' | 'refused'>,
): void {
  const all = samples === undefined ? [] : probes.flatMap((probe) => samples[probe])
  const ratios = probes.map((probe) =>
    samples === undefined ? Number.NaN : quantile(samples[probe], 0.95) / quantile(alone[probe], 0.95),
  )
  const [p50, p95, max] = [0.5, 0.95, 1].map((q) => quantile(all, q)) as [number, number, number]
  const one = { checkout, flood, p50, p95, max, ratio: Math.max(...ratios), ...rest }
  figures.push(one)
  console.log(
    `${checkout}, ${flood}: p95 ${digits(p95)} ms, ${digits(one.ratio)} times; ${digits(rest.memory)} MB`,
  )
}
