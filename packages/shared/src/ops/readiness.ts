import { ApiError, unavailableRetryS } from '../catalogue/errors.ts'
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
  /** What texts are embedded by; undefined in a process that embeds none. */
  pool?: { readonly modelId: string } | undefined
  version: string
}

/**
 * Asks the database and the job queue.
 * @throws when the database does not answer; ApiError unavailable in a process that finds no texts any more, since another one
 *   was started with another encoder
 */
export async function readReadiness({ database, queue, pool, version }: Dependencies): Promise<Readiness> {
  const [isQueueThere, { writable, durable, encoder }] = await Promise.all([
    isAnswering(queue),
    askHealth(database.queries),
  ])
  if (pool !== undefined && encoder !== null && encoder !== pool.modelId)
    throw superseded(pool.modelId, encoder)
  const status = isQueueThere && writable && durable ? 'ready' : 'degraded'
  return { status, database: database.kind, queue: queue.kind, version }
}

const superseded = (own: string, current: string): ApiError =>
  new ApiError('unavailable', {
    detail: `This process has the encoder ${own}, and the deployment ${current}, with which another process was started since: stop this one, or start it with the files of that encoder`,
    retryAfterS: unavailableRetryS.superseded,
  })

/** A queue in the database answers when that does. */
async function isAnswering(queue: Dependencies['queue']): Promise<boolean> {
  if (queue.kind !== 'redis') return true
  return queue.ping().then(
    () => true,
    () => false,
  )
}
