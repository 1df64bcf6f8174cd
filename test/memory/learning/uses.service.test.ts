import { actorOf } from '@memory/memory/learning/record-use'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace, inSpace } from '../space.ts'
import { type Found, flush, rateAt, readLearned, search } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const day = 86_400_000
const minute = 60_000

const facts = [
  'Ada moved to Lisbon in May.',
  'The printer on the second floor is out of toner.',
  'Grandmother’s birthday is on the ninth of July.',
  'Bread needs flour, water, salt and yeast.',
  'Interest rates rose by half a percent.',
]

/** A space with the facts; `idx` tells which of them an answer's patterns are. */
async function newSpace() {
  const ada = await newConformingClient(server)
  const ids = await ada.store(facts)
  // What storing has surprised is not counted among what searches do.
  await flush(server)
  const indexesOf = (found: readonly Found[]) => found.map(({ pattern_id }) => ids.indexOf(pattern_id))
  return { ada, ids, indexesOf }
}

/** Signals of a space's observations, oldest first. */
async function signals(owner: { organizationId: string }): Promise<number[]> {
  return inSpace(server, owner, async (trx, { id }) => {
    const { rows } = await sql<{ signal: number }>`
      select (r.value ->> 'signal')::float8 as signal
        from app.signal_history h, jsonb_array_elements(h.records) with ordinality as r (value, i)
        where h.space_id = ${id} order by h.n, r.i`.execute(trx)
    return rows.map(({ signal }) => signal)
  })
}

describe('an answer', () => {
  it('associates the patterns it held by their cosines', async () => {
    const { ada, indexesOf } = await newSpace()
    await ada.store(['It was in May that Ada moved to Lisbon.'])
    await flush(server)
    const found = await search(ada, 'When did Ada move to Lisbon?', { top_k: 2 })
    await flush(server)
    // The rate is that of the signal with this observation in it, the last: a store's may come late.
    const rate = rateAt((await signals(ada)).at(-1) as number)
    const [first, second] = found as [Found, Found]
    const weight = 0.1 * rate * Math.exp(20 * (second.similarity - first.similarity))
    expect(second.similarity).toBeGreaterThan(first.similarity - 0.115)
    const { associations } = await readLearned(server, ada)
    expect(indexesOf(found).toSorted()).toEqual([-1, 0])
    expect([...associations.keys()]).toEqual(['0-5'])
    expect(associations.get('0-5')).toBeCloseTo(weight, 5)
  })

  it('counts for each pattern, and strengthens the first three', async () => {
    const { ada, indexesOf } = await newSpace()
    const found = indexesOf(await search(ada, 'Lisbon', { top_k: 4 }))
    await flush(server)
    await search(ada, 'Lisbon', { top_k: 1 })
    await flush(server)
    const { accesses } = await readLearned(server, ada)
    const expected = [0.502985, 0.5015, 0.5015, 0.5]
    expect(accesses.size).toBe(4)
    found.forEach((idx, rank) => {
      expect(accesses.get(idx)?.strength).toBeCloseTo(expected[rank] as number, 12)
      expect(accesses.get(idx)?.access_count).toBe(rank === 0 ? 2 : 1)
    })
  })

  it('is known to this process as it is in the database', async () => {
    const { ada } = await newSpace()
    const { id } = await getSpace(server, ada)
    // Held in memory before it is used, so that what follows is read as changes.
    await search(ada, 'Who?', { path: '/v1/memory/text/recall' })
    for (const query of ['Lisbon', 'toner', 'bread and Lisbon', 'the birthday']) {
      await search(ada, query, { top_k: 5 })
      await flush(server)
    }
    const held = await server.context.memory.learned.get(id, 0)
    const { associations, transitions, accesses } = await readLearned(server, ada)
    expect(associations.size).toBeGreaterThan(3)
    for (const [pair, weight] of associations) {
      const [a, b] = pair.split('-').map(Number) as [number, number]
      expect(held.associatesOf(a).get(b)?.weight).toBe(weight)
      expect(held.associatesOf(b).get(a)?.weight).toBe(weight)
    }
    for (const [step, count] of transitions) {
      const [source, target] = step.split('>').map(Number) as [number, number]
      expect(held.transitions.get(source)?.get(target)?.count).toBe(count)
    }
    for (const [idx, { access_count, strength }] of accesses) {
      expect(held.useOf(idx)).toMatchObject({ count: access_count, strength })
    }
  })
})

