import { kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blend } from '../../engine/random-keys.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, inSpace } from '../space.ts'
import {
  candidates,
  dimensions,
  explore,
  plantedPairs,
  readConsolidation,
  run,
  sleep,
  storeKeys,
  suggestions,
} from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const explorePath = '/v1/memory/explore'
const candidatesPath = `${explorePath}/consolidation-candidates`

/** A space of six planted pairs among 30 keys of no structure. */
async function newPlanted() {
  const ada = await newConformingClient(server)
  await storeKeys(ada, plantedPairs(6, 30))
  return ada
}

const isPlanted = ([a, b]: [number, number]) => b === a + 1 && a % 2 === 0 && b < 12

describe('explore', () => {
  it('tries as many pairs as it is asked for, each once, and keeps what it found', async () => {
    const ada = await newPlanted()
    const { explorations, total_explored } = await explore(ada, 20)
    expect(total_explored).toBe(20)
    expect(explorations).toHaveLength(20)
    for (const { information_gain } of explorations) expect(information_gain).toBeCloseTo(Math.LN2 - 0.5, 9)
    const { trials } = await readConsolidation(server, ada)
    expect(trials).toHaveLength(20)
    for (const { valid, invalid } of trials) expect(valid + invalid).toBe(1)
    const valid = (list: { composition_valid: boolean }[]) =>
      list.filter(({ composition_valid }) => composition_valid).length
    expect(trials.filter((trial) => trial.valid === 1)).toHaveLength(valid(explorations))
    const priorities = (list: { priority: number }[]) => list.map(({ priority }) => priority).toSorted()
    expect(priorities(trials)).toEqual(
      priorities(
        explorations.map((one: object) => ({ priority: Reflect.get(one, 'consolidation_priority') })),
      ),
    )
    expect((await explore(ada)).total_explored).toBe(20)
    const more = await readConsolidation(server, ada)
    expect(more.trials.length).toBeGreaterThan(30)
  })

  it('finds planted pairs valid and coherent, and those of no structure not coherent', async () => {
    const ada = await newPlanted()
    for (let i = 0; i < 12; i++) await explore(ada)
    const { trials } = await readConsolidation(server, ada)
    const planted = trials.filter(({ a, b }) => isPlanted([a, b]))
    expect(planted.length).toBeGreaterThanOrEqual(5)
    const share = (list: typeof trials) =>
      list.reduce((sum, { valid }) => sum + valid, 0) /
      list.reduce((sum, { valid, invalid }) => sum + valid + invalid, 0)
    expect(share(planted)).toBeGreaterThan(0.8)
    const others = trials.filter(({ a, b }) => !isPlanted([a, b]))
    const coherence = (list: typeof trials) => list.reduce((sum, one) => sum + one.coherence, 0) / list.length
    expect(coherence(planted)).toBeGreaterThan(3 * coherence(others))
  })

  it('explores what is suggested: the suggestions are the next trials', async () => {
    const ada = await newPlanted()
    const before = await suggestions(ada)
    expect(before).toHaveLength(10)
    for (const { pair_id, expected_information_gain, uncertainty } of before) {
      expect(pair_id[0]).toBeLessThan(pair_id[1])
      expect(expected_information_gain).toBeCloseTo(Math.LN2 - 0.5, 9)
      expect(uncertainty).toBeCloseTo(1, 9)
    }
    expect(await suggestions(ada)).toEqual(before)
    await explore(ada, 10)
    const { trials } = await readConsolidation(server, ada)
    const names = (pairs: number[][]) => pairs.map((pair) => pair.join()).toSorted()
    expect(names(trials.map(({ a, b }) => [a, b]))).toEqual(
      names(before.map(({ pair_id }: { pair_id: number[] }) => pair_id)),
    )
  })

  it('suggests what has been tried with less gain and uncertainty', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(1, 0))
    expect(await explore(ada)).toMatchObject({ total_explored: 1 })
    const [suggestion, ...rest] = await suggestions(ada)
    expect(rest).toEqual([])
    expect(suggestion.pair_id).toEqual([0, 1])
    // Beta(2, 1) or Beta(1, 2).
    expect(suggestion.uncertainty).toBeCloseTo(Math.sqrt(12 / 18), 9)
    expect(suggestion.expected_information_gain).toBeLessThan(Math.LN2 - 0.5)
    const { explorations } = await explore(ada)
    expect(explorations).toHaveLength(1)
    expect(explorations[0].information_gain).toBeGreaterThan(0)
  })

  it('has nothing to try in a space of less than two patterns', async () => {
    const ada = await newConformingClient(server)
    for (const pattern of [undefined, [1, 2]]) {
      if (pattern) await storeKeys(ada, [Float32Array.from(pattern)])
      expect(await explore(ada)).toEqual({ explorations: [], total_explored: 0 })
      expect(await suggestions(ada)).toEqual([])
      expect(await candidates(ada)).toEqual([])
    }
  })

  it('composes no patterns of different lengths, nor keys that undo each other', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, [Float32Array.of(1, 0), Float32Array.of(1, 0, 0)])
    expect((await explore(ada)).total_explored).toBe(0)
    await storeKeys(ada, [Float32Array.of(-1, 0), Float32Array.of(1, 0)])
    expect((await explore(ada)).total_explored).toBe(3)
  })

  it.each([1e25, 1e-25])('goes on beside compositions of keys of about %d', async (scale) => {
    const ada = await newConformingClient(server)
    await storeKeys(
      ada,
      plantedPairs(4, 8).map((key) => key.map((value) => value * scale)),
    )
    for (let i = 0; i < 6; i++) await explore(ada, 20)
    expect((await sleep(ada)).compositions_discovered).toBeGreaterThan(0)
    expect((await explore(ada, 20)).total_explored).toBeGreaterThan(0)
  })

  it('tries and composes the largest keys, and the smallest', async () => {
    const ada = await newConformingClient(server)
    const keys = [
      [3e38, 3e38],
      [-3e38, 3e38],
      [1e-45, 0],
      [1e-45, 1e-45],
    ]
    await storeKeys(
      ada,
      keys.map((key) => Float32Array.from(key)),
    )
    for (let i = 0; i < 8; i++) expect((await explore(ada)).total_explored).toBe(6)
    const { trials } = await readConsolidation(server, ada)
    expect(trials).toHaveLength(6)
    const { compositions_discovered } = await sleep(ada)
    expect(compositions_discovered).toBeGreaterThan(0)
    const { compositions } = await readConsolidation(server, ada)
    for (const { a, b, key } of compositions) {
      // The middle is as far from the one as from the other, whatever their lengths.
      const middle = Float32Array.from(JSON.parse(key))
      const [toA, toB] = [a, b].map((idx) => kernels.cosine(middle, Float32Array.from(keys[idx] as number[])))
      expect(toA).toBeCloseTo(toB as number, 5)
    }
  })

  it('is done in an anomaly too', async () => {
    const ada = await newPlanted()
    await run(ada, '/v1/memory/regime/inject-anomaly', { magnitude: 5 })
    expect((await explore(ada, 3)).total_explored).toBe(3)
  })

  it.each([0, 21, -1, 1.5, '5', null, true])('refuses a batch_size of %j', async (batch_size) => {
    const ada = await newConformingClient(server)
    for (const path of [explorePath, '/v1/memory/sleep']) {
      const [fault] = faultsOf(await ada.post(path, { batch_size })) as { loc: unknown }[]
      expect(fault?.loc).toEqual(['body', 'batch_size'])
    }
  })

  it('takes 5 where no batch_size is given', async () => {
    const ada = await newPlanted()
    for (const body of [undefined, {}]) {
      expect((await ada.post(explorePath, body)).body).toMatchObject({ total_explored: 5 })
    }
  })
})

