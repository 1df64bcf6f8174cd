import type { IQueueBackend, Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'
import type { QueueName } from '../../catalogue/jobs.ts'

export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>
export type AnyWorker = Worker<unknown, unknown, string, IQueueBackend>
type AnyProcessor = Processor<unknown, unknown, string>

/** Where jobs are stored: Redis or the database. Its queues and workers share its connections. */
export interface QueueBackend {
  queue(name: QueueName, options: Omit<QueueOptions, 'connection'>): AnyQueue
  worker(name: QueueName, processor: AnyProcessor, options: Omit<WorkerOptions, 'connection'>): AnyWorker
  /**
   * To be called before the first queue is made: a queue that the library makes while a database is unavailable never works.
   * @throws when the database is unavailable. Never for Redis, with which a queue can be made at any time
   */
  ready(): Promise<void>
  /** Does the work, unless another process is doing work under the same name. Needed where steps of the queue can interleave. */
  alone(name: string, work: () => Promise<void>): Promise<void>
  /** @throws when it does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}
