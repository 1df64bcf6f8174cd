import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import { Connection } from '../support/client.ts'
import { processorMs, type ResidentMemory, residentMemory } from '../support/process-use.ts'
import { newFolder, removeFolder, stopProcess } from '../support/server.ts'
import { answerOf, toBody, type ValueKind, type VectorServer } from './servers.ts'

const database = '/api/v2/tenants/default_tenant/databases/default_database'
const batchMax = 5_000

/** A server of Chroma's with one empty collection. */
export interface Collection {
  path: string
  connect(): Promise<Connection>
  memory(): ResidentMemory
  processorMs(): number
  stop(): Promise<void>
}

/** Chroma's own server (`chroma run`, in Rust) with its default settings and one collection by cosine. */
export async function openCollection(python: string): Promise<Collection> {
  const folder = newFolder()
  const port = await freePort()
  const program = join(dirname(python), 'chroma')
  const child = spawn(program, ['run', '--path', folder, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, ANONYMIZED_TELEMETRY: 'False' },
  })
  const abandon = () => child.kill('SIGKILL')
  process.once('exit', abandon)
  const connection = await untilReady(port)
  const { id } = await connection.json<{ id: string }>('POST', `${database}/collections`, {
    name: 'bench',
    configuration: { hnsw: { space: 'cosine', ef_search: 64 } },
  })
  return {
    path: `${database}/collections/${id}`,
    connect: () => Connection.open(port),
    memory: () => residentMemory(child.pid as number),
    processorMs: () => processorMs(child.pid as number),
    stop: async () => {
      connection.close()
      await stopProcess(child)
      process.off('exit', abandon)
      removeFolder(folder)
    },
  }
}

/** Chroma, answering as much as the service does: a number in the metadata, or the embedding, which are 384. */
export async function startChroma(python: string, kind: ValueKind): Promise<VectorServer> {
  const { path, connect, memory, processorMs, stop } = await openCollection(python)
  const queryBody = (vectors: readonly Float32Array[], k: number) =>
    toBody({
      query_embeddings: vectors.map((vector) => Array.from(vector)),
      n_results: k,
      include: ['distances', kind === 'number' ? 'metadatas' : 'embeddings'],
    })
  return {
    name: 'Chroma',
    connect,
    batchMax,
    storeBody: (first, vectors) =>
      toBody({
        ids: vectors.map((_, i) => String(first + i)),
        embeddings: vectors.map((vector) => Array.from(vector)),
        metadatas: vectors.map((_, i) => ({ value: first + i })),
      }),
    store: (to, body) => to.json('POST', `${path}/add`, body),
    queryBody: (vector, k) => queryBody([vector], k),
    query: (from, body) => answerOf(from, `${path}/query`, body),
    batchBody: queryBody,
    batchQuery: (from, body) => answerOf(from, `${path}/query`, body),
    numbersIn: (answer) => ((JSON.parse(answer) as { ids: string[][] }).ids[0] ?? []).map(Number),
    memory,
    processorMs,
    stop,
  }
}

async function untilReady(port: number): Promise<Connection> {
  for (let tries = 0; tries < 600; tries++) {
    const connection = await Connection.open(port).catch(() => undefined)
    const answer = await connection?.send('GET', '/api/v2/heartbeat').catch(() => undefined)
    if (connection !== undefined && answer?.status === 200) return connection
    connection?.close()
    await delay(100)
  }
  throw new Error('Chroma did not start within a minute')
}
