import { type StartThreads, startThreads, type Threads } from '@memory/api/pool/thread-pool'

/** By what they were started with. */
const started = new Map<string, Promise<Threads>>()

/**
 * Threads that all services of a test process have together: to start a thread and load its encoder takes longer than
 * most tests. They end with the process.
 */
export const sharedThreads: StartThreads = async (options) => {
  const { encoderDir, dimensions, threads } = options
  const key = JSON.stringify([encoderDir, dimensions, threads])
  const starting = started.get(key) ?? startThreads(options)
  started.set(key, starting)
  return { ...(await starting), close: async () => {} }
}
