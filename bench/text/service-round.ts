import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Encoder } from '../../packages/engine/src/encoder/encoder.ts'
import { Connection } from '../support/client.ts'
import { closedLoop, type LoadResult, timed } from '../support/load.ts'
import { type Server, startServer } from '../support/server.ts'
import { mean } from '../support/statistics.ts'
import { type Length, lengths } from '../support/texts.ts'
import { type Connections, connectionCounts, type RoundTexts } from './plan.ts'

/** Timings in ms of requests that come one at a time. */
export interface RequestSamples {
  /** Requests with a text that the service has not seen. */
  fresh: number[]
  /** The same requests again. */
  repeated: number[]
  /** The encoder in this process, on the text of the request beside it. */
  encoder: number[]
  /** Fresh request less the encoder on the same text, pair by pair. */
  beyondEncoder: number[]
}

export type MeasuredLoad = LoadResult & {
  /** Processor time of the service for the whole load. */
  processorMs: number
}

/** What one round of the service gave. */
export interface ServiceRound {
  startMs: { newDirectory: number; existingDirectory: number; firstAnswer: number }
  batchTextsPerSecond: Record<Length, number>
  /** A few seconds after the first answer, the most under load, and the most since the start. */
  memoryMb: { atRest: number; underLoad: number; peak: number }
  /** The same client and answers without the service, and the service without text work. */
  floor: { bareRetrieve: number[]; bareStore: number[]; health: number[]; stats: number[] }
  single: Record<RequestKind, Record<Length, RequestSamples>>
  /** Means of new single queries: the request, and what the service's own histogram counts as encoding. */
  byMetrics: Record<Length, { requestMs: number; encodeMs: number | undefined }>
  backToBack: Record<RequestKind, Record<Connections, { fresh: MeasuredLoad; repeated: MeasuredLoad }>>
}

/** Retrieves and stores, by the name of their texts. */
export type RequestKind = 'queries' | 'stores'

interface Setting {
  dataDir: string
  databaseUrl?: string | undefined
  encoder: Encoder
}

const repeats = 3
const settleMs = 3_000

/** Starts the service twice, on its new and on its then existing data, and measures the second process. */
export async function measureService(texts: RoundTexts, setting: Setting): Promise<ServiceRound> {
  const first = await startServer(setting)
  const batchTextsPerSecond = await preload(first, texts)
  await first.stop()

  const server = await startServer(setting)
  const connection = await server.connect()
  const firstAnswer = await timed(() => retrieve(connection, 'Where is the red umbrella?'))
  await delay(settleMs)
  const atRest = server.memory().now
  const floor = await startFloor(connection)
  try {
    // Everything that only reads comes first, while the space is small.
    const load = watchMemory(server)
    for (const text of texts.warmUp) await retrieve(connection, text)
    const queries = await measureQueries(server, connection, texts, setting.encoder)
    const retrieves = await backToBack(server, texts, 'queries', retrieve)
    const floorSamples = await floor.measure(connection)
    for (const text of texts.warmUp.slice(0, texts.warmUp.length / 3)) await store(connection, text)
    const stores = await measureStores(connection, texts, setting.encoder)
    const storing = await backToBack(server, texts, 'stores', store)
    const underLoad = load.most()
    await connection.json('DELETE', '/v1/memory/patterns?confirm=all')
    return {
      startMs: { newDirectory: first.readyMs, existingDirectory: server.readyMs, firstAnswer },
      batchTextsPerSecond,
      memoryMb: { atRest, underLoad, peak: server.memory().peak },
      floor: floorSamples,
      single: { queries: queries.samples, stores },
      byMetrics: queries.byMetrics,
      backToBack: { queries: retrieves, stores: storing },
    }
  } finally {
    floor.stop()
    connection.close()
    await server.stop()
  }
}

const retrieve = (connection: Connection, query: string) =>
  connection.json('POST', '/v1/memory/text/retrieve', { query, top_k: 5 })

const store = (connection: Connection, text: string) =>
  connection.json('POST', '/v1/memory/text/store', { text, metadata: { source: 'bench' } })

async function preload(server: Server, texts: RoundTexts): Promise<Record<Length, number>> {
  const connection = await server.connect()
  const perSecond = {} as Record<Length, number>
  for (const length of lengths) {
    const all = texts.preload[length]
    const elapsed = await timed(async () => {
      for (let at = 0; at < all.length; at += 50) {
        const items = all.slice(at, at + 50).map((text) => ({ text }))
        const path = '/v1/memory/text/batch-store'
        const { stored } = await connection.json<{ stored: number }>('POST', path, { items })
        if (stored !== items.length) throw new Error(`batch-store stored ${stored} of ${items.length}`)
      }
    })
    perSecond[length] = (1000 * all.length) / elapsed
  }
  connection.close()
  return perSecond
}

