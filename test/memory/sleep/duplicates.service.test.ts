import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush, readLearned, search } from '../learning/space.ts'
import { expectCountersToMatch, getSpace } from '../space.ts'
import { run, sleep } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const same = 'The office printer takes black toner.'

const storeItems = (client: Client, items: object[]) => run(client, '/v1/memory/text/batch-store', { items })

/** Index and time of the patterns that are there. */
const events = async (client: Client): Promise<[number, string][]> =>
  (await run(client, '/v1/memory/patterns?limit=200')).patterns.map(
    (each: { pattern_idx: number; occurred_at: string }) => [each.pattern_idx, each.occurred_at],
  )

describe('sleep and what was stored twice', () => {
  it('merges the same text with equal metadata into the oldest', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store([
      { text: `${same} Café.`, metadata: { a: 1, b: [2] } },
      { text: 'Something else.' },
      { text: `  The office printer\n takes black  toner. Cafe\u0301. `, metadata: { b: [2], a: 1 } },
      { text: `${same} Café.`, metadata: { a: 1, b: [2] } },
    ])
    expect((await sleep(ada)).consolidated).toBe(2)
    const { patterns } = (await ada.get('/v1/memory/patterns')).body
    expect(patterns.map((each: { pattern_id: string }) => each.pattern_id)).toEqual([ids[0], ids[1]])
    for (const gone of [ids[2], ids[3]]) {
      expect((await ada.get(`/v1/memory/patterns/${gone}`)).status).toBe(404)
    }
    expect(await ada.retrieve('office printer', { top_k: 10 })).toHaveLength(2)
    expect((await run(ada, '/v1/memory/text/stats')).total_patterns).toBe(2)
    await expectCountersToMatch(server, ada)
    expect((await sleep(ada)).consolidated).toBe(0)
  })

  it('merges nothing that differs in a word, a number, a sign, in metadata or expiry', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const items = [
      { text: same },
      { text: 'The office printer takes no black toner.' },
      { text: 'The office printer takes black toner!' },
      { text: 'the office printer takes black toner.' },
      { text: 'The office printers take black toner.' },
      { text: 'Ben has 3 cats.' },
      { text: 'Ben has 4 cats.' },
      { text: 'Ben has 3 cats.', metadata: { source: 'mail' } },
      { text: 'Ben has 3 cats.', expires_at },
    ]
    const { status } = await ada.post('/v1/memory/text/batch-store', { items })
    expect(status).toBe(200)
    expect((await sleep(ada)).consolidated).toBe(0)
    expect((await run(ada, '/v1/memory/text/stats')).total_patterns).toBe(items.length)
  })

  it('keeps the same text of different events: those of which callers gave different times', async () => {
    const ada = await newConformingClient(server)
    const at = (day: number) => ({ text: same, occurred_at: `2026-05-0${day}T08:00:00Z` })
    await storeItems(ada, [at(1), at(2), at(1), at(3), at(2)])
    expect((await sleep(ada)).consolidated).toBe(2)
    expect(await events(ada)).toEqual([
      [0, '2026-05-01T08:00:00.000Z'],
      [1, '2026-05-02T08:00:00.000Z'],
      [3, '2026-05-03T08:00:00.000Z'],
    ])
    expect((await sleep(ada)).consolidated).toBe(0)
    await expectCountersToMatch(server, ada)
  })

  it('knows an event by its time, however that was written', async () => {
    const ada = await newConformingClient(server)
    const times = ['2026-05-01T08:00:00Z', '2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z']
    await storeItems(
      ada,
      times.map((occurred_at) => ({ text: same, occurred_at })),
    )
    expect((await sleep(ada)).consolidated).toBe(2)
  })

  it.each([
    [
      'before',
      [undefined, 1, 2],
      [
        [0, 1],
        [2, 2],
      ],
    ],
    [
      'between',
      [1, undefined, 2],
      [
        [0, 1],
        [2, 2],
      ],
    ],
    [
      'after',
      [1, 2, undefined],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    ['among those of one event', [undefined, 1, undefined, 1], [[0, 1]]],
    ['alone', [undefined, undefined], [[0, undefined]]],
  ] as const)(
    'gives copies without a time of their own, %s others, to the oldest event',
    async (_, given, expected) => {
      const ada = await newConformingClient(server)
      const time = (day: number | undefined) =>
        day === undefined ? undefined : `2026-05-0${day}T08:00:00.000Z`
      // One request each: those of one are stored at one moment.
      for (const day of given) await storeItems(ada, [{ text: same, occurred_at: time(day) }])
      const before = await events(ada)
      expect((await sleep(ada)).consolidated).toBe(given.length - expected.length)
      expect(await events(ada)).toEqual(expected.map(([idx, day]) => [idx, time(day) ?? before[idx]?.[1]]))
      // What it took from another copy is its own now.
      await storeItems(ada, [{ text: same, occurred_at: time(9) }])
      expect((await sleep(ada)).consolidated).toBe(expected[0][1] === undefined ? 1 : 0)
      await expectCountersToMatch(server, ada)
    },
  )

  it('keeps as a version what the oldest was before it took the time of another', async () => {
    const ada = await newConformingClient(server)
    const time = '2026-05-01T08:00:00.000Z'
    const [first] = (await storeItems(ada, [{ text: same }])).pattern_ids
    await storeItems(ada, [{ text: same, occurred_at: time }])
    const before = await run(ada, `/v1/memory/patterns/${first}`)
    await sleep(ada)
    expect((await run(ada, `/v1/memory/patterns/${first}/history`)).versions).toMatchObject([
      { version: 2, change: 'merged', changed_by: null, occurred_at: time },
      { version: 1, change: 'created', occurred_at: before.occurred_at },
    ])
  })

  it.each([
    ['what it said', { text: 'The office printer takes red toner.' }, { text: same }],
    ['its metadata', { metadata: { source: 'mail' } }, { metadata: {} }],
  ])('keeps a copy of which the history tells that %s was another once', async (_, before, after) => {
    const ada = await newConformingClient(server)
    // Older than what was never changed, and younger.
    const changed = await ada.store([{ text: same, ...before }])
    const [copy] = await ada.store([same])
    changed.push(...(await ada.store([{ text: same, ...before }])))
    const then = new Date().toISOString()
    for (const id of changed) {
      expect((await ada.patch(`/v1/memory/patterns/${id}`, after)).status).toBe(200)
    }
    const versions = (id: string) => run(ada, `/v1/memory/patterns/${id}/history`)
    const seen = async () => [
      await run(ada, `/v1/memory/patterns?as_of=${then}`),
      ...(await Promise.all([...changed, copy as string].map(versions))),
    ]
    const told = await seen()
    // Only what is a copy of one that was never changed is merged.
    await ada.store([same])
    expect((await sleep(ada)).consolidated).toBe(1)
    expect(await seen()).toEqual(told)
    await expectCountersToMatch(server, ada)
  })

  it('merges copies of many events in one pass as in several', async () => {
    const ada = await newConformingClient(server)
    const days = Array.from({ length: 40 }, (_, i) => i % 8)
    const items = days.map((day) => ({
      text: same,
      occurred_at: day === 0 ? undefined : `2026-05-0${day}T08:00:00Z`,
    }))
    await storeItems(ada, items)
    expect((await sleep(ada, 1)).consolidated).toBe(days.length - 7)
    const left = await events(ada)
    expect(new Set(left.map(([, time]) => time)).size).toBe(7)
  })

  it('leaves protected patterns alone', async () => {
    const ada = await newConformingClient(server)
    const item = { text: same, metadata: { protected: true } }
    await ada.store([item, item])
    expect((await sleep(ada)).consolidated).toBe(0)
    expect((await run(ada, '/v1/memory/text/stats')).total_patterns).toBe(2)
  })

  it('merges no vectors, however equal', async () => {
    const ada = await newConformingClient(server)
    for (let i = 0; i < 2; i++) await ada.post('/v1/memory/store', { key: [1, 2], value: [3] })
    expect((await sleep(ada)).consolidated).toBe(0)
  })

  it('has the oldest stand in a context when the answers of all are enough for that', async () => {
    const ada = await newConformingClient(server)
    await ada.store([same, same])
    const { id } = await getSpace(server, ada)
    for (let n = 0; n < 10; n++) server.context.memory.accesses.record(id, [0, 1])
    await flush(server)
    const standing = async () => (await run(ada, '/v1/memory/context', {})).lines.standing
    expect(await standing()).toBe(0)
    expect((await sleep(ada)).consolidated).toBe(1)
    expect(await standing()).toBe(1)
  })

  it('gives the oldest all that the others were used for', async () => {
    const ada = await newConformingClient(server)
    const [oldest] = await ada.store([same, 'The sea is salty.', same])
    await search(ada, 'What does the printer take?', { top_k: 3 })
    await search(ada, 'Is the sea salty?', { top_k: 1 })
    await search(ada, 'Which toner?', { top_k: 2 })
    await flush(server)
    const before = await readLearned(server, ada)
    const count = (idx: number) => before.accesses.get(idx)?.access_count ?? 0
    expect(count(2)).toBeGreaterThan(0)
    const weight = (pair: string) => before.associations.get(pair) ?? 0
    const steps = [...before.transitions].filter(([step]) => /^2>|>2$/.test(step))
    await sleep(ada, 1)
    const after = await readLearned(server, ada)
    expect(after.accesses.get(0)?.access_count).toBe(count(0) + count(2))
    expect(after.accesses.has(2)).toBe(false)
    expect((await ada.get(`/v1/memory/patterns/${oldest}`)).body.access_count).toBe(count(0) + count(2))
    // Replay may have added one strengthening by 0.1 to each before they were merged.
    const merged = 1 - (1 - weight('0-1')) * (1 - weight('1-2'))
    expect(after.associations.get('0-1') ?? 0).toBeGreaterThanOrEqual(merged - 1e-6)
    expect([...after.associations.keys()].every((pair) => !/^2-|-2$/.test(pair))).toBe(true)
    for (const [step, n] of steps) {
      const [source, target] = step.split('>').map((idx) => (idx === '2' ? 0 : Number(idx)))
      if (source !== target)
        expect(after.transitions.get(`${source}>${target}`)).toBeGreaterThanOrEqual(n - 1e-6)
    }
    const { id } = await getSpace(server, ada)
    const held = await server.context.memory.learned.get(id, 0)
    expect([...held.uses()].map(({ idx }) => idx)).not.toContain(2)
  })
})
