import { askHealth, type Database } from '../platform/database/database.ts'
import type { JobQueue } from '../platform/queue/queue.ts'

/** Whether a process can do its work. */
export interface Readiness {
  /** `degraded`: all but work that waits for the job queue, or for room on the database's disk; or commits may be lost. */
  status: 'ready' | 'degraded'
  database: Database['kind']
  queue: JobQueue['kind']
  version: string
}

/** What a process needs to be ready. */
export interface Dependencies {
  database: Pick<Database, 'kind' | 'queries'>
  queue: Pick<JobQueue, 'kind' | 'ping'>
  version: string
}

/** Asks the database and the job queue. @throws when the database does not answer */
export async function readReadiness({ database, queue, version }: Dependencies): Promise<Readiness> {
  const [isQueueThere, { writable, durable }] = await Promise.all([
    isAnswering(queue),
    askHealth(database.queries),
  ])
  const status = isQueueThere && writable && durable ? 'ready' : 'degraded'
  return { status, database: database.kind, queue: queue.kind, version }
}

/** A queue in the database answers when that does. */
async function isAnswering(queue: Dependencies['queue']): Promise<boolean> {
  if (queue.kind !== 'redis') return true
  return queue.ping().then(
    () => true,
    () => false,
  )
}
