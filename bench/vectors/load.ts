import type { Connection } from '../support/client.ts'
import { closedLoop, timed } from '../support/load.ts'
import { quantile, type Spread, spread, summarize } from '../support/statistics.ts'
import { k } from './data.ts'
import type { VectorServer } from './servers.ts'

/** Queries of one request, where a request has several. */
export const batchQueries = 64
/** Asked before the clock starts. */
const warmUpBatches = 10
/** Patterns of a request, and requests of a round, where several connections store. */
export const storedTogether = { atOnce: 500, requests: 16 }

/** Single queries, without a pause. */
export interface Query {
  /** Milliseconds, over the rounds. */
  p50: Spread
  p99: Spread
  perSecond: Spread
  /** Processor time of the server a query. */
  processorMs: Spread
}

export async function queryLoad(
  server: Pick<VectorServer, 'connect' | 'queryBody' | 'query' | 'processorMs'>,
  count: number,
  queries: readonly Float32Array[],
  rounds: number,
): Promise<Query> {
  const connections = await connect(server, count)
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

/** Milliseconds a query, the median of requests of `batchQueries` each on one connection, over the rounds. */
export async function batchLoad(
  server: VectorServer,
  queries: readonly Float32Array[],
  rounds: number,
): Promise<Spread> {
  const connection = await server.connect()
  const bodies: Buffer[] = []
  for (let first = 0; first + batchQueries <= queries.length; first += batchQueries) {
    bodies.push(server.batchBody(queries.slice(first, first + batchQueries), k))
  }
  for (const body of bodies.slice(0, warmUpBatches)) await server.batchQuery(connection, body)
  const medians: number[] = []
  for (let round = 0; round < rounds; round++) {
    const samples: number[] = []
    for (const body of bodies) samples.push(await timed(() => server.batchQuery(connection, body)))
    medians.push(quantile(samples, 0.5) / batchQueries)
  }
  connection.close()
  return spread(medians)
}

/** Patterns a second that several connections store at a time, each without a pause, over the rounds. */
export async function storeLoad(
  server: VectorServer,
  count: number,
  rounds: readonly { first: number; vectors: readonly Float32Array[] }[],
): Promise<Spread> {
  const connections = await connect(server, count)
  const { atOnce } = storedTogether
  const perSecond: number[] = []
  for (const { first, vectors } of rounds) {
    const bodies: Buffer[] = []
    for (let at = 0; at < vectors.length; at += atOnce) {
      bodies.push(server.storeBody(first + at, vectors.slice(at, at + atOnce)))
    }
    const stored = await closedLoop(connections, bodies, (connection, body) => server.store(connection, body))
    perSecond.push((stored.perSecond * vectors.length) / bodies.length)
  }
  for (const connection of connections) connection.close()
  return spread(perSecond)
}

function connect(server: Pick<VectorServer, 'connect'>, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => server.connect()))
}
