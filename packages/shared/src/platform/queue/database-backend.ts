import { setTimeout } from 'node:timers/promises'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import type { QueuePool } from '../database/queue-pool.ts'
import type { AnyQueue, AnyWorker, QueueBackend } from './backend.ts'

/** Stores jobs in the database, PostgreSQL or embedded, in the schema of the job queue. */
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
 * The library's backend, with a wait before an error is reported. After an error a worker asks for its next job again at once.
 * If the library has cached the error, it does so in microtasks only, and nothing else in the process would ever run.
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
