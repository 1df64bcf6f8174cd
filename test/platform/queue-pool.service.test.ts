import type { Database } from '@memory/shared/platform/database/database'
import type { QueuePool } from '@memory/shared/platform/database/queue-pool'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { openTestDatabase } from './open-database.ts'

let database: Database
let pool: QueuePool

beforeAll(async () => {
  database = await openTestDatabase()
  pool = database.openQueuePool(2)
})

afterAll(async () => {
  await pool.end()
  await database.close()
})

describe('the pool of the job queue', () => {
  it('works as the application role, and finds the queue’s tables without naming their schema', async () => {
    const { rows, rowCount } = await pool.query(
      'select current_user::text as role, max(version) as version from migration',
    )
    expect(rows).toEqual([{ role: 'memory_app', version: expect.any(Number) }])
    expect(rowCount).toBe(1)
    await expect(pool.query('create table bullmq.mine (n int)')).rejects.toMatchObject({ code: '42501' })
  })

  it('leaves the application’s own statements what they find', async () => {
    // Qualified or not there: the queue's names are generic, and must not stand for ours.
    const path = await sql<{ path: string }>`select current_setting('search_path') as path`.execute(
      database.queries,
    )
    const [first = '', ...rest] = (path.rows[0]?.path ?? '').split(',').map((name) => name.trim())
    expect([first, rest[0]]).toEqual(['"$user"', 'public'])
    const { rows } = await sql<{ name: string }>`
      select relname::text as name from pg_class where relnamespace = 'public'::regnamespace`.execute(
      database.queries,
    )
    expect(rows).toEqual([])
  })

  it('tells every client that listens, also where the statement begins with a comment, until it is given back', async () => {
    const clients = [await pool.connect(), await pool.connect()]
    const heard: unknown[][] = [[], []]
    for (const [i, client] of clients.entries()) {
      client.on('notification', (message: { payload: string }) => {
        // Without a payload: something may have been missed.
        if (message.payload !== '') heard[i]?.push(message)
      })
      await client.query('-- what it is for\n-- in two lines\nLISTEN bullmq_jobs;')
    }
    await pool.query("select pg_notify('bullmq_jobs', 'spaces')")
    await until(() => heard.every((each) => each.length === 1), 'both')
    expect(heard[0]).toEqual([{ channel: 'bullmq_jobs', payload: 'spaces' }])
    clients[0]?.release()
    await pool.query("select pg_notify('bullmq_jobs', 'chores')")
    await until(() => heard[1]?.length === 2, 'the other')
    expect(heard[0]).toHaveLength(1)
    clients[1]?.release()
  })

  it('waits for an open transaction, and is no part of it', async () => {
    const order: string[] = []
    const inside = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const transaction = database.queries.transaction().execute(async (trx) => {
      await sql`select set_config('app.task', 'relay-outbox', true)`.execute(trx)
      inside.resolve()
      await finish.promise
      order.push('transaction')
    })
    await inside.promise
    const query = pool
      .query<{ task: string }>("select current_setting('app.task', true) as task")
      .then((found) => {
        order.push('query')
        return found
      })
    finish.resolve()
    await transaction
    const { rows } = await query
    expect(rows[0]?.task ?? '').toBe('')
    if (database.kind === 'embedded') expect(order).toEqual(['transaction', 'query'])
  })

  it('does under one name what nobody else does there', async () => {
    const other = database.openQueuePool(2)
    const done: string[] = []
    await pool.alone('mine', async () => {
      await pool.query('select 1')
      await other.alone('theirs', async () => void done.push('theirs'))
      // The embedded database has one process, whose statements come one at a time.
      if (database.kind === 'postgres') await other.alone('mine', async () => void done.push('mine'))
    })
    expect(done).toEqual(['theirs'])
    await expect(pool.alone('mine', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    await other.alone('mine', async () => void done.push('after'))
    expect(done).toEqual(['theirs', 'after'])
    await other.end()
  })

  it.each(['begin', '-- a comment\nSTART TRANSACTION', 'COMMIT;', 'rollback'])(
    'refuses %j: it has no session',
    async (statement) => {
      const client = await pool.connect()
      await expect(client.query(statement)).rejects.toThrow('no transactions')
      client.release()
    },
  )
})
