import { startPausedService } from '../support/paused-service.ts'
import { newFolder, removeFolder } from '../support/server.ts'
import { TextSource } from '../support/texts.ts'

export const searches = ['text retrieve', 'text recall', 'vector retrieve', 'vector query'] as const
type Search = (typeof searches)[number]

export interface Timed {
  /** In ms. */
  samples: number[]
  /** Sent to the database in all. */
  statements: number
}

const patterns = 1_000
const queries = 50
/** Requests before the first that counts: the code of a new process is not compiled yet. */
const warmUp = 100

/**
 * Each search with a cold cache and with a warm one, in turn. Both come after the same two requests, one that warms and
 * one that drops what is in memory, in one order or the other.
 * @param databaseUrl an empty PostgreSQL database to use instead of the embedded one
 */
export async function measureLatency(
  databaseUrl: string | undefined,
  requests: number,
): Promise<Record<Search, Record<'cold' | 'warm', Timed>>> {
  const dataDir = newFolder()
  const service = await startPausedService({ dataDir, databaseUrl })
  const connection = await service.newSpace()
  const texts = new TextSource(1).take('short', patterns)
  for (let i = 0; i < texts.length; i += 50) {
    const items = texts.slice(i, i + 50).map((text) => ({ text }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
  const asked = []
  for (const query of new TextSource(2).take('short', queries)) {
    const path = '/v1/memory/text/embed'
    const { embedding } = await connection.json<{ embedding: number[] }>('POST', path, { text: query })
    asked.push({ query, embedding })
  }
  const bodies: Record<Search, [string, Buffer[]]> = {
    'text retrieve': ['/v1/memory/text/retrieve', asked.map(({ query }) => toBody({ query, top_k: 5 }))],
    'text recall': ['/v1/memory/text/recall', asked.map(({ query }) => toBody({ query, top_k: 5 }))],
    'vector retrieve': ['/v1/memory/retrieve', asked.map(({ embedding }) => toBody({ embedding, top_k: 5 }))],
    'vector query': ['/v1/memory/query', asked.map(({ embedding }) => toBody({ embedding, top_k: 5 }))],
  }
  const statements = countStatements(service.context.database.queries)
  const timed = {} as Record<Search, Record<'cold' | 'warm', Timed>>
  for (const search of searches) {
    const [path, queryBodies] = bodies[search]
    const found = { cold: { samples: [], statements: 0 }, warm: { samples: [], statements: 0 } } as Record<
      'cold' | 'warm',
      Timed
    >
    for (let i = -warmUp; i < requests; i++) {
      const body = queryBodies.at(i % queries) as Buffer
      for (const state of i % 2 === 0 ? (['cold', 'warm'] as const) : (['warm', 'cold'] as const)) {
        const drop = () => connection.json('DELETE', '/v1/memory/prefetch/invalidate')
        // What this very search finds, values too, is what the same search then needs.
        const warm = () => connection.send('POST', path, body)
        await (state === 'cold' ? warm().then(drop) : drop().then(warm))
        const before = statements()
        const started = performance.now()
        const answer = await connection.send('POST', path, body)
        const ms = performance.now() - started
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
        if (i < 0) continue
        found[state].samples.push(ms)
        found[state].statements += statements() - before
      }
      // Written away from the clock, and never so much that it piles up.
      if (i % 50 === 0) await service.write()
    }
    timed[search] = found
  }
  connection.close()
  await service.stop()
  removeFolder(dataDir)
  return timed
}

const toBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

type Queries = Awaited<ReturnType<typeof startPausedService>>['context']['database']['queries']

/** @returns how many statements outside of transactions were sent so far */
function countStatements(queries: Queries): () => number {
  const executor = queries.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  let count = 0
  executor.executeQuery = (...query) => {
    count++
    return execute(...query)
  }
  return () => count
}
