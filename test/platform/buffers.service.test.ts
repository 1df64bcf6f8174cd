import { randomUUID } from 'node:crypto'
import { createKey, listKeys } from '@memory/identity/keys/service'
import { touch } from '@memory/identity/keys/store'
import { Learning } from '@memory/memory/learning/learning'
import * as store from '@memory/memory/store'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { writeUses } from '@memory/memory/write-uses'
import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import { LastUse } from '@memory/shared/platform/last-use'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { TestClock } from '../support/server.ts'
import { asOwner, newOrganization, openTestDatabase, withFailures } from './open-database.ts'

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

/** Queries that get no lock on the rows of a space, as while another transaction holds these for long. */
function withLock(spaceId: string) {
  const failing = withFailures(queries)
  failing.error = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  failing.failing = spaceId
  return failing
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

  it('writes what other spaces have, and what is learned, though the rows of one are locked', async () => {
    const [locked, other] = [await newSpace(), await newSpace()]
    const failing = withLock(locked)
    const clock = new TestClock()
    const parts = { queries: failing.queries, clock }
    const [accesses, learning] = [new AccessLog(failing.queries, clock), new Learning(parts)]
    for (const spaceId of [locked, other]) {
      accesses.record(spaceId, [0])
      learning.record(spaceId, { kind: 'search', at: clock.now().getTime(), surprise: 0.5 })
    }
    await expect(writeUses({ accesses, learning })).rejects.toThrow('lock timeout')
    expect(await counts(other)).toEqual([1, 0, 0])
    const { rows } = await asTenant(queries, { spaceId: other }, (trx) =>
      sql`select 1 from app.space_states`.execute(trx),
    )
    expect(rows).toHaveLength(1)
    failing.failing = undefined
    await writeUses({ accesses, learning }, true)
    expect(await counts(locked)).toEqual([1, 0, 0])
  })

  it('writes many patterns in parts, of which none is written twice', async () => {
    const space = await newSpace(1_100)
    const failing = withFailures(queries)
    const accesses = new AccessLog(failing.queries, new TestClock())
    accesses.record(space, Array(1_100).keys())
    // The first part is written, the second is not.
    failing.failing = ',650,'
    await expect(accesses.flush()).rejects.toThrow('Connection terminated')
    const written = (await counts(space)).filter((count) => count === 1).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(650)
    expect(accesses.uncounted(space)).toHaveLength(1_100 - written)
    accesses.record(space, [0, 650])
    failing.failing = undefined
    await accesses.flush()
    expect(await counts(space)).toEqual(Array.from({ length: 1_100 }, (_, i) => (i % 650 === 0 ? 2 : 1)))
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

  describe('of many patterns each second', () => {
    const many = 300
    const keptMs = 30_000
    /** Each pattern once, and the first two more often. */
    const answers = [[...Array(many).keys()], [1, 0], [1]]
    const sum = Array.from({ length: many }, (_, idx) => (idx === 0 ? 2 : idx === 1 ? 3 : 1))
    const twice = sum.map((count) => 2 * count)

    async function answer(accesses: AccessLog, spaceId: string) {
      for (const patterns of answers) accesses.record(spaceId, patterns)
      await accesses.keep()
    }

    /** Some of them each time. */
    async function keepUntilCounted(accesses: AccessLog, spaceId: string) {
      do await accesses.keep()
      while ((await keptRows(spaceId)) > 0)
    }

    async function keptRows(spaceId: string): Promise<number> {
      const { rows } = await asTenant(queries, { spaceId }, (trx) =>
        sql<{ n: number }>`select count(*)::int as n from app.uncounted_accesses`.execute(trx),
      )
      return rows[0]?.n ?? Number.NaN
    }

    it('keeps them for half a minute, and counts their sum', async () => {
      const spaceId = await newSpace(many)
      const clock = new TestClock()
      const accesses = new AccessLog(queries, clock)
      await answer(accesses, spaceId)
      accesses.record(spaceId, [2])
      await accesses.keep()
      expect(await counts(spaceId)).toEqual(Array(many).fill(0))
      expect(await keptRows(spaceId)).toBe(2)
      expect(accesses.uncounted(spaceId).toSorted((a, b) => a - b)).toEqual([...Array(many).keys()])
      clock.advance(keptMs)
      await answer(accesses, spaceId)
      await keepUntilCounted(accesses, spaceId)
      expect(await counts(spaceId)).toEqual(twice.with(2, 3))
      expect(await keptRows(spaceId)).toBe(0)
      expect(accesses.uncounted(spaceId)).toEqual([])
    })

    it('counts them at once when it ends', async () => {
      const spaceId = await newSpace(many)
      const accesses = new AccessLog(queries, new TestClock())
      await answer(accesses, spaceId)
      for (const patterns of answers) accesses.record(spaceId, patterns)
      await accesses.flush()
      expect(await counts(spaceId)).toEqual(twice)
      expect(await keptRows(spaceId)).toBe(0)
    })

    it('counts what a process has kept that is gone, once', async () => {
      const [one, other] = [await newSpace(many), await newSpace(many)]
      const gone = new AccessLog(queries, new TestClock())
      await answer(gone, one)
      await answer(gone, other)
      const clock = new TestClock()
      clock.advance(1)
      const next = [new AccessLog(queries, clock), new AccessLog(queries, clock)]
      await Promise.all(next.map((accesses) => keepUntilCounted(accesses, one)))
      await Promise.all(next.map((accesses) => keepUntilCounted(accesses, other)))
      expect(await counts(one)).toEqual(sum)
      expect(await counts(other)).toEqual(sum)
      for (const accesses of next) await accesses.flush()
      expect(await counts(one)).toEqual(sum)
    })

    it('counts what it has kept of other spaces though the rows of one are locked', async () => {
      const [locked, other] = [await newSpace(many), await newSpace(many)]
      const gone = new AccessLog(queries, new TestClock())
      await answer(gone, locked)
      await answer(gone, other)
      const failing = withLock(locked)
      const clock = new TestClock()
      clock.advance(1)
      const next = new AccessLog(failing.queries, clock)
      await expect(next.keep()).rejects.toThrow('lock timeout')
      for (let turn = 0; turn < 6; turn++) await next.keep().catch(() => {})
      expect(await counts(other)).toEqual(sum)
      failing.failing = undefined
      clock.advance(3 * keptMs)
      await keepUntilCounted(next, locked)
      expect(await counts(locked)).toEqual(sum)
    })

    it('finds late what a process leaves behind while this one runs', async () => {
      const spaceId = await newSpace(many)
      const clock = new TestClock()
      const accesses = new AccessLog(queries, clock)
      await accesses.keep()
      clock.advance(1_000)
      await answer(new AccessLog(queries, clock), spaceId)
      clock.advance(keptMs)
      await accesses.keep()
      expect(await keptRows(spaceId)).toBe(1)
      clock.advance(2 * keptMs)
      await accesses.keep()
      clock.advance(3 * keptMs)
      await keepUntilCounted(accesses, spaceId)
      expect(await counts(spaceId)).toEqual(sum)
    })

    it('counts the rest where another process took some of it for left behind', async () => {
      const spaceId = await newSpace(many)
      const clock = new TestClock()
      const accesses = new AccessLog(queries, clock)
      await answer(accesses, spaceId)
      clock.advance(1)
      await keepUntilCounted(new AccessLog(queries, clock), spaceId)
      expect(await counts(spaceId)).toEqual(sum)
      await answer(accesses, spaceId)
      await accesses.flush()
      expect(await counts(spaceId)).toEqual(twice)
    })

    it('counts those of other spaces though the rows of one are locked', async () => {
      const [locked, other] = [await newSpace(many), await newSpace(many)]
      const failing = withLock(locked)
      failing.failing = undefined
      const clock = new TestClock()
      const accesses = new AccessLog(failing.queries, clock)
      for (const spaceId of [locked, other])
        for (const patterns of answers) accesses.record(spaceId, patterns)
      await accesses.keep()
      clock.advance(keptMs)
      failing.failing = locked
      // Each turn counts one of the three parts at least.
      for (let turn = 0; turn < 6; turn++) await expect(accesses.keep()).rejects.toThrow('lock timeout')
      expect(await counts(other)).toEqual(sum)
      failing.failing = undefined
      await accesses.flush()
      expect(await counts(locked)).toEqual(sum)
    })

    it('counts nothing twice when a part fails', async () => {
      const spaceId = await newSpace(many)
      const failing = withFailures(queries)
      const accesses = new AccessLog(failing.queries, new TestClock())
      failing.failing = 'keep_accesses'
      await expect(answer(accesses, spaceId)).rejects.toThrow('Connection terminated')
      failing.failing = undefined
      await accesses.keep()
      failing.failing = 'delete'
      await expect(accesses.flush()).rejects.toThrow('Connection terminated')
      failing.failing = 'count_kept_accesses'
      await expect(accesses.flush()).rejects.toThrow('Connection terminated')
      expect(await keptRows(spaceId)).toBe(3)
      expect(await counts(spaceId)).toEqual(Array(many).fill(0))
      failing.failing = undefined
      await answer(accesses, spaceId)
      await accesses.flush()
      expect(await counts(spaceId)).toEqual(twice)
    })

    it('moves up a tier those that were among an answer’s first', async () => {
      const spaceId = await newSpace(many)
      await asTenant(queries, { spaceId }, (trx) => sql`update app.patterns set tier = 'warm'`.execute(trx))
      const accesses = new AccessLog(queries, new TestClock())
      await answer(accesses, spaceId)
      await accesses.flush()
      const { rows } = await asTenant(queries, { spaceId }, (trx) =>
        sql<{ idx: number }>`select idx from app.patterns where tier = 'hot' order by idx`.execute(trx),
      )
      expect(rows.map(({ idx }) => idx)).toEqual([0, 1, 2])
    })

    it('drops them with their space', async () => {
      const accesses = new AccessLog(queries, new TestClock())
      await answer(accesses, randomUUID())
      await accesses.flush()
      const spaceId = await newSpace(many)
      await answer(accesses, spaceId)
      await asOwner(queries, async (trx) => {
        await sql`delete from app.patterns where space_id = ${spaceId}`.execute(trx)
        await sql`delete from app.spaces where id = ${spaceId}`.execute(trx)
      })
      await accesses.flush()
      expect(
        await asOwner(queries, (trx) =>
          sql`select from app.uncounted_accesses where space_id = ${spaceId}`.execute(trx),
        ),
      ).toMatchObject({ rows: [] })
    })
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
