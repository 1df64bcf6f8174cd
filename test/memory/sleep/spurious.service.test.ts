import { seededRandom } from '@memory/engine/random'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mixtureOf, randomUnit } from '../../engine/random-keys.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { run, storeKeys } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const detect = (client: Parameters<typeof run>[0]) => run(client, '/v1/memory/explore/detect-spurious', {})

describe('detect-spurious', () => {
  it('finds a planted mixture of 16 keys at mutual cosine 0.8 among 60 others', async () => {
    const ada = await newConformingClient(server)
    const random = seededRandom('mixture')
    const others = Array.from({ length: 60 }, () => randomUnit(256, random))
    const mixture = mixtureOf(16, 0.8, 256, random)
    await storeKeys(ada, [...mixture, ...others])
    const found = await detect(ada)
    expect(found.total_checked).toBeGreaterThan(30)
    expect(found.spurious_rate).toBeGreaterThan(0.3)
    expect(found.spurious_rate).toBeCloseTo(found.spurious_pairs.length / found.total_checked, 12)
    for (const [a, b] of found.spurious_pairs) {
      expect(a).toBeLessThan(b)
      expect(b).toBeLessThan(16)
    }
    expect(await detect(ada)).toEqual(found)
    // Without the mixture nothing is left of it.
    for (const key of mixture) await ada.delete('/v1/memory/pattern', [...key])
    expect((await detect(ada)).spurious_pairs).toEqual([])
  })

  it('finds next to none among keys that lie apart', async () => {
    const ada = await newConformingClient(server)
    const random = seededRandom('apart')
    await storeKeys(
      ada,
      Array.from({ length: 150 }, () => randomUnit(16, random)),
    )
    const { total_checked, spurious_rate } = await detect(ada)
    expect(total_checked).toBeGreaterThan(100)
    expect(spurious_rate).toBeLessThan(0.05)
  })

  it('is not misled by keys of denormal size', async () => {
    const ada = await newConformingClient(server)
    const keys = [
      [1e-40, 1e-40],
      [1e-45, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [-1, 0],
    ]
    await storeKeys(
      ada,
      keys.map((key) => Float32Array.from(key)),
    )
    const { total_checked, spurious_pairs } = await detect(ada)
    expect(total_checked).toBeGreaterThan(3)
    expect(spurious_pairs).toEqual([])
  })

  it('looks at keys of every length by themselves', async () => {
    const ada = await newConformingClient(server)
    const random = seededRandom('lengths')
    await storeKeys(ada, mixtureOf(16, 0.8, 128, random))
    const alone = await detect(ada)
    expect(alone.spurious_rate).toBeGreaterThan(0.9)
    await storeKeys(
      ada,
      Array.from({ length: 20 }, () => randomUnit(64, random)),
    )
    const both = await detect(ada)
    expect(both.spurious_pairs).toEqual(alone.spurious_pairs)
  })

  it('is done once at a time in a space, in threads, and others go on meanwhile', async () => {
    const [ada, ben] = [await newConformingClient(server), await newConformingClient(server)]
    const keys = mixtureOf(16, 0.8, 64, seededRandom('held'))
    for (const client of [ada, ben]) await storeKeys(client, keys)
    const { pool } = server.context
    const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const relax = pool.relax.bind(pool)
    const relaxed = vi.spyOn(pool, 'relax').mockImplementationOnce(async (...asked) => {
      begun.resolve()
      await held.promise
      return relax(...asked)
    })
    const first = ada.post('/v1/memory/explore/detect-spurious')
    await begun.promise
    const second = await ada.post('/v1/memory/explore/detect-spurious')
    expect(second).toMatchObject({ status: 409, body: { detail: 'Consolidation already running' } })
    // Another space, and what else is done in this one.
    expect((await detect(ben)).total_checked).toBeGreaterThan(0)
    await run(ada, '/v1/memory/explore', { batch_size: 1 })
    held.resolve()
    const { status, body } = await first
    expect(status).toBe(200)
    const iterations = relaxed.mock.calls
      .filter(([{ organizationId }]) => organizationId === ada.organizationId)
      .flatMap(([, each]) => each)
    expect(iterations).toHaveLength(body.total_checked)
    relaxed.mockRestore()
    expect(await detect(ada)).toEqual(body)
  })

  it('can be asked for again after one that failed', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, mixtureOf(16, 0.8, 64, seededRandom('fails')))
    const failing = vi.spyOn(server.context.pool, 'relax').mockRejectedValueOnce(new Error('broken'))
    expect((await ada.post('/v1/memory/explore/detect-spurious')).status).toBe(500)
    failing.mockRestore()
    expect((await detect(ada)).total_checked).toBeGreaterThan(0)
  })

  it('has nothing to check in an empty space, nor with one pattern', async () => {
    const ada = await newConformingClient(server)
    const nothing = { spurious_pairs: [], total_checked: 0, spurious_rate: 0 }
    expect(await detect(ada)).toEqual(nothing)
    await storeKeys(ada, [Float32Array.of(1, 2)])
    expect(await detect(ada)).toEqual(nothing)
  })
})
