/**
 * A mixed load for a while, as applications give it: texts and vectors stored, recalls, vector queries, lists and forgets
 * of 20 organizations on six connections, each of which sends its next request at a fixed time, or when it is answered.
 *
 *   npm run bench -- soak [--seconds 60] [--per-second 120] [--postgres] [--base OTHER_CHECKOUT] [--fixed]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { randomFrom } from './support/random.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { fillTenants } from './tenants/fill.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '120' },
    organizations: { type: 'string', default: '20' },
    connections: { type: 'string', default: '6' },
    postgres: { type: 'boolean', default: false },
    base: { type: 'string' },
    fixed: { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const perSecond = Number(options['per-second'])
const connections = Number(options.connections)
const dimensions = 64
/** Of the beginning, in which code is compiled and caches fill. */
const warmUpShare = 1 / 6
const memoryEveryMs = Math.min(30_000, (1_000 * seconds) / 6)
const words =
  'river stone amber north quiet market signal harbor velvet orchard copper lantern meadow thunder ribbon castle winter garden mirror compass'.split(
    ' ',
  )

interface Sample {
  operation: string
  atMs: number
  ms: number
}

/** Memory of the service, in MB. */
interface Memory {
  atS: number
  resident: number
  heap: number
  external: number
  embeddings: number
  index: number
  texts: number
  payloads: number
}

interface Figures {
  checkout: string
  operations: Record<string, { n: number; p50: number; p99: number; max: number; ratio: number }>
  memory: Memory[]
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures: Figures[] = []
try {
  if (options.base !== undefined) figures.push(await measure('base', options.base))
  figures.push(await measure('this', repository))
} finally {
  postgres?.stop()
}
console.log(
  table(
    ['checkout', 'operation', 'requests', 'p50 ms', 'p99', 'max', 'p99 : p50'],
    figures.flatMap(({ checkout, operations }) =>
      Object.entries(operations).map(([operation, { n, p50, p99, max, ratio }]) => [
        ...[checkout, operation, String(n)],
        ...[p50, p99, max, ratio].map(digits),
      ]),
    ),
  ),
)
console.log(
  `\n${table(
    ['checkout', 's', 'resident MB', 'heap', 'external', 'embeddings', 'index', 'texts', 'payloads'],
    figures.flatMap(({ checkout, memory }) =>
      memory.map(({ atS, resident, heap, external, embeddings, index, texts, payloads }) => [
        ...[checkout, String(Math.round(atS))],
        ...[resident, heap, external, embeddings, index, texts, payloads].map((mb) => mb.toFixed(0)),
      ]),
    ),
  )}`,
)
writeResult(postgres === undefined ? 'soak' : 'soak-postgresql', environment, {
  seconds,
  perSecond,
  connections,
  organizations: Number(options.organizations),
  fixed: options.fixed,
  figures,
})

async function measure(checkout: string, folder: string): Promise<Figures> {
  const dataDir = newFolder()
  const databaseUrl = postgres && (await newDatabase(postgres.url))
  const tenants = await fillTenants(
    { dataDir, databaseUrl, checkout: folder },
    { organizations: Number(options.organizations), each: options.fixed ? 200 : 0, dimensions },
  )
  const server = await startServer({ dataDir, databaseUrl, checkout: folder })
  console.error(`${checkout}: ${seconds} s of ${perSecond} requests each`)
  const samples: Sample[] = []
  const memory: Memory[] = []
  const started = performance.now()
  const isOver = () => performance.now() - started > 1_000 * seconds
  try {
    const workers = Array.from({ length: connections }, async (_, n) => {
      const connection = await Connection.open(server.port)
      const random = randomFrom(100 + n)
      const everyMs = (1_000 * connections) / perSecond
      for (let dueMs = (everyMs * n) / connections; !isOver(); dueMs += everyMs) {
        const early = dueMs - (performance.now() - started)
        if (early > 0) await delay(early)
        // One that was held up does not send what it missed.
        else dueMs -= early
        const key = tenants[Math.floor(random() * tenants.length)]?.key as string
        const { operation, method, path, body } = nextRequest(random)
        const sent = performance.now()
        const answer = await connection.send(method, path, body, { 'x-api-key': key })
        if (answer.status >= 300)
          throw new Error(`${operation}: ${answer.status} ${answer.text.slice(0, 300)}`)
        samples.push({ operation, atMs: sent - started, ms: performance.now() - sent })
      }
      connection.close()
    })
    const watching = (async () => {
      while (!isOver()) {
        memory.push({ atS: (performance.now() - started) / 1_000, ...(await memoryOf(server)) })
        await delay(memoryEveryMs)
      }
    })()
    await Promise.all([...workers, watching])
  } finally {
    await server.stop()
    removeFolder(dataDir)
  }
  const counted = samples.filter(({ atMs }) => atMs >= warmUpShare * 1_000 * seconds)
  const operations = Object.fromEntries(
    [...Map.groupBy(counted, ({ operation }) => operation)].map(([operation, of]) => {
      const ms = of.map((one) => one.ms)
      const [p50, p99, max] = [quantile(ms, 0.5), quantile(ms, 0.99), quantile(ms, 1)]
      return [operation, { n: ms.length, p50, p99, max, ratio: p99 / p50 }]
    }),
  )
  return { checkout, operations, memory }
}

/** With `--fixed` nothing is stored or forgotten, so that what the service holds does not grow with its data. */
function nextRequest(random: () => number): {
  operation: string
  method: string
  path: string
  body?: unknown
} {
  const x = options.fixed ? 0.25 + 0.35 * random() + (random() < 0.3 ? 0.55 : 0) : random()
  const post = (operation: string, path: string, body: unknown) => ({ operation, method: 'POST', path, body })
  const vector = () => Array.from({ length: dimensions }, random)
  const user = () => `u${Math.floor(51 * random())}`
  const text = () => {
    const count = 5 + Math.floor(26 * random())
    return Array.from({ length: count }, () => words[Math.floor(words.length * random())]).join(' ')
  }
  if (x < 0.25)
    return post('store text', '/v1/memory/text/store', { text: text(), metadata: { user: user() } })
  if (x < 0.6)
    return post('recall', '/v1/memory/text/recall', { query: text().slice(0, 60).trim(), top_k: 10 })
  if (x < 0.8) return post('store vector', '/v1/memory/store', { key: vector(), value: [1] })
  if (x < 0.95) return post('query', '/v1/memory/query', { embedding: vector(), top_k: 10 })
  if (x < 0.99 || options.fixed)
    return { operation: 'list', method: 'GET', path: '/v1/memory/patterns?limit=100' }
  const path = '/v1/memory/text/forget'
  return { operation: 'forget', method: 'DELETE', path, body: { filter: { user: user() } } }
}

async function memoryOf(server: Server): Promise<Omit<Memory, 'atS'>> {
  const mb = async (name: string) => ((await server.metric(name)) ?? Number.NaN) / 2 ** 20
  return {
    resident: server.memory().now,
    heap: await mb('nodejs_heap_size_used_bytes'),
    external: await mb('nodejs_external_memory_bytes'),
    embeddings: await mb('memory_embedding_cache_bytes'),
    index: await mb('memory_index_bytes'),
    texts: await mb('memory_lexical_index_bytes'),
    payloads: await mb('memory_payload_cache_bytes'),
  }
}
