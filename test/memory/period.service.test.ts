import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { recall } from './recalled.ts'
import { faultsOf } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const [may, june, july] = ['2023-05-10T00:00:00Z', '2023-06-10T12:00:00.000Z', '2023-07-10T00:00:00Z']
const facts = [
  { text: 'Ada painted the door red.', occurred_at: may },
  { text: 'Ada painted the door green.', occurred_at: june },
  { text: 'Ada painted the door blue.', occurred_at: july },
]
const query = 'Which colour did Ada paint the door?'

async function newFacts(): Promise<ConformingClient> {
  const client = await newConformingClient(server)
  await client.store(facts)
  return client
}

const textsOf = (results: { text: string }[]) => results.map(({ text }) => text).toSorted()
const of = (...places: number[]) => places.map((at) => facts[at]?.text).toSorted()

describe('after and before', () => {
  const periods: [string, { after?: string | null; before?: string | null }, number[]][] = [
    ['from a time on, which is included', { after: june }, [1, 2]],
    ['up to a time, which is not', { before: june }, [0]],
    ['between two', { after: june, before: july }, [1]],
    ['with an offset', { after: '2023-06-10T14:00:00+02:00', before: '2023-07-01' }, [1]],
    ['a period that ends before it begins', { after: july, before: may }, []],
    ['no period', { after: null, before: null }, [0, 1, 2]],
  ]

  it.each(periods)('narrow searches and lists: %s', async (_name, period, expected) => {
    const client = await newFacts()
    const { embedding } = (await client.post('/v1/memory/text/embed', { text: query })).body
    const ask = async (path: string, body: object) => (await client.post(path, { ...body, ...period })).body
    const found = {
      retrieve: (await ask('/v1/memory/text/retrieve', { query, top_k: 10 })).results,
      recall: (await ask('/v1/memory/text/recall', { query, top_k: 10 })).results,
      'as it was': (
        await ask('/v1/memory/text/recall', { query, top_k: 10, as_of: new Date().toISOString() })
      ).results,
      tiered: (await ask('/v1/memory/tiered/retrieve', { query, top_k: 10 })).results,
      search: (await ask('/v1/memory/patterns/search', {})).patterns,
    }
    for (const [name, results] of Object.entries(found)) {
      expect(textsOf(results), name).toEqual(of(...expected))
    }
    expect((await ask('/v1/memory/patterns/count', {})).count).toBe(expected.length)
    for (const path of ['/v1/memory/query', '/v1/memory/retrieve']) {
      expect((await ask(path, { embedding, top_k: 10 })).results, path).toHaveLength(expected.length)
    }
    const batch = {
      queries: [
        { embedding, top_k: 10, ...period },
        { embedding, top_k: 10 },
      ],
    }
    const [some, all] = (await client.post('/v1/memory/batch/retrieve', batch)).body.results
    expect([some.length, all.length]).toEqual([expected.length, facts.length])
    const { explanation } = await ask('/v1/memory/text/explain', { query })
    const quoted = facts.filter(({ text }) => explanation.includes(text)).map(({ text }) => text)
    expect(of(...expected)).toEqual(expect.arrayContaining(quoted))
    const predicted = (await ask('/v1/memory/text/predict', { query, top_k: 10 })).predictions
    for (const { text } of predicted) expect(of(...expected)).toContain(text)
    const listed = Object.entries(period).flatMap(([name, time]) =>
      time === null ? [] : [`${name}=${encodeURIComponent(time)}`],
    )
    const { patterns } = (await client.get(`/v1/memory/patterns?${listed.join('&')}`)).body
    expect(textsOf(patterns)).toEqual(of(...expected))
  })

  it('narrow what a filter and a subject say', async () => {
    const client = await newFacts()
    await client.store([{ text: 'Ben painted the door.', subject: 'ben', metadata: { kind: 'work' } }])
    const search = async (body: object) =>
      textsOf((await client.post('/v1/memory/patterns/search', body)).body.patterns)
    expect(await search({ after: july, subject: 'ben', filter: { kind: 'work' } })).toEqual([
      'Ben painted the door.',
    ])
    expect(await search({ before: july, subject: 'ben' })).toEqual([])
    expect(await search({ after: may, filter: { $occurred_at: { $lt: june } } })).toEqual(of(0))
  })

  it.each(['yesterday', 17, '2023-13-01'])('must be times: %s', async (after) => {
    const client = await newConformingClient(server)
    for (const path of ['/v1/memory/text/retrieve', '/v1/memory/text/recall']) {
      const [{ loc }] = faultsOf(await client.post(path, { query, after })) as [{ loc: string[] }]
      expect(loc).toEqual(['body', 'after'])
    }
    expect((await client.get('/v1/memory/patterns?before=soon')).status).toBe(422)
  })
})

describe('a time that a query of recall names', () => {
  const reference_time = '2023-08-01T09:00:00Z'
  const asked = (what: string) => `${query.slice(0, -1)} ${what}?`

  it.each([
    ['last month', 2, '2023-07-01', '2023-08-01'],
    ['two months ago', 1, '2023-06-01', '2023-07-01'],
    ['on May 10', 0, '2023-05-10', '2023-05-11'],
  ])('prefers texts of then: %s', async (expression, place, from, to) => {
    const client = await newFacts()
    const { results, info } = await recall(client, {
      query: asked(expression),
      reference_time,
      explain: true,
    })
    expect(textsOf(results)).toEqual(of(0, 1, 2))
    expect(results[0]?.text).toBe(facts[place]?.text)
    expect(info.time).toEqual({ from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z`, expression })
    for (const { text, scores } of results) {
      const { total, ...parts } = scores as Record<string, number>
      expect(parts.time === 0, text).toBe(text !== facts[place]?.text)
      expect(Object.values(parts).reduce((a, b) => a + b)).toBeCloseTo(total as number, 9)
    }
  })

  it('is seen from now, unless told otherwise', async () => {
    const client = await newFacts()
    await client.store([{ text: 'Ada painted the door white.' }])
    const { results, info } = await recall(client, { query: asked('today') })
    expect(results[0]?.text).toBe('Ada painted the door white.')
    expect(info.time?.from).toBe(`${server.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`)
  })

  it('is not read when it is not wanted, not there, or the past is asked', async () => {
    const client = await newFacts()
    const infoOf = async (body: object) =>
      (await recall(client, { query: asked('last month'), ...body })).info
    expect(await infoOf({ time: false })).not.toHaveProperty('time')
    expect(await infoOf({ query })).not.toHaveProperty('time')
    expect(await infoOf({ as_of: new Date().toISOString() })).not.toHaveProperty('time')
    expect(await infoOf({})).toHaveProperty('time')
  })

  it('finds texts of then that nothing else brings', async () => {
    const client = await newConformingClient(server)
    const noise = Array.from({ length: 200 }, (_, i) => `Ada painted door ${i} in the colour that she liked.`)
    for (let from = 0; from < noise.length; from += 50) await client.store(noise.slice(from, from + 50))
    const odd = { text: 'The carpenter was paid.', occurred_at: june }
    await client.store([odd])
    const body = { query: `${query.slice(0, -1)} two months ago?`, reference_time, top_k: 50 }
    const candidates = async (more: object) => (await recall(client, { ...body, ...more })).info.candidates
    expect(await candidates({})).toBeGreaterThan(await candidates({ time: false }))
  })

  it('keeps within what the filter says', async () => {
    const client = await newFacts()
    const body = { query: asked('two months ago'), reference_time, after: july }
    expect(textsOf((await recall(client, body)).results)).toEqual(of(2))
  })
})
