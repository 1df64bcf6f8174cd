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

  it('refuses a job that it has no handler for', async () => {
    const perform = doJobs(
      createWorkerContext({ ...server.context, secrets: server.context.accounts.secrets }),
    )
    const type = 'of-another-release' as JobType
    await expect(perform({ id: 'a', type, payload: {}, attempt: 1 })).rejects.toThrow(type)
  })
})