async function measureQueries(server: Server, connection: Connection, texts: RoundTexts, encoder: Encoder) {
  const samples = {} as Record<Length, RequestSamples>
  const byMetrics = {} as ServiceRound['byMetrics']
  for (const length of lengths) {
    const before = await server.metric('memory_encode_seconds_sum')
    samples[length] = await interleave(texts.queries[length], encoder, (text) => retrieve(connection, text))
    const after = await server.metric('memory_encode_seconds_sum')
    const { fresh } = samples[length]
    const encodeMs =
      before === undefined || after === undefined ? undefined : (1000 * (after - before)) / fresh.length
    byMetrics[length] = { requestMs: mean(fresh), encodeMs }
  }
  return { samples, byMetrics }
}

async function measureStores(connection: Connection, texts: RoundTexts, encoder: Encoder) {
  const samples = {} as Record<Length, RequestSamples>
  for (const length of lengths) {
    samples[length] = await interleave(texts.stores[length], encoder, (text) => store(connection, text))
  }
  return samples
}

/** Each text: a request, the encoder alone on the same text (first on every other one), and repetitions. */
async function interleave(
  texts: readonly string[],
  encoder: Encoder,
  request: (text: string) => Promise<unknown>,
) {
  const fresh: number[] = []
  const repeated: number[] = []
  const alone: number[] = []
  const beyondEncoder: number[] = []
  for (const [index, text] of texts.entries()) {
    let encoderMs = index % 2 === 0 ? await timed(() => encoder.encode(text)) : 0
    const requestMs = await timed(() => request(text))
    if (index % 2 !== 0) encoderMs = await timed(() => encoder.encode(text))
    fresh.push(requestMs)
    alone.push(encoderMs)
    beyondEncoder.push(requestMs - encoderMs)
    for (let i = 0; i < repeats; i++) repeated.push(await timed(() => request(text)))
  }
  return { fresh, repeated, encoder: alone, beyondEncoder }
}

/** Requests without pause over one and over four connections; each text once, then four times again. */
async function backToBack(
  server: Server,
  texts: RoundTexts,
  kind: 'queries' | 'stores',
  request: typeof retrieve,
): Promise<Record<Connections, { fresh: MeasuredLoad; repeated: MeasuredLoad }>> {
  const results = {} as Awaited<ReturnType<typeof backToBack>>
  for (const count of connectionCounts) {
    const connections: Connection[] = []
    for (let i = 0; i < count; i++) connections.push(await server.connect())
    const load = async (items: string[]) => {
      const before = server.processorMs()
      const result = await closedLoop(connections, items, request)
      return { ...result, processorMs: server.processorMs() - before }
    }
    const items = texts.backToBack[count][kind]
    results[count] = {
      fresh: await load(items),
      repeated: await load([...items, ...items, ...items, ...items]),
    }
    for (const connection of connections) connection.close()
  }
  return results
}

/** Looks at the process's resident memory until it is asked for the most it saw. */
function watchMemory(server: Server) {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, server.memory().now)
  }, 50)
  watch.unref()
  return {
    most: () => {
      clearInterval(watch)
      return most
    },
  }
}

/** A bare server that answers what the service answers, to tell the service's part from HTTP's. */
async function startFloor(service: Connection) {
  const probe = { query: 'Who collects maps?', top_k: 5 }
  const text = { text: 'Ana collects paper maps.', metadata: { source: 'bench' } }
  const answers = {
    '/v1/memory/text/retrieve': (await service.send('POST', '/v1/memory/text/retrieve', probe)).text,
    '/v1/memory/text/store': (await service.send('POST', '/v1/memory/text/store', text)).text,
  }
  const child: ChildProcess = fork(new URL('../support/bare-server.ts', import.meta.url))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number))
    child.once('exit', () => reject(new Error('The bare server ended')))
    child.send(answers)
  })
  return {
    async measure(connection: Connection) {
      const bare = await Connection.open(port, { 'x-api-key': 'x'.repeat(48) })
      const samples = { bareRetrieve: [], bareStore: [], health: [], stats: [] } as ServiceRound['floor']
      for (let i = 0; i < 300; i++) {
        samples.bareRetrieve.push(await timed(() => bare.json('POST', '/v1/memory/text/retrieve', probe)))
        samples.bareStore.push(await timed(() => bare.json('POST', '/v1/memory/text/store', text)))
        samples.health.push(await timed(() => connection.json('GET', '/healthz')))
        samples.stats.push(await timed(() => connection.json('GET', '/v1/memory/text/stats')))
      }
      bare.close()
      return samples
    },
    stop: () => child.kill(),
  }
}
