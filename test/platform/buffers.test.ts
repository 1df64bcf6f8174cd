import { randomUUID } from 'node:crypto'
import { createKey, listKeys } from '@memory/shared/keys/service'
import { touch } from '@memory/shared/keys/store'
import * as store from '@memory/shared/memory/store'
import { AccessLog } from '@memory/shared/memory/tiers/access-log'
import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import { LastUse } from '@memory/shared/platform/last-use'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { TestClock } from '../support/server.ts'
import { newOrganization, openTestDatabase, withFailures } from './open-database.ts'

let database: Database
let queries: Queries

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
})

afterAll(() => database.close())

/** A space with so many patterns. */
async function newSpace(count = 3): Promise<string> {
  const { spaceId } = await newOrganization(queries)
  const patterns = Array.from({ length: count }, () => newPattern({ key: Float32Array.of(1) }))
  await store.insertPatterns(queries, spaceId, -1, 'test', patterns)
  return spaceId
}

async function counts(spaceId: string): Promise<number[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ count: number }>`select coalesce(a.access_count, 0)::int as count from app.patterns p
        left join app.pattern_accesses a using (space_id, idx) order by p.idx`.execute(trx),
  )
  return rows.map(({ count }) => count)
}

describe('AccessLog', () => {
  it('writes how often each pattern was in an answer, and each use once', async () => {
    const [one, other] = [await newSpace(), await newSpace()]
    const accesses = new AccessLog(queries, new TestClock())
    accesses.record(one, [0, 2])
    accesses.record(one, [2])
    accesses.record(other, [1])
    expect(await counts(one)).toEqual([0, 0, 0])
    await accesses.flush()
    await accesses.flush()
    expect(await counts(one)).toEqual([1, 0, 2])
    expect(await counts(other)).toEqual([0, 1, 0])
  })

  it('drops what it counted of a space that was erased since, and writes the others', async () => {
    const space = await newSpace()
    const accesses = new AccessLog(queries, new TestClock())
    accesses.record(randomUUID(), [0])
    accesses.record(space, [1])
    await accesses.flush()
    expect(await counts(space)).toEqual([0, 1, 0])
  })

  it('keeps what it could not write for the next time, and writes nothing twice', async () => {
    const [one, other] = [await newSpace(), await newSpace()]
    const failing = withFailures(queries)
    const accesses = new AccessLog(failing.queries, new TestClock())
    accesses.record(one, [0])
    accesses.record(other, [0])
    // The first space is written, the second is not.
    failing.failing = other
    await expect(accesses.flush()).rejects.toThrow('Connection terminated')
    expect([await counts(one), await counts(other)]).toEqual([
      [1, 0, 0],
      [0, 0, 0],
    ])
    accesses.record(other, [0, 1])
    failing.failing = undefined
    await accesses.flush()
    expect([await counts(one), await counts(other)]).toEqual([
      [1, 0, 0],
      [2, 1, 0],
    ])
  })

  it('writes many patterns in parts, of which none is written twice', async () => {
    const space = await newSpace(1_100)
    const failing = withFailures(queries)
    const accesses = new AccessLog(failing.queries, new TestClock())
    accesses.record(space, Array(1_100).keys())
    // The first part is written, the second is not.
    failing.failing = ',600,'
    await expect(accesses.flush()).rejects.toThrow('Connection terminated')
    const written = (await counts(space)).filter((count) => count === 1).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(600)
    expect(accesses.uncounted(space)).toHaveLength(1_100 - written)
    accesses.record(space, [0, 600])
    failing.failing = undefined
    await accesses.flush()
    expect(await counts(space)).toEqual(Array.from({ length: 1_100 }, (_, i) => (i % 600 === 0 ? 2 : 1)))
    expect(accesses.uncounted(space)).toEqual([])
  })

  it('loses no use that is recorded while it writes', async () => {
    const spaceId = await newSpace()
    const accesses = new AccessLog(queries, new TestClock())
    accesses.record(spaceId, [0])
    const flushing = accesses.flush()
    accesses.record(spaceId, [0, 1])
    await flushing
    await accesses.flush()
    expect(await counts(spaceId)).toEqual([2, 1, 0])
  })

  it('notes the latest use, and halves the score of earlier uses every seven days', async () => {
    const spaceId = await newSpace()
    const clock = new TestClock()
    const accesses = new AccessLog(queries, clock)
    clock.advance(7 * 86_400_000)
    accesses.record(spaceId, [0, 0, 0])
    await accesses.flush()
    const { rows } = await asTenant(queries, { spaceId }, (trx) =>
      sql`select a.access_score as score, a.last_accessed from app.patterns p
        left join app.pattern_accesses a using (space_id, idx) order by p.idx limit 2`.execute(trx),
    )
    expect(rows).toEqual([
      { score: expect.closeTo(3.5, 3), last_accessed: expect.any(Date) },
      { score: null, last_accessed: null },
    ])
    const [{ last_accessed }] = rows as [{ last_accessed: Date }]
    expect(Math.abs(last_accessed.getTime() - clock.now().getTime())).toBeLessThan(5_000)
  })
})

describe('LastUse', () => {
  async function newKey(): Promise<{
    organizationId: string
    keyId: string
    lastUsed(): Promise<Date | null>
  }> {
    const { organizationId } = await newOrganization(queries)
    const key = { name: 'a', environment: 'live', scopes: null, expiresAt: null } as const
    const { listed } = await createKey(queries, organizationId, key)
    return {
      organizationId,
      keyId: listed.id,
      lastUsed: async () => (await listKeys(queries, organizationId))[0]?.last_used_at ?? null,
    }
  }

  it('K5 writes a key’s last use once a minute at most, and the very last one at the end', async () => {
    const [key, other] = [await newKey(), await newKey()]
    const clock = new TestClock()
    const usage = new LastUse((uses) => touch(queries, uses), clock)
    const use = async (flushAll = false) => {
      const at = clock.now()
      usage.record(key.organizationId, key.keyId)
      await usage.flush(flushAll)
      return at
    }
    const near = (at: Date) =>
      expect.toSatisfy((used: Date) => Math.abs(used.getTime() - at.getTime()) < 1_000)

    expect(await key.lastUsed()).toBeNull()
    const first = await use()
    expect(await key.lastUsed()).toEqual(near(first))
    clock.advance(30_000)
    await use()
    expect(await key.lastUsed()).toEqual(near(first))
    clock.advance(31_000)
    const third = await use()
    expect(await key.lastUsed()).toEqual(near(third))
    clock.advance(10_000)
    const last = await use(true)
    expect(await key.lastUsed()).toEqual(near(last))
    expect(await other.lastUsed()).toBeNull()
  })

  it('K5 keeps a use that could not be written, and a later one wins', async () => {
    const [key, other] = [await newKey(), await newKey()]
    const clock = new TestClock()
    const failing = withFailures(queries)
    const usage = new LastUse((uses) => touch(failing.queries, uses), clock)
    usage.record(key.organizationId, key.keyId)
    usage.record(other.organizationId, other.keyId)
    failing.failing = 'touch_api_keys'
    await expect(usage.flush()).rejects.toThrow('Connection terminated')
    failing.failing = undefined
    clock.advance(5_000)
    usage.record(key.organizationId, key.keyId)
    await usage.flush()
    const [used, otherUsed] = [await key.lastUsed(), await other.lastUsed()]
    expect((used as Date).getTime() - (otherUsed as Date).getTime()).toBeGreaterThanOrEqual(4_000)
  })
})
