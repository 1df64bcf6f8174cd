import { setImmediate as nextTurn } from 'node:timers/promises'
import { asAsker } from '@memory/shared/platform/asker'
import type { Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase(1)
})
afterAll(() => database.close())

/** A statement of some milliseconds. */
const work = () => sql`select sum(sqrt(n)) from generate_series(1, 20000) n`.execute(database.queries)

const flood = (lane: string, count: number, done: string[]) =>
  Array.from({ length: count }, () =>
    asAsker({ lane }, () =>
      database.queries.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        await sql`select sum(sqrt(n)) from generate_series(1, 20000) n`.execute(trx)
      }),
    ).then(() => done.push(lane)),
  )

describe('a database with one session', () => {
  it('lets the event loop read from sockets between the statements that wait', async () => {
    await work()
    let [turns, isOver] = [0, false]
    const watching = (async () => {
      for (; !isOver; turns++) await nextTurn()
    })()
    await Promise.all(Array.from({ length: 30 }, work))
    isOver = true
    await watching
    expect(turns).toBeGreaterThanOrEqual(15)
  })

  it('runs a statement while the event loop goes on', async () => {
    let [turns, isOver] = [0, false]
    const watching = (async () => {
      for (; !isOver; turns++) await nextTurn()
    })()
    await sql`select pg_sleep(0.2)`.execute(database.queries)
    isOver = true
    await watching
    expect(turns).toBeGreaterThan(100)
  })

  it("serves another's statement after those under way, however many one asks", async () => {
    const done: string[] = []
    const all = flood('flood', 40, done)
    await nextTurn()
    await asAsker({ lane: 'other' }, work)
    const before = done.length
    await Promise.all(all)
    expect(done).toHaveLength(40)
    expect(before).toBeLessThan(5)
  })

  it('does nothing for those who hang up before their turn', async () => {
    const client = new AbortController()
    const done: string[] = []
    const all = flood('flood', 5, done)
    const abandoned = Array.from({ length: 20 }, () =>
      asAsker({ lane: 'gone', signal: client.signal }, () => work().then(() => done.push('gone'))),
    )
    client.abort()
    const outcomes = await Promise.allSettled(abandoned)
    await Promise.all(all)
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failed.length).toBeGreaterThanOrEqual(19)
    expect(failed[0]).toMatchObject({ reason: { code: 'abandoned' } })
    expect(await sql`select 1`.execute(database.queries)).toMatchObject({ rows: [{}] })
  })
})
