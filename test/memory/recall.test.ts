import { eraseExpired } from '@memory/shared/memory/housekeeping'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { faultsOf, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Recalled {
  results: { text: string; metadata: object; similarity: number; pattern_id: string }[]
  info: {
    pathway: string
    surprise: number
    candidates: number
    reranked: boolean
    head_weights: Record<string, number>
    lexical_hits: number
    co_access_boosted: number
    regime: string
  }
}

const path = '/v1/memory/text/recall'

/** What a client recalls; fails the test when it may not. */
async function recall(client: Client, body: object, headers: Record<string, string> = {}): Promise<Recalled> {
  const answer = await client.post(path, body, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const textsOf = ({ results }: Recalled): string[] => results.map(({ text }) => text)

const facts = [
  'Ada moved to Lisbon in May.',
  'The printer on the second floor is out of toner.',
  'Did you call the landlord about the heating?',
  'Yes, he sends somebody on Thursday.',
  'Grandmother’s birthday is on the ninth of July.',
  'Invoice RX-2209 was paid twice by mistake.',
]

async function newSpace(texts: Parameters<Client['store']>[0] = facts) {
  const ada = await newConformingClient(server)
  return { ada, ids: await ada.store(texts) }
}

describe('POST /v1/memory/text/recall', () => {
  it('finds by words what meaning alone does not, and says how', async () => {
    const { ada, ids } = await newSpace()
    const { results, info } = await recall(ada, { query: 'RX-2209', top_k: 3 })
    expect(results[0]).toMatchObject({ text: facts[5], pattern_id: ids[5], metadata: {} })
    expect(info).toMatchObject({
      pathway: 'attention',
      regime: 'normal',
      candidates: facts.length,
      lexical_hits: 1,
      co_access_boosted: 0,
    })
    expect(Object.values(info.head_weights).reduce((a, b) => a + b)).toBeCloseTo(1, 10)
  })

  it('keeps the cosine as the similarity, and tells whether the order is another', async () => {
    const { ada } = await newSpace()
    for (const query of ['Where does Ada live?', 'RX-2209', 'July']) {
      const { results, info } = await recall(ada, { query, top_k: 6 })
      const retrieved = await ada.post('/v1/memory/text/retrieve', { query, top_k: 6 })
      const inOrder: Recalled['results'] = retrieved.body.results
      const cosines = new Map(inOrder.map(({ pattern_id, similarity }) => [pattern_id, similarity]))
      expect(results).toHaveLength(6)
      for (const { pattern_id, similarity } of results) expect(similarity).toBe(cosines.get(pattern_id))
      const sameOrder = results.every(({ pattern_id }, i) => pattern_id === inOrder[i]?.pattern_id)
      expect(info.reranked).toBe(!sameOrder)
      expect(info.surprise).toBeCloseTo(Math.acos(inOrder[0]?.similarity ?? 0) / (Math.PI / 2), 9)
    }
  })

  it('brings the answer that was stored after its question, where order says what belongs together', async () => {
    const question = 'Did you call the landlord about the heating?'
    const answer = 'Yes, he sends somebody on Thursday.'
    const talks = [
      ['The bakery opens at seven.', 'Its bread is still warm then.', 'The rolls are baked with rye flour.'],
      ['Our team won the match.', 'The goalkeeper saved two penalties.', 'The next match is at home.'],
      [
        'The flat is cold, the heating is off.',
        question,
        answer,
        'Until then we heat the flat with a stove.',
      ],
      ['My phone has a new camera.', 'The photos of that camera are sharp.', 'I sent you three photos.'],
      ['It rained in the mountains.', 'The path to the summit was wet.', 'We turned back before the summit.'],
      ['The choir sings on Sunday.', 'The altos of the choir practise.', 'The organ plays with the choir.'],
    ]
    // The first of each talk, then the second of each: neighbours have nothing in common.
    const mixed = [0, 1, 2, 3].flatMap((i) => talks.flatMap((talk) => talk[i] ?? []))
    const rankIn = async (texts: string[]) =>
      textsOf(await recall((await newSpace(texts)).ada, { query: question, top_k: 20 })).indexOf(answer)
    const [inOrder, apart] = [await rankIn(talks.flat()), await rankIn(mixed)]
    expect(inOrder).toBeLessThan(4)
    expect(apart).toBeGreaterThan(inOrder)
  })

  it('answers an empty space with nothing', async () => {
    const { results, info } = await recall(await newConformingClient(server), { query: 'anything' })
    expect(results).toEqual([])
    expect(info).toMatchObject({ surprise: 1, candidates: 0, lexical_hits: 0, reranked: false })
  })

  it('answers a space of one text with it', async () => {
    const { ada } = await newSpace(['Ada moved to Lisbon.'])
    for (const query of ['Ada', 'Something else altogether', '?!']) {
      const recalled = await recall(ada, { query, top_k: 50 })
      expect(textsOf(recalled)).toEqual(['Ada moved to Lisbon.'])
      expect(recalled.info).toMatchObject({ candidates: 1, reranked: false })
    }
  })

  it('answers texts that are all the same in store order', async () => {
    const { ada, ids } = await newSpace(Array.from({ length: 20 }, () => 'The same again.'))
    const { results, info } = await recall(ada, { query: 'The same', top_k: 20 })
    expect(results.map(({ pattern_id }) => pattern_id)).toEqual(ids)
    expect(info.reranked).toBe(false)
    expect(new Set(results.map(({ similarity }) => similarity)).size).toBe(1)
  })

  it('gives as many as asked for, 5 unless given', async () => {
    const { ada } = await newSpace(Array.from({ length: 49 }, (_, i) => `Note number ${i}.`))
    await ada.store(['One.', 'Two.', 'Three.'])
    for (const [top_k, count] of [
      [1, 1],
      [50, 50],
      [undefined, 5],
    ] as const) {
      expect(textsOf(await recall(ada, { query: 'note', top_k }))).toHaveLength(count)
    }
  })

  it.each([
    ['Greek', 'Η Άννα ζει στη Θεσσαλονίκη.', 'ΘΕΣΣΑΛΟΝΙΚΗ'],
    ['Russian', 'Бабушка живёт в Новосибирске.', 'новосибирск'],
    ['Arabic', 'تعيش سلمى في القاهرة.', 'القاهرة'],
    ['Chinese', '张伟住在上海浦东。', '浦东'],
    ['Japanese', '打ち合わせは木曜日の三時からです。', '木曜日'],
    ['Thai', 'ยายทำแกงเขียวหวานทุกวันอาทิตย์', 'แกงเขียวหวาน'],
    ['Hindi', 'मीना जयपुर में पढ़ाती है।', 'जयपुर'],
  ])('finds words of %s', async (_name, text, query) => {
    const { ada } = await newSpace([...facts, text])
    const recalled = await recall(ada, { query, top_k: 3 })
    expect(textsOf(recalled)[0]).toBe(text)
    expect(recalled.info.lexical_hits).toBe(1)
  })

  it('never gives vectors that lie beside the texts, even with their very key', async () => {
    const { ada, ids } = await newSpace()
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'Where does Ada live?' })
    for (let i = 0; i < 70; i++) {
      await ada.post('/v1/memory/store', { key: body.embedding, value: body.embedding, metadata: { i } })
    }
    const { results, info } = await recall(ada, { query: 'Where does Ada live?', top_k: 50 })
    expect(results.map(({ pattern_id }) => pattern_id).toSorted()).toEqual(ids.toSorted())
    expect(info.candidates).toBe(facts.length)
  })

  it('keeps live and test apart', async () => {
    const { ada } = await newSpace()
    const test = await newConformingClient(server, {
      organizationId: ada.organizationId,
      environment: 'test',
    })
    expect(textsOf(await recall(test, { query: 'Ada' }))).toEqual([])
    await test.store(['Ada is a test.'])
    expect(textsOf(await recall(test, { query: 'Ada', top_k: 50 }))).toEqual(['Ada is a test.'])
    expect(textsOf(await recall(ada, { query: 'Ada', top_k: 50 }))).not.toContain('Ada is a test.')
  })

  it('counts as one query, unless it is refused', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    for (let i = 0; i < 3; i++) await recall(ada, { query: 'q' })
    expect((await ada.post(path, { query: '' })).status).toBe(422)
    const counted = await inSpace(server, ada, async (trx, { id }) => {
      const counts = trx.withSchema('app').selectFrom('query_counts').where('space_id', '=', id)
      return (await counts.select(({ fn }) => fn.sum('used').as('used')).executeTakeFirstOrThrow()).used
    })
    expect(Number(counted)).toBe(3)
  })

  it.each([
    [{}, 'missing', 'query'],
    [{ query: 7 }, 'string_type', 'query'],
    [{ query: ' \n' }, 'string_too_short', 'query'],
    [{ query: 'x'.repeat(5_001) }, 'string_too_long', 'query'],
    [{ query: 'q', top_k: 0 }, 'greater_than_equal', 'top_k'],
    [{ query: 'q', top_k: 51 }, 'less_than_equal', 'top_k'],
    [{ query: 'q', min_similarity: 1.01 }, 'less_than_equal', 'min_similarity'],
    [{ query: 'q', filter: 'user' }, 'dict_type', 'filter'],
  ])('refuses %j', async (body, type, field) => {
    const answer = await (await newConformingClient(server)).post(path, body)
    expect(faultsOf(answer)).toEqual([expect.objectContaining({ type, loc: ['body', field] })])
  })
})

