import { type StartThreads, startThreads, type Threads } from '@memory/api/pool/thread-pool'
import { keepingEmbeddings } from './kept-embeddings.ts'

/** Threads that were started, by their options. */
const started = new Map<string, Promise<Threads>>()
/** The folder where embeddings are kept (`keepingEmbeddings`), which test/support/global-setup.ts sets. */
const kept = process.env.TEST_EMBEDDINGS

/**
 * Threads that all services of a test process have together: to start a thread and load its encoder takes longer than
 * most tests. They end with the process.
 */
export const sharedThreads: StartThreads = async (options) => {
  const { encoderDir, dimensions, threads } = options
  const key = JSON.stringify([encoderDir, dimensions, threads])
  const starting = started.get(key) ?? startThreads(options)
  started.set(key, starting)
  const shared = { ...(await starting), close: async () => {} }
  return kept === undefined ? shared : keepingEmbeddings(shared, kept, String(dimensions))
}