describe('consolidation candidates', () => {
  it('are the explored pairs of enough priority, the first ones first', async () => {
    const ada = await newPlanted()
    for (let i = 0; i < 6; i++) await explore(ada)
    const all = await candidates(ada)
    const { trials } = await readConsolidation(server, ada)
    expect(all).toHaveLength(Math.min(100, trials.length))
    const priorities = all.map(({ priority }: { priority: number }) => priority)
    expect(priorities).toEqual(priorities.toSorted((x: number, y: number) => y - x))
    const few = await candidates(ada, 0.5)
    expect(few).toEqual(all.filter(({ priority }: { priority: number }) => priority >= 0.5))
    expect((await run(ada, candidatesPath)).candidates).toEqual(few)
    expect(few.length).toBeGreaterThan(0)
    for (const { pair_id, times_validated } of all) {
      const trial = trials.find(({ a, b }) => a === pair_id[0] && b === pair_id[1])
      expect(times_validated).toBe(trial?.valid)
    }
  })

  it.each(['-0.1', '1.1', 'x', 'NaN'])('refuse a min_priority of %s', async (value) => {
    const ada = await newConformingClient(server)
    const [fault] = faultsOf(await ada.get(`${candidatesPath}?min_priority=${value}`)) as { loc: unknown }[]
    expect(fault?.loc).toEqual(['query', 'min_priority'])
  })

  it('become compositions in sleep, half way between their parts, and are none then', async () => {
    const ada = await newPlanted()
    for (let i = 0; i < 25; i++) await explore(ada)
    const before = await readConsolidation(server, ada)
    const due = before.trials.filter(
      ({ valid, invalid }) => valid >= 2 && (1 + valid) / (2 + valid + invalid) >= 0.6,
    )
    expect(due.length).toBeGreaterThan(0)
    const patterns = (await run(ada, '/v1/memory/brain')).patterns_total
    const slept = await sleep(ada)
    expect(slept.compositions_discovered).toBe(Math.min(100, due.length))
    expect(slept.consolidated).toBe(slept.compositions_discovered)
    const after = await readConsolidation(server, ada)
    expect(after.compositions).toHaveLength(slept.compositions_discovered)
    const { a, b, key } = after.compositions[0] as (typeof after.compositions)[number]
    const keys = plantedPairs(6, 30)
    const middle = blend([1, keys[a] as Float32Array], [1, keys[b] as Float32Array])
    expect(JSON.parse(key)).toHaveLength(dimensions)
    for (const [i, value] of JSON.parse(key).entries()) expect(value).toBeCloseTo(middle[i] as number, 4)
    const left = await candidates(ada)
    const name = ({ a, b }: { a: number; b: number }) => `${a},${b}`
    const composed = new Set(after.compositions.map(name))
    for (const { pair_id } of left) expect(composed).not.toContain(pair_id.join())
    // They are no patterns of the user's.
    expect((await run(ada, '/v1/memory/brain')).patterns_total).toBe(patterns)
    expect((await sleep(ada)).compositions_discovered).toBe(Math.max(0, due.length - 100))
  })

  it('are so many in a space at most: the weakest go, with their trials', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(1, 50))
    const { compositionsKept } = parameters.sleep
    await inSpace(server, ada, (trx, { id }) =>
      sql`
        with pairs as (
          select a, b, row_number() over () as n from generate_series(2, 51) a, generate_series(2, 51) b
            where a < b limit ${compositionsKept}
        ), trials as (
          insert into app.pair_trials (space_id, a, b, valid, invalid, coherence, priority, tried_at, consolidated_at)
            select ${id}::uuid, a, b, 2, 0, 0, 0, now(), now() from pairs
            union all select ${id}::uuid, 0, 1, 4, 0, 1, 1, now(), null
            union all select ${id}::uuid, 0, 2, 2, 0, 1, 1, now(), null
        )
        insert into app.compositions (space_id, a, b, key, strength, created_at)
          select ${id}::uuid, a, b, '[1]'::vector, case when n = 1 then 0.6 else 0.9 end, now() from pairs`.execute(
        trx,
      ),
    )
    const before = await readConsolidation(server, ada)
    const weakest = before.compositions.find(({ strength }) => strength === 0.6)
    expect((await sleep(ada)).compositions_discovered).toBe(1)
    const { compositions, trials } = await readConsolidation(server, ada)
    expect(compositions).toHaveLength(compositionsKept)
    expect(compositions).toContainEqual(expect.objectContaining({ a: 0, b: 1 }))
    const pairs = (list: readonly { a: number; b: number }[]) => list.map(({ a, b }) => `${a},${b}`)
    expect(pairs(compositions)).not.toContain(`${weakest?.a},${weakest?.b}`)
    // One that is weaker than all that are kept is none, and stays a trial.
    expect(pairs(compositions)).not.toContain('0,2')
    expect(pairs(trials).toSorted()).toEqual([...pairs(compositions), '0,2'].toSorted())
  })
})
