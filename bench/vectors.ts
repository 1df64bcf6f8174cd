/**
 * Vector memory over HTTP: batches stored and queries answered by the service and, in the same run, by Chroma's server,
 * beside the least that Node's HTTP server needs for the same bytes.
 *
 *   npm run bench:vectors -- [--sizes 10000,100000] [--python VENV/bin/python] [--postgres] [--rounds 3]
 */
import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop, timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { type Spread, showSpread, spread, summarize } from './support/statistics.ts'
import { startChroma } from './vectors/chroma.ts'
import { Mixture } from './vectors/mixture.ts'
import { answerOf, startService, toBody, type ValueKind, type VectorServer } from './vectors/servers.ts'

const { values: options } = readOptions({
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
/** The first of them are not timed: code is compiled while it runs. */
const singleStores = 600
const timedStores = 100
/** Whoever has just started still reads the encoder's files, or brings its own things into order. */
const startedMs = 5_000
/**
 * Asked before the clock starts, of vectors that are not asked later: code is compiled while it runs, and a query of the
 * service takes half again as long before about 6,000 of them.
 */
const warmUpQueries = 6_000
/** Left alone before it is asked, a server brings what was stored into order. */
const settleMs = 15_000
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
  const data = makeData(rows)
  for (const kind of ['number', 'vector'] as const satisfies ValueKind[]) {
    const server = await startService(kind, postgres?.url)
    figures.push(await measure(server, `service, ${kind}`, data))
    await server.stop()
    if (options.python === undefined) continue
    const peer = await startChroma(options.python, kind)
    figures.push(await measure(peer, `Chroma, ${kind}`, data))
    await peer.stop()
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

/** What every server stores and is asked. */
interface Data {
  stored: Float32Array[]
  /** Stored one by one after these. */
  singles: Float32Array[]
  warmUp: Float32Array[]
  queries: Float32Array[]
  /** The numbers of the k nearest of all that is stored, for each of the first queries. */
  nearest: number[][]
}

function makeData(rows: number): Data {
  const mixture = new Mixture(dimensions, Math.ceil(rows / 100), rows)
  const take = (count: number) => Array.from({ length: count }, () => mixture.next())
  const [stored, singles, queries] = [take(rows), take(singleStores), take(queriesEach)]
  const all = [...stored, ...singles]
  const warmUp = take(warmUpQueries)
  return {
    stored,
    singles,
    warmUp,
    queries,
    nearest: queries.slice(0, recallQueries).map((q) => nearest(all, q)),
  }
}

async function measure(server: VectorServer, name: string, data: Data): Promise<Figures> {
  const { stored, singles, warmUp, queries } = data
  const connection = await server.connect()
  await delay(startedMs)
  const atOnce = Math.min(storedAtOnce, server.batchMax)
  let storeMs = 0
  for (let first = 0; first < stored.length; first += atOnce) {
    const body = server.storeBody(first, stored.slice(first, first + atOnce))
    storeMs += await timed(() => server.store(connection, body))
  }
  const progress = (done: string) =>
    console.log(`${name}, ${stored.length.toLocaleString('en')} patterns: ${done}`)
  progress(`stored in ${(storeMs / 1_000).toFixed(1)} s`)
  const singleMs: number[] = []
  for (const [i, vector] of singles.entries()) {
    const body = server.storeBody(stored.length + i, [vector])
    singleMs.push(await timed(() => server.store(connection, body)))
  }
  await delay(settleMs)
  let found = 0
  for (const [i, wanted] of data.nearest.entries()) {
    const body = server.queryBody(queries[i] as Float32Array, k)
    const numbers = new Set(server.numbersIn(await server.query(connection, body)))
    found += wanted.filter((number) => numbers.has(number)).length
  }
  for (const vector of warmUp) await server.query(connection, server.queryBody(vector, k))
  connection.close()
  const query: Record<string, Query> = {}
  for (const count of connectionCounts) {
    query[count] = await load(server, count, queries)
    progress(`${count} at a time, ${showSpread(query[count].perSecond)} queries/s`)
  }
  return {
    server: name,
    rows: stored.length,
    storedPerSecond: (1_000 * stored.length) / storeMs,
    singleStoreMs: summarize(singleMs.slice(-timedStores)).p50,
    recall: found / (k * data.nearest.length),
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
  const scores = Float64Array.from(vectors, (vector) => {
    let sum = 0
    for (let i = 0; i < dimensions; i++) sum += (vector[i] as number) * (query[i] as number)
    return sum
  })
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, k)
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
    query: (connection: Connection, body: Buffer) => answerOf(connection, '/v1/memory/query', body),
    processorMs: () => 0,
  }
  const query: Record<string, Query> = {}
  for (const count of connectionCounts) query[count] = await load(server, count, queries)
  child.disconnect()
  return { server: name, rows: 0, storedPerSecond: 0, singleStoreMs: 0, recall: 1, memoryMb: 0, query }
}
