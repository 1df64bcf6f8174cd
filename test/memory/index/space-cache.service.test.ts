import { purgeTombstones } from '@memory/memory/housekeeping'
import { SpaceCache } from '@memory/memory/index/space-cache'
import type { SpaceIndex } from '@memory/memory/index/space-index'
import * as store from '@memory/memory/store'
import { systemClock } from '@memory/shared/platform/clock'
import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../../engine/naive.ts'
import { newOrganization, openTestDatabase, silent } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'
import { TestClock } from '../../support/server.ts'
import { bruteForce, type Held, searchAll } from './brute-force.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const everyLength = [2, 5]

/** A process that shares the database with others: its index, and writes that it acknowledges to its index. */
class Process {
  readonly spaces: SpaceCache
  readonly #queries: Queries
  readonly #spaceId: string

  constructor(
    spaceId: string,
    options: { queries?: Queries; clock?: TestClock; budgetBytes?: number; log?: typeof silent } = {},
  ) {
    this.#spaceId = spaceId
    this.#queries = options.queries ?? database.queries
    this.spaces = new SpaceCache({
      queries: this.#queries,
      budgetBytes: options.budgetBytes ?? 1e9,
      clock: options.clock ?? systemClock,
      log: options.log ?? silent,
    })
  }

  async storePatterns(keys: Float32Array[], expiresAt: Date | null = null): Promise<number> {
    const patterns = keys.map((key) => newPattern({ key, expiresAt }))
    const { version, firstIdx } = await store.insertPatterns(
      this.#queries,
      this.#spaceId,
      -1,
      'test',
      patterns,
    )
    const stored = keys.map((key, i) => ({
      idx: firstIdx + i,
      key,
      isText: true,
      sourceDim: null,
      expiresAt,
      tier: 'hot' as const,
    }))
    this.spaces.committed(this.#spaceId, version, { stored })
    return version
  }

  /** @returns undefined when the pattern is not there any more. */
  async updatePattern(id: string, key: Float32Array): Promise<number | undefined> {
    const embedding = { text: 'changed', key, textHash: '00', model: 'test' }
    const changed = await store.updatePattern(this.#queries, this.#spaceId, id, { embedding })
    if (changed === undefined) return undefined
    const stored = [
      { idx: changed.idx, key, isText: true, sourceDim: null, expiresAt: null, tier: 'hot' as const },
    ]
    this.spaces.committed(this.#spaceId, changed.version, { stored })
    return changed.version
  }

  async removePatterns(indexes: number[]): Promise<number | undefined> {
    const removal = { indexes, textOnly: false, dryRun: false }
    const { patterns, version } = await store.removePatterns(this.#queries, this.#spaceId, removal)
    if (version === undefined) return undefined
    this.spaces.committed(this.#spaceId, version, { removed: patterns.map(({ idx }) => idx) })
    return version
  }

  async emptySpace(): Promise<number> {
    const { version } = await store.emptySpace(this.#queries, this.#spaceId)
    this.spaces.drop(this.#spaceId)
    return version
  }

  get(version: number): Promise<SpaceIndex> {
    return this.spaces.get(this.#spaceId, version)
  }
}

interface Row extends Held {
  idx: number
  id: string
}

/** What the database holds, read in another way than the index reads it. */
async function readSpace(spaceId: string): Promise<{ version: number; rows: Row[] }> {
  return asTenant(database.queries, { spaceId }, async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('patterns')
      .select(['idx', 'id', sql<string>`key::text`.as('key')])
      .orderBy('idx')
      .execute()
    const { version } = await trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('version')
      .where('id', '=', spaceId)
      .executeTakeFirstOrThrow()
    const read = rows.map(({ idx, id, key }) => ({
      idx,
      id,
      key: Float32Array.from(JSON.parse(key) as number[]),
      isText: true,
    }))
    return { version, rows: read }
  })
}

/** The whole index and the whole database, as searches over each key length. */
function compare(index: SpaceIndex, rows: Row[]): { found: unknown; expected: unknown } {
  const query = (length: number) => randomVector(randomFrom(length), length, false)
  return {
    found: everyLength.map((length) => {
      const shard = index.shard(length)
      return shard === undefined ? [] : searchAll(shard.target, query(length))
    }),
    expected: everyLength.map((length) =>
      bruteForce(
        rows.filter(({ key }) => key.length === length).map((row) => [row.idx, row]),
        query(length),
      ),
    ),
  }
}

/** Hands results over late: after a random number of turns, so that whatever can overtake them does. */
function withDelays(queries: Queries, random: () => number): Queries {
  const delays: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      for (let turns = Math.floor(random() * 8); turns > 0; turns--) await new Promise(setImmediate)
      return result
    },
  }
  return queries.withPlugin(delays)
}

/** Holds back the result of the next statement that contains `part` until `release` is called. */
function withGate(queries: Queries) {
  let part: string | undefined
  let reached = Promise.withResolvers<void>()
  let released = Promise.withResolvers<void>()
  const ids = new WeakMap<object, boolean>()
  const gate: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (part !== undefined && JSON.stringify(node).includes(part)) {
        ids.set(queryId, true)
        part = undefined
      }
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (ids.get(queryId)) {
        reached.resolve()
        await released.promise
      }
      return result
    },
  }
  return {
    queries: queries.withPlugin(gate),
    /** @returns a promise that is kept when the statement's result is there. */
    hold(next: string): Promise<void> {
      part = next
      reached = Promise.withResolvers<void>()
      released = Promise.withResolvers<void>()
      return reached.promise
    },
    release: () => released.resolve(),
  }
}

const vectorOf = (seed: number) =>
  randomVector(randomFrom(seed), everyLength[seed % everyLength.length] as number, false)

type Write =
  | { kind: 'store'; seeds: number[] }
  | { kind: 'update'; nth: number; seed: number }
  | { kind: 'remove'; nth: number; count: number }
  | { kind: 'empty' }
  | { kind: 'purge' }
  | { kind: 'evict' }
  | { kind: 'read' }

const seed = fc.nat({ max: 1_000 })
const nth = fc.nat({ max: 20 })
const write: fc.Arbitrary<Write> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      seeds: fc.array(seed, { minLength: 1, maxLength: 4 }),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('update' as const), nth, seed }), weight: 4 },
  {
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      nth,
      count: fc.integer({ min: 1, max: 3 }),
    }),
    weight: 3,
  },
  { arbitrary: fc.constant({ kind: 'empty' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'purge' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'evict' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'read' as const }), weight: 3 },
)
const turn = fc.record({ by: fc.constantFrom(0, 1), write })

