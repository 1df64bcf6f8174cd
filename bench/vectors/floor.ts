import { fork } from 'node:child_process'
import { Connection } from '../support/client.ts'
import { dimensions, k } from './data.ts'
import { type Query, queryLoad } from './load.ts'
import { Mixture } from './mixture.ts'
import { answerOf, toBody } from './servers.ts'

/** The same requests and answers of so many bytes without the service, by numbers of connections. */
export async function measureFloor(
  bytes: number,
  connectionCounts: readonly number[],
  queriesEach: number,
  rounds: number,
): Promise<Record<string, Query>> {
  const child = fork(new URL('../support/bare-server.ts', import.meta.url))
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
  for (const count of connectionCounts) query[count] = await queryLoad(server, count, queries, rounds)
  child.disconnect()
  return query
}
