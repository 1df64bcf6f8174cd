import { type AuditEntry, actorOf, recordAudit } from '../audit/audit.ts'
import { ApiError, sharperDetails } from '../catalogue/errors.ts'
import { type QueueName, queueNames, queues as queueTable } from '../catalogue/jobs.ts'
import { limits } from '../catalogue/limits.ts'
import type { Input, Output, SignedIn } from '../catalogue/operation.ts'
import { cursorsOf, startOf } from '../catalogue/pages.ts'
import { regardless } from '../platform/asker.ts'
import { asTenant, type Database } from '../platform/database/database.ts'
import { JobRefused, type KeptJob } from '../platform/queue/kept-jobs.ts'
import { type JobQueue, QueueSilent } from '../platform/queue/queue.ts'
import type * as schema from './queues-schema.ts'

interface Context {
  queue: JobQueue
  database: Pick<Database, 'kind' | 'queries'>
}

/** The queues with how many jobs they have, for who runs the service. @throws ApiError unavailable */
export async function listQueues({ queue, database }: Context): Promise<Output<typeof schema.ListQueues>> {
  const [counts, totals] = await answering(queue, () => Promise.all([queue.counts(), queue.totals()]))
  return {
    kept_in: queue.kind,
    // Nobody else can open the embedded database.
    worked_by: database.kind === 'embedded' ? 'this_process' : 'workers',
    queues: queueNames.map((name) => ({
      name,
      concurrency: queueTable[name].concurrency,
      jobs: counts[name],
      total_completed: totals[name].completed,
      total_failed: totals[name].failed,
    })),
  }
}

/** A page of the jobs of a queue. @throws ValidationError for a cursor that no page gave, ApiError unavailable */
export async function listJobs(
  { queue }: Pick<Context, 'queue'>,
  name: QueueName,
  { state, cursor, limit }: Input<typeof schema.ListJobs>['query'],
): Promise<Output<typeof schema.ListJobs>> {
  const from = startOf(cursor, cursors.decode) ?? 0
  const found = await answering(queue, () => queue.jobs(name, state, { from, count: limit + 1 }))
  return {
    jobs: found
      .slice(0, limit)
      .filter((job) => job !== undefined)
      .map(describe),
    next_cursor: found.length > limit ? cursors.encode(from + limit) : null,
  }
}

/** Does a failed job once more. @throws ApiError job_not_found, job_not_failed, unavailable */
export async function retryJob(
  context: Context,
  caller: SignedIn,
  job: JobOf,
): Promise<Output<typeof schema.RetryJob>> {
  await onFailedJob(context, caller, 'job_retried', job, (name, id) => context.queue.retry(name, id))
  return { message: 'The job waits again' }
}

/** Removes a failed job. @throws ApiError job_not_found, job_not_failed, unavailable */
export async function removeJob(
  context: Context,
  caller: SignedIn,
  job: JobOf,
): Promise<Output<typeof schema.RemoveJob>> {
  await onFailedJob(context, caller, 'job_removed', job, (name, id) => context.queue.remove(name, id))
  return { message: 'Job removed' }
}

type JobOf = Input<typeof schema.RetryJob>['params']

/**
 * The queue may be in another database. So the entry comes before what it tells of, which nobody can do without a trace
 * then; where it fails, or nobody knows, a second entry says so.
 */
async function onFailedJob(
  { queue, database }: Context,
  caller: SignedIn,
  action: AuditEntry['action'],
  { queue: name, job_id: id }: JobOf,
  work: (name: QueueName, id: string) => Promise<void>,
): Promise<void> {
  const job = await answering(queue, () => queue.nameOfFailed(name, id))
  const { userId, origin } = caller
  const enter = (error?: string) =>
    asTenant(database.queries, { userId }, (trx) =>
      recordAudit(trx, {
        ...{ action, success: error === undefined, actor: actorOf(caller), origin, userId, target: id },
        details: { queue: name, job, ...(error === undefined ? {} : { error }) },
      }),
    )
  await enter()
  try {
    await answering(queue, () => work(name, id))
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal'
    // What the caller is to hear of is why the job was not touched.
    await regardless(() => enter(code).catch(() => {}))
    throw error
  }
}

/** Asks the queue. @throws ApiError job_not_found, job_not_failed; unavailable where the queue does not answer */
async function answering<T>(queue: JobQueue, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof JobRefused) {
      throw new ApiError(error.reason === 'missing' ? 'job_not_found' : 'job_not_failed')
    }
    const isAway = error instanceof QueueSilent || !(await answers(queue))
    if (isAway) throw new ApiError('unavailable', { detail: awayDetail[queue.kind], cause: error })
    throw error
  }
}

const answers = (queue: JobQueue): Promise<boolean> =>
  queue.ping().then(
    () => true,
    () => false,
  )

const awayDetail: Record<JobQueue['kind'], string> = {
  redis: sharperDetails.queue_redis_away,
  embedded: sharperDetails.queue_database_away,
  postgres: sharperDetails.queue_database_away,
}

function describe(job: KeptJob): Output<typeof schema.ListJobs>['jobs'][number] {
  const { spaceId } = job.data as { spaceId?: string }
  const time = (at: Date | null) => at?.toISOString() ?? null
  return {
    id: job.id,
    name: job.name,
    space_id: spaceId ?? null,
    attempts: job.attempts,
    max_attempts: job.attemptsMax,
    created_at: job.createdAt.toISOString(),
    due_at: time(job.dueAt),
    started_at: time(job.startedAt),
    finished_at: time(job.finishedAt),
    error: job.error === null ? null : [...job.error].slice(0, limits.jobErrorChars).join(''),
  }
}

const cursors = cursorsOf<number>(
  (from) => `jobs ${from}`,
  (text) => {
    const [, from] = /^jobs (\d{1,9})$/.exec(text) ?? []
    return from === undefined ? undefined : Number(from)
  },
)
