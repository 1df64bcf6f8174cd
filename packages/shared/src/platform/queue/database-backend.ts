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
        createPostgresBackend,
      ) as unknown as AnyWorker,
    ready: ping,
    alone: (name, work) => pool.alone(name, work),
    ping,
    close: () => pool.end(),
  }
}