describe('a filter', () => {
  const people = [
    { text: 'Ada has a red bicycle.', metadata: { user: 'ada', year: 2024 } },
    { text: 'Ada sold the bicycle.', metadata: { user: 'ada', year: 2025 } },
    { text: 'Ben has a red bicycle too.', metadata: { user: 'ben', year: 2025 } },
    { text: 'Nobody has a car.' },
  ]

  it.each([
    [{ user: 'ada' }, [0, 1]],
    [{ user: ['ada', 'ben'], year: 2025 }, [1, 2]],
    [{ user: 'eve' }, []],
    [{}, [0, 1, 2, 3]],
  ])('%j lets only those through that match', async (filter, expected) => {
    const { ada, ids } = await newSpace(people)
    const { results, info } = await recall(ada, { query: 'Who has a red bicycle?', top_k: 50, filter })
    expect(results.map(({ pattern_id }) => ids.indexOf(pattern_id)).toSorted()).toEqual(expected)
    expect(info.candidates).toBe(expected.length)
  })

  it('finds what it lets through behind many that are nearer', async () => {
    const { ada } = await newSpace(Array.from({ length: 50 }, (_, i) => `The red bicycle number ${i}.`))
    for (let batch = 0; batch < 4; batch++) {
      await ada.store(Array.from({ length: 50 }, (_, i) => `The red bicycle number ${batch}-${i} again.`))
    }
    await ada.store([{ text: 'Interest rates rose.', metadata: { user: 'ben' } }])
    const recalled = await recall(ada, { query: 'red bicycle', filter: { user: 'ben' } })
    expect(textsOf(recalled)).toEqual(['Interest rates rose.'])
  })

  it('of least similarity lets only those through that are as near', async () => {
    const { ada } = await newSpace()
    const query = 'Where does Ada live?'
    const { results } = await recall(ada, { query, top_k: 50 })
    const third = results.map(({ similarity }) => similarity).toSorted((a, b) => b - a)[2] as number
    for (const [min_similarity, count] of [
      [-1, 6],
      [third, 3],
      [third + 1e-6, 2],
      [1, 0],
    ] as const) {
      const kept = await recall(ada, { query, top_k: 50, min_similarity })
      const expected = results.filter(({ similarity }) => similarity >= min_similarity)
      expect(kept.results).toEqual(expected)
      expect(kept.results).toHaveLength(count)
    }
  })
})

