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

/** Whether a process can do its work, and why not. */
export type Inspected = { status: Readiness['status'] } | { status: 'not_ready'; reason: string }

/**
 * Asks the database and the job queue. A process finds no texts any more, once another one was started with another encoder.
 * @throws when the database does not answer
 */
export async function inspectReadiness({
  database,
  queue,
  pool,
}: Omit<Dependencies, 'version'>): Promise<Inspected> {
  const [isQueueThere, { writable, durable, encoder }] = await Promise.all([
    isAnswering(queue),
    askHealth(database.queries),
  ])
  if (pool !== undefined && encoder !== null && encoder !== pool.modelId)
    return { status: 'not_ready', reason: superseded(pool.modelId, encoder) }
  return { status: isQueueThere && writable && durable ? 'ready' : 'degraded' }
}

/**
 * Like `inspectReadiness`, for those who route requests.
 * @throws when the database does not answer; ApiError unavailable in a process that is not ready
 */
export async function readReadiness(dependencies: Dependencies): Promise<Readiness> {
  const { database, queue, version } = dependencies
  const inspected = await inspectReadiness(dependencies)
  if (inspected.status === 'not_ready')
    throw new ApiError('unavailable', {
      detail: inspected.reason,
      retryAfterS: unavailableRetryS.superseded,
    })
  return { status: inspected.status, database: database.kind, queue: queue.kind, version }
}

const superseded = (own: string, current: string): string =>
  `This process has the encoder ${own}, and the deployment ${current}, with which another process was started since: stop this one, or start it with the files of that encoder`

/** A queue in the database answers when that does. */
async function isAnswering(queue: Dependencies['queue']): Promise<boolean> {
  if (queue.kind !== 'redis') return true
  return queue.ping().then(
    () => true,
    () => false,
  )
}
