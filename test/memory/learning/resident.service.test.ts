import type { LearningUpdate } from '@memory/engine/learning/learning-update'
import { initialState } from '@memory/engine/learning/state'
import { SpaceCache } from '@memory/memory/index/space-cache'
import { LearningCache } from '@memory/memory/learning/learning-cache'
import {
  begin,
  findLearned,
  type LearnedSince,
  saveState,
  saveUpdate,
} from '@memory/memory/learning/learning-store'
import { SpaceLearning } from '@memory/memory/learning/space-learning'
import { removePatterns } from '@memory/memory/store'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { keepAccesses, listKept, recordAccesses } from '@memory/memory/tiers/access-store'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'
import { readLearned } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** A space with so many vectors. */
async function newSpace(count: number) {
  const ada = await server.newClient()
  for (let first = 0; first < count; first += 250) {
    const patterns = Array.from({ length: Math.min(250, count - first) }, (_, i) => ({
      key: [1, first + i, 1],
      value: [1],
    }))
    expect((await ada.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
  }
  const { id } = await getSpace(server, ada)
  return { ada, id }
}

/** Writes update, as a process that has learned them does. @returns the space’s engine version */
function write(spaceId: string, update: Partial<LearningUpdate>, at = new Date()): Promise<number> {
  return asTenant(server.context.database.queries, { spaceId }, async (trx) => {
    await begin(trx, spaceId, [], [])
    const state = initialState(at.getTime())
    const version = await saveState(trx, spaceId, state, [])
    const none = { state, records: [], traces: new Map(), associations: [], transitions: [], strengths: [] }
    await saveUpdate(trx, spaceId, version, at, { ...none, ...update })
    return version
  })
}

const queriesOf = () => server.context.database.queries

const newResident = (budgetBytes = 1e9) => new LearningCache(server.context.database.queries, budgetBytes)

/** The version that whoever asks now must read. */
const engineVersionOf = (spaceId: string) =>
  asTenant(server.context.database.queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ version: number }>`
      select engine_version as version from app.spaces where id = ${spaceId}`.execute(trx)
    return rows[0]?.version ?? NaN
  })

