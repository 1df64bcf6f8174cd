import { randomUUID } from 'node:crypto'
import { migratePostgres, openPostgres } from '@memory/shared/platform/database/postgres'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { expect, it } from 'vitest'
import { startTcpProxy } from '../../faults/tcp-proxy.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { silent } from '../open-database.ts'
import { hurried } from './backends.ts'

// The embedded database can't be cut off from its process.
it.runIf(onPostgres)(
  'F4 a queue in PostgreSQL opens when that answers, and goes on after it was away',
  async () => {
    const server = (await newDatabase()) as TestDatabase
    await migratePostgres(server.url)
    const url = new URL(server.url)
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    const database = openPostgres(url.href, 2, silent)
    const queue = new JobQueue({ redisUrl: undefined, database, log: silent, timing: hurried })
    const done: string[] = []
    try {
      proxy.cut()
      await expect(queue.add('migrate-tiers', { spaceId: randomUUID() })).rejects.toThrow()
      const opening = queue.work({ types: [], handle: async ({ id }) => done.push(id) })
      await proxy.mend()
      const workers = await opening
      const add = () => queue.add('migrate-tiers', { spaceId: randomUUID() })
      const first = await add()
      await until(() => done.includes(first), 'a job after the start')
      proxy.cut()
      await expect(add()).rejects.toThrow()
      await proxy.mend()
      const second = await until(() => add().catch(() => undefined), 'the queue to take a job')
      await until(() => done.includes(second), 'that job', 15_000)
      await workers.stop()
    } finally {
      await queue.close()
      await database.close()
      proxy.close()
      await server.drop()
    }
  },
  60_000,
)
