import { randomUUID } from 'node:crypto'
import type { Database } from '@memory/shared/platform/database/database'
import type { QueuePool } from '@memory/shared/platform/database/queue-pool'
import { databaseBackend } from '@memory/shared/platform/queue/database-backend'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../support/until.ts'
import { openTestDatabase } from '../open-database.ts'

let database: Database
let pool: QueuePool
/** What each statement fails with, at once; undefined: none fails. */
let failure: Error | undefined
let asked: number

beforeAll(async () => {
  database = await openTestDatabase()
})

beforeEach(() => {
  pool = database.openQueuePool(2)
  const query = pool.query.bind(pool) as QueuePool['query']
  pool.query = (...given) => {
    asked += 1
    return failure === undefined ? query(...given) : Promise.reject(failure)
  }
  failure = undefined
  asked = 0
})

afterAll(() => database.close())

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })

/** A worker that begins now, asks again after 50 ms, and notes what it did and what failed. */
function begin() {
  const backend = databaseBackend(pool)
  const done: (string | undefined)[] = []
  const failed: string[] = []
  const options = { runRetryDelay: 50, lockDuration: 2_000, stalledInterval: 300 }
  const worker = backend.worker('chores', async ({ id }) => done.push(id), options)
  worker.on('error', ({ message }) => failed.push(message))
  return { backend, worker, done, failed }
}

describe('a worker that begins while the database is away', () => {
  it('works once that answers', async () => {
    failure = withCode('terminating connection', '57P01')
    const { backend, worker, done } = begin()
    await until(() => asked >= 2, 'the database to be asked again')
    failure = undefined
    const queue = backend.queue('chores', {})
    const { id } = await queue.add('a job', {}, { jobId: randomUUID() })
    await until(() => done.includes(id), 'the job')
    await worker.close()
    await queue.close()
    await backend.close()
  })

  it('leaves others their turn where it can never work', async () => {
    failure = withCode('permission denied for schema bullmq', '42501')
    const { backend, worker, failed } = begin()
    // Timers fire, or this waits for ever.
    await until(() => failed.length >= 3, 'three failures')
    expect(new Set(failed)).toEqual(new Set(['permission denied for schema bullmq']))
    expect(failed.length).toBeLessThan(100)
    await worker.close()
    await backend.close()
  })
})