describe('texts that change', () => {
  it('are recalled by their new words and not by their old ones', async () => {
    const { ada, ids } = await newSpace()
    expect((await recall(ada, { query: 'toner' })).info.lexical_hits).toBe(1)
    await ada.patch(`/v1/memory/patterns/${ids[1]}`, { text: 'The kettle leaks.' })
    expect((await recall(ada, { query: 'toner' })).info.lexical_hits).toBe(0)
    const recalled = await recall(ada, { query: 'kettle', top_k: 1 })
    expect(recalled.results[0]).toMatchObject({ text: 'The kettle leaks.', pattern_id: ids[1] })
    expect(recalled.info.lexical_hits).toBe(1)
  })

  it('are not recalled any more once deleted or forgotten', async () => {
    const { ada, ids } = await newSpace()
    await recall(ada, { query: 'toner' })
    await ada.delete(`/v1/memory/patterns/${ids[1]}`)
    await ada.delete('/v1/memory/text/forget', { query: facts[5] })
    for (const [query, text] of [
      ['toner', facts[1]],
      ['RX-2209', facts[5]],
    ] as const) {
      const recalled = await recall(ada, { query, top_k: 50 })
      expect(textsOf(recalled)).not.toContain(text)
      expect(recalled.results).toHaveLength(4)
      expect(recalled.info.lexical_hits).toBe(0)
    }
    await ada.delete('/v1/memory/patterns?confirm=all')
    expect((await recall(ada, { query: 'heating' })).results).toEqual([])
    await ada.store(['The heating works.'])
    expect(textsOf(await recall(ada, { query: 'heating' }))).toEqual(['The heating works.'])
  })

  it('are not recalled once expired, nor after they were erased', async () => {
    const { ada } = await newSpace()
    const expires_at = new Date(Date.now() + 1_500).toISOString()
    await ada.post('/v1/memory/text/store', { text: 'The zeppelin lands.', expires_at })
    expect(textsOf(await recall(ada, { query: 'zeppelin', top_k: 1 }))).toEqual(['The zeppelin lands.'])
    await until(async () => (await ada.get('/v1/memory/text/stats')).body.total_patterns === 6, 'it expires')
    const gone = async () =>
      expect(textsOf(await recall(ada, { query: 'zeppelin', top_k: 50 }))).toHaveLength(6)
    await gone()
    await eraseExpired(server.context.database.queries)
    await gone()
    expect((await recall(ada, { query: 'zeppelin' })).info.lexical_hits).toBe(0)
  })

  it('are recalled while others are stored', async () => {
    const { ada } = await newSpace()
    const storing = Array.from({ length: 10 }, (_, i) =>
      ada.store([`Parcel ${i} arrived.`, `Parcel ${i} was opened.`]),
    )
    const recalling = Array.from({ length: 20 }, () => recall(ada, { query: 'RX-2209', top_k: 1 }))
    for (const recalled of await Promise.all(recalling)) expect(textsOf(recalled)).toEqual([facts[5]])
    await Promise.all(storing)
    const { results, info } = await recall(ada, { query: 'parcel', top_k: 50 })
    expect(info.lexical_hits).toBe(20)
    expect(results).toHaveLength(26)
  })
})