describe('top hits one after the other', () => {
  it('are transitions of the actor that X-Memory-Actor names, and of no other', async () => {
    const { ada, indexesOf } = await newSpace()
    const ask = async (query: string, actor: string) =>
      indexesOf(await search(ada, query, { top_k: 1, actor }))[0]
    expect(await ask('Who moved to Lisbon?', 'user 1')).toBe(0)
    expect(await ask('What does bread need?', 'user 2')).toBe(3)
    expect(await ask('Is there toner?', 'user 1')).toBe(1)
    expect(await ask('What are interest rates?', 'user 2')).toBe(4)
    await flush(server)
    const { transitions, traces, associations } = await readLearned(server, ada)
    expect(transitions).toEqual(
      new Map([
        ['0>1', 1],
        ['3>4', 1],
      ]),
    )
    expect([...associations.keys()]).toEqual(['0-1', '3-4'])
    expect(traces).toHaveLength(2)
    // Names may be a person's: only hashes are kept.
    expect(JSON.stringify(traces)).not.toContain('user')
  })

  it('filter nothing: every actor finds the same', async () => {
    const { ada } = await newSpace()
    const ask = (actor: string) => search(ada, 'Where does Ada live?', { top_k: 5, actor })
    expect(await ask('user 1')).toEqual(await ask('user 2'))
  })

  it('fade by half in 30 days, and are counted on top of what is left', async () => {
    const { ada } = await newSpace()
    const twice = async () => {
      await search(ada, 'Who moved to Lisbon?', { top_k: 1 })
      await search(ada, 'Is there toner?', { top_k: 1 })
      await flush(server)
    }
    await twice()
    const first = (await readLearned(server, ada)).associations.get('0-1') as number
    server.clock.advance(30 * day)
    await twice()
    const { transitions, associations } = await readLearned(server, ada)
    expect(transitions.get('0>1')).toBeCloseTo(1.5, 4)
    // 1 - (1 - w/2) (1 - step): the step of then is between those of the least and the greatest rate.
    const faded = first / 2
    const step = 1 - (1 - (associations.get('0-1') as number)) / (1 - faded)
    expect(step).toBeGreaterThan(0.05)
    expect(step).toBeLessThan(0.15)
  })

  it('are none where half an hour lies between, nor the same query twice', async () => {
    const { ada } = await newSpace()
    await search(ada, 'Who moved to Lisbon?', { top_k: 1 })
    await search(ada, 'Who moved to Lisbon?', { top_k: 1 })
    await flush(server)
    server.clock.advance(30 * minute + 1_000)
    await search(ada, 'Is there toner?', { top_k: 1 })
    await flush(server)
    const { transitions, associations } = await readLearned(server, ada)
    expect(transitions.size).toBe(0)
    expect(associations.size).toBe(0)
  })
})

describe('associations of a pattern', () => {
  it('are its 32 strongest, and none that has faded away', async () => {
    const ada = await newConformingClient(server)
    const texts = Array.from({ length: 40 }, (_, i) => `Note ${i}`)
    await ada.store(texts)
    await flush(server)
    const { id } = await getSpace(server, ada)
    const { learning, learned } = server.context.memory
    await learned.get(id, 0)
    const at = () => server.clock.now().getTime()
    // Pattern 0 with each other one, more often with the later ones.
    const together = (other: number) => ({
      kind: 'answer' as const,
      at: at(),
      surprise: null,
      actor: actorOf(id, `${other} at ${at()}`),
      query: `${other}`,
      pathway: 'exact' as const,
      patterns: [
        { idx: 0, cosine: 0.8 },
        { idx: other, cosine: 0.7 + other / 1_000 },
      ],
    })
    for (let other = 1; other < 40; other++) learning.record(id, together(other))
    await flush(server)
    const { associations } = await readLearned(server, ada)
    const kept = Array.from({ length: 32 }, (_, i) => `0-${8 + i}`)
    expect([...associations.keys()]).toEqual(kept.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))))
    const held = await learned.get(id, 0)
    expect([...held.associatesOf(0).keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 32 }, (_, i) => 8 + i),
    )
    expect(held.associatesOf(7).size).toBe(0)

    // After a year 0.1 is 2e-5: only what is used now is left of the hub.
    server.clock.advance(365 * day)
    learning.record(id, together(1))
    await flush(server)
    expect([...(await readLearned(server, ada)).associations.keys()]).toEqual(['0-1'])
    expect([...(await learned.get(id, 0)).associatesOf(0).keys()]).toEqual([1])
  })
})
