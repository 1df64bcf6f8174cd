import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from '../support/client.ts'
import { timed } from '../support/load.ts'
import { type ServerOptions, startServer } from '../support/server.ts'

/** One start of the service on a space that is filled. */
export interface Round {
  /** Times of repeated queries, in ms. */
  retrieve: number[]
  recall: number[]
  /** Of recall under filters, by their names. */
  filtered: Record<FilterName, number[]>
  /** Of the first filter, which has the metadata read; only the first start lacks them on the disk. */
  firstFilterMs: number
  /** With the space's keys in memory and its words not. */
  firstRecallMs: number
  /** The longest that /healthz waited for an answer during the first recall. */
  stallMs: number
  /** The same in a time without any other request. */
  idleStallMs: number
  /** Resident memory after the first recall less that before it. */
  residentMb: number
}

/** Of the texts that `metadataOf` describes. */
const filters = { 'one user': { user: 'user-17' }, half: { kind: 'note' }, nothing: { user: 'nobody' } }
export type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as FilterName[]

/** Requests before the first that counts: the code of a new process is not compiled yet. */
const warmUp = 300

/** Starts the service, recalls a first time, then asks `requests` times for a retrieve and a recall, in turn. */
export async function measureRound(
  options: ServerOptions,
  queries: readonly string[],
  requests: number,
): Promise<Round> {
  const server = await startServer(options)
  try {
    const connection = await server.connect()
    for (const query of queries) await ask(connection, 'retrieve', query)
    const idle = await watchStalls(await server.connect())
    await delay(2_000)
    const idleStallMs = await idle.stop()
    const before = server.memory().now
    const watch = await watchStalls(await server.connect())
    const firstRecallMs = await timed(() => ask(connection, 'recall', queries[0] as string))
    const stallMs = await watch.stop()
    const residentMb = server.memory().now - before
    const samples = { retrieve: [] as number[], recall: [] as number[] }
    const filtered: Round['filtered'] = { 'one user': [], half: [], nothing: [] }
    const firstFilterMs = await timed(() =>
      ask(connection, 'recall', queries[0] as string, filters['one user']),
    )
    for (let i = -warmUp; i < requests; i++) {
      const query = queries.at(i % queries.length) as string
      // Who comes first alternates, so that neither profits from the other.
      for (const kind of i % 2 === 0 ? kinds : kinds.toReversed()) {
        const ms = await timed(() => ask(connection, kind, query))
        if (i >= 0) samples[kind].push(ms)
      }
      for (const name of filterNames) {
        const ms = await timed(() => ask(connection, 'recall', query, filters[name]))
        if (i >= 0) filtered[name].push(ms)
      }
    }
    connection.close()
    return { ...samples, filtered, firstFilterMs, firstRecallMs, stallMs, idleStallMs, residentMb }
  } finally {
    await server.stop()
  }
}

const kinds = ['retrieve', 'recall'] as const

function ask(
  connection: Connection,
  kind: (typeof kinds)[number],
  query: string,
  filter?: object,
): Promise<unknown> {
  return connection.json('POST', `/v1/memory/text/${kind}`, { query, top_k: 5, ...(filter && { filter }) })
}

/** Asks /healthz without a pause, until told to stop. */
async function watchStalls(connection: Connection): Promise<{ stop(): Promise<number> }> {
  let longest = 0
  let isDone = false
  // The first requests of a connection take longer whatever else is done.
  for (let i = 0; i < 50; i++) await connection.json('GET', '/healthz')
  const watching = (async () => {
    while (!isDone) longest = Math.max(longest, await timed(() => connection.json('GET', '/healthz')))
  })()
  return {
    stop: async () => {
      isDone = true
      await watching
      connection.close()
      return longest
    },
  }
}
