import { z } from 'zod'
import * as f from '../catalogue/fields.ts'
import { queueNames } from '../catalogue/jobs.ts'
import { limits } from '../catalogue/limits.ts'
import { Message } from '../catalogue/message.ts'
import { operation } from '../catalogue/operation.ts'
import { jobStates } from '../platform/queue/kept-jobs.ts'

const tag = 'Administration'
const access = 'platform_admin'
const when = z.iso.datetime().nullable()
const count = z.int()
const counts = z.object(
  Object.fromEntries(jobStates.map((state) => [state, count])) as Record<
    (typeof jobStates)[number],
    typeof count
  >,
)
const queue = f.choice(queueNames)
const oneJob = z.object({ queue, job_id: z.string() })

export const ListQueues = operation({
  id: 'listQueues',
  method: 'get',
  path: '/v1/admin/queues',
  tag,
  summary: 'The queues of background work',
  description:
    'How many jobs each has in each state, of the finished only those that are kept: the last 100 that were completed, for a day, and the last 1,000 that failed, for 14 days.',
  access,
  response: z
    .object({
      kept_in: z.enum(['embedded', 'postgres', 'redis']).meta({
        description: 'Where jobs wait: the embedded database, PostgreSQL, or the Redis of `REDIS_URL`.',
      }),
      worked_by: z.enum(['this_process', 'workers']).meta({
        description:
          'Who does them: with the embedded database the process that answers, else the processes of `npm run worker`.',
      }),
      queues: z.array(
        z
          .object({
            name: z.enum(queueNames),
            concurrency: count.meta({ description: 'Jobs that one process has in hand at once.' }),
            jobs: counts,
            total_completed: count.meta({
              description: 'Since the installation began, by all workers; a killed worker’s may be missing.',
            }),
            total_failed: count.meta({ description: 'For good, after all attempts.' }),
          })
          .meta({ id: 'Queue' }),
      ),
    })
    .meta({ id: 'Queues' }),
  errors: ['unavailable'],
})

export const ListJobs = operation({
  id: 'listJobs',
  method: 'get',
  path: '/v1/admin/queues/{queue}/jobs',
  tag,
  summary: 'The jobs of a queue',
  description:
    'Those in one state: what waits in its order, what is finished with the latest first. Jobs have ids, no texts. They move on while pages are read, so that one may come twice or not at all.',
  access,
  params: z.object({ queue }),
  query: z.object({
    state: f.queryEnum(jobStates, 'failed'),
    cursor: f.queryString(0, 100).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({
      jobs: z.array(
        z
          .object({
            id: z.string(),
            name: z.string(),
            space_id: z.guid().nullable().meta({ description: 'Of work on one space.' }),
            attempts: count.meta({ description: 'That were made.' }),
            max_attempts: count,
            created_at: z.iso.datetime(),
            due_at: when.meta({ description: 'While it is delayed.' }),
            started_at: when,
            finished_at: when,
            error: z
              .string()
              .nullable()
              .meta({
                description: `Why the last attempt failed, up to ${limits.jobErrorChars} characters.`,
              }),
          })
          .meta({ id: 'Job' }),
      ),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'Jobs' }),
  errors: ['unavailable'],
})

export const RetryJob = operation({
  id: 'retryJob',
  method: 'post',
  path: '/v1/admin/queues/{queue}/jobs/{job_id}/retry',
  tag,
  summary: 'Do a failed job once more',
  description:
    'It waits again, and is tried as often as a new one. The audit log has it from before it is done; a second entry, with `success` false, says where it failed or nobody knows.',
  access,
  params: oneJob,
  response: Message,
  errors: ['job_not_found', 'job_not_failed', 'unavailable'],
})

export const RemoveJob = operation({
  id: 'removeJob',
  method: 'delete',
  path: '/v1/admin/queues/{queue}/jobs/{job_id}',
  tag,
  summary: 'Remove a failed job',
  description:
    'Of what is kept to be seen; what comes by itself goes on coming. The audit log has it as for a retry.',
  access,
  params: oneJob,
  response: Message,
  errors: ['job_not_found', 'job_not_failed', 'unavailable'],
})
