import { randomUUID, type UUID } from 'node:crypto'
import { readCalls, readLatencies, recordUsage } from '@memory/identity/usage/store'
import { UsageLog } from '@memory/identity/usage/usage-log'
import { findCompared, listOfSubject } from '@memory/memory/conflicts/compared-store'
import { listCandidates } from '@memory/memory/exploration/trial-store'
import { listDocumentChanges } from '@memory/memory/filter/document-store'
import { Learning } from '@memory/memory/learning/learning'
import { begin, saveUpdate } from '@memory/memory/learning/learning-store'
import { actorOf } from '@memory/memory/learning/record-use'
import { listTextChanges } from '@memory/memory/lexical/text-store'
import { findBeginnings, findMapped } from '@memory/memory/map/map-store'
import { listWhole } from '@memory/memory/patterns/export-store'
import {
  findIndexes,
  findPatterns,
  findPatternsAt,
  listPatterns,
} from '@memory/memory/patterns/pattern-store'
import { listAlive, listDuplicates, listUnused, strengthen } from '@memory/memory/sleep/sleep-store'
import * as memory from '@memory/memory/store'
import { listSubjects, summarizeSubject } from '@memory/memory/subjects/subject-store'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { recordAccesses } from '@memory/memory/tiers/access-store'
import { moveTiers } from '@memory/memory/tiers/tier-store'
import { listValueChars } from '@memory/memory/vectors/vector-store'
import { asTenant, type Database, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { LastUse, type Use } from '@memory/shared/platform/last-use'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { TestClock } from '../support/server.ts'
import { TurnCount } from '../support/turn-count.ts'
import { asOwner, newOrganization, openTestDatabase, withFailures } from './open-database.ts'

/** Spaces in use within one second. */
const many = 1_500

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const spaceIds = Array.from({ length: many }, () => randomUUID())

interface Sent {
  /** The turn of the event loop that it was sent in. */
  turn: number
  values: unknown[]
}

/** Queries that note the values of each statement whose text has `part`. */
function watched(turns: TurnCount, part: string): { queries: Queries; sent: Sent[] } {
  const sent: Sent[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode' && node.sqlFragments.some((text) => text.includes(part))) {
        const values = node.parameters.map((each) => (each as { value?: unknown }).value)
        sent.push({ turn: turns.count, values })
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { queries: database.queries.withPlugin(plugin), sent }
}

const turnsOf = (sent: readonly { turn: number }[]) => new Set(sent.map(({ turn }) => turn)).size

const request = (spaceId: string, keyId = randomUUID()) => ({
  caller: { spaceId, actor: { kind: 'key', keyId } as const },
  usage: 'retrieve' as const,
  queries: 1,
  ms: 5,
})

describe('a second in which many spaces were used', () => {
  it('has its usage written a few rows at a time, in a turn each, and each row once', async () => {
    const turns = new TurnCount()
    const { queries, sent } = watched(turns, 'record_usage')
    const log = new UsageLog(queries, new TestClock())
    for (const spaceId of spaceIds) log.record(request(spaceId))
    // One that was used by many callers has more rows than a statement takes.
    for (let n = 0; n < 100; n++) log.record(request(spaceIds[0] as string))
    await turns.during(() => log.flush())
    const rows = sent.map(({ values }) => values.flatMap((json) => JSON.parse(json as string) as object[]))
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(32)
    expect(rows.flat()).toHaveLength(2 * many + 100)
    // The statements of one space follow each other.
    expect(turnsOf(sent)).toBeGreaterThan((0.9 * 2 * many) / 32)
  })

  it('has its last uses written a few at a time, in a turn each, and each once', async () => {
    const turns = new TurnCount()
    const written: { turn: number; uses: Use[] }[] = []
    const write = async (uses: Use[]) => {
      written.push({ turn: turns.count, uses })
    }
    const log = new LastUse(write, new TestClock())
    for (const id of spaceIds) log.record('owner', id)
    await turns.during(() => log.flush())
    expect(Math.max(...written.map(({ uses }) => uses.length))).toBeLessThanOrEqual(32)
    expect(written.flatMap(({ uses }) => uses.map(({ id }) => id))).toEqual(spaceIds)
    expect(turnsOf(written)).toBe(written.length)
  })

  it('has its accesses written a space at a time, in a turn each, and one commit waits for the disk', async () => {
    const turns = new TurnCount()
    const { queries, sent } = watched(turns, 'record_accesses')
    const log = new AccessLog(queries, new TestClock())
    for (const spaceId of spaceIds) log.record(spaceId, [0, 1])
    await turns.during(() => log.keep())
    expect(sent.map(({ values }) => values[0])).toEqual(spaceIds)
    expect(turnsOf(sent)).toBe(many)
    expect(sent.filter(({ values }) => values.at(-1) === true)).toHaveLength(1)
  })

  it('is learned from one space after the other, in a turn each', async () => {
    const turns = new TurnCount()
    const { queries, sent } = watched(turns, 'begin_learning')
    const learning = new Learning({ queries, clock: new TestClock() })
    for (const spaceId of spaceIds) learning.record(spaceId, { kind: 'search', at: 0, surprise: 0.5 })
    await turns.during(() => learning.flush())
    expect(sent.map(({ values }) => values[0])).toEqual(spaceIds)
    expect(turnsOf(sent)).toBe(many)
  })

  it('takes the turns of all that is written down together', async () => {
    let [running, most] = [0, 0]
    const lowPriority = LowPriorityQueue.steady()
    const counted: LowPriorityQueue = Object.assign(Object.create(lowPriority), {
      run: <T>(work: () => Promise<T>) =>
        lowPriority.run(async () => {
          most = Math.max(most, ++running)
          return work().finally(() => running--)
        }),
    })
    const { queries } = database
    const clock = new TestClock()
    const usage = new UsageLog(queries, clock, counted)
    const accesses = new AccessLog(queries, clock, counted)
    const learning = new Learning({ queries, clock, lowPriority: counted })
    const keyUse = new LastUse(async () => {}, clock, counted)
    for (const spaceId of spaceIds.slice(0, 50)) {
      usage.record(request(spaceId))
      accesses.record(spaceId, [0])
      learning.record(spaceId, { kind: 'search', at: 0, surprise: 0.5 })
      keyUse.record('owner', spaceId)
    }
    await Promise.all([usage.flush(), accesses.keep(), learning.flush(), keyUse.flush()])
    expect(most).toBe(1)
  })
})

describe('observations that wait', () => {
  it('are bounded over all spaces: the one that has waited longest loses its oldest', async () => {
    const waitingMax = 25_000
    const begun: string[] = []
    const failing = { transaction: () => ({ execute: async () => begun.push('') }) } as unknown as Queries
    const learning = new Learning({ queries: failing, clock: new TestClock() })
    const search = { kind: 'search', at: 0, surprise: 0.5 } as const
    for (let n = 0; n < waitingMax + 10; n++) learning.record(`space ${n}`, search)
    await learning.flush()
    expect(begun).toHaveLength(waitingMax)
    learning.record('another', search)
    await learning.flush()
    expect(begun).toHaveLength(waitingMax + 1)
  })

  it('of one space that can’t be written hold up no other', async () => {
    const begun: number[] = []
    const failing = {
      transaction: () => ({
        execute: async () => {
          begun.push(begun.length)
          if (begun.length === 1) throw new Error('not this one')
        },
      }),
    } as unknown as Queries
    const learning = new Learning({ queries: failing, clock: new TestClock() })
    for (const spaceId of ['a', 'b', 'c']) learning.record(spaceId, { kind: 'search', at: 0, surprise: 0.5 })
    await expect(learning.flush()).rejects.toThrow('not this one')
    expect(begun).toHaveLength(3)
    await learning.flush()
    expect(begun).toHaveLength(4)
  })
})

/** The database takes statistics by itself, at any time, and plans anew by them. */
const withoutStatistics = ({ queries }: Database) =>
  asOwner(queries, async (trx) => {
    for (const table of large) {
      await sql`alter table app.${sql.id(table)} set (autovacuum_enabled = false)`.execute(trx)
    }
  })

/** Whose rows may be many in one space. */
const large = [
  ...['patterns', 'pattern_accesses', 'pattern_versions', 'passages'],
  ...['associations', 'transitions', 'pair_trials', 'compositions', 'conflicts'],
]

describe('what is written down in parts', () => {
  const spaces: UUID[] = []

  beforeAll(async () => {
    await withoutStatistics(database)
    for (let n = 0; n < 40; n++) {
      const { spaceId } = await newOrganization(database.queries)
      await memory.insertPatterns(database.queries, spaceId, -1, 'test', [
        newPattern({ key: Float32Array.of(1) }),
        newPattern({ key: Float32Array.of(1) }),
      ])
      spaces.push(spaceId as UUID)
    }
  })

  const longAgo = new Date(0)

  async function usageOf(spaceId: string): Promise<{ calls: number; timed: number }> {
    const { calls } = await readCalls(database.queries, spaceId, longAgo)
    const latencies = await readLatencies(database.queries, spaceId, longAgo)
    return {
      calls: calls.reduce((sum, { retrieves }) => sum + retrieves, 0),
      timed: latencies.reduce((sum, { count }) => sum + count, 0),
    }
  }

  async function accessesOf(spaceId: string): Promise<number> {
    const { rows } = await asTenant(database.queries, { spaceId }, (trx) =>
      sql<{ n: number }>`select coalesce(sum(access_count), 0)::int as n from app.pattern_accesses`.execute(
        trx,
      ),
    )
    return rows[0]?.n ?? Number.NaN
  }

  async function observedIn(spaceId: string): Promise<number> {
    const { rows } = await asTenant(database.queries, { spaceId }, (trx) =>
      sql<{
        n: number
      }>`select coalesce(sum(jsonb_array_length(records)), 0)::int as n from app.signal_history`.execute(trx),
    )
    return rows[0]?.n ?? Number.NaN
  }

  it('is neither lost nor written twice, wherever a flush breaks off, and whatever comes meanwhile', async () => {
    const expected = new Map(spaces.map((spaceId) => [spaceId, 0]))
    const clock = new TestClock()
    const uses = fc.array(fc.nat({ max: 39 }), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        uses,
        uses,
        fc.nat({ max: 40 }),
        fc.boolean(),
        async (first, later, at, isMeanwhile) => {
          const failing = withFailures(database.queries)
          const logs = {
            usage: new UsageLog(failing.queries, clock),
            accesses: new AccessLog(failing.queries, clock),
            learning: new Learning({ queries: failing.queries, clock }),
          }
          const record = (numbers: readonly number[]) => {
            for (const number of numbers) {
              const spaceId = spaces[number] as UUID
              expected.set(spaceId, (expected.get(spaceId) ?? 0) + 1)
              logs.usage.record(request(spaceId, spaceId))
              logs.accesses.record(spaceId, [number % 2])
              logs.learning.record(spaceId, {
                kind: 'answer',
                at: clock.now().getTime(),
                surprise: 0.5,
                actor: actorOf(spaceId, 'one'),
                query: '',
                pathway: 'exact',
                patterns: [{ idx: 0, cosine: 1 }],
              })
            }
          }
          const flush = () =>
            Promise.allSettled([logs.usage.flush(), logs.accesses.keep(), logs.learning.flush()])
          record(first)
          // The statements that name this space fail.
          failing.failing = spaces[at]
          const flushing = flush()
          if (isMeanwhile) record(later)
          await flushing
          if (!isMeanwhile) record(later)
          await flush()
          failing.failing = undefined
          await flush()
          await flush()
        },
      ),
      { numRuns: 8 },
    )
    for (const [spaceId, count] of expected) {
      expect(await usageOf(spaceId)).toEqual({ calls: count, timed: count })
      expect(await accessesOf(spaceId)).toBe(count)
      expect(await observedIn(spaceId)).toBe(count)
    }
  })

  interface Reads {
    /** Rows that were read one after the other. */
    seq: number
    /** Rows that were found by an index, or entries of indexes that were read for them. */
    idx: number
  }

  /** Queries whose transactions are part of one that is open. */
  const within = (trx: Trx): Queries =>
    new Proxy(trx, {
      get(target, name: keyof Trx) {
        if (name === 'transaction') return () => ({ execute: (work: (trx: Trx) => unknown) => work(trx) })
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })

  /** What work reads of tables; it is undone where others are to find what it found. */
  async function reads(
    { queries }: Database,
    work: (queries: Queries) => Promise<unknown>,
    tables: string[],
    isUndone = false,
  ) {
    return queries.transaction().execute(async (trx) => {
      // Those of transactions before are counted here too, until the database has taken them over.
      const counted = async () => {
        const { rows } = await sql<Reads & { name: string }>`
          select relname::text as name, coalesce(sum(seq_tup_read), 0)::int as seq,
              greatest(coalesce(sum(idx_tup_fetch), 0), coalesce(sum((
                select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = t.relid
              )), 0))::int as idx
            from pg_stat_xact_user_tables t where schemaname = 'app' and relname = any (${tables}::text[])
            group by relname`.execute(trx)
        return new Map(rows.map(({ name, seq, idx }) => [name, { seq, idx }]))
      }
      const before = await counted()
      await sql`savepoint found`.execute(trx)
      await work(within(trx))
      const after = await counted()
      if (isUndone) await sql`rollback to savepoint found`.execute(trx)
      const readOf = (table: string): Reads => {
        const none = { seq: 0, idx: 0 }
        const [was, is] = [before.get(table) ?? none, after.get(table) ?? none]
        return { seq: is.seq - was.seq, idx: is.idx - was.idx }
      }
      return Object.fromEntries(tables.map((table) => [table, readOf(table)])) as Record<string, Reads>
    })
  }

  it('has the spaces looked up that it is of, however many there are', async () => {
    await asOwner(database.queries, async (trx) => {
      await sql`with made as (insert into app.organizations (id, name, plan)
          select gen_random_uuid(), 'Test', 'free' from generate_series(1, 2000) returning id)
        insert into app.spaces (organization_id, environment) select id, 'live' from made`.execute(trx)
      await sql`analyze app.spaces`.execute(trx)
    })
    const at = new Date(0)
    const calls = spaces.slice(0, 10).map((spaceId) => ({
      ...{ spaceId, at, caller: randomUUID() as string, stores: 0, retrieves: 1 },
      ...{ recalls: 0, explains: 0, consolidations: 0, other: 0, queries: 1 },
    }))
    const times = spaces.slice(0, 10).map((spaceId) => ({
      ...{ spaceId, at, operation: 'retrieve' as const, bins: [1], counts: [1] },
    }))
    const read = await reads(database, (queries) => recordUsage(queries, calls, times), ['spaces'])
    // Once for each row, and for what refers to them.
    expect(read).toEqual({ spaces: { seq: 0, idx: expect.toSatisfy((count: number) => count <= 4 * 20) } })
  })

  const named: [string, (queries: Queries, spaceId: string, indexes: number[]) => Promise<unknown>][] = [
    ['an answer', (queries, spaceId, indexes) => memory.findPayloads(queries, spaceId, indexes, true)],
    [
      'a comparison of keys',
      (queries, spaceId, indexes) => memory.findKeys(queries, spaceId, indexes, undefined),
    ],
    [
      'accesses',
      (queries, spaceId, indexes) =>
        recordAccesses(queries, spaceId, new Map(indexes.map((idx) => [idx, 1])), new Date(0)),
    ],
    [
      'tiers',
      async (queries, spaceId, indexes) => {
        const moves = indexes.map((idx) => ({ idx, from: 'hot', to: 'cold' }) as const)
        expect(await moveTiers(queries, spaceId, moves)).toBe(indexes.length)
        const accesses = new Map(indexes.map((idx) => [idx, 1]))
        expect(await recordAccesses(queries, spaceId, accesses, new Date(0))).toHaveLength(indexes.length)
      },
    ],
    ['lengths of values', (queries, spaceId, indexes) => listValueChars(queries, spaceId, indexes, 25)],
    ['a page of a list', (queries, spaceId, indexes) => findPatternsAt(queries, spaceId, indexes)],
    [
      'patterns by their ids',
      async (queries, spaceId, indexes) => {
        const ids = (await findPatternsAt(queries, spaceId, indexes)).map(({ id }) => id)
        const names = { ids, externalIds: ['a name'], indexes: indexes.slice(0, 1) }
        const found = (await findPatterns(queries, spaceId, names)).map(({ idx }) => idx)
        expect(found).toEqual(indexes)
        const named = await asTenant(queries, { spaceId }, (trx) => findIndexes(trx, spaceId, names))
        expect(named.sort((a, b) => a - b)).toEqual(found)
      },
    ],
    [
      'a map',
      async (queries, spaceId, indexes) => {
        expect(await findMapped(queries, spaceId, indexes)).toHaveLength(indexes.length)
        expect((await findBeginnings(queries, spaceId, indexes, 3)).size).toBe(indexes.length)
      },
    ],
    [
      'sleep',
      (queries, spaceId, indexes) =>
        asTenant(queries, { spaceId }, async (trx) => {
          expect([...(await listAlive(trx, spaceId, indexes))].sort((a, b) => a - b)).toEqual(indexes)
          await strengthen(trx, spaceId, 1, new Date(0), indexes, 0.1)
        }),
    ],
    [
      'what sleep looks through',
      (queries, spaceId, [first = 0]) =>
        asTenant(queries, { spaceId }, async (trx) => {
          expect(await listUnused(trx, spaceId, first, 3, new Date())).toHaveLength(3)
          expect(await listDuplicates(trx, spaceId, first, 3)).toEqual([])
        }),
    ],
    [
      'a page',
      async (queries, spaceId, [first = 0]) => {
        const page = { after: first - 1, count: 2 }
        const listed = await listPatterns(queries, spaceId, { ...page, all: false })
        expect(listed.map(({ idx }) => idx)).toEqual([first, first + 1])
        const whole = await listWhole(queries, spaceId, { ...page, before: 2 ** 31 - 1 })
        expect(whole.map(({ idx }) => idx)).toEqual([first, first + 1])
      },
    ],
    [
      'what changed',
      async (queries, spaceId) => {
        const { version = 0 } = (await memory.findSpaceHeader(queries, spaceId)) ?? {}
        expect((await memory.listChanges(queries, spaceId, version)).stored).toEqual([])
        expect((await listDocumentChanges(queries, spaceId, version))?.stored).toEqual([])
        expect((await listTextChanges(queries, spaceId, version))?.stored).toEqual([])
      },
    ],
    [
      'what a store looks up',
      async (queries, spaceId) => {
        expect(await memory.findSpaceHeader(queries, spaceId)).toMatchObject({ textModel: 'test' })
        await memory.insertPatterns(queries, spaceId, -1, 'test', [newPattern()])
      },
    ],
    [
      'what is compared',
      async (queries, spaceId, indexes) => {
        const found = await findCompared(queries, spaceId, indexes)
        expect(found.map(({ idx }) => idx).sort((a, b) => a - b)).toEqual(indexes)
        expect(await listCandidates(queries, spaceId, {}, 10)).toEqual([])
      },
    ],
    [
      'a subject',
      async (queries, spaceId, [first = 0]) => {
        const subject = subjectOf(first)
        expect(await listOfSubject(queries, spaceId, subject)).toEqual([first])
        const page = { after: -1, before: 2 ** 31 - 1, count: 2 }
        expect(await listWhole(queries, spaceId, { ...page, subject })).toHaveLength(1)
        expect(
          await asTenant(queries, { spaceId }, (trx) => memory.listIndexes(trx, spaceId, { subject })),
        ).toEqual([first])
        expect(
          await listSubjects(queries, spaceId, { after: undefined, prefix: undefined, count: 2 }),
        ).toHaveLength(2)
        expect(await summarizeSubject(queries, spaceId, subject)).toMatchObject({ patterns: 1 })
      },
    ],
    [
      'what is like a text',
      async (queries, spaceId, indexes) => {
        const { version: seen = 0 } = (await memory.findSpaceHeader(queries, spaceId)) ?? {}
        const similar = {
          found: indexes,
          seen,
          query: sameKey,
          threshold: 0.9,
          textHash: patternAt(indexes[0] ?? 0).textHash ?? '',
        }
        const found = await memory.removePatterns(queries, spaceId, { similar, textOnly: true, dryRun: true })
        expect(found.patterns.map(({ idx }) => idx)).toEqual(indexes)
      },
    ],
    ['learning', (queries, spaceId, indexes) => begin(queries as Trx, spaceId, [], indexes)],
    [
      'lessons',
      (queries, spaceId, indexes) => {
        const [first = 0, second = 0] = indexes
        return saveUpdate(queries as Trx, spaceId, 1, new Date(0), {
          associations: [{ a: first, b: second, kept: 0.9 }],
          transitions: [{ source: first, target: second, count: 1 }],
          strengths: indexes.map((idx) => ({ idx, strength: 0.5 })),
          traces: new Map(),
        })
      },
    ],
    [
      'what hangs on patterns',
      (queries, spaceId, indexes) =>
        asTenant(queries, { spaceId }, (trx) =>
          sql`select array_agg(p.id), app.erase_beside(${spaceId}, ${indexes}::int[])
            from app.named_patterns(${spaceId}, ${indexes}::int[]) p`.execute(trx),
        ),
    ],
    // It comes last: what is gone can't be named.
    [
      'a removal',
      async (queries, spaceId, indexes) => {
        const removal = { textOnly: false, indexes }
        const { patterns } = await memory.removePatterns(queries, spaceId, { ...removal, dryRun: true })
        const removed = await memory.removePatterns(queries, spaceId, { ...removal, dryRun: false })
        expect(removed.patterns).toEqual(patterns)
        expect(patterns).toHaveLength(indexes.length)
      },
    ],
  ]

  const sameKey = Float32Array.of(1, 2, 3)
  const subjectOf = (i: number) => `s${i.toString().padStart(4, '0')}`
  const patternAt = (i: number) =>
    newPattern({
      key: sameKey,
      textHash: i.toString(16).padStart(64, '0'),
      address: { subject: subjectOf(i) },
    })

  /** A new space with patterns of which accesses were counted. */
  async function spaceOf({ queries }: Database, count: number, isAccessed = true): Promise<string> {
    const { spaceId } = await newOrganization(queries)
    const patterns = Array.from({ length: count }, (_, i) => patternAt(i))
    await memory.insertPatterns(queries, spaceId, -1, 'test', patterns)
    if (isAccessed)
      await recordAccesses(queries, spaceId, new Map(patterns.map((_, idx) => [idx, 1])), new Date(0))
    return spaceId
  }

  type Work = (typeof named)[number][1]

  const three = [5, 700, 2_999]

  /** Rows that work of three of 3,000 patterns reads of them and of what is counted of them, planned now. */
  async function readsOfThree(spaceId: string, work: Work) {
    const planned = async (queries: Queries) => {
      await sql`discard plans`.execute(queries)
      // As from the sixth time on.
      await sql`set local plan_cache_mode = force_generic_plan`.execute(queries)
      await work(queries, spaceId, three)
    }
    return reads(database, planned, ['patterns', 'pattern_accesses'], true)
  }

  // What refers to a pattern has it looked up again; all of them are 3,000.
  const few = { seq: 0, idx: expect.toSatisfy((count: number) => count < 100) }

  describe('without statistics', () => {
    let spaceId: string

    beforeAll(async () => {
      spaceId = await spaceOf(database, 3_000)
    })

    it.each(named)('of %s reads no pattern of a space but those that it names', async (_, work) => {
      expect(await readsOfThree(spaceId, work)).toEqual({ patterns: few, pattern_accesses: few })
    })
  })

  describe('where statistics tell of small spaces', () => {
    let spaceId: string

    beforeAll(async () => {
      await asOwner(database.queries, (trx) =>
        sql`truncate ${sql.join(large.map((table) => sql.table(`app.${table}`)))}`.execute(trx),
      )
      for (const spaceId of spaces) {
        await memory.insertPatterns(database.queries, spaceId, -1, 'test', [newPattern()])
        await recordAccesses(database.queries, spaceId, new Map([[0, 1]]), new Date(0))
      }
      await asOwner(database.queries, (trx) => sql`analyze app.patterns, app.pattern_accesses`.execute(trx))
      spaceId = await spaceOf(database, 3_000)
    })

    it('expects large ones in every table of spaces', async () => {
      const { rows } = await sql<{ name: string; options: string[] | null }>`
        select a.attrelid::regclass::text || '.' || a.attname as name, a.attoptions as options
          from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
          where c.relnamespace = 'app'::regnamespace and not a.attisdropped and (a.attname = 'space_id'
            or (a.attname = 'idx' and exists (select from pg_attribute s
              where s.attrelid = a.attrelid and s.attname = 'space_id' and not s.attisdropped)))`.execute(
        database.queries,
      )
      expect(rows.length).toBeGreaterThan(20)
      // As migration 0128 has it; a later table has it in its own.
      expect(rows.filter(({ options }) => !options?.some((each) => each.startsWith('n_distinct=')))).toEqual(
        [],
      )
    })

    it.each(named)('of %s reads no pattern of a large one but those that it names', async (_, work) => {
      expect(await readsOfThree(spaceId, work)).toEqual({ patterns: few, pattern_accesses: few })
    })
  })

  describe('by a connection that planned while all were small', () => {
    let young: Database
    let ofYoung: string

    beforeAll(async () => {
      young = await openTestDatabase(1)
      await withoutStatistics(young)
      for (const [, work] of named) await work(young.queries, await spaceOf(young, 3), [0, 1, 2])
      ofYoung = await spaceOf(young, 3_000)
    })

    afterAll(() => young.close())

    it.each(named)('of %s reads no table whole', async (_, work) => {
      const read = await reads(young, (queries) => work(queries, ofYoung, three), [
        'patterns',
        'pattern_accesses',
      ])
      // While all indexes are as small, it may be another index of the space than that of the numbers.
      const ofSpace = { seq: 0, idx: expect.toSatisfy((count: number) => count < 10 * 3_000) }
      expect(read).toEqual({ patterns: ofSpace, pattern_accesses: few })
    })
  })

  /** Writes what hangs on patterns, each with that of the next number. */
  const hanging: [string, Work][] = [
    [
      'first accesses',
      (queries, spaceId, indexes) =>
        recordAccesses(queries, spaceId, new Map(indexes.map((idx) => [idx, 1])), new Date(0)),
    ],
    [
      'many lessons',
      (queries, spaceId, indexes) => {
        const pairs = indexes.slice(1).map((idx) => [idx - 1, idx] as const)
        return saveUpdate(queries as Trx, spaceId, 1, new Date(0), {
          associations: pairs.map(([a, b]) => ({ a, b, kept: 0.5 })),
          transitions: pairs.map(([source, target]) => ({ source, target, count: 1 })),
          strengths: indexes.map((idx) => ({ idx, strength: 0.5 })),
          traces: new Map(),
        })
      },
    ],
    ...Object.entries({
      passages: sql`insert into app.passages (space_id, idx, n, first_character, end_character, key)
        select app.current_space(), i, 0, 0, 1, '[1]'`,
      trials: sql`insert into app.pair_trials (space_id, a, b, valid, invalid, coherence, priority, tried_at)
        select app.current_space(), i, i + 1, 1, 0, 0.5, 0.5, now()`,
      compositions: sql`insert into app.compositions (space_id, a, b, key, strength, created_at)
        select app.current_space(), i, i + 1, '[1]', 0.5, now()`,
      conflicts: sql`insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
        select app.current_space(), i, i + 1, i::text, 'near_duplicate', 0.9, now()`,
    }).map(([name, insert]): [string, Work] => [
      name,
      (queries, spaceId, indexes) =>
        asTenant(queries, { spaceId }, (trx) =>
          sql`${insert} from unnest(${indexes.slice(0, -1)}::int[]) as n (i)`.execute(trx),
        ),
    ]),
  ]

  const works = [...named.slice(0, -1), ...hanging, ...named.slice(-1)]

  /** Has all works planned, each several times. */
  const planAll = async (small: Database) => {
    for (const [, work] of works) {
      for (let n = 0; n < 6; n++) await work(small.queries, await spaceOf(small, 3), [0, 1, 2])
    }
  }
  const analyzeAll = (small: Database) => asOwner(small.queries, (trx) => sql`analyze`.execute(trx))

  it.each<[string, number, (small: Database) => Promise<unknown>]>([
    ['when there are no statistics', 3_000, async () => {}],
    [
      // Of so many, no statement would end in time that compares each with each.
      'where they were taken of a few small spaces',
      8_000,
      async (small) => {
        for (let n = 0; n < 20; n++) await spaceOf(small, 3)
        await analyzeAll(small)
      },
    ],
    ['as it was planned while all were small', 3_000, planAll],
    [
      'as it was planned by statistics of small ones',
      3_000,
      async (small) => {
        await planAll(small)
        await analyzeAll(small)
        await planAll(small)
      },
    ],
  ])('reads as much more as it names more, %s', async (_, count, prepare) => {
    const grown = await openTestDatabase(1)
    try {
      await withoutStatistics(grown)
      await prepare(grown)
      const spaceId = await spaceOf(grown, count, false)
      const half = Array.from({ length: count / 2 }, (_, i) => i + 700)
      const tooMuch: string[] = []
      for (const [name, work] of works) {
        const read = await reads(grown, (queries) => work(queries, spaceId, half), large)
        for (const [table, { seq, idx }] of Object.entries(read)) {
          // Each is read some times, with what updates left of it, and none once for each other.
          if (seq > 0 || idx > 100 * half.length) tooMuch.push(`${name}: ${seq} and ${idx} of ${table}`)
        }
      }
      expect(tooMuch).toEqual([])
    } finally {
      await grown.close()
    }
  })
})