/** Does one write in one process. @returns the version acknowledged, if something changed. */
async function perform(
  writer: Process,
  spaceId: string,
  { kind, ...rest }: Write,
): Promise<number | undefined> {
  const write = { kind, ...rest } as Write
  switch (write.kind) {
    case 'store':
      return writer.storePatterns(write.seeds.map(vectorOf))
    case 'update': {
      const { rows } = await readSpace(spaceId)
      const row = rows[write.nth % Math.max(1, rows.length)]
      return row === undefined ? undefined : writer.updatePattern(row.id, vectorOf(write.seed))
    }
    case 'remove': {
      const { rows } = await readSpace(spaceId)
      const doomed = rows.slice(write.nth % Math.max(1, rows.length)).slice(0, write.count)
      return writer.removePatterns(doomed.map(({ idx }) => idx))
    }
    case 'empty':
      return writer.emptySpace()
    case 'purge':
      await ageTombstones(spaceId)
      await purgeTombstones(database.queries)
      return undefined
    case 'evict':
      writer.spaces.drop(spaceId)
      return undefined
    case 'read':
      return (await readSpace(spaceId)).version
  }
}

async function ageTombstones(spaceId: string): Promise<void> {
  await asTenant(database.queries, { spaceId }, async (trx) => {
    // As every change of a space does, before its tombstones: in another order the two wait for each other.
    await sql`select from app.spaces where id = ${spaceId} for update`.execute(trx)
    await sql`with gone as (delete from app.pattern_tombstones returning space_id, version, idx)
      insert into app.pattern_tombstones (space_id, version, idx, deleted_at)
        select space_id, version, idx, now() - interval '2 hours' from gone`.execute(trx)
  })
}

