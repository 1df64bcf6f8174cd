import { project } from '@memory/engine/kernels/rotation'
import { parameters } from '@memory/engine/parameters'
import { QueryVectors, type VectorPathway } from '@memory/memory/vectors/vector-schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, getSpace } from '../space.ts'
import { cosineOf, randomVector, stored, unitOf } from './naive.ts'
import { batchStore, query, storeVector } from './vector-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/query'
const energy = { pathway: 'energy' }

/** A unit vector whose cosine to another is about `cosine`, for many dimensions. */
function near(vector: readonly number[], cosine: number, seed: number): number[] {
  const [signal, noise] = [unitOf(vector), unitOf(randomVector(vector.length, seed))]
  return signal.map((value, i) => cosine * value + Math.sqrt(1 - cosine ** 2) * (noise[i] as number))
}

describe('POST /v1/memory/query by energy', () => {
  it('retrieves the pattern under the noise, and says how far the query was from it', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 300 }, (_, i) => randomVector(384, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    for (const wanted of [0, 17, 299]) {
      const key = keys[wanted] as number[]
      const noisy = near(key, 0.5, 10_000 + wanted)
      const found = await query(ada, noisy, { ...energy, top_k: 3 })
      expect(found).toHaveLength(3)
      expect(found[0]?.value).toEqual([wanted])
      expect(found[0]?.confidence).toBeCloseTo(cosineOf(stored(noisy), stored(key)), 5)
      expect(found.map(({ pathway }) => pathway)).toEqual(['energy', 'energy', 'energy'])
    }
  })

  it('orders what follows by its nearness to where the query settled, not to the query', async () => {
    const ada = await newConformingClient(server)
    // The query lies towards the first, and on the far side of the second from the third.
    await storeVector(ada, [1, 0, 0, 0, 0], [1])
    await storeVector(ada, [0.3, 0, 0, 0.95, 0], [2])
    await storeVector(ada, [0.6, 0.8, 0, 0, 0], [3])
    const asked = unitOf([1, -0.6, 0, 0.3, 0])
    const exact = await query(ada, asked, { top_k: 3 })
    const settled = await query(ada, asked, { ...energy, top_k: 3 })
    expect(exact.map(({ value }) => value[0])).toEqual([1, 2, 3])
    expect(settled.map(({ value }) => value[0])).toEqual([1, 3, 2])
    const confidences = new Map(exact.map(({ pattern_id, confidence }) => [pattern_id, confidence]))
    for (const { pattern_id, confidence } of settled) expect(confidence).toBe(confidences.get(pattern_id))
  })

  it('leaves out what is less similar than asked for, and orders the others as without that', async () => {
    const ada = await newConformingClient(server)
    const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    // Many on one side of the query draw it away from those on the other.
    await batchStore(
      ada,
      [...Array(10).fill(25), 41, 57.5].map((degrees) => ({ key: at(degrees), value: [degrees] })),
    )
    for (const pathway of ['energy', 'auto', 'exact'] as const) {
      const all = await query(ada, at(50), { pathway, top_k: 12, read_only: true })
      const near = await query(ada, at(50), { pathway, top_k: 12, min_similarity: 0.95, read_only: true })
      const wanted = all.filter(({ confidence }) => confidence >= 0.95)
      expect([pathway, near.map(({ value }) => value)]).toEqual([pathway, wanted.map(({ value }) => value)])
    }
    expect(await query(ada, at(50), { ...energy, min_similarity: 0.9999 })).toEqual([])
  })

  it('keeps the confidence of an unrelated query low', async () => {
    const ada = await newConformingClient(server)
    await batchStore(
      ada,
      Array.from({ length: 50 }, (_, i) => ({ key: randomVector(384, i + 1), value: [i] })),
    )
    const [found] = await query(ada, randomVector(384, 999), energy)
    expect(found?.confidence).toBeLessThan(0.25)
  })

  it('gives identical patterns in store order', async () => {
    const ada = await newConformingClient(server)
    const key = randomVector(64, 1)
    for (const value of [[0], [1], [2]]) await storeVector(ada, key, value)
    await storeVector(ada, randomVector(64, 2), [3])
    const found = await query(ada, near(key, 0.7, 5), { ...energy, top_k: 4 })
    expect(found.map(({ value }) => value[0])).toEqual([0, 1, 2, 3])
  })

  it('answers from one pattern, from opposite ones and from none', async () => {
    const ada = await newConformingClient(server)
    expect(await query(ada, [1, 2], energy)).toEqual([])
    await storeVector(ada, [0, 3], [7])
    const [one] = await query(ada, [1, 0], energy)
    expect(one).toMatchObject({ value: [7], confidence: 0, pathway: 'energy' })
    await storeVector(ada, [0, -3], [8])
    // The two keys cancel for this query, which then stays where it is.
    const both = await query(ada, [1, 0], { ...energy, top_k: 2 })
    expect(both.map(({ value }) => value[0])).toEqual([7, 8])
  })

  it('settles keys that were projected down, alone and beside keys of the query’s own length', async () => {
    const ada = await newConformingClient(server)
    const natives = Array.from({ length: 20 }, (_, i) => randomVector(128, i + 1))
    for (const [i, native] of natives.entries()) {
      const key = [...project(Float32Array.from(native), 32)]
      await storeVector(ada, key, [i], { source_dim: 128 })
    }
    const noisy = near(natives[4] as number[], 0.9, 77)
    const [alone] = await query(ada, noisy, energy)
    expect(alone).toMatchObject({ value: [4], pathway: 'energy' })
    const [exact] = await query(ada, noisy)
    expect(alone?.confidence).toBe(exact?.confidence)

    const own = randomVector(128, 500)
    await storeVector(ada, own, [500])
    expect((await query(ada, near(own, 0.8, 78), energy))[0]?.value).toEqual([500])
    expect((await query(ada, noisy, { ...energy, top_k: 21 })).map(({ value }) => value[0])).toHaveLength(21)
    expect((await query(ada, noisy, energy))[0]?.value).toEqual([4])
  })

  it('looks only at what a filter and a least similarity leave', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0, 0], [1], { metadata: { kind: 'a' } })
    await storeVector(ada, [0.8, 0.6, 0], [2], { metadata: { kind: 'b' } })
    await storeVector(ada, [0, 0, 1], [3], { metadata: { kind: 'b' } })
    const filtered = await query(ada, [1, 0, 0], { ...energy, filter: { kind: 'b' }, top_k: 5 })
    expect(filtered.map(({ value }) => value[0])).toEqual([2, 3])
    const similar = await query(ada, [1, 0, 0], { ...energy, min_similarity: 0.5, top_k: 5 })
    expect(similar.map(({ value }) => value[0])).toEqual([1, 2])
  })

  it('brings values to the query’s length as exact search does', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 0, 0], [5])
    const [found] = await query(ada, [1, 0.1, 0], { ...energy, return_native_dim: true })
    expect(found?.value).toEqual([5, 0, 0])
  })

  it('refuses a pathway that there is none of', async () => {
    const ada = await newConformingClient(server)
    const answer = await ada.post(path, { embedding: [1], pathway: 'attention' })
    expect(faultsOf(answer)).toEqual([
      {
        type: 'enum',
        loc: ['body', 'pathway'],
        msg: "Input should be 'exact', 'energy' or 'auto'",
        ctx: { expected: "'exact', 'energy' or 'auto'" },
      },
    ])
  })
})

