import { project, unproject } from '@memory/engine/kernels/rotation'
import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Identity } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, inSpace, rule } from '../space.ts'
import { cosineOf, randomVector, stored } from './naive.ts'
import { batchStore, query, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/query'

async function setQueriesUsed(owner: Identity, used: number): Promise<void> {
  await inSpace(server, owner, (trx, { id }) =>
    sql`insert into app.query_counts (space_id, day, used) values (${id}, (now() at time zone 'utc')::date, ${used})
      on conflict (space_id, day) do update set used = excluded.used`.execute(trx),
  )
}

describe('POST /v1/memory/query', () => {
  it.each([2, 3, 7, 8, 9, 16, 100, 384])('answers the cosine order of keys of %d numbers', async (n) => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 40 }, (_, i) => randomVector(n, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const wanted = randomVector(n, 1_000)
    const found = await query(ada, wanted, { top_k: 100 })
    const expected = keys
      .map((key, i) => ({ i, cosine: cosineOf(stored(wanted), stored(key)) }))
      .toSorted((a, b) => Math.round(1e9 * (b.cosine - a.cosine)) || a.i - b.i)
    expect(found.map(({ value, confidence }) => ({ i: value[0], confidence }))).toEqual(
      expected.map(({ i, cosine }) => ({ i, confidence: expect.closeTo(Math.max(0, cosine), 5) })),
    )
    for (const { confidence, pathway } of found) {
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
      expect(pathway).toBe('exact')
    }
  })

  it.each([1e-38, 1e-24, 1, 1e13, 1e20, 3e37])(
    'answers the same cosines at a time, superseded too, and explores, by keys of a magnitude of %d',
    async (magnitude) => {
      const ada = await newConformingClient(server)
      const keys = Array.from({ length: 6 }, (_, i) => randomVector(3, i + 1).map((x) => x * magnitude))
      await batchStore(
        ada,
        keys.map((key, i) => ({ key, value: [i] })),
      )
      const wanted = randomVector(3, 1_000)
      const now = await query(ada, wanted, { top_k: 10 })
      expect(new Set(now.map(({ confidence }) => confidence)).size).toBeGreaterThan(1)
      for (const options of [{ include_superseded: true }, { as_of: '2999-01-01T00:00:00Z' }]) {
        for (const scale of [1e-20, 1, 1e20]) {
          const embedding = wanted.map((x) => x * scale)
          const found = await query(ada, embedding, { top_k: 10, ...options })
          expect(found.map(({ value }) => value)).toEqual(now.map(({ value }) => value))
          for (const [i, { confidence }] of found.entries())
            expect(confidence).toBeCloseTo(now[i]?.confidence ?? Number.NaN, 5)
        }
      }
      expect(await ada.post('/v1/memory/explore', { batch_size: 10 })).toMatchObject({ status: 200 })
    },
  )

  it('answers an empty space with no results', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(path, { embedding: [1] })
    expect(status).toBe(200)
    expect(body).toEqual({ results: [], latency_ms: expect.any(Number) })
  })

  it('gives one result unless told, and up to 100', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      Array.from({ length: 101 }, (_, i) => ({ key: [1, i / 1_000], value: [i] })),
    )
    expect(await query(ada, [1, 0])).toHaveLength(1)
    const all = await query(ada, [1, 0], { top_k: 100 })
    expect(all.map(({ value }) => value[0])).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })

  it('puts equal keys in store order', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      [
        [1, 1],
        [1, 0],
        [1, 1],
        [0, 1],
        [1, 1],
      ].map((key, i) => ({ key, value: [i] })),
    )
    for (const top_k of [1, 2, 3]) {
      const found = await query(ada, [1, 1], { top_k })
      expect(found.map(({ value }) => value[0])).toEqual([0, 2, 4].slice(0, top_k))
    }
  })

  it.each([1, 2, 3, 17, 384, 5_000])('is certain of keys that point where it does: %d numbers', async (n) => {
    const ada = await newConformingClient(server)
    const wanted = randomVector(n, 5)
    const times = [7, 0.25, 1, 1_024, 2 ** -80]
    await batchStore(
      ada,
      times.map((factor) => ({ key: wanted.map((value) => Math.fround(value) * factor), value: [factor] })),
    )
    const found = await query(ada, wanted, { top_k: 10, min_similarity: 1 })
    // Also of seven times the numbers, which rounds some.
    expect(found.map(({ value }) => value[0])).toEqual(times.map((factor) => Math.fround(factor)))
    for (const { confidence } of found) expect(confidence).toBe(1)
  })

  it('compares keys of its own length alone', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0], [2])
    await storeVector(ada, [1, 0, 0], [3])
    expect((await query(ada, [1, 0], { top_k: 5 })).map(({ value }) => value)).toEqual([[2]])
    expect((await query(ada, [1, 0, 0], { top_k: 5 })).map(({ value }) => value)).toEqual([[3]])
    expect(await query(ada, [1])).toEqual([])
  })

  it('answers keys of one number by their sign', async () => {
    const ada = await newConformingClient(server)
    for (const key of [3, -2, 1e-30]) await storeVector(ada, [key])
    const found = await query(ada, [-0.5], { top_k: 5 })
    expect(found.map(({ confidence }) => confidence)).toEqual([expect.closeTo(1, 9), 0, 0])
    expect(found[0]?.value).toEqual([-2])
  })

  it('finds a key as soon as its store was answered, among parallel requests', async () => {
    const ada = await newConformingClient(server)
    const found = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const key = randomVector(64, i + 1)
        const id = await storeVector(ada, key)
        return [id, (await query(ada, key))[0]?.pattern_id]
      }),
    )
    for (const [id, first] of found) expect(first).toBe(id)
  })

  it('finds texts by their embedding, which is their value', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['Ada likes tea'])
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'Ada likes tea' })
    const [found] = await query(ada, body.embedding)
    expect(found).toMatchObject({ pattern_id: id, value: stored(body.embedding) })
    expect(found?.confidence).toBeCloseTo(1, 5)
  })

  it('counts as an access of what it answers', async () => {
    const ada = await newConformingClient(server)
    const [near, far] = [await storeVector(ada, [1, 0]), await storeVector(ada, [0, 1])]
    for (let i = 0; i < 3; i++) await query(ada, [1, 0.1])
    await server.context.memory.accesses.flush()
    expect((await ada.get(`/v1/memory/patterns/${near}`)).body.access_count).toBe(3)
    expect((await ada.get(`/v1/memory/patterns/${far}`)).body.access_count).toBe(0)
  })

  it('answers confidence 0 for what points away, and leaves out what min_similarity leaves out', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      [
        [1, 0],
        [3, 4],
        [0, 1],
        [-1, 0],
      ].map((key, i) => ({ key, value: [i] })),
    )
    const values = async (options: object) =>
      (await query(ada, [1, 0], { top_k: 10, ...options })).map(({ value }) => value[0])
    expect((await query(ada, [1, 0], { top_k: 4 })).map(({ confidence }) => confidence)).toEqual([
      1,
      expect.closeTo(0.6, 6),
      0,
      0,
    ])
    expect(await values({ min_similarity: -1 })).toEqual([0, 1, 2, 3])
    expect(await values({ min_similarity: -0.5 })).toEqual([0, 1, 2])
    expect(await values({ min_similarity: 0.59 })).toEqual([0, 1])
    expect(await values({ min_similarity: 1 })).toEqual([0])
    expect(await values({ min_similarity: null })).toEqual([0, 1, 2, 3])
  })

  it('gives top_k of those that match a filter, in every kind of shard', async () => {
    const ada = await newConformingClient(server)
    await batchStore(ada, [
      { key: [1, 0], value: [0], metadata: { user: 'a' } },
      { key: [1, 0], value: [1], metadata: { user: 'b' } },
      { key: [1, 0], value: [2] },
      { key: [1], value: [3], metadata: { user: 'b' }, source_dim: 2 },
    ])
    const values = async (filter: unknown) =>
      (await query(ada, [1, 0.5], { top_k: 10, filter })).map(({ value }) => value[0]).toSorted()
    expect(await values({ user: 'b' })).toEqual([1, 3])
    expect(await values({ user: ['a', 'b'] })).toEqual([0, 1, 3])
    expect(await values({ user: 'nobody' })).toEqual([])
    expect(await values({})).toEqual([0, 1, 2, 3])
  })

  it('costs one query, and is refused with 429 when none is left', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await setQueriesUsed(ada, plans.free.queriesPerDay - 1)
    await query(ada, [1])
    const { status, body } = await ada.post(path, { embedding: [1] })
    expect(status).toBe(429)
    expect(body).toEqual({ detail: 'Daily query limit reached' })
  })

  it('costs a query as each kind of search does; storing, changing and composing cost none', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const used = () =>
      inSpace(server, ada, async (trx, { id }) => {
        const { rows } = await sql<{ used: number }>`
          select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(
          trx,
        )
        return rows[0]?.used ?? Number.NaN
      })
    const key = [1, 2]
    const costs: [number, string, string, unknown][] = [
      [0, 'POST', '/v1/memory/store', { key, value: key }],
      [0, 'POST', '/v1/memory/batch/store', { patterns: [{ key, value: key }] }],
      [1, 'POST', path, { embedding: key }],
      [1, 'POST', '/v1/memory/retrieve', { embedding: key }],
      [1, 'POST', '/v1/memory/query/semantic', { embedding: key }],
      [3, 'POST', '/v1/memory/batch/retrieve', { queries: Array(3).fill({ embedding: key }) }],
      [0, 'POST', '/v1/memory/compose', { keys: [key, key] }],
      [0, 'POST', '/v1/memory/compose/fractional', { key_a: key, key_b: key }],
      [0, 'PUT', '/v1/memory/pattern', { key, new_value: [3] }],
      [0, 'GET', '/v1/memory/pattern/0', undefined],
      [0, 'DELETE', '/v1/memory/pattern', key],
    ]
    for (const [cost, method, to, body] of costs) {
      const before = await used()
      expect((await ada.request(method, to, body)).status, `${method} ${to}`).toBe(200)
      expect((await used()) - before, `${method} ${to}`).toBe(cost)
    }
  })

  it('needs memory:read', async () => {
    const writer = await newConformingClient(server, { scopes: ['memory:write'] })
    const { status, body } = await writer.post(path, { embedding: [1] })
    expect(status).toBe(403)
    expect(body).toEqual({ detail: 'Insufficient scope: memory:read required' })
  })

  it.each<[string, unknown, unknown[]]>([
    ['no embedding', {}, [{ type: 'missing', loc: ['body', 'embedding'], msg: 'Field required' }]],
    [
      'an embedding that is all zero',
      { embedding: [0, 0] },
      [rule(['body', 'embedding'], 'vector must not be all zero')],
    ],
    [
      'top_k 0',
      { embedding: [1], top_k: 0 },
      [
        {
          type: 'greater_than_equal',
          loc: ['body', 'top_k'],
          msg: 'Input should be greater than or equal to 1',
          ctx: { ge: 1 },
        },
      ],
    ],
    [
      'top_k 101',
      { embedding: [1], top_k: 101 },
      [
        {
          type: 'less_than_equal',
          loc: ['body', 'top_k'],
          msg: 'Input should be less than or equal to 100',
          ctx: { le: 100 },
        },
      ],
    ],
    [
      'return_native_dim that is no boolean',
      { embedding: [1], return_native_dim: 1 },
      [
        {
          type: 'bool_parsing',
          loc: ['body', 'return_native_dim'],
          msg: 'Input should be a valid boolean, unable to interpret input',
        },
      ],
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(path, body))).toEqual(expected)
  })
})

describe('source_dim', () => {
  const native = 100
  const kept = 40
  const projected = (vector: number[]) => Array.from(project(Float32Array.from(vector), kept))

  it('finds what was projected down from the query’s length, by the projected query', async () => {
    const ada = await newConformingClient(server)
    const originals = Array.from({ length: 30 }, (_, i) => randomVector(native, i + 1))
    await batchStore(
      ada,
      originals.map((original, i) => ({ key: projected(original), value: [i], source_dim: native })),
    )
    const wanted = randomVector(native, 500)
    const expected = originals
      .map((original, i) => ({ i, cosine: cosineOf(projected(wanted), projected(original)) }))
      .toSorted((a, b) => b.cosine - a.cosine)
    const found = await query(ada, wanted, { top_k: 10, min_similarity: -1 })
    expect(found.map(({ value }) => value[0])).toEqual(expected.slice(0, 10).map(({ i }) => i))
    // The keys are searched as they are by queries of their own length too.
    const direct = await query(ada, projected(wanted), { top_k: 10 })
    expect(direct.map(({ pattern_id }) => pattern_id)).toEqual(found.map(({ pattern_id }) => pattern_id))
  })

  it('merges what was projected and what was not, best first and ties in store order', async () => {
    const ada = await newConformingClient(server)
    const wanted = randomVector(native, 7)
    const other = randomVector(native, 8)
    await batchStore(ada, [
      { key: other, value: [0] },
      { key: projected(wanted), value: [1], source_dim: native },
      { key: projected(other), value: [2], source_dim: native },
      { key: wanted, value: [3] },
      { key: projected(wanted), value: [4], source_dim: native },
      { key: projected(wanted), value: [5], source_dim: native + 1 },
      { key: projected(wanted), value: [6] },
    ])
    const found = await query(ada, wanted, { top_k: 100 })
    expect(found.map(({ value }) => value[0]).toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(
      found
        .slice(0, 3)
        .map(({ value }) => value[0])
        .toSorted(),
    ).toEqual([1, 3, 4])
    const scores = found.map(({ confidence }) => confidence)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const twins = found.filter(({ value }) => value[0] === 1 || value[0] === 4)
    expect(twins.map(({ value }) => value[0])).toEqual([1, 4])
    expect(await query(ada, wanted, { top_k: 2 })).toEqual(found.slice(0, 2))
  })

  it('equal to the key’s length counts as none', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0], [1], { source_dim: 2 })
    await storeVector(ada, [1, 0], [2], { source_dim: null })
    const found = await query(ada, [1, 0], { top_k: 5 })
    expect(found.map(({ value }) => value[0])).toEqual([1, 2])
  })

  it('is known to a process that loads the space anew', async () => {
    const ada = await newConformingClient(server)
    const wanted = randomVector(native, 9)
    await storeVector(ada, projected(wanted), [1], { source_dim: native })
    const before = await query(ada, wanted)
    await inSpace(server, ada, async (_trx, { id }) => server.context.memory.spaces.drop(id))
    expect(await query(ada, wanted)).toEqual(before)
    expect(before).toHaveLength(1)
  })

  it.each(['exact', 'energy', 'auto'])(
    'finds by long and short vectors what it finds by others: %s',
    async (pathway) => {
      const ada = await newConformingClient(server)
      const [long, short] = [2 ** 127, 2 ** -140]
      const [wanted, other] = [randomVector(native, 11), randomVector(native, 12)].map((vector) =>
        vector.map((value) => value / 4),
      ) as [number[], number[]]
      await batchStore(ada, [
        { key: projected(wanted), value: [1], source_dim: native },
        { key: projected(other).map((value) => value * long), value: [2], source_dim: native },
        { key: other.map((value) => value * long), value: [3] },
      ])
      const found = await query(ada, wanted, { top_k: 3, pathway })
      expect(found.map(({ value }) => value[0])[0]).toBe(1)
      for (const scale of [long, short]) {
        const scaled = await query(
          ada,
          wanted.map((value) => value * scale),
          { top_k: 3, pathway },
        )
        expect(scaled.map(({ pattern_id }) => pattern_id)).toEqual(found.map(({ pattern_id }) => pattern_id))
        const confidences = found.map(({ confidence }) => expect.closeTo(confidence, 3))
        expect(scaled.map(({ confidence }) => confidence)).toEqual(confidences)
      }
    },
  )

  it('finds nothing by a query of which the projection leaves nothing', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1], [1], { source_dim: 2 })
    const [x, y] = unproject(Float32Array.of(1), 2) as unknown as [number, number]
    expect(await query(ada, [-y, x])).toEqual([])
    expect(await query(ada, [x, y])).toHaveLength(1)
  })
})

describe('return_native_dim', () => {
  const values = (client: Client, embedding: number[]) =>
    query(client, embedding, { top_k: 10, return_native_dim: true }).then((found) =>
      found.map(({ value }) => value),
    )

  it('leaves, cuts or pads values that were not projected', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0, 0], [0.1, 0.2, 0.3])
    await storeVector(ada, [1, 0, 0], [0.1])
    await storeVector(ada, [1, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5])
    expect(await values(ada, [1, 0, 0])).toEqual([
      stored([0.1, 0.2, 0.3]),
      stored([0.1, 0, 0]),
      stored([0.1, 0.2, 0.3]),
    ])
  })

  it('brings a projected value back: what was projected is found again in the kept coordinates', async () => {
    const ada = await newConformingClient(server)
    const original = randomVector(50, 3)
    const down = Array.from(project(Float32Array.from(original), 20))
    await storeVector(ada, down, down, { source_dim: 50 })
    const [value] = await values(ada, original)
    expect(value).toHaveLength(50)
    // The transpose of orthonormal rows: projecting again gives what was stored, and the length stays.
    expect(Array.from(project(Float32Array.from(value as number[]), 20))).toEqual(
      down.map((number) => expect.closeTo(number, 5)),
    )
    expect(Math.hypot(...(value as number[]))).toBeCloseTo(Math.hypot(...down), 5)
  })

  it('answers numbers that are larger than float32 where a long value brought back has some', async () => {
    const ada = await newConformingClient(server)
    // Towards one native coordinate, which becomes the sum of all that are kept.
    const direction = Array.from(
      project(
        Float32Array.from({ length: 50 }, (_, i) => Number(i === 7)),
        20,
      ),
    )
    const most = Math.max(...direction.map(Math.abs))
    const value = direction.map((number) => (3.4e38 * number) / most)
    await storeVector(ada, direction, value, { source_dim: 50 })
    const body = { embedding: randomVector(50, 4), return_native_dim: true }
    const answer = await ada.post('/v1/memory/query', body)
    expect(answer.status).toBe(200)
    const back: number[] = answer.body.results[0].value
    const small = unproject(
      Float32Array.from(value, (number) => number / 2 ** 100),
      50,
    )
    expect(back.map((number) => number / 2 ** 100)).toEqual(Array.from(small))
    expect(Math.max(...back.map(Math.abs))).toBeGreaterThan(3.5e38)
  })

  it('leaves a projected value as it is for a query of the key’s length', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0], [0.5, 0.25], { source_dim: 4 })
    expect(await values(ada, [1, 0])).toEqual([[0.5, 0.25]])
    const [plain] = await query(ada, randomVector(4, 5))
    expect(plain?.value).toEqual([0.5, 0.25])
  })

  it('leaves or cuts a value that was not projected with its key', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0], [1, 2, 3, 4], { source_dim: 4 })
    await storeVector(ada, [1, 0], [1, 2, 3, 4, 5], { source_dim: 4 })
    expect(await values(ada, randomVector(4, 5))).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ])
  })
})
