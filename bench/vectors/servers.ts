import pg from 'pg'
import type { Connection } from '../support/client.ts'
import type { ResidentMemory } from '../support/process-use.ts'
import { newFolder, removeFolder, startServer } from '../support/server.ts'

/** A server that stores vectors and finds the nearest, as the bench drives it. */
export interface VectorServer {
  name: string
  connect(): Promise<Connection>
  /** Vectors that one call may store. */
  batchMax: number
  /** The body of a request that stores vectors whose numbers count up from `first`; written before the clock runs. */
  storeBody(first: number, vectors: readonly Float32Array[]): Buffer
  store(to: Connection, body: Buffer): Promise<unknown>
  /** The body of a request for the k nearest. */
  queryBody(vector: Float32Array, k: number): Buffer
  /** The body of the answer. */
  query(from: Connection, body: Buffer): Promise<string>
  /** The body of a request for the k nearest of each of several vectors. */
  batchBody(vectors: readonly Float32Array[], k: number): Buffer
  batchQuery(from: Connection, body: Buffer): Promise<string>
  /** Numbers of the k nearest, best first: read when the clock has stopped. */
  numbersIn(answer: string): number[]
  memory(): ResidentMemory
  processorMs(): number
  stop(): Promise<void>
}

/** What a stored value is, and an answer shows: one number, or 384. */
export type ValueKind = 'number' | 'vector'

/** The service of this repository, on a database of its own; a value begins with the number of its vector. */
export async function startService(
  kind: ValueKind,
  postgresUrl: string | undefined,
  settings: Record<string, string> = {},
): Promise<VectorServer> {
  const dataDir = newFolder()
  const databaseUrl = postgresUrl && (await newDatabase(postgresUrl))
  const server = await startServer({ dataDir, databaseUrl, settings })
  const valueFor = (number: number, key: Float32Array) =>
    kind === 'number' ? [number] : [number, ...Array.from(key.subarray(1)).reverse()]
  return {
    name: 'the service',
    connect: server.connect,
    batchMax: 5_000,
    storeBody: (first, vectors) =>
      toBody({
        patterns: vectors.map((key, i) => ({ key: Array.from(key), value: valueFor(first + i, key) })),
      }),
    store: (to, body) => to.json('POST', '/v1/memory/batch/store', body),
    queryBody: (vector, k) => toBody({ embedding: Array.from(vector), top_k: k }),
    query: (from, body) => answerOf(from, '/v1/memory/query', body),
    batchBody: (vectors, k) =>
      toBody({ queries: vectors.map((vector) => ({ embedding: Array.from(vector), top_k: k })) }),
    batchQuery: (from, body) => answerOf(from, '/v1/memory/batch/retrieve', body),
    numbersIn: (answer) => Array.from(answer.matchAll(/"value":\[(\d+)/g), (match) => Number(match[1])),
    memory: server.memory,
    processorMs: server.processorMs,
    stop: async () => {
      await server.stop()
      removeFolder(dataDir)
    },
  }
}

/** The answer's body. @throws for a status other than 200 */
export async function answerOf(from: Connection, path: string, body: Buffer): Promise<string> {
  const { status, text } = await from.send('POST', path, body)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`)
  return text
}

/** JSON, as it is sent. */
export const toBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

let databases = 0

/** An empty database of a PostgreSQL server. */
export async function newDatabase(postgresUrl: string): Promise<string> {
  const client = new pg.Client(postgresUrl)
  await client.connect()
  const name = `bench_${process.pid}_${databases++}`
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(postgresUrl)
  url.pathname = name
  return url.href
}