describe('POST /v1/memory/query in auto', () => {
  const auto = { pathway: 'auto' }

  it('answers exactly what is stored, or nearly', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 30 }, (_, i) => randomVector(64, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const found = await query(ada, near(keys[3] as number[], 0.97, 50), { ...auto, top_k: 30 })
    expect(found[0]?.value).toEqual([3])
    expect(found.map(({ pathway }) => pathway)).toEqual(Array(30).fill('exact'))
    const confidences = found.map(({ confidence }) => confidence)
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a))
  })

  it('finds the pattern under the noise by one pathway for the whole answer', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 60 }, (_, i) => randomVector(384, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const found = await query(ada, near(keys[9] as number[], 0.5, 5_000), { ...auto, top_k: 5 })
    expect(found).toHaveLength(5)
    expect(found[0]?.value).toEqual([9])
    expect(new Set(found.map(({ pathway }) => pathway)).size).toBe(1)
  })

  it('answers an empty space with nothing', async () => {
    const ada = await newConformingClient(server)
    expect(await query(ada, [1, 2, 3], auto)).toEqual([])
  })

  it('takes the pathway that proved useful', async () => {
    const ada = await newConformingClient(server)
    const keys = Array.from({ length: 20 }, (_, i) => randomVector(64, i + 1))
    await batchStore(
      ada,
      keys.map((key, i) => ({ key, value: [i] })),
    )
    const noisy = near(keys[0] as number[], 0.6, 5_000)
    const pathwayAfter = async (useful: VectorPathway, useless: VectorPathway) => {
      const { id } = await getSpace(server, ada)
      const at = server.context.clock.now().getTime()
      await server.context.memory.learning.change(id, (state) => ({
        state: {
          ...state,
          reliability: {
            ...state.reliability,
            [useful]: { a: 60, b: 1, at },
            [useless]: { a: 1, b: 60, at },
          },
        },
        result: undefined,
      }))
      return (await query(ada, noisy, auto))[0]?.pathway
    }
    expect(await pathwayAfter('energy', 'exact')).toBe('energy')
    expect(await pathwayAfter('exact', 'energy')).toBe('exact')
  })
})

it('in an anomaly every vector query is exact', async () => {
  const ada = await newConformingClient(server)
  const keys = Array.from({ length: 20 }, (_, i) => randomVector(64, i + 1))
  await batchStore(
    ada,
    keys.map((key, i) => ({ key, value: [i] })),
  )
  const noisy = near(keys[0] as number[], 0.6, 5_000)
  const exact = await query(ada, noisy, { top_k: 20 })
  expect((await query(ada, noisy, energy))[0]?.pathway).toBe('energy')
  expect((await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 5 })).status).toBe(200)
  for (const pathway of ['energy', 'auto']) {
    expect(await query(ada, noisy, { pathway, top_k: 20 })).toEqual(exact)
  }
})

it('the search that begins before it is known who asks is the one that the pathway does', () => {
  const begun = (body: object) =>
    QueryVectors.searches(QueryVectors.body.parse({ embedding: [1, 2], ...body }))
  expect(begun({ top_k: 7 })).toMatchObject({ k: 7 })
  for (const pathway of ['energy', 'auto']) {
    expect(begun({ top_k: 7, pathway })).toMatchObject({ k: parameters.energy.candidates })
  }
  expect(begun({ pathway: 'energy', filter: { a: 1 } })).toBeUndefined()
})
