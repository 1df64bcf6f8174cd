import { SpaceIndex } from '@memory/memory/index/space-index'
import { SpaceLearning } from '@memory/memory/learning/space-learning'
import { reachFrom } from '@memory/memory/prefetch/reach'
import { insertPatterns } from '@memory/memory/store'
import { systemClock } from '@memory/shared/platform/clock'
import { asTenant, type Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, openTestDatabase } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const patterns = 60

/** A space of patterns, with compositions of some. */
async function newSpace(compositions: [number, number][] = []) {
  const { spaceId } = await newOrganization(database.queries)
  const stored = Array.from({ length: patterns }, () => newPattern())
  await insertPatterns(database.queries, spaceId, -1, 'test', stored)
  await asTenant(database.queries, { spaceId }, async (trx) => {
    for (const [a, b] of compositions) {
      await sql`insert into app.compositions (space_id, a, b, key, strength, created_at)
        values (${spaceId}, ${a}, ${b}, '[1,2]', 0.9, now())`.execute(trx)
    }
  })
  const index = new SpaceIndex(1)
  index.put(
    stored.map((_, idx) => ({
      idx,
      key: Float32Array.of(1, 2),
      isText: true,
      sourceDim: null,
      expiresAt: null,
      tier: 'hot',
    })),
  )
  return { spaceId, index, learned: new SpaceLearning(0) }
}

type Space = Awaited<ReturnType<typeof newSpace>>

const reach = async ({ spaceId, index, learned }: Space, from: number[], depth: number) => {
  const seeds = new Map(from.map((idx) => [idx, 1]))
  const context = { queries: database.queries, clock: systemClock }
  const reached = await reachFrom(context, spaceId, { index, learned }, seeds, depth)
  return reached.toSorted((a, b) => a - b)
}

const now = Date.now()

describe('what is reached', () => {
  it('is over successors, associates and compositions, from either side, and store order', async () => {
    const space = await newSpace([
      [10, 40],
      [5, 10],
      [40, 50],
    ])
    space.learned.add({ uses: [], associations: [[10, 20, 0.5, now]], transitions: [[10, 30, 3, now]] })
    expect(await reach(space, [10], 0)).toEqual([10])
    expect(await reach(space, [10], 1)).toEqual([5, 10, 11, 20, 30, 40])
    expect(await reach(space, [20], 1)).toEqual([10, 20, 21])
    expect(await reach(space, [10], 2)).toEqual([5, 6, 10, 11, 12, 20, 21, 30, 31, 40, 41, 50])
  })

  it('is nothing that is gone, nor what only that leads to', async () => {
    const space = await newSpace()
    space.learned.add({
      uses: [],
      associations: [
        [10, 20, 0.5, now],
        [20, 30, 0.5, now],
      ],
      transitions: [[10, 20, 3, now]],
    })
    space.index.remove([11, 20])
    expect(await reach(space, [10], 2)).toEqual([10, 12, 13])
  })

  it('is the strongest sixteen in each hop', async () => {
    const space = await newSpace()
    space.learned.add({
      uses: [],
      associations: Array.from({ length: 40 }, (_, i) => [0, i + 10, (i + 10) / 100, now]),
      transitions: [],
    })
    const first = await reach(space, [0], 1)
    expect(first).toEqual([0, ...Array.from({ length: 16 }, (_, i) => i + 34)])
  })

  it('goes round in no circle', async () => {
    const space = await newSpace([[58, 59]])
    space.learned.add({ uses: [], associations: [[58, 59, 1, now]], transitions: [[59, 58, 9, now]] })
    expect(await reach(space, [58], 5)).toEqual([58, 59])
  })
})
