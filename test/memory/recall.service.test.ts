import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { facts, newSpace, path, type Recalled, recall, textsOf } from './recalled.ts'
import { faultsOf, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('POST /v1/memory/text/recall', () => {
  it('finds by words what meaning alone does not, and says how', async () => {
    const { ada, ids } = await newSpace(server)
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

  it.each([2, 3, 6])(
    'keeps the cosine as the similarity, and tells whether the order is another: top_k %i',
    async (top_k) => {
      const { ada } = await newSpace(server)
      for (const query of [
        'Where does Ada live?',
        'RX-2209',
        'July',
        'What did he send?',
        'Who comes on Thursday?',
      ]) {
        const { results, info } = await recall(ada, { query, top_k })
        const retrieved = await ada.post('/v1/memory/text/retrieve', { query, top_k: 6 })
        const inOrder: Recalled['results'] = retrieved.body.results
        const cosines = new Map(inOrder.map(({ pattern_id, similarity }) => [pattern_id, similarity]))
        expect(results).toHaveLength(top_k)
        for (const { pattern_id, similarity } of results) expect(similarity).toBe(cosines.get(pattern_id))
        const sameOrder = results.every(({ pattern_id }, i) => pattern_id === inOrder[i]?.pattern_id)
        expect(info.reranked).toBe(!sameOrder)
        expect(info.surprise).toBeCloseTo(Math.acos(inOrder[0]?.similarity ?? 0) / (Math.PI / 2), 9)
      }
    },
  )

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
      textsOf(await recall((await newSpace(server, texts)).ada, { query: question, top_k: 20 })).indexOf(
        answer,
      )
    const [inOrder, apart] = [await rankIn(talks.flat()), await rankIn(mixed)]
    expect(inOrder).toBeLessThan(4)
    expect(apart).toBeGreaterThan(inOrder)
  })

  it('answers nothing where a filter lets nothing in', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'Ada likes tea.', metadata: { user: 'ada' } }])
    const body = { query: 'Who likes tea yesterday?', filter: { user: 'nobody' } }
    expect((await ada.post('/v1/memory/text/recall', body)).body).toMatchObject({
      results: [],
      info: { candidates: 0, lexical_hits: 0, collapsed: 0, reranked: false },
    })
  })

  it('answers an empty space with nothing', async () => {
    const { results, info } = await recall(await newConformingClient(server), { query: 'anything' })
    expect(results).toEqual([])
    expect(info).toMatchObject({ surprise: 1, candidates: 0, lexical_hits: 0, reranked: false })
  })

  it('answers a space of one text with it', async () => {
    const { ada } = await newSpace(server, ['Ada moved to Lisbon.'])
    for (const query of ['Ada', 'Something else altogether', '?!']) {
      const recalled = await recall(ada, { query, top_k: 50 })
      expect(textsOf(recalled)).toEqual(['Ada moved to Lisbon.'])
      expect(recalled.info).toMatchObject({ candidates: 1, reranked: false })
    }
  })

  it('answers the newest of texts that are all the same, and counts the others', async () => {
    const { ada, ids } = await newSpace(
      server,
      Array.from({ length: 20 }, () => 'The same again.'),
    )
    const { results, info } = await recall(ada, { query: 'The same', top_k: 20 })
    expect(results.map(({ pattern_id }) => pattern_id)).toEqual(ids.slice(-1))
    expect(info).toMatchObject({ candidates: 20, collapsed: 19 })
  })

  it('gives as many as asked for, 5 unless given', async () => {
    const { ada } = await newSpace(
      server,
      Array.from({ length: 49 }, (_, i) => `Note number ${i}.`),
    )
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
    const { ada } = await newSpace(server, [...facts, text])
    const recalled = await recall(ada, { query, top_k: 3 })
    expect(textsOf(recalled)[0]).toBe(text)
    expect(recalled.info.lexical_hits).toBe(1)
  })

  it('never gives vectors that lie beside the texts, even with their very key', async () => {
    const { ada, ids } = await newSpace(server)
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'Where does Ada live?' })
    for (let i = 0; i < 70; i++) {
      await ada.post('/v1/memory/store', { key: body.embedding, value: body.embedding, metadata: { i } })
    }
    const { results, info } = await recall(ada, { query: 'Where does Ada live?', top_k: 50 })
    expect(results.map(({ pattern_id }) => pattern_id).toSorted()).toEqual(ids.toSorted())
    expect(info.candidates).toBe(facts.length)
  })

  it('keeps live and test apart', async () => {
    const { ada } = await newSpace(server)
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
    const { ada, ids } = await newSpace(server, people)
    const { results, info } = await recall(ada, { query: 'Who has a red bicycle?', top_k: 50, filter })
    expect(results.map(({ pattern_id }) => ids.indexOf(pattern_id)).toSorted()).toEqual(expected)
    expect(info.candidates).toBe(expected.length)
  })

  it('finds what it lets through behind many that are nearer', async () => {
    const { ada } = await newSpace(
      server,
      Array.from({ length: 50 }, (_, i) => `The red bicycle number ${i}.`),
    )
    for (let batch = 0; batch < 4; batch++) {
      await ada.store(Array.from({ length: 50 }, (_, i) => `The red bicycle number ${batch}-${i} again.`))
    }
    await ada.store([{ text: 'Interest rates rose.', metadata: { user: 'ben' } }])
    const recalled = await recall(ada, { query: 'red bicycle', filter: { user: 'ben' } })
    expect(textsOf(recalled)).toEqual(['Interest rates rose.'])
  })

  it('of least similarity lets only those through that are as near', async () => {
    const { ada } = await newSpace(server)
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
