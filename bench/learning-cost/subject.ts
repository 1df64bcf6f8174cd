import { newFolder, removeFolder, startServer } from '../support/server.ts'
import { newDatabase } from '../vectors/servers.ts'
import { type RequestAt, storedTexts, storedVectors } from './requests.ts'

/** What one server did in one stretch of time. */
export interface Slice {
  perSecond: number
  /** A request, all threads. */
  processorMs: number
}

/** A service that holds texts and vectors. */
export interface Subject {
  /** Each connection asks as soon as it is answered, until the time is over. */
  load(connections: number, ms: number, request: RequestAt): Promise<Slice>
  close(): Promise<void>
}

const atOnce = 500

/** @param checkout folder of the service's code; undefined: this one */
export async function openSubject(
  checkout: string | undefined,
  postgresUrl: string | undefined,
): Promise<Subject> {
  const dataDir = newFolder()
  const databaseUrl = postgresUrl && (await newDatabase(postgresUrl))
  const server = await startServer({ dataDir, databaseUrl, checkout })
  const connection = await server.connect()
  const texts = storedTexts.map((text) => ({ text }))
  for (let i = 0; i < texts.length; i += 50) {
    await connection.json('POST', '/v1/memory/text/batch-store', { items: texts.slice(i, i + 50) })
  }
  const patterns = storedVectors.map((key, i) => ({ key, value: [i] }))
  for (let i = 0; i < patterns.length; i += atOnce) {
    await connection.json('POST', '/v1/memory/batch/store', { patterns: patterns.slice(i, i + atOnce) })
  }
  connection.close()
  let asked = 0
  return {
    async load(count, ms, request) {
      const connections = await Promise.all(Array.from({ length: count }, () => server.connect()))
      const [started, processorBefore, askedBefore] = [performance.now(), server.processorMs(), asked]
      const end = started + ms
      await Promise.all(
        connections.map(async (connection) => {
          while (performance.now() < end) await request(connection, asked++)
        }),
      )
      const [elapsed, done] = [performance.now() - started, asked - askedBefore]
      for (const connection of connections) connection.close()
      return {
        perSecond: (1_000 * done) / elapsed,
        processorMs: (server.processorMs() - processorBefore) / done,
      }
    },
    async close() {
      await server.stop()
      removeFolder(dataDir)
    },
  }
}
