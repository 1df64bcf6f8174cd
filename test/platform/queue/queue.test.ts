import { randomUUID } from 'node:crypto'
import { type JobType, jobTypes } from '@memory/shared/catalogue/jobs'
import type { JobQueue } from '@memory/shared/platform/queue/queue'
import type { JobInHand, QueueWorkers, WorkOptions } from '@memory/shared/platform/queue/workers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../support/until.ts'
import { type Backend, databaseBackend, hasRedis, redisBackend } from './backends.ts'

const newSpace = () => ({ spaceId: randomUUID() })
const spaceOf = ({ payload }: JobInHand) => (payload as { spaceId: string }).spaceId

describe.each([
  ['the database', databaseBackend, true],
  ['Redis', redisBackend, hasRedis],
] as const)('a job queue in %s', (_, openBackend, isThere) => {
  if (!isThere) {
    it.skip('needs a Redis at TEST_REDIS_URL', () => {})
    return
  }
  let backend: Backend
  let queue: JobQueue
  let workers: QueueWorkers[] = []
  let done: JobInHand[] = []

  beforeAll(async () => {
    backend = await openBackend()
  })

  beforeEach(() => {
    queue = backend.open()
  })

  afterEach(async () => {
    await Promise.all(workers.map((each) => each.stop()))
    workers = []
    done = []
    await queue.close()
    await backend.empty()
  })

  afterAll(() => backend.close())

  /** Begins to work; what `handle` finishes is in `done`. */
  const work = async (
    handle: (job: JobInHand) => unknown = () => {},
    { at = queue, ...options }: Partial<WorkOptions> & { at?: JobQueue } = {},
  ) => {
    const started = await at.work({
      types: [],
      handle: async (job) => {
        await handle(job)
        done.push(job)
      },
      ...options,
    })
    workers.push(started)
    return started
  }

  it('hands a job to a worker, whole and once', async () => {
    await work()
    const payload = newSpace()
    const id = await queue.add('consolidate-space', payload)
    await until(() => done.length > 0, 'the job')
    expect(done).toEqual([{ id, type: 'consolidate-space', payload, attempt: 1 }])
    await until(async () => (await queue.counts()).spaces.completed === 1, 'its end')
    expect((await queue.counts()).spaces).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
      completed: 1,
      failed: 0,
    })
    expect((await queue.totals()).spaces).toEqual({ completed: 1, failed: 0 })
  })
})
