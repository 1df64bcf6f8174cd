import * as store from '@memory/memory/store'
import { recordAccesses } from '@memory/memory/tiers/access-store'
import { migrateTiers } from '@memory/memory/tiers/migrate-tiers'
import { findCounters } from '@memory/memory/tiers/tier-store'
import type { Database } from '@memory/shared/platform/database/database'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomFrom } from '../../engine/naive.ts'
import { openTestDatabase } from '../../platform/open-database.ts'
import { onPostgres } from '../../support/database.ts'
import { day, newSpace, readRows } from './space.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const shuffled = (random: () => number, count: number) =>
  Array.from({ length: count }, (_, idx) => ({ idx, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ idx }) => idx)

// The embedded database has one connection, on which nothing can meet.
it.runIf(onPostgres)(
  'accesses, moves, deletes and stores of one space never wait for each other in a circle',
  async () => {
    const { queries } = database
    const random = randomFrom(1)
    const patterns = 60
    for (let round = 0; round < 40; round++) {
      const spaceId = await newSpace(
        queries,
        Array.from({ length: patterns }, () => ({})),
      )
      const access = async () => {
        const counts = new Map(shuffled(random, patterns).map((idx) => [idx, 1]))
        return recordAccesses(queries, spaceId, counts, new Date())
      }
      // Some have a row of accesses already, some get their first.
      await recordAccesses(queries, spaceId, new Map(shuffled(random, 30).map((idx) => [idx, 1])), new Date())
      const work = [
        access(),
        store.removePatterns(queries, spaceId, {
          indexes: shuffled(random, patterns).slice(0, 40),
          textOnly: false,
          dryRun: false,
        }),
        migrateTiers(queries, spaceId, new Date(Date.now() + 8 * day)),
        access(),
      ]
      const results = await Promise.allSettled(work)
      const failures = results.filter((result) => result.status === 'rejected')
      expect(failures.map(({ reason }) => `${reason} ${isDatabaseUnavailable(reason)}`)).toEqual([])
      expect(await readRows(queries, spaceId)).toHaveLength(20)
      const { hot_hits = 0, warm_hits = 0 } = (await findCounters(queries, spaceId)) ?? {}
      // Each access met the space before the delete or after it.
      const counted = hot_hits + warm_hits - 30
      expect([40, 80, 120]).toContain(counted)
    }
  },
)
