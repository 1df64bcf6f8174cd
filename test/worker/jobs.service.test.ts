import { type JobType, jobDefinition, jobTypes } from '@memory/shared/catalogue/jobs'
import { createWorkerContext } from '@memory/worker/context'
import { doJobs, handledJobs } from '@memory/worker/jobs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe('the jobs of a worker', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
    await newUser(server)
  })

  afterAll(() => server.close())

  it('has a handler for whatever comes by itself', () => {
    const scheduled = jobTypes.filter((type) => jobDefinition(type).schedule !== undefined)
    expect(scheduled.length).toBeGreaterThan(10)
    expect(handledJobs).toEqual(expect.arrayContaining(scheduled))
  })

  it.each(handledJobs.filter((type) => jobDefinition(type).schedule))(
    'F2 does %s, and again when it comes twice',
    async (type) => {
      const perform = doJobs(
        createWorkerContext({ ...server.context, secrets: server.context.accounts.secrets }),
      )
      for (const attempt of [1, 2]) await perform({ id: 'a', type, payload: {}, attempt })
    },
  )

  it('makes one job of what is due for a space, and no second while that waits', async () => {
    const perform = doJobs(
      createWorkerContext({ ...server.context, secrets: server.context.accounts.secrets }),
    )
    const { queue } = server.context
    const client = await server.newClient()
    await client.store(['Ada lives in Lisbon.', 'Ben lives in Porto.'])
    // Used, and idle since.
    await server.context.usage.log.flush()
    server.clock.advance(20 * 60_000)
    const schedule = () => perform({ id: 'a', type: 'schedule-spaces', payload: {}, attempt: 1 })
    await schedule()
    const { waiting } = (await queue.counts()).spaces
    expect(waiting).toBeGreaterThan(0)
    await schedule()
    expect((await queue.counts()).spaces.waiting).toBe(waiting)
    for (const job of await (await queue.queue('spaces')).getWaiting()) {
      await perform({ id: 'a', type: job.name as JobType, payload: job.data, attempt: 1 })
    }
    await (await queue.queue('spaces')).drain()
    await schedule()
    expect((await queue.counts()).spaces.waiting).toBe(0)
  })

  it('refuses a job that it has no handler for', async () => {
    const perform = doJobs(
      createWorkerContext({ ...server.context, secrets: server.context.accounts.secrets }),
    )
    const type = 'of-another-release' as JobType
    await expect(perform({ id: 'a', type, payload: {}, attempt: 1 })).rejects.toThrow(type)
  })
})
