import { randomUUID } from 'node:crypto'
import { read, release, take } from '@memory/memory/schedule/lease-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush, readLearned, search } from '../learning/space.ts'
import { getSpace } from '../space.ts'
import { age, plantedPairs, readStrengths, run, sleep, storeKeys } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const nothing = {
  consolidated: 0,
  compositions_discovered: 0,
  patterns_strengthened: 0,
  patterns_weakened: 0,
  conflicts: 0,
}

describe('sleep', () => {
  it('does nothing in an empty space', async () => {
    expect(await sleep(await newConformingClient(server))).toEqual(nothing)
  })

  it('strengthens what it replays by 0.2 of what is missing, and its associations by 0.1', async () => {
    const ada = await newConformingClient(server)
    // Two at cosine 0.6 and one apart: the random level is about 0.2.
    await storeKeys(ada, plantedPairs(1, 1))
    expect(await sleep(ada, 3)).toEqual({ ...nothing, patterns_strengthened: 3 })
    const first = await readStrengths(server, ada)
    expect([...first.keys()]).toEqual([0, 1, 2])
    for (const strength of first.values()) expect(strength).toBeCloseTo(0.5 + 0.2 * 0.5, 9)
    const { associations, accesses } = await readLearned(server, ada)
    expect(associations.get('0-1')).toBeCloseTo(0.1, 6)
    expect(associations.has('0-2')).toBe(false)
    expect(accesses.get(0)?.access_count).toBe(0)
  })

  it('replays what was used since its last replay, and nothing twice for one use', async () => {
    const ada = await newConformingClient(server)
    const keys = plantedPairs(1, 1)
    await storeKeys(ada, keys)
    expect((await sleep(ada, 3)).patterns_strengthened).toBe(3)
    expect(await sleep(ada, 3)).toEqual(nothing)
    server.clock.advance(60_000)
    await run(ada, '/v1/memory/retrieve', { embedding: [...(keys[0] as Float32Array)], top_k: 1 })
    await flush(server)
    const before = (await readStrengths(server, ada)).get(0) as number
    expect((await sleep(ada, 3)).patterns_strengthened).toBe(1)
    const strengths = await readStrengths(server, ada)
    expect(strengths.get(0)).toBeCloseTo(before + 0.2 * (1 - before), 9)
    expect(strengths.get(1)).toBeCloseTo(0.6, 9)
    expect((await readLearned(server, ada)).associations.get('0-1')).toBeCloseTo(0.19, 4)
  })

  it('counts as no access: what was in no answer stays so', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['The printer is out of toner.'])
    await sleep(ada)
    const { body } = await ada.get(`/v1/memory/patterns/${id}`)
    expect(body).toMatchObject({ access_count: 0, last_accessed: null })
    const before = Date.now()
    await search(ada, 'Is there toner?')
    await flush(server)
    const { body: after } = await ada.get(`/v1/memory/patterns/${id}`)
    expect(after.access_count).toBe(1)
    expect(Date.parse(after.last_accessed)).toBeGreaterThan(before - 1_000)
  })

  it('replays what was used before what was not, with what it is associated with', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Bread needs flour.', 'The sea is salty.', 'The train leaves at nine.'])
    await search(ada, 'What does bread need? And the sea?', { top_k: 3 })
    await flush(server)
    const { associations } = await readLearned(server, ada)
    const before = await readStrengths(server, ada)
    const { patterns_strengthened } = await sleep(ada, 1)
    const after = await readStrengths(server, ada)
    const stronger = [...after].filter(([idx, strength]) => strength > (before.get(idx) ?? 0.5) + 0.01)
    expect(stronger).toHaveLength(patterns_strengthened)
    for (const [idx, strength] of stronger) {
      const start = before.get(idx) ?? 0.5
      expect(strength).toBeCloseTo(start + 0.2 * (1 - start), 9)
    }
    const now = (await readLearned(server, ada)).associations
    for (const [pair, weight] of now) {
      const [a, b] = pair.split('-').map(Number)
      const isReplayed = [a, b].some((idx) => stronger.some(([one]) => one === idx))
      const start = associations.get(pair) ?? 0
      expect(weight).toBeCloseTo(isReplayed ? start + 0.1 * (1 - start) : start, 4)
    }
  })

  it('moves patterns to the tier that their use calls for', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(0, 12))
    await age(server, ada, 8)
    const slept = await sleep(ada, 1)
    const { hot, warm } = await run(ada, '/v1/memory/tiered/distribution')
    expect({ hot, warm }).toEqual({ hot: 0, warm: 12 })
    expect(slept.consolidated).toBe(12)
    expect((await sleep(ada, 1)).consolidated).toBe(0)
  })

  it('is bypassed in an anomaly, and changes nothing', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The same.', 'The same.'])
    await run(ada, '/v1/memory/regime/inject-anomaly', { magnitude: 50 })
    expect(await sleep(ada)).toEqual({ ...nothing, bypassed: true })
    expect((await run(ada, '/v1/memory/brain')).patterns_total).toBe(2)
    expect((await readStrengths(server, ada)).size).toBe(0)
  })

  it('keeps live and test apart', async () => {
    const ada = await newConformingClient(server)
    const test = await newConformingClient(server, {
      organizationId: ada.organizationId,
      environment: 'test',
    })
    for (const client of [ada, test]) await storeKeys(client, plantedPairs(1, 1))
    await sleep(test)
    expect((await readStrengths(server, ada)).size).toBe(0)
    expect((await sleep(ada)).patterns_strengthened).toBe(3)
  })

  it('goes on where the run before stopped, and begins anew at the end', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The same.', 'The same.', 'Another.', 'The same.'])
    const { id } = await getSpace(server, ada)
    const { queries } = server.context.database
    const holder = randomUUID()
    await take(queries, id, holder, 60)
    await release(queries, id, holder, { nextIdx: 2, explored: 7 })
    expect((await sleep(ada)).consolidated).toBe(1)
    const indexes = async () =>
      (await ada.get('/v1/memory/patterns')).body.patterns.map(
        (each: { pattern_idx: number }) => each.pattern_idx,
      )
    expect(await indexes()).toEqual([0, 1, 2])
    expect(await read(queries, id)).toEqual({ nextIdx: 0, explored: 7, running: false })
    expect((await sleep(ada)).consolidated).toBe(1)
    expect(await indexes()).toEqual([0, 2])
  })

  it('weakens what was unused for a week by 5 % a day, once, and never what is protected', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(0, 16))
    await storeKeys(ada, plantedPairs(0, 4, 'kept'), { metadata: { protected: true } })
    expect((await sleep(ada, 20)).patterns_strengthened).toBe(20)
    server.clock.advance(10 * 86_400_000)
    expect((await sleep(ada, 1)).patterns_weakened).toBe(16)
    const weaker = await readStrengths(server, ada)
    for (let idx = 0; idx < 20; idx++) {
      expect(weaker.get(idx)).toBeCloseTo(idx < 16 ? 0.6 * 0.95 ** 3 : 0.6, 4)
    }
    expect((await sleep(ada, 1)).patterns_weakened).toBe(0)
    // The days that it was weakened for are not counted again, and none is weaker than it was at first.
    server.clock.advance(2 * 86_400_000)
    expect((await sleep(ada, 1)).patterns_weakened).toBe(16)
    for (const [idx, strength] of await readStrengths(server, ada)) {
      expect(strength).toBeCloseTo(idx < 16 ? 0.5 : 0.6, 9)
    }
    server.clock.advance(2 * 86_400_000)
    expect((await sleep(ada, 1)).patterns_weakened).toBe(0)
  })
})
