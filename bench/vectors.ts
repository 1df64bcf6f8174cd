/**
 * Vector memory over HTTP: batches stored and queries answered by the service and, in the same run, by Chroma's server,
 * beside the least that Node's HTTP server needs for the same bytes.
 *
 *   npm run bench:vectors -- [--sizes 10000,100000] [--python VENV/bin/python] [--postgres] [--rounds 3]
 */
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/postgres-server.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop, timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { type Spread, showSpread, spread, summarize } from './support/statistics.ts'
import { startChroma } from './vectors/chroma.ts'
import { Mixture } from './vectors/mixture.ts'
import { startService, toBody, type ValueKind, type VectorServer } from './vectors/servers.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    python: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    queries: { type: 'string', default: '1000' },
  },
})
const dimensions = 384
const k = 10
const connectionCounts = [1, 4, 16] as const
const storedAtOnce = 1_000
const recallQueries = 100
const rounds = Number(options.rounds)
const queriesEach = Number(options.queries)

interface Query {
  p50: Spread
  p99: Spread
  perSecond: Spread
  /** Processor time of the server a query. */
  processorMs: Spread
}

interface Figures {
  server: string
  rows: number
  storedPerSecond: number
  singleStoreMs: number
  recall: number
  memoryMb: number
  query: Record<string, Query>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures: Figures[] = []
for (const rows of options.sizes.split(',').map(Number)) {
  for (const kind of ['number', 'vector'] as const satisfies ValueKind[]) {
    const server = await startService(kind, postgres?.url)
    figures.push(await measure(server, `service, value ${kind}`, rows))
    await server.stop()
  }
  if (options.python !== undefined) {
    const server = await startChroma(options.python)
    figures.push(await measure(server, 'Chroma', rows))
    await server.stop()
  }
}
postgres?.stop()
const floors = [await measureFloor('floor, small', 900), await measureFloor('floor, 47 KB', 47_000)]

console.log(
  table(
    [
      'server',
      'patterns',
      'stored/s',
      'single store ms',
      'recall@10',
      'MB',
      ...connectionCounts.map((n) => `p50 ms, ${n} conn.`),
      'p99 ms, 1 conn.',
      ...connectionCounts.map((n) => `queries/s, ${n} conn.`),
      'CPU ms/query',
    ],
    [...figures, ...floors].map(
      ({ server, rows, storedPerSecond, singleStoreMs, recall, memoryMb, query }) => [
        server,
        rows.toLocaleString('en'),
        storedPerSecond.toFixed(0),
        singleStoreMs.toFixed(2),
        recall.toFixed(3),
        memoryMb.toFixed(0),
        ...connectionCounts.map((n) => showSpread((query[n] as Query).p50)),
        showSpread((query[1] as Query).p99),
        ...connectionCounts.map((n) => showSpread((query[n] as Query).perSecond)),
        showSpread((query[1] as Query).processorMs),
      ],
    ),
  ),
)
writeResult(postgres === undefined ? 'vectors' : 'vectors-postgresql', environment, {
  dimensions,
  k,
  rounds,
  queriesEach,
  figures,
  floors,
})

async function measure(server: VectorServer, name: string, rows: number): Promise<Figures> {
  const mixture = new Mixture(dimensions, Math.ceil(rows / 100), rows)
  const connection = await server.connect()
  const stored: Float32Array[] = []
  const atOnce = Math.min(storedAtOnce, server.batchMax)
  let storeMs = 0
  for (let first = 0; first < rows; first += atOnce) {
    const vectors = Array.from({ length: Math.min(atOnce, rows - first) }, () => mixture.next())
    const body = server.storeBody(first, vectors)
    storeMs += await timed(() => server.store(connection, body))
    stored.push(...vectors)
  }
  const progress = (done: string) => console.log(`${name}, ${rows.toLocaleString('en')} patterns: ${done}`)
  progress(`stored in ${(storeMs / 1_000).toFixed(1)} s`)
  const singles: number[] = []
  for (let i = 0; i < 50; i++) {
    const vector = mixture.next()
    const body = server.storeBody(rows + i, [vector])
    singles.push(await timed(() => server.store(connection, body)))
    stored.push(vector)
  }
  const queries = Array.from({ length: queriesEach }, () => mixture.next())
  let found = 0
  for (const vector of queries.slice(0, recallQueries)) {
    const numbers = new Set(await server.query(connection, server.queryBody(vector, k)))
    found += nearest(stored, vector).filter((number) => numbers.has(number)).length
  }
  connection.close()
  const query: Record<string, Query> = {}
  for (const count of connectionCounts) {
    query[count] = await load(server, count, queries)
    progress(`${count} at a time, ${showSpread(query[count].perSecond)} queries/s`)
  }
  return {
    server: name,
    rows,
    storedPerSecond: (1_000 * rows) / storeMs,
    singleStoreMs: summarize(singles).p50,
    recall: found / (k * recallQueries),
    memoryMb: server.memory().now,
    query,
  }
}

async function load(
  server: Pick<VectorServer, 'connect' | 'queryBody' | 'query' | 'processorMs'>,
  count: number,
  queries: readonly Float32Array[],
): Promise<Query> {
  const connections = await Promise.all(Array.from({ length: count }, () => server.connect()))
  const bodies = queries.map((vector) => server.queryBody(vector, k))
  const all: { p50: number; p99: number; perSecond: number; processorMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = server.processorMs()
    const { samplesMs, perSecond } = await closedLoop(connections, bodies, (connection, body) =>
      server.query(connection, body),
    )
    const { p50, p99 } = summarize(samplesMs)
    all.push({ p50, p99, perSecond, processorMs: (server.processorMs() - before) / queries.length })
  }
  for (const connection of connections) connection.close()
  const over = (read: (one: (typeof all)[number]) => number) => spread(all.map(read))
  return {
    p50: over((one) => one.p50),
    p99: over((one) => one.p99),
    perSecond: over((one) => one.perSecond),
    processorMs: over((one) => one.processorMs),
  }
}

/** Numbers of the k nearest by a plain scan. */
function nearest(vectors: readonly Float32Array[], query: Float32Array): number[] {
  return vectors
    .map((vector, number) => ({
      number,
      score: vector.reduce((sum, value, i) => sum + value * (query[i] as number), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
    .map(({ number }) => number)
}

/** The same requests and answers of the same size without the service. */
async function measureFloor(name: string, bytes: number): Promise<Figures> {
  const child = fork(new URL('./support/bare-server.ts', import.meta.url))
  child.send({ '/v1/memory/query': 'x'.repeat(bytes) })
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message) => resolve(message as number)),
  )
  const mixture = new Mixture(dimensions, 10, 1)
  const queries = Array.from({ length: queriesEach }, () => mixture.next())
  const server = {
    connect: () => Connection.open(port),
    queryBody: (vector: Float32Array) => toBody({ embedding: Array.from(vector), top_k: k }),
    query: async (connection: Connection, body: Buffer) => {
      await connection.send('POST', '/v1/memory/query', body)
      return []
    },
    processorMs: () => 0,
  }
  const query: Record<string, Query> = {}
  for (const count of connectionCounts) query[count] = await load(server, count, queries)
  child.disconnect()
  return { server: name, rows: 0, storedPerSecond: 0, singleStoreMs: 0, recall: 1, memoryMb: 0, query }
}
