import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canStartRedis, RedisServer } from '../faults/runner/redis-server.ts'
import { auditOf, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

const queues = '/v1/admin/queues'

describe.runIf(canStartRedis)(
  'the queues, while the Redis that keeps them is away',
  { timeout: 60_000 },
  () => {
    let redis: RedisServer
    let server: TestServer
    let admin: User

    beforeAll(async () => {
      redis = await RedisServer.start()
      server = await startServer({ REDIS_URL: redis.url })
      // It does not start without.
      await redis.kill()
      admin = await newUser(server, { platformAdmin: true })
    })
    afterAll(async () => {
      await server?.close()
      await redis?.stop()
    })

    const away = {
      status: 503,
      body: {
        detail:
          'The job queue does not answer: see whether the Redis that REDIS_URL names runs and can be reached',
      },
    }

    it.each([
      ['GET', queues],
      ['GET', `${queues}/chores/jobs?state=failed`],
      ['POST', `${queues}/chores/jobs/${randomUUID()}/retry`],
      ['DELETE', `${queues}/chores/jobs/${randomUUID()}`],
    ])('say so, and what to see to: %s %s', async (method, path) => {
      expect(await admin.request(method, path)).toMatchObject(away)
    })

    it('are left alone, of which nothing is in the audit log', async () => {
      const entries = await auditOf(server, admin.userId)
      expect(entries.filter(({ action }) => action.startsWith('job_'))).toEqual([])
    })
  },
)
