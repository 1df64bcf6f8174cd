import { randomUUID } from 'node:crypto'
import { readCalls, readLatencies } from '@memory/identity/usage/store'
import { UsageLog } from '@memory/identity/usage/usage-log'
import type { UsageClass } from '@memory/shared/catalogue/operation'
import type { Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, newOrganization, openTestDatabase, withFailures } from '../platform/open-database.ts'
import { TestClock } from '../support/server.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const longAgo = new Date(0)

/** A caller of a new space, who may come with another key each time. */
async function newCaller() {
  const { spaceId, organizationId } = await newOrganization(database.queries)
  const keyId = randomUUID()
  return {
    spaceId,
    organizationId,
    request: (usage: UsageClass | undefined, by = keyId) => ({
      caller: { spaceId, actor: { kind: 'key', keyId: by } as const },
      usage,
      queries: 2,
      ms: 7,
    }),
  }
}

async function counted(spaceId: string) {
  const { calls } = await readCalls(database.queries, spaceId, longAgo)
  const latencies = await readLatencies(database.queries, spaceId, longAgo)
  const sum = (values: number[]) => values.reduce((total, each) => total + each, 0)
  return {
    stores: sum(calls.map(({ stores }) => stores)),
    other: sum(calls.map(({ other }) => other)),
    queries: sum(calls.map(({ queries }) => queries)),
    timed: sum(latencies.map(({ count }) => count)),
  }
}

describe('UsageLog', () => {
  it('adds what several processes count at the same time', async () => {
    const [ada, ben] = [await newCaller(), await newCaller()]
    const clock = new TestClock()
    const logs = Array.from({ length: 4 }, () => new UsageLog(database.queries, clock))
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        logs.map(async (log, n) => {
          // In another order in each process.
          for (const { request } of n % 2 === 0 ? [ada, ben] : [ben, ada]) {
            log.record(request('store'))
            log.record(request(undefined))
          }
          await log.flush()
        }),
      )
    }
    for (const { spaceId } of [ada, ben]) {
      expect(await counted(spaceId)).toEqual({ stores: 40, other: 40, queries: 160, timed: 40 })
    }
  })

  it('has written all that was counted before when a flush is done, and writes nothing twice', async () => {
    const { spaceId, request } = await newCaller()
    const log = new UsageLog(database.queries, new TestClock())
    const flushed: Promise<void>[] = []
    for (let i = 1; i <= 50; i++) {
      log.record(request('store'))
      flushed.push(log.flush())
    }
    await flushed[9]
    expect((await counted(spaceId)).stores).toBeGreaterThanOrEqual(10)
    await Promise.all(flushed)
    expect((await counted(spaceId)).stores).toBe(50)
  })

  it('tries again what it failed to write, beside what came since', async () => {
    const { spaceId, request } = await newCaller()
    const failing = withFailures(database.queries)
    const log = new UsageLog(failing.queries, new TestClock())
    log.record(request('store'))
    log.record(request(undefined))
    failing.failing = 'record_usage'
    await expect(log.flush()).rejects.toThrow('Connection terminated')
    log.record(request('store'))
    await expect(log.flush()).rejects.toThrow('Connection terminated')
    expect(await counted(spaceId)).toEqual({ stores: 0, other: 0, queries: 0, timed: 0 })
    failing.failing = undefined
    await log.flush()
    expect(await counted(spaceId)).toEqual({ stores: 2, other: 1, queries: 6, timed: 2 })
    await log.flush()
    expect((await counted(spaceId)).stores).toBe(2)
    expect(failing.count).toBe(2)
  })

  it('passes over a space that was erased meanwhile', async () => {
    const [gone, ada] = [await newCaller(), await newCaller()]
    const log = new UsageLog(database.queries, new TestClock())
    log.record(gone.request('store'))
    await log.flush()
    await asOwner(database.queries, (trx) =>
      sql`delete from app.spaces where organization_id = ${gone.organizationId}`.execute(trx),
    )
    log.record(gone.request('store'))
    log.record(ada.request('store'))
    await log.flush()
    expect((await counted(ada.spaceId)).stores).toBe(1)
    expect((await counted(ada.spaceId)).timed).toBe(1)
    const { rows } = await asOwner(database.queries, (trx) =>
      sql`select from app.usage_calls where space_id = ${gone.spaceId}`.execute(trx),
    )
    expect(rows).toEqual([])
  })

  it('asks the database for nothing when nothing was counted', async () => {
    const failing = withFailures(database.queries)
    failing.failing = 'record_usage'
    await new UsageLog(failing.queries, new TestClock()).flush()
    expect(failing.count).toBe(0)
  })
})
