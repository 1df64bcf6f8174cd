/**
 * Vector memory over HTTP: batches stored and queries answered by the service and, in the same run, by Chroma's server,
 * beside the least that Node's HTTP server needs for the same bytes.
 *
 *   npm run bench -- vectors [--sizes 10000,100000] [--python VENV/bin/python] [--postgres] [--rounds 3]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { digits, type Spread, showSpread, summarize } from './support/statistics.ts'
import { startChroma } from './vectors/chroma.ts'
import { type Data, dimensions, k, makeData } from './vectors/data.ts'
import { measureFloor } from './vectors/floor.ts'
import { batchLoad, batchQueries, type Query, queryLoad, storedTogether, storeLoad } from './vectors/load.ts'
import { startService, type ValueKind, type VectorServer } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    python: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    queries: { type: 'string', default: '1000' },
  },
})
const connectionCounts = [1, 4, 16] as const
const storingCounts = [4, 16] as const
const storedAtOnce = 1_000
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
const storedEachRound = storedTogether.atOnce * storedTogether.requests
const rounds = Number(options.rounds)
const queriesEach = Number(options.queries)

interface Figures {
  server: string
  rows: number
  storedPerSecond: number
  singleStoreMs: number
  recall: number
  memoryMb: number
  query: Record<string, Query>
  together: Together
}

/** Requests of several queries, and of several connections that store. */
interface Together {
  /** Milliseconds a query of a request of many. */
  batchQueryMs: Spread
  /** Of a single query / that, medians. */
  batchRatio: number
  /** Patterns by number of connections. */
  storedPerSecond: Record<string, Spread>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures: Figures[] = []
for (const rows of options.sizes.split(',').map(Number)) {
  const data = makeData({
    stored: rows,
    singles: singleStores,
    later: storingCounts.length * rounds * storedEachRound,
    warmUp: warmUpQueries,
    queries: queriesEach,
  })
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
const floors: Omit<Figures, 'together'>[] = []
for (const [server, bytes] of [
  ['floor, small', 900],
  ['floor, 47 KB', 47_000],
] as const) {
  const query = await measureFloor(bytes, connectionCounts, queriesEach, rounds)
  floors.push({ server, rows: 0, storedPerSecond: 0, singleStoreMs: 0, recall: 1, memoryMb: 0, query })
}

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
console.log(
  `\nTogether: ${batchQueries} queries a request, ${storedTogether.atOnce} patterns a request\n\n${table(
    [
      'server',
      'patterns',
      'batch, ms/query',
      'single, p50 ms',
      'single / batch',
      ...storingCounts.map((n) => `stored/s, ${n} conn.`),
    ],
    figures.map(({ server, rows, query, together }) => [
      server,
      rows.toLocaleString('en'),
      showSpread(together.batchQueryMs),
      showSpread((query[1] as Query).p50),
      `${digits(together.batchRatio)}x`,
      ...storingCounts.map((n) => showSpread(together.storedPerSecond[n] as Spread)),
    ]),
  )}`,
)
writeResult(postgres === undefined ? 'vectors' : 'vectors-postgresql', environment, {
  dimensions,
  k,
  rounds,
  queriesEach,
  figures,
  floors,
})

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
    query[count] = await queryLoad(server, count, queries, rounds)
    progress(`${count} at a time, ${showSpread(query[count].perSecond)} queries/s`)
  }
  const memoryMb = server.memory().now
  const batchQueryMs = await batchLoad(server, queries, rounds)
  // Last, since they make the space larger.
  const storedPerSecond = await storeByMany(server, data)
  progress(`${storingCounts.join(' and ')} connections stored`)
  return {
    server: name,
    rows: stored.length,
    storedPerSecond: (1_000 * stored.length) / storeMs,
    singleStoreMs: summarize(singleMs.slice(-timedStores)).p50,
    recall: found / (k * data.nearest.length),
    memoryMb,
    query,
    together: {
      batchQueryMs,
      batchRatio: (query[1] as Query).p50.median / batchQueryMs.median,
      storedPerSecond,
    },
  }
}

/** Patterns a second, by numbers of connections; each round stores others. */
async function storeByMany(
  server: VectorServer,
  { stored, singles, later }: Data,
): Promise<Record<string, Spread>> {
  const perSecond: Record<string, Spread> = {}
  let at = 0
  for (const count of storingCounts) {
    const parts = Array.from({ length: rounds }, () => {
      const part = {
        first: stored.length + singles.length + at,
        vectors: later.slice(at, at + storedEachRound),
      }
      at += storedEachRound
      return part
    })
    perSecond[count] = await storeLoad(server, count, parts)
  }
  return perSecond
}
