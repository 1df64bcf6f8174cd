import { setTimeout } from 'node:timers/promises'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import type { QueuePool } from '../database/queue-pool.ts'
import type { AnyQueue, AnyWorker, QueueBackend } from './backend.ts'

/** Jobs in PostgreSQL's or the embedded database's schema of the queue. */
export function databaseBackend(pool: QueuePool): QueueBackend {
  const ping = async () => void (await pool.query('select 1'))
  return {
    queue: (name, options) =>
      new Queue(name, { ...options, connection: pool }, createPostgresBackend) as unknown as AnyQueue,
    worker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, connection: pool },
        patientBackend(options.runRetryDelay ?? 0),
      ) as unknown as AnyWorker,
    ready: ping,
    alone: (name, work) => pool.alone(name, work),
    ping,
    close: () => pool.end(),
  }
}

/**
 * The library's backend, which waits after a failure before it tells of it. A worker asks for its next job again at once when
 * the last answer was an error, in microtasks alone where that is one that the library has kept: no timer and no request of
 * the process would have its turn any more.
 */
const patientBackend =
  (retryMs: number): typeof createPostgresBackend =>
  (name, options, purpose) => {
    const backend = createPostgresBackend(name, options, purpose)
    const moveToActive = backend.moveToActive.bind(backend)
    backend.moveToActive = async (...asked) => {
      try {
        return await moveToActive(...asked)
      } catch (error) {
        await setTimeout(retryMs)
        throw error
      }
    }
    return backend
  }