describe('what a space has learned, in memory', () => {
  it('is the same whether it was read at once, in pages, or as it came', async () => {
    const { id } = await newSpace(4_100)
    const asItCame = newResident()
    await asItCame.get(id, 0)
    // On both sides of where pages end, and from one to another.
    const places = [0, 1_999, 2_000, 2_001, 3_999, 4_000, 4_099]
    let version = 0
    for (const [i, a] of places.entries()) {
      version = await write(id, {
        associations: places.slice(i + 1).map((b) => ({ a, b, kept: 0.9 - i / 100 })),
        transitions: places.filter((b) => b !== a).map((target) => ({ source: a, target, count: i + 1 })),
        strengths: [{ idx: a, strength: 0.5 + i / 100 }],
      })
      await asItCame.get(id, version)
    }
    const known = await asItCame.get(id, version)
    const read = await newResident().get(id, version)
    const byIdx = <T>(links: ReadonlyMap<number, T>) => [...links].toSorted(([a], [b]) => a - b)
    for (const [i, a] of places.entries()) {
      expect(byIdx(read.associatesOf(a))).toEqual(byIdx(known.associatesOf(a)))
      expect([...read.associatesOf(a).keys()].toSorted((x, y) => x - y)).toEqual(
        places.filter((b) => b !== a),
      )
      const transitions = read.transitions.get(a) ?? new Map()
      expect(byIdx(transitions)).toEqual(byIdx(known.transitions.get(a) ?? new Map()))
      expect([...transitions.values()].map(({ count }) => count)).toEqual(Array(6).fill(i + 1))
      expect(read.useOf(a)).toEqual(known.useOf(a))
    }
    expect(read.usedCount).toBe(places.length)
    expect(read.epochs).toEqual(known.epochs)
  })

  it.each([
    [
      'at once',
      (id: string, counts: ReadonlyMap<number, number>) =>
        recordAccesses(queriesOf(), id, counts, new Date()),
    ],
    [
      'after it was kept',
      async (id: string, counts: ReadonlyMap<number, number>) => {
        await keepAccesses(queriesOf(), id, counts, new Date(Date.now() - 1_000))
        // By the process that finds it left behind.
        await new AccessLog(queriesOf(), { now: () => new Date() }).keep()
        expect(
          (await listKept(queriesOf(), new Date(), 100)).filter(({ spaceId }) => spaceId === id),
        ).toEqual([])
      },
    ],
  ])('has the accesses that others have counted %s', async (_, count) => {
    const { id } = await newSpace(20)
    const held = newResident()
    await held.get(id, 0)
    const rounds = [
      new Map([[3, 1]]),
      new Map([
        [3, 2],
        [7, 1],
      ]),
      new Map([
        [19, 4],
        [0, 1],
        [7, 5],
      ]),
    ]
    for (const counts of rounds) {
      const before = (await held.get(id, 0)).version
      await count(id, counts)
      const version = await engineVersionOf(id)
      expect(version).toBeGreaterThan(before)
      const [known, read] = [await held.get(id, version), await newResident().get(id, version)]
      expect([...known.uses()]).toEqual(expect.arrayContaining([...read.uses()]))
      expect(known.usedCount).toBe(read.usedCount)
    }
    const known = await held.get(id, 0)
    expect([0, 3, 7, 19].map((idx) => known.useOf(idx).count)).toEqual([1, 3, 6, 4])
  })

  it('lacks nothing that was written after a crash of the database, which took back what it had read', async () => {
    const { id } = await newSpace(3)
    const held = newResident()
    await held.get(id, 0)
    const before = await engineVersionOf(id)
    await held.get(id, await write(id, { associations: [{ a: 0, b: 1, kept: 0.5 }] }))
    await held.get(id, await write(id, { associations: [{ a: 0, b: 1, kept: 0.5 }] }))
    await asTenant(queriesOf(), { spaceId: id }, async (trx) => {
      await sql`delete from app.associations where space_id = ${id}`.execute(trx)
      await sql`update app.spaces set engine_version = ${before} where id = ${id}`.execute(trx)
    })
    const change = [
      () => write(id, { associations: [{ a: 1, b: 2, kept: 0.5 }] }),
      () => recordAccesses(queriesOf(), id, new Map([[2, 1]]), new Date()),
    ]
    for (const each of change) await each()
    const known = await held.get(id, await engineVersionOf(id))
    expect([...known.associatesOf(2).keys()]).toEqual([1])
    expect(known.useOf(2).count).toBe(1)
  })

  it('is read some changes at a time, whole versions of them, also where there are many', async () => {
    const { id } = await newSpace(80)
    const held = newResident()
    const { version: before } = await held.get(id, 0)
    const rows = 600
    const versions = [1, 2, 3, 4, 5].map((n) => before + n)
    const version = versions.at(-1) as number
    await asTenant(queriesOf(), { spaceId: id }, async (trx) => {
      await sql`
        insert into app.associations (space_id, a, b, weight, at, engine_version)
          select ${id}, a, b, 0.5, now(), ${before}::bigint + 1 + (row_number() over (order by a, b) - 1) / ${rows}::int
            from generate_series(0, 79) as a, generate_series(0, 79) as b where a < b
            order by a, b limit ${rows * versions.length}`.execute(trx)
      await sql`update app.spaces set engine_version = ${version} where id = ${id}`.execute(trx)
    })
    const inParts = new SpaceLearning(0)
    const told: number[] = []
    for (let since = before; since < version; since = told.at(-1) as number) {
      const found = (await findLearned(queriesOf(), id, since, -1)) as LearnedSince
      inParts.apply(found)
      told.push(found.engineVersion)
      expect(found.learned.more).toBe(found.engineVersion < version)
    }
    expect(told).toEqual([versions[3], version])
    const read = await newResident().get(id, version)
    const known = await held.get(id, version)
    for (const copy of [known, inParts]) {
      expect(copy.bytes).toBe(read.bytes)
      for (let idx = 0; idx < 80; idx++)
        expect(new Map(copy.associatesOf(idx))).toEqual(new Map(read.associatesOf(idx)))
    }
  })

  it('has all times at which something was stored, however many', async () => {
    const { id } = await newSpace(1)
    const count = 10_001
    const held = newResident()
    await held.get(id, 0)
    await asTenant(queriesOf(), { spaceId: id }, (trx) =>
      sql`insert into app.store_times (space_id, first_idx, stored_at)
        select ${id}, n, now() + n * interval '1 minute' from generate_series(1, ${count}::int) as n`.execute(
        trx,
      ),
    )
    const version = await write(id, { strengths: [{ idx: 0, strength: 0.5 }] })
    for (const cache of [held, newResident()]) {
      const { epochs } = await cache.get(id, version)
      expect(epochs.map(([first]) => first)).toEqual(Array.from({ length: count + 1 }, (_, n) => n))
    }
  })

  it('goes out when others are used and all that spaces have learned exceeds the budget', async () => {
    const links = Array.from({ length: 60 }, (_, i) => ({ a: i >> 2, b: 20 + i, kept: 0.5 }))
    const spaces: string[] = []
    for (let i = 0; i < 3; i++) {
      const { id } = await newSpace(80)
      await write(id, { associations: links, strengths: [{ idx: 1, strength: 0.5 }] })
      spaces.push(id)
    }
    const all = newResident()
    const held = async (id: string, cache: LearningCache) => (await cache.get(id, 0)).bytes
    const [bytes] = [await held(spaces[0] as string, all)]
    const empty = await held((await newSpace(1)).id, all)
    expect(bytes - empty).toBeGreaterThan(2 * links.length * 50)
    const cache = newResident(2.5 * bytes)
    for (const id of spaces) await cache.get(id, 0)
    expect(spaces.map((id) => cache.peek(id) !== undefined)).toEqual([false, true, true])
    expect(cache.size).toBe(2 * bytes)
    cache.forget(spaces[1] as string, [...Array(80).keys()])
    await expect.poll(() => cache.size).toBeLessThan(bytes + empty + 80 * 500)
  })

  it('keeps the most frequent transitions from a pattern, in the database too', async () => {
    const { ada, id } = await newSpace(50)
    const resident = newResident()
    await resident.get(id, 0)
    let version = 0
    for (let target = 1; target < 50; target++) {
      version = await write(id, { transitions: [{ source: 0, target, count: target }] })
      await resident.get(id, version)
    }
    const frequent = Array.from({ length: 32 }, (_, i) => 18 + i)
    const { transitions } = await readLearned(server, ada)
    expect([...transitions.keys()].toSorted()).toEqual(frequent.map((target) => `0>${target}`).toSorted())
    const known = (await resident.get(id, version)).transitions.get(0)
    expect([...(known?.keys() ?? [])].toSorted((a, b) => a - b)).toEqual(frequent)
  })

  it('drops transitions that have faded to nothing', async () => {
    const { ada, id } = await newSpace(3)
    const year = 365 * 86_400_000
    await write(id, { transitions: [{ source: 0, target: 1, count: 1 }] }, new Date(Date.now() - year))
    await write(id, { transitions: [{ source: 0, target: 2, count: 1 }] })
    expect([...(await readLearned(server, ada)).transitions.keys()]).toEqual(['0>2'])
  })

  it('holds nothing of patterns that were removed while the space was not in memory', async () => {
    const { id } = await newSpace(3)
    await write(id, {
      associations: [{ a: 0, b: 1, kept: 0.5 }],
      transitions: [{ source: 0, target: 1, count: 1 }],
      strengths: [{ idx: 1, strength: 0.5 }],
    })
    const { queries } = server.context.database
    const learned = newResident()
    const spaces = new SpaceCache({
      queries,
      budgetBytes: 1,
      clock: server.clock,
      log: server.context.log,
    })
    spaces.changes.on('loading', (spaceId) => learned.drop(spaceId))
    const known = async () => {
      await spaces.get(id, 0)
      const space = await learned.get(id, 0)
      return [space.associatesOf(0).size, space.transitions.get(0)?.size ?? 0, space.usedCount]
    }
    expect(await known()).toEqual([1, 1, 1])
    // There is room for one space.
    await spaces.get((await newSpace(1)).id, 0)
    expect(spaces.peek(id)).toBeUndefined()
    // Another process removes it.
    await removePatterns(queries, id, { indexes: [1], textOnly: false, dryRun: false })
    expect(await known()).toEqual([0, 0, 0])
  })
})
