import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, getSpace, inSpace } from '../space.ts'
import { cosineOf } from './naive.ts'
import { batchStore, getVector, put, query, remove, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Pattern {
  idx: number
  key: number[]
  value: number[]
  metadata: object | null
}

/** What the service promises, in a list. */
class Model {
  #next = 0
  patterns: Pattern[] = []

  get count(): number {
    return this.#next
  }

  store(key: number[], value: number[], metadata: object | null): void {
    this.patterns.push({ idx: this.#next++, key, value, metadata })
  }

  with(key: number[]): Pattern[] {
    return this.patterns.filter((pattern) => String(pattern.key) === String(key))
  }

  remove(key: number[]): void {
    const gone = this.with(key)
    this.patterns = this.patterns.filter((pattern) => !gone.includes(pattern))
  }

  nearest(embedding: number[], count: number): Pattern[] {
    const score = ({ key }: Pattern) => Math.round(1e9 * cosineOf(key, embedding))
    return this.patterns
      .filter(({ key }) => key.length === embedding.length)
      .toSorted((a, b) => score(b) - score(a) || a.idx - b.idx)
      .slice(0, count)
  }
}

interface Retrieved {
  semantic_score: number
  metadata: unknown
}

/** A result, as far as rounding does not matter. */
const described = (cosine: number, metadata: unknown) =>
  `${cosine.toFixed(6)} ${JSON.stringify(metadata)}`.replace('-0.000000', '0.000000')

// No two of them point the same way, so that rounding decides no order.
const key = fc.constantFrom<number[][]>(
  [1],
  [-1],
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
  [1, 2],
  [1, 0, 0],
  [1, 1, 1],
  [2, 1, 0],
)
const value = fc.array(fc.constantFrom(0, 0.5, 1, -2), { minLength: 1, maxLength: 3 })
const metadata = fc.constantFrom<object | null>(null, { a: 1 }, { b: 'x' })
const pattern = fc.record({ key, value, metadata })

type Step = (client: ConformingClient, model: Model) => Promise<void>

const store = pattern.map(
  ({ key, value, metadata }): Step =>
    async (client, model) => {
      await storeVector(client, key, value, { metadata })
      model.store(key, value, metadata)
    },
)

const storeBatch = fc.array(pattern, { minLength: 1, maxLength: 6 }).map(
  (patterns): Step =>
    async (client, model) => {
      await batchStore(client, patterns)
      for (const { key, value, metadata } of patterns) model.store(key, value, metadata)
    },
)

const change = pattern.map(
  ({ key, value, metadata }): Step =>
    async (client, model) => {
      const { status } = await put(client, { key, new_value: value, metadata })
      const newest = model.with(key).at(-1)
      expect(status).toBe(newest === undefined ? 404 : 200)
      if (newest !== undefined) Object.assign(newest, { value, metadata })
    },
)

const removeKey = key.map(
  (key): Step =>
    async (client, model) => {
      const { status, body } = await remove(client, key)
      const count = model.with(key).length
      expect(status).toBe(count === 0 ? 404 : 200)
      if (count > 0) expect(body.message).toBe(`${count} ${count === 1 ? 'pattern' : 'patterns'} deleted`)
      model.remove(key)
    },
)

const reload = fc.constant<Step>((client) =>
  inSpace(server, client, async (_trx, { id }) => server.context.memory.spaces.drop(id)),
)

const find = fc.record({ embedding: key, top_k: fc.integer({ min: 1, max: 12 }) }).map(
  ({ embedding, top_k }): Step =>
    async (client, model) => {
      const expected = model.nearest(embedding, top_k)
      const found = await query(client, embedding, { top_k })
      expect(found.map(({ value }) => value)).toEqual(expected.map(({ value }) => value))
      // What was used comes before what is as near: the order is that of use, and all are there.
      const { body } = await client.post('/v1/memory/retrieve', { embedding, top_k: 100 })
      const scored = body.results.map(({ semantic_score, metadata }: Retrieved) =>
        described(semantic_score, metadata),
      )
      const all = model
        .nearest(embedding, 100)
        .map((one) => described(cosineOf(one.key, embedding), one.metadata))
      expect(scored.sort()).toEqual(all.sort())
    },
)

const step = fc.oneof(
  { weight: 3, arbitrary: store },
  { weight: 2, arbitrary: storeBatch },
  { weight: 2, arbitrary: change },
  { weight: 1, arbitrary: removeKey },
  { weight: 1, arbitrary: reload },
  { weight: 5, arbitrary: find },
)

it('answers what a plain list of patterns would, after any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
      const client = await newConformingClient(server)
      const model = new Model()
      for (const run of steps) await run(client, model)
      const left = new Map(model.patterns.map(({ idx, ...rest }) => [idx, rest]))
      for (let idx = 0; idx < model.count; idx++) {
        const expected = left.get(idx)
        if (expected !== undefined) expect(await getVector(client, idx)).toEqual(expected)
        else expect((await client.get(`/v1/memory/pattern/${idx}`)).status).toBe(404)
      }
      expect(await getSpace(server, client)).toMatchObject({
        patterns_used: left.size,
        next_idx: model.count,
      })
      await expectCountersToMatch(server, client)
    }),
    { numRuns: 8 },
  )
})

it('keeps what parallel changes leave, in the index as in the database', async () => {
  const client = await newConformingClient(server)
  const keys = [
    [1, 0],
    [0, 1],
    [1, 1],
  ]
  await Promise.all(
    Array.from({ length: 90 }, async (_, i) => {
      const key = keys[i % 3] as number[]
      if (i % 5 === 0) await remove(client, key)
      else if (i % 5 === 1) await put(client, { key, new_value: [i] })
      else if (i % 5 === 2)
        await batchStore(client, [
          { key, value: [i] },
          { key: [1, -1], value: [i] },
        ])
      else if (i % 5 === 3) await storeVector(client, key, [i])
      else await query(client, key, { top_k: 100 })
    }),
  )
  const found = () => Promise.all(keys.map((key) => query(client, key, { top_k: 100 })))
  const resident = await found()
  await inSpace(server, client, async (_trx, { id }) => server.context.memory.spaces.drop(id))
  expect(await found()).toEqual(resident)
  const { patterns_used } = await getSpace(server, client)
  expect(resident[0]).toHaveLength(Math.min(100, patterns_used))
  await expectCountersToMatch(server, client)
})
