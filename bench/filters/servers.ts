import type { Connection } from '../support/client.ts'
import type { ResidentMemory } from '../support/process-use.ts'
import { newFolder, removeFolder, startServer } from '../support/server.ts'
import { openCollection } from '../vectors/chroma.ts'
import { answerOf, toBody } from '../vectors/servers.ts'

/** The filters that are measured. */
export const filterNames = ['none', 'one user', 'half', 'two fields', 'a range', 'nothing'] as const

/** A server that stores vectors with metadata and finds the nearest among those that a filter lets in. */
export interface Filtered {
  name: string
  connect(): Promise<Connection>
  /** Stores vectors whose numbers count up from `first`. */
  store(to: Connection, first: number, vectors: readonly Float32Array[]): Promise<unknown>
  /** Asks for the 10 nearest under one of the filters. */
  query(from: Connection, vector: Float32Array, filter: string): Promise<unknown>
  memory(): ResidentMemory
  stop(): Promise<void>
}

const users = 1_000
/** What is known of a pattern: a user of a thousand, one of two kinds, a number, a name that no other has, a list. */
const metadataOf = (number: number) => ({
  user: `user-${number % users}`,
  kind: Math.floor(number / users) % 2 === 0 ? 'note' : 'mail',
  n: number,
  source: `import/${number}`,
  topic: `topic-${(number * 7) % 40}`,
})

/** The service on a database of its own. */
export async function serviceWithMetadata(): Promise<Filtered> {
  const dataDir = newFolder()
  const server = await startServer({ dataDir, settings: { MEMORY_DEFAULT_PLAN: 'scale' } })
  const filters: Record<string, object | undefined> = {
    none: undefined,
    'one user': { user: 'user-17' },
    half: { kind: 'note' },
    'two fields': { user: ['user-17', 'user-18'], kind: 'mail' },
    'a range': { n: { $gte: 1_000, $lt: 3_000 } },
    nothing: { user: 'nobody' },
  }
  return {
    name: 'the service',
    connect: () => server.connect(),
    store: (to, first, vectors) =>
      to.json('POST', '/v1/memory/batch/store', {
        patterns: vectors.map((key, i) => ({
          key: Array.from(key),
          value: [first + i],
          metadata: metadataOf(first + i),
        })),
      }),
    query: (from, vector, filter) =>
      answerOf(
        from,
        '/v1/memory/query',
        toBody({ embedding: Array.from(vector), top_k: 10, filter: filters[filter] }),
      ),
    memory: server.memory,
    stop: async () => {
      await server.stop()
      removeFolder(dataDir)
    },
  }
}

/** Chroma's own server with its default settings. */
export async function chromaWithMetadata(python: string): Promise<Filtered> {
  const collection = await openCollection(python)
  const filters: Record<string, object | undefined> = {
    none: undefined,
    'one user': { user: 'user-17' },
    half: { kind: 'note' },
    'two fields': { $and: [{ user: { $in: ['user-17', 'user-18'] } }, { kind: 'mail' }] },
    'a range': { $and: [{ n: { $gte: 1_000 } }, { n: { $lt: 3_000 } }] },
    nothing: { user: 'nobody' },
  }
  return {
    name: 'Chroma',
    connect: collection.connect,
    store: (to, first, vectors) =>
      to.json('POST', `${collection.path}/add`, {
        ids: vectors.map((_, i) => String(first + i)),
        embeddings: vectors.map((vector) => Array.from(vector)),
        metadatas: vectors.map((_, i) => metadataOf(first + i)),
      }),
    query: (from, vector, filter) =>
      answerOf(
        from,
        `${collection.path}/query`,
        toBody({
          query_embeddings: [Array.from(vector)],
          n_results: 10,
          include: ['distances', 'metadatas'],
          where: filters[filter],
        }),
      ),
    memory: collection.memory,
    stop: collection.stop,
  }
}