describe('an anomaly', () => {
  it('makes recall exact: the order of cosines', async () => {
    const { ada } = await newSpace()
    const query = 'Who paid RX-2209, and where does Ada live?'
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 20 })
    const { results, info } = await recall(ada, { query, top_k: 6 })
    expect(info).toMatchObject({ pathway: 'exact', regime: 'anomaly', reranked: false, co_access_boosted: 0 })
    expect(results.map(({ text }) => text)).toEqual(await ada.retrieve(query, { top_k: 6 }))
    server.clock.advance(200_000)
    await ada.get('/v1/memory/regime')
    expect((await recall(ada, { query })).info).toMatchObject({ pathway: 'attention' })
  })
})

describe('use', () => {
  const asked = 'Where did Ada move?'
  const baking = 'Bread needs flour, water, salt and yeast.'

  /** Two facts that have nothing in common, found one after the other, each time by another actor, or by two. */
  async function newUsed(actors: 'one' | 'two') {
    const weather = Array.from({ length: 30 }, (_, i) => `Chapter ${i} describes the weather on day ${i}.`)
    const { ada, ids } = await newSpace([...facts, ...weather, baking])
    for (let n = 0; n < 8; n++) {
      for (const [i, query] of [asked, 'What does bread need?'].entries()) {
        const headers = { 'X-Memory-Actor': actors === 'one' ? `${n}` : `${n} ${i}` }
        await ada.post('/v1/memory/text/retrieve', { query, top_k: 1 }, headers)
      }
    }
    await server.context.memory.accesses.flush()
    await server.context.memory.learning.flush()
    return { ada, ids, last: ids.at(-1) as string }
  }

  const rankOf = ({ results }: Recalled, id: string) =>
    results.findIndex(({ pattern_id }) => pattern_id === id)

  it('brings what was used together, and says how many it has raised', async () => {
    const [together, apart] = [await newUsed('one'), await newUsed('two')]
    const before = await recall(apart.ada, { query: asked, top_k: 37 })
    expect(before.info.co_access_boosted).toBe(0)
    const after = await recall(together.ada, { query: asked, top_k: 37 })
    expect(after.info.co_access_boosted).toBe(1)
    expect(rankOf(after, together.last)).toBeLessThan(rankOf(before, apart.last))
  })

  it('is learned from: the brain predicts what comes next, and tells what it is made of', async () => {
    const { ada, ids, last } = await newUsed('one')
    await ada.post('/v1/memory/text/retrieve', { query: asked, top_k: 1 })
    const { status, body } = await ada.get('/v1/memory/brain')
    expect(status).toBe(200)
    const [first, ...others] = body.temporal_predictions
    expect(first.pattern_id).toBe(last)
    expect(first.strength).toBeGreaterThan(0.4)
    expect(others.length).toBeLessThanOrEqual(4)
    const total = [first, ...others].reduce(
      (sum: number, { strength }: { strength: number }) => sum + strength,
      0,
    )
    expect(total).toBeLessThanOrEqual(1)
    expect(body).toMatchObject({ regime: 'normal', patterns_total: ids.length, consolidation_status: 'idle' })
    const { info } = await recall(ada, { query: asked })
    expect(body.head_weights).toEqual(
      ['semantic', 'lexical', 'associative', 'contiguity', 'salience'].map((head) => info.head_weights[head]),
    )
    expect(body.surprise).toBeCloseTo(info.surprise, 9)
  })

  it('of a space that nobody has used is none', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.get('/v1/memory/brain')).body).toEqual({
      regime: 'normal',
      surprise: 0,
      head_weights: expect.any(Array),
      temporal_predictions: [],
      patterns_total: 0,
      consolidation_status: 'idle',
    })
  })
})

describe('a larger space', () => {
  let ada: ConformingClient

  beforeAll(async () => {
    ada = await newConformingClient(server)
    const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jo']
    for (let batch = 0; batch < 40; batch++) {
      await ada.store(
        Array.from({ length: 50 }, (_, i) => {
          const n = batch * 50 + i
          return `${names[n % 10]} keeps box ${n} on shelf ${n % 97}.`
        }),
      )
    }
    await ada.store(['The passphrase of the archive is quetzalcoatl.'])
  }, 120_000)

  it('finds a rare word among 2,000 texts', async () => {
    const { results, info } = await recall(ada, { query: 'quetzalcoatl', top_k: 1 })
    expect(results[0]?.text).toContain('quetzalcoatl')
    expect(info.lexical_hits).toBe(1)
    expect(info.candidates).toBeLessThan(2_001)
    expect(info.candidates).toBeGreaterThan(50)
  })

  it('finds what both words and meaning say', async () => {
    const recalled = await recall(ada, { query: 'Where is box 1234?', top_k: 10 })
    expect(textsOf(recalled)).toContain('Eva keeps box 1234 on shelf 70.')
  })
})
