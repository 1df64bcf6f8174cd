import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