describe('SpaceCache', () => {
  it('holds, in each of two processes, what the database holds at every acknowledged version', async () => {
    await fc.assert(
      fc.asyncProperty(
        // What stands together runs at the same time.
        fc.array(fc.array(turn, { minLength: 1, maxLength: 5, size: 'max' }), {
          minLength: 3,
          maxLength: 12,
          size: 'max',
        }),
        fc.nat(),
        async (groups, delaySeed) => {
          const { spaceId } = await newOrganization(database.queries)
          const random = randomFrom(delaySeed)
          const queries = withDelays(database.queries, random)
          const processes = [new Process(spaceId, { queries }), new Process(spaceId, { queries })] as const
          for (const group of groups) {
            await Promise.all(
              group.map(async ({ by, write }) => {
                const version = await perform(processes[by as 0 | 1], spaceId, write)
                if (version === undefined) return
                const both = await Promise.all(processes.map((one) => one.get(version)))
                for (const index of both) expect(index.version).toBeGreaterThanOrEqual(version)
              }),
            )
            const { version, rows } = await readSpace(spaceId)
            for (const one of processes) {
              const index = await one.get(version)
              const { found, expected } = compare(index, rows)
              expect(found).toEqual(expected)
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('keeps the newest vector of a pattern when an older list of changes arrives after it', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const gate = withGate(database.queries)
    const own = new Process(spaceId, { queries: gate.queries })
    const other = new Process(spaceId)
    await own.get(await other.storePatterns([vectorOf(0)]))
    const [pattern] = (await readSpace(spaceId)).rows as [Row]

    // The service stores, and before its index has heard of it another request reads that change.
    const { version } = await store.insertPatterns(database.queries, spaceId, -1, 'test', [
      newPattern({ key: vectorOf(2) }),
    ])
    const listed = gate.hold('app.changed_patterns')
    const reading = own.get(version)
    await listed
    own.spaces.committed(spaceId, version, {
      stored: [{ idx: 1, key: vectorOf(2), isText: true, sourceDim: null, expiresAt: null, tier: 'hot' }],
    })
    const [second] = (await readSpace(spaceId)).rows.slice(1) as [Row]
    const updated = (await own.updatePattern(second.id, vectorOf(4))) as number
    const removed = (await own.removePatterns([pattern.idx])) as number
    expect(removed).toBe(updated + 1)
    gate.release()
    await reading

    const index = await own.get(removed)
    const { found, expected } = compare(index, (await readSpace(spaceId)).rows)
    expect(found).toEqual(expected)
  })

  it('drops what was deleted when the trace of the delete is purged while it reads the changes', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const gate = withGate(database.queries)
    const reader = new Process(spaceId, { queries: gate.queries })
    const writer = new Process(spaceId)
    await reader.get(await writer.storePatterns([vectorOf(0), vectorOf(1)]))
    await writer.removePatterns([0])
    const version = await writer.storePatterns([vectorOf(2)])

    const changesRead = gate.hold('app.changed_patterns')
    const reading = reader.get(version)
    await changesRead
    await ageTombstones(spaceId)
    await purgeTombstones(database.queries)
    gate.release()

    const { found, expected } = compare(await reading, (await readSpace(spaceId)).rows)
    expect(found).toEqual(expected)
  })

  it('starts anew when the traces of deletes since its version are purged, and keeps answering', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const [reader, writer] = [new Process(spaceId), new Process(spaceId)]
    const before = await reader.get(await writer.storePatterns([vectorOf(0), vectorOf(1), vectorOf(2)]))
    const version = (await writer.removePatterns([0, 2])) as number
    await ageTombstones(spaceId)
    await purgeTombstones(database.queries)
    const after = await reader.get(version)
    expect(after).not.toBe(before)
    const { found, expected } = compare(after, (await readSpace(spaceId)).rows)
    expect(found).toEqual(expected)
  })

  it('shows what was written while a large space was loading', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const [writer, reader] = [new Process(spaceId), new Process(spaceId)]
    const keys = Array.from({ length: 1_000 }, (_, i) => vectorOf(i))
    for (let stored = 0; stored < 6; stored++) await writer.storePatterns(keys)
    const { version } = await readSpace(spaceId)

    const loading = reader.get(version)
    const written = [
      writer.storePatterns([vectorOf(1), vectorOf(2)]),
      writer.removePatterns([0, 1, 5_999]),
      writer.storePatterns([vectorOf(3)]),
    ]
    await loading
    const last = Math.max(...(await Promise.all(written)).map((at) => at ?? 0))
    const { found, expected } = compare(await reader.get(last), (await readSpace(spaceId)).rows)
    expect(found).toEqual(expected)
  })

  it('reads many changes of others by some thousands, until it has them all', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const read: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read.push(result.rows.length)
        return result
      },
    }
    const writer = new Process(spaceId)
    const reader = new Process(spaceId, { queries: database.queries.withPlugin(counting) })
    await reader.get(await writer.storePatterns([vectorOf(0)]))
    const keys = Array.from({ length: 1_000 }, (_, i) => vectorOf(i))
    for (let stored = 0; stored < 6; stored++) await writer.storePatterns(keys)
    await writer.removePatterns(Array.from({ length: 2_500 }, (_, i) => 2 * i))
    const { version, rows } = await readSpace(spaceId)
    read.length = 0

    const { found, expected } = compare(await reader.get(version), rows)
    expect(found).toEqual(expected)
    expect(Math.max(...read)).toBeLessThan(5_000)
    expect(read.filter((count) => count >= 1_000).length).toBeGreaterThan(1)

    // `refresh` is not told of a version, and goes on to the last.
    for (let stored = 0; stored < 6; stored++) await writer.storePatterns(keys)
    await reader.spaces.refresh(spaceId)
    expect(reader.spaces.peek(spaceId)?.version).toBe((await readSpace(spaceId)).version)
  })

  it('reads a space once for requests that ask at the same time', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const [writer, reader] = [new Process(spaceId), new Process(spaceId)]
    const version = await writer.storePatterns([vectorOf(0)])
    const indexes = await Promise.all(Array.from({ length: 20 }, () => reader.get(version)))
    expect(new Set(indexes).size).toBe(1)
  })

  it('answers with no index that was let go of while it waited for what has changed', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const writer = new Process(spaceId)
    const released = new Set<unknown>()
    const spaces = new SpaceCache({
      queries: database.queries,
      budgetBytes: 1e9,
      clock: systemClock,
      log: createLog('warn'),
    })
    spaces.changes.on('released', (index) => void released.add(index))
    await spaces.get(spaceId, await writer.storePatterns([vectorOf(0)]))
    const waiting = spaces.get(spaceId, await writer.storePatterns([vectorOf(1)]))
    spaces.drop(spaceId)
    const index = await waiting
    expect(released.size).toBe(1)
    expect(released).not.toContain(index)
    expect(spaces.peek(spaceId)).toBe(index)
    expect(index.size).toBe(2)
  })

  it('leaves out what has expired at the moment of the request', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const clock = new TestClock()
    const reader = new Process(spaceId, { clock })
    const writer = new Process(spaceId)
    await writer.storePatterns([vectorOf(0)])
    const version = await writer.storePatterns([vectorOf(2)], new Date(Date.now() + 60_000))
    expect((await reader.get(version)).size).toBe(2)
    clock.advance(60_001)
    expect((await reader.get(version)).size).toBe(1)
  })

  it('has again what a clock that was set ahead let expire, once that is set back', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const clock = new TestClock()
    const reader = new Process(spaceId, { clock })
    const version = await new Process(spaceId).storePatterns([vectorOf(0)], new Date(Date.now() + 3_600_000))
    expect((await reader.get(version)).size).toBe(1)
    clock.advance(7_200_000)
    const ahead = await reader.get(version)
    expect(ahead.size).toBe(0)
    // As time servers do: not worth a reading.
    clock.advance(-10_000)
    expect(await reader.get(version)).toBe(ahead)
    clock.advance(-7_190_000)
    const [back, same] = await Promise.all([reader.get(version), reader.get(version)])
    expect([back.size, same]).toEqual([1, back])
    expect(await reader.get(version)).toBe(back)
  })

  it('reads a space anew that was read, or of which something ended, while the clock was set ahead', async () => {
    const { spaceId } = await newOrganization(database.queries)
    const clock = new TestClock()
    const [reader, writer] = [new Process(spaceId, { clock }), new Process(spaceId)]
    const version = await writer.storePatterns([vectorOf(0), vectorOf(2)])
    clock.advance(3_600_000)
    const ahead = await reader.get(version)
    clock.advance(-3_600_000)
    const back = await reader.get(version)
    expect(back).not.toBe(ahead)
    clock.advance(3_600_000)
    const [row] = (await readSpace(spaceId)).rows as [Row]
    const ended = await store.updatePattern(database.queries, spaceId, row.id, {
      fields: { valid_to: new Date(1) },
    })
    expect((await reader.get(ended?.version ?? 0)).size).toBe(1)
    clock.advance(-3_600_000)
    expect(await reader.get(version)).not.toBe(back)
  })

  it('evicts the spaces unused for longest, answers for all of them, and says when one alone is too large', async () => {
    const logLines: string[] = []
    const log = createLog('warn', { write: (line) => void logLines.push(line) })
    const spaceIds = await Promise.all(
      Array.from({ length: 4 }, async () => (await newOrganization(database.queries)).spaceId),
    )
    const versions = new Map<string, number>()
    for (const spaceId of spaceIds) {
      versions.set(spaceId, await new Process(spaceId).storePatterns([vectorOf(0), vectorOf(2)]))
    }
    const alone = new SpaceCache({ queries: database.queries, budgetBytes: 1e9, clock: systemClock, log })
    await alone.get(spaceIds[0] as string, 1)
    const roomForTwo = 2.5 * alone.size

    const spaces = new SpaceCache({
      queries: database.queries,
      budgetBytes: roomForTwo,
      clock: systemClock,
      log,
    })
    const use = async (nth: number) => {
      const spaceId = spaceIds[nth] as string
      return spaces.get(spaceId, versions.get(spaceId) as number)
    }
    const [first, second] = [await use(0), await use(1)]
    expect(await use(0)).toBe(first)
    // The third takes the place of the second, which was used less lately than the first.
    await use(2)
    expect(spaces.count).toBe(2)
    expect(spaces.size).toBeLessThanOrEqual(roomForTwo)
    expect(await use(0)).toBe(first)
    const again = await use(1)
    expect(again).not.toBe(second)
    expect(compare(again, (await readSpace(spaceIds[1] as string)).rows)).toSatisfy(
      ({ found, expected }) => JSON.stringify(found) === JSON.stringify(expected),
    )
    expect(logLines).toEqual([])

    const tiny = new SpaceCache({ queries: database.queries, budgetBytes: 1, clock: systemClock, log })
    for (const spaceId of spaceIds) expect((await tiny.get(spaceId, 1)).size).toBe(2)
    expect(tiny.count).toBe(1)
    expect(logLines[0]).toContain('MEMORY_INDEX_BUDGET')
  })
})
