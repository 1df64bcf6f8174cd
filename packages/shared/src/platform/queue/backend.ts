import type { IQueueBackend, Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'
import type { QueueName } from '../../catalogue/jobs.ts'

export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>
export type AnyWorker = Worker<unknown, unknown, string, IQueueBackend>
type AnyProcessor = Processor<unknown, unknown, string>

/** Where jobs are kept. What it makes shares its connections. */
export interface QueueBackend {
  queue(name: QueueName, options: Omit<QueueOptions, 'connection'>): AnyQueue
  worker(name: QueueName, processor: AnyProcessor, options: Omit<WorkerOptions, 'connection'>): AnyWorker
  /**
   * Comes before the first queue: what the library makes while a database is away stays useless for ever.
   * @throws when it is away; Redis may be
   */
  ready(): Promise<void>
  /** Does the work unless another process is at work under the same name, where the queue's own steps can interleave. */
  alone(name: string, work: () => Promise<void>): Promise<void>
  /** @throws when it does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}
