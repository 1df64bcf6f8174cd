import { randomUUID } from 'node:crypto'
import type { JobType } from '@memory/shared/catalogue/jobs'
import type { JobQueue } from '@memory/shared/platform/queue/queue'
import { keepSchedules } from '@memory/shared/platform/queue/schedules'
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

  const completed = (count: number) =>
    until(async () => (await queue.counts()).tiers.completed === count, `${count} completed jobs`)

  it('hands a job to a worker, whole and once', async () => {
    await work()
    const payload = newSpace()
    const id = await queue.add('consolidate-space', payload)
    await until(() => done.length > 0, 'the job')
    expect(done).toEqual([{ id, type: 'consolidate-space', payload, attempt: 1 }])
    await until(async () => (await queue.counts()).spaces.completed === 1, 'its end')
    const nothing = { waiting: 0, active: 0, delayed: 0, completed: 0, failed: 0 }
    expect(await queue.counts()).toEqual({
      spaces: { ...nothing, completed: 1 },
      tiers: nothing,
      chores: nothing,
    })
    // Counted by a statement that follows when the end is on the disk.
    await until(async () => (await queue.totals()).spaces.completed === 1, 'its count')
    expect((await queue.totals()).spaces.failed).toBe(0)
  })

  it('refuses a payload that is not the type’s', async () => {
    await expect(queue.add('consolidate-space', { spaceId: 'here' })).rejects.toThrow()
    expect((await queue.counts()).spaces.waiting).toBe(0)
  })

  it('keeps jobs in their order until there is a worker', async () => {
    const spaces = [newSpace(), newSpace(), newSpace()]
    for (const space of spaces) await queue.add('consolidate-space', space)
    await work()
    await until(() => done.length === 3, 'the jobs')
    expect(done.map(spaceOf)).toEqual(spaces.map(({ spaceId }) => spaceId))
  })

  it('ignores a job whose id is known, finished or not', async () => {
    const add = () => queue.add('migrate-tiers', newSpace(), { id: 'warm_1' })
    expect(await add()).toBe('warm_1')
    expect(await add()).toBe('warm_1')
    await work()
    await completed(1)
    await add()
    await queue.add('migrate-tiers', newSpace())
    await completed(2)
    expect(done.map(({ id }) => id).filter((id) => id === 'warm_1')).toHaveLength(1)
  })

  it('adds no second job for a key while the first waits or runs, and one again after it', async () => {
    const space = newSpace()
    const finish = Promise.withResolvers<void>()
    const once = { once: space.spaceId }
    const first = await queue.add('migrate-tiers', space, once)
    expect(await queue.add('migrate-tiers', space, once)).toBe(first)
    await work(() => finish.promise)
    await until(async () => (await queue.counts()).tiers.active === 1, 'the job in hand')
    expect(await queue.add('migrate-tiers', space, once)).toBe(first)
    // Another type's key is another key.
    await queue.add('explore-space', space, once)
    finish.resolve()
    await completed(1)
    await until(async () => (await queue.counts()).spaces.completed === 1, 'the job of another type')
    expect(await queue.add('migrate-tiers', space, once)).not.toBe(first)
    await completed(2)
  })

  it('tries a job that fails again, later, and tells of each attempt', async () => {
    const outcomes: string[] = []
    const attempts: [attempt: number, at: number][] = []
    await work(
      ({ attempt }) => {
        attempts.push([attempt, performance.now()])
        if (attempt === 1) throw new Error('not yet')
      },
      { onOutcome: ({ type, queue, outcome }) => outcomes.push(`${queue} ${type} ${outcome}`) },
    )
    await queue.add('migrate-tiers', newSpace())
    await completed(1)
    expect(attempts.map(([attempt]) => attempt)).toEqual([1, 2])
    const [first, second] = attempts.map(([, at]) => at) as [number, number]
    // A second, less the half that is left to chance.
    expect(second - first).toBeGreaterThan(490)
    expect(outcomes).toEqual(['tiers migrate-tiers failed', 'tiers migrate-tiers completed'])
  })

  it('gives a job up after its attempts, keeps it for operators, and does it when they retry', async () => {
    let isBroken = true
    await work(() => {
      if (isBroken) throw new Error('broken')
    })
    const id = await queue.add('migrate-tiers', newSpace())
    await until(async () => (await queue.counts()).tiers.failed === 1, 'the last attempt')
    const failed = await (await queue.queue('tiers')).getJob(id)
    expect(failed).toMatchObject({ failedReason: 'broken', attemptsMade: 2 })
    await until(async () => (await queue.totals()).tiers.failed === 1, 'its count')
    isBroken = false
    await failed?.retry()
    await until(() => done.length === 1, 'the retried job')
  })

  it('holds a delayed job back', async () => {
    await work()
    const began = performance.now()
    const late = queue.add('migrate-tiers', newSpace(), { delayMs: 700 })
    const soon = queue.add('migrate-tiers', newSpace())
    const ids = await Promise.all([soon, late])
    await until(() => done.length === 2, 'both')
    expect(done.map(({ id }) => id)).toEqual(ids)
    expect(performance.now() - began).toBeGreaterThan(690)
  })

  it('works on as many jobs at once as the queue may, and no more', async () => {
    const finish = Promise.withResolvers<void>()
    let inHand = 0
    let most = 0
    await work(async () => {
      most = Math.max(most, ++inHand)
      await finish.promise
      inHand--
    })
    for (let i = 0; i < 5; i++) await queue.add('migrate-tiers', newSpace())
    await until(() => inHand === 2, 'as many as may be in hand')
    // Another queue's jobs don't wait for these.
    await queue.add('consolidate-space', newSpace())
    await until(() => inHand === 3, 'a job of another queue')
    expect((await queue.counts()).tiers).toMatchObject({ active: 2, waiting: 3 })
    finish.resolve()
    await until(() => done.length === 6, 'all')
    expect(most).toBe(3)
  })

  it('shares the jobs between workers, each done once', async () => {
    const others = backend.open()
    const [mine, theirs]: [string[], string[]] = [[], []]
    // However fast one is, it can't do all of them before the other has begun.
    const both = Promise.withResolvers<void>()
    const take = (list: string[], id: string) => {
      list.push(id)
      if (mine.length > 0 && theirs.length > 0) both.resolve()
      return both.promise
    }
    await work(({ id }) => take(mine, id))
    await work(({ id }) => take(theirs, id), { at: others })
    const ids = await Promise.all(Array.from({ length: 40 }, () => queue.add('migrate-tiers', newSpace())))
    await until(() => done.length === 40, 'all jobs')
    expect([...mine, ...theirs].sort()).toEqual(ids.sort())
  })

  describe('schedules', () => {
    const types: JobType[] = ['purge-sessions', 'tell-of-expiring-keys']
    const schedules = async () => {
      const kept = await (await queue.queue('chores')).getJobSchedulers(0, -1)
      return kept.map(({ key }) => key).sort()
    }
    const scheduled = () =>
      until(async () => (await queue.counts()).chores.delayed === types.length, 'the next turns')

    /** As if the time of a turn had come. */
    const runNow = async (type: JobType) => {
      const next = await (await queue.queue('chores')).getDelayed()
      await next.find(({ name }) => name === type)?.promote()
    }

    it('bring each chore once a turn, whatever the number of workers', async () => {
      await work(() => {}, { types })
      await work(() => {}, { types, at: backend.open() })
      await scheduled()
      expect(await schedules()).toEqual([...types].sort())
      const [turn] = await (await queue.queue('chores')).getJobSchedulers(0, -1)
      expect(turn?.next).toBeGreaterThan(Date.now())
      expect(done).toEqual([])
      await runNow('purge-sessions')
      await until(() => done.length > 0, 'the turn')
      expect(done).toMatchObject([{ type: 'purge-sessions', payload: {}, attempt: 1 }])
      // The next turn is there already.
      await scheduled()
      expect(done).toHaveLength(1)
    })

    it('are the same for workers that start at once', async () => {
      await Promise.all(Array.from({ length: 8 }, () => work(() => {}, { types, at: backend.open() })))
      await scheduled()
    })

    it('F5 come back when all that was kept is lost, and go when no release knows them', async () => {
      await work(() => {}, { types })
      await scheduled()
      await backend.empty()
      await scheduled()
      expect(await schedules()).toEqual([...types].sort())
      await (await queue.queue('chores')).upsertJobScheduler(
        'of-old',
        { every: 3_600_000 },
        { name: 'of-old' },
      )
      await until(async () => !(await schedules()).includes('of-old'), 'its end')
    })

    it('of a clock that was ahead come in their time once it is right', async () => {
      const chores = await queue.queue('chores')
      await keepSchedules(chores, types, new Date(Date.now() + 35 * 24 * 3_600_000))
      await scheduled()
      await keepSchedules(chores, types, new Date())
      const turns = await chores.getJobSchedulers(0, -1)
      expect(turns).toHaveLength(types.length)
      for (const { next, every } of turns)
        expect(next).toBeLessThanOrEqual(Date.now() + Number(every) + 60_000)
      await runNow('purge-sessions')
      await work(() => {}, { types })
      await until(() => done.length > 0, 'the turn')
    })

    it('of a worker that ends and starts again stay as they were', async () => {
      const first = await work(() => {}, { types })
      await scheduled()
      const turns = async () =>
        (await (await queue.queue('chores')).getJobSchedulers(0, -1)).map(({ key, next }) => [key, next])
      const before = await turns()
      await first.stop()
      await work(() => {}, { types })
      await work(() => {}, { types: [...types, 'purge-exports'] })
      await until(async () => (await schedules()).length === 3, 'the new one')
      expect((await turns()).filter(([key]) => key !== 'purge-exports')).toEqual(before)
    })
  })

  describe('F7 a stop', () => {
    it('waits for the jobs in hand and takes no others', async () => {
      const started = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      const worker = await work(async () => {
        started.resolve()
        await finish.promise
      })
      const first = await queue.add('consolidate-space', newSpace())
      await queue.add('consolidate-space', newSpace())
      await started.promise
      let isStopped = false
      const stopping = worker.stop().then(() => {
        isStopped = true
      })
      expect(isStopped).toBe(false)
      finish.resolve()
      await stopping
      expect(done.map(({ id }) => id)).toEqual([first])
      expect((await queue.counts()).spaces).toMatchObject({ waiting: 1, completed: 1 })
    })

    it('hands back what stops for it, and another worker goes on', async () => {
      const stopping = new AbortController()
      const started = Promise.withResolvers<void>()
      const worker = await work(
        async () => {
          started.resolve()
          await new Promise((_, reject) => {
            stopping.signal.addEventListener('abort', () => reject(new Error('stopped')))
          })
        },
        { signal: stopping.signal },
      )
      const id = await queue.add('consolidate-space', newSpace())
      await started.promise
      stopping.abort()
      await worker.stop()
      expect((await queue.counts()).spaces).toMatchObject({ waiting: 1, failed: 0 })
      await work()
      await until(() => done.length === 1, 'the job')
      // That was no attempt.
      expect(done).toMatchObject([{ id, attempt: 1 }])
    })

    it('hands back what takes too long', async () => {
      const slow = backend.open({ drainMs: 200 })
      const started = Promise.withResolvers<void>()
      const stuck = await work(
        () => {
          started.resolve()
          return new Promise(() => {})
        },
        { at: slow },
      )
      const id = await queue.add('consolidate-space', newSpace())
      await started.promise
      await stuck.stop()
      expect((await queue.counts()).spaces).toMatchObject({ waiting: 1, active: 0 })
      await work()
      await until(() => done.length === 1, 'the job')
      expect(done[0]?.id).toBe(id)
    })
  })
})
