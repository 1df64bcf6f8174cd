import { norm } from '@memory/engine/kernels/javascript'
import { kernels, RowFlag } from '@memory/engine/kernels/kernels'
import type { Found } from '@memory/memory/index/shard'
import type { NewPattern } from '@memory/memory/store'
import * as store from '@memory/memory/store'
import { rescore } from '@memory/memory/vectors/rescore'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byScoreThenLabel, randomFrom, randomVector } from '../engine/naive.ts'
import { asOwner, newOrganization, openTestDatabase } from '../platform/open-database.ts'
import { newPattern } from '../support/pattern.ts'
import { newSpace } from './tiers/space.ts'

const dimensions = 4
const count = 40
const anyEncoder = { modelId: undefined }

describe('rescore', () => {
  let database: Database
  let spaceId: string
  let statements: number
  let queries: Queries
  const random = randomFrom(1)
  // Whole numbers: equal cosines are frequent.
  const keys = Array.from({ length: count }, () => randomVector(random, dimensions, true))
  const queryOf = (seed: number) => randomVector(randomFrom(seed), dimensions, true)

  beforeAll(async () => {
    database = await openTestDatabase()
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    queries = database.queries.withPlugin(counter)
    spaceId = await newSpace(
      database.queries,
      keys.map((key) => ({ key })),
    )
  })

  afterAll(() => database.close())

  /** To the last bit as a search gives it: equal scores stay equal. */
  const cosineOf = (query: Float32Array, label: number): number => {
    const values = keys[label] as Float32Array
    const inverseNorms = Float64Array.of(1 / norm(values))
    const flags = Uint8Array.of(RowFlag.alive)
    const matrix = { dimensions, count: 1, values, inverseNorms, labels: Int32Array.of(label), flags }
    return kernels.nearest(matrix, query, 1, -2, { requiredFlags: RowFlag.alive }).scores[0] as number
  }

  /** A search that found these patterns, and knows the cosines of some of them, which it held to the least score. */
  function found(
    query: Float32Array,
    labels: number[],
    isExact: (label: number) => boolean,
    minScore = -1,
  ): Found {
    const scored = labels
      .map((label) => {
        const score = cosineOf(query, label)
        return { label, score: isExact(label) ? score : Math.min(1, score + 0.1), exact: isExact(label) }
      })
      .filter(({ score, exact }) => !exact || score >= minScore)
      .sort(byScoreThenLabel)
    return {
      labels: Int32Array.from(scored, ({ label }) => label),
      scores: Float64Array.from(scored, ({ score }) => score),
      exact: Uint8Array.from(scored, ({ exact }) => Number(exact)),
    }
  }

  const rounded = (score: number) => Math.round(score * 1e6) / 1e6 + 0
  const listed = ({ labels, scores }: { labels: Int32Array; scores: Float64Array }) =>
    Array.from(labels, (label, i) => ({ label, score: rounded(scores[i] as number) }))

  it('gives the k of greatest cosine, for several searches in one round trip', async () => {
    const search = fc.record({
      seed: fc.nat(),
      labels: fc.uniqueArray(fc.nat({ max: count - 1 })),
      exact: fc.uniqueArray(fc.nat({ max: count - 1 })),
    })
    const least = fc.constantFrom(-1, -0.3, 0.05, 0.8)
    await fc.assert(
      fc.asyncProperty(
        fc.array(search, { maxLength: 4 }),
        fc.nat({ max: 12 }),
        least,
        async (all, k, minScore) => {
          statements = 0
          const searches = all.map(({ seed, labels, exact }) =>
            found(queryOf(seed), labels, (label) => exact.includes(label), minScore),
          )
          const rescored = await rescore(
            queries,
            spaceId,
            anyEncoder,
            all.map(({ seed }) => queryOf(seed)),
            searches,
            { k, minScore },
          )
          const isRescored = searches.some(({ exact }) => exact?.includes(0))
          expect(statements).toBe(isRescored ? 1 : 0)
          const expected = all.map(({ seed, labels }) =>
            labels
              .map((label) => ({ label, score: cosineOf(queryOf(seed), label) }))
              .filter(({ score }) => score >= minScore)
              .sort(byScoreThenLabel)
              .slice(0, k)
              .map(({ label, score }) => ({ label, score: rounded(score) })),
          )
          expect(rescored.map(listed)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('asks nobody for scores of a search that has cosines only', async () => {
    statements = 0
    const query = queryOf(3)
    const { labels, scores } = found(query, [1, 2, 3], () => true)
    const [hits] = await rescore(queries, spaceId, anyEncoder, [query], [{ labels, scores }], {
      k: 2,
      minScore: -1,
    })
    expect(hits).toEqual({ labels: labels.slice(0, 2), scores: scores.slice(0, 2) })
    expect(statements).toBe(0)
  })

  it('leaves out what was removed, or got a key of another length, since it was found', async () => {
    const gone = await newSpace(
      database.queries,
      keys.slice(0, 4).map((key, i) => (i === 2 ? { key: Float32Array.of(1, 2, 3) } : { key })),
    )
    await store.removePatterns(database.queries, gone, { indexes: [0], textOnly: false, dryRun: false })
    const query = queryOf(3)
    const search = found(query, [0, 1, 2, 3], () => false)
    const [hits] = await rescore(queries, gone, anyEncoder, [query], [search], { k: 10, minScore: -1 })
    expect(Array.from(hits?.labels ?? []).toSorted()).toEqual([1, 3])
  })

  it('leaves out a text that another encoder embedded since it was found, and no vector', async () => {
    const [one, another, vector] = keys.slice(0, 3).map((key) => newPattern({ key, textHash: '00' }))
    const { spaceId: id } = await newOrganization(database.queries)
    await store.insertPatterns(database.queries, id, -1, 'one', [one as NewPattern, another as NewPattern])
    const unnamed = { ...(vector as NewPattern), text: null, textHash: null }
    await store.insertPatterns(database.queries, id, -1, 'one', [unnamed])
    await asOwner(database.queries, (trx) =>
      sql`update app.patterns set model = 'another' where space_id = ${id} and idx = 1`.execute(trx),
    )
    const query = queryOf(3)
    const search = found(query, [0, 1, 2], () => false)
    const labelsFor = async (modelId: string | undefined) => {
      const [hits] = await rescore(queries, id, { modelId }, [query], [search], { k: 10, minScore: -1 })
      return Array.from(hits?.labels ?? []).toSorted()
    }
    expect(await labelsFor('one')).toEqual([0, 2])
    expect(await labelsFor('another')).toEqual([1, 2])
    expect(await labelsFor(undefined)).toEqual([0, 1, 2])
  })
})
