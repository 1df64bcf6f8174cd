import { scoreAt } from '@memory/engine/tiers'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { migrateTiers } from '@memory/memory/tiers/migrate-tiers'
import { findCounters } from '@memory/memory/tiers/tier-store'
import type { Database } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../platform/open-database.ts'
import { day, newSpace, readRows } from './space.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const places = 6
const isProtected = (idx: number) => idx % 3 === 2

/** What the service says of tiers, written down once more: every access is kept, and every sum is added up anew. */
class Model {
  readonly #accesses: number[][]
  readonly tiers: string[]
  readonly counters = { hot_hits: 0, warm_hits: 0, cold_hits: 0, promotions: 0, demotions: 0 }
  #answers: number[][] = []

  constructor(createdAt: number[]) {
    this.#accesses = createdAt.map((at) => [at])
    this.tiers = createdAt.map(() => 'hot')
  }

  score(idx: number, now: number): number {
    return (this.#accesses[idx] as number[]).reduce((sum, at) => sum + 2 ** (-(now - at) / (7 * day)), 0)
  }

  answer(patterns: number[]): void {
    this.#answers.push(patterns)
  }

  flush(now: number): void {
    const held = [...this.tiers]
    for (const answer of this.#answers) {
      for (const [rank, idx] of answer.entries()) {
        const tier = held[idx] as 'hot' | 'warm' | 'cold'
        this.counters[`${tier}_hits`]++
        if (rank < 3 && tier === 'cold') this.#promote(idx, 'warm')
        if (rank < 3 && tier === 'warm' && this.score(idx, now) >= 0.5) this.#promote(idx, 'hot')
        this.#accesses[idx]?.push(now)
      }
    }
    this.#answers = []
  }

  #promote(idx: number, tier: string): void {
    if (this.tiers[idx] !== tier) this.counters.promotions++
    this.tiers[idx] = tier
  }

  migrate(now: number): void {
    for (const [idx, tier] of this.tiers.entries()) {
      const a = this.score(idx, now)
      const to = a < 0.05 && !isProtected(idx) ? 'cold' : a < 0.5 && tier === 'hot' ? 'warm' : tier
      if (to !== tier) this.counters.demotions++
      this.tiers[idx] = to
    }
  }
}

type Step =
  | { kind: 'answer'; patterns: number[] }
  | { kind: 'flush' }
  | { kind: 'wait'; days: number }
  | { kind: 'migrate' }

const days = fc.oneof(
  fc.double({ min: 0.1, max: 10, noNaN: true }),
  fc.double({ min: 25, max: 60, noNaN: true }),
)
const patterns = fc.shuffledSubarray([...Array(places).keys()], { minLength: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('answer' as const), patterns }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('flush' as const) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('wait' as const), days }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('migrate' as const) }), weight: 3 },
)

it('tiers, scores and counters are what keeping every access would give, whatever comes in between', async () => {
  const { queries } = database
  const seen = { promotions: 0, demotions: 0, cold_hits: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const spaceId = await newSpace(
        queries,
        Array.from({ length: places }, (_, idx) => ({ protected: isProtected(idx) })),
      )
      const model = new Model(
        (await readRows(queries, spaceId)).map(({ created_at }) => created_at.getTime()),
      )
      let now = Date.now()
      const accesses = new AccessLog(queries, { now: () => new Date(now) })
      for (const each of steps) {
        if (each.kind === 'wait') now += Math.round(each.days * day)
        if (each.kind === 'answer') {
          accesses.record(spaceId, each.patterns)
          model.answer(each.patterns)
        }
        if (each.kind === 'flush') {
          await accesses.flush()
          model.flush(now)
        }
        if (each.kind === 'migrate') {
          await migrateTiers(queries, spaceId, new Date(now))
          model.migrate(now)
        }
        expect((await readRows(queries, spaceId)).map(({ tier }) => tier)).toEqual(model.tiers)
      }
      await accesses.flush()
      model.flush(now)
      const rows = await readRows(queries, spaceId)
      for (const [idx, { score, scored_at, created_at }] of rows.entries()) {
        const kept = { value: score ?? 1, at: scored_at ?? created_at }
        expect(scoreAt(kept, new Date(now))).toBeCloseTo(model.score(idx, now), 6)
      }
      expect(rows.map(({ tier }) => tier)).toEqual(model.tiers)
      const none = { hot_hits: 0, warm_hits: 0, cold_hits: 0, promotions: 0, demotions: 0 }
      const counters = (await findCounters(queries, spaceId)) ?? none
      expect(counters).toMatchObject(model.counters)
      seen.promotions += counters.promotions
      seen.demotions += counters.demotions
      seen.cold_hits += counters.cold_hits
    }),
    { numRuns: 20, seed: 3 },
  )
  // The runs came to what they are about.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20)
})
