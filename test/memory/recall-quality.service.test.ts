import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { flush } from './learning/space.ts'
import { facts, newSpace, type Recalled, recall, textsOf } from './recalled.ts'
import { inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const retrievePath = '/v1/memory/text/retrieve'

/** Stores texts one by one, each later than the one before, unless it says when what it tells of happened. */
async function storeEach(client: ConformingClient, items: { text: string; occurred_at?: string }[]) {
  const ids: string[] = []
  for (const item of items) {
    const { status, body } = await client.post('/v1/memory/text/store', item)
    expect(status, JSON.stringify(body)).toBe(200)
    ids.push(body.pattern_id)
  }
  return ids
}

/** Sentences about nothing that the tests ask for. */
const unrelated = Array.from({ length: 30 }, (_, i) => `Chapter ${i} describes the weather on day ${i * 7}.`)

describe('copies of a text', () => {
  const copy = 'The red bicycle stands in the garage behind the house.'

  it('take one place, and other texts the rest, where 200 copies are nearest', async () => {
    const { ada } = await newSpace(server, unrelated)
    const ids: string[] = []
    for (let batch = 0; batch < 4; batch++) ids.push(...(await ada.store(Array(50).fill(copy))))
    const recalled = await recall(ada, { query: 'Where is the red bicycle?', top_k: 10 })
    const texts = textsOf(recalled)
    expect(recalled.results[0]).toMatchObject({ text: copy, pattern_id: ids.at(-1) })
    expect(texts).toHaveLength(10)
    expect(new Set(texts).size).toBe(10)
    expect(recalled.info.collapsed).toBe(199)
  })

  it('take one place however their white space is written', async () => {
    const { ada } = await newSpace(server, unrelated)
    // Sixty that are written differently.
    const items = ['  ', '\n', '\t', '\u00a0', '\u3000'].flatMap((space) =>
      Array.from({ length: 12 }, (_, i) => space.repeat(i) + copy.replaceAll(' ', space)),
    )
    for (let at = 0; at < items.length; at += 30) await ada.store(items.slice(at, at + 30))
    const recalled = await recall(ada, { query: 'Where is the red bicycle?', top_k: 10 })
    expect(recalled.results).toHaveLength(10)
    expect(textsOf(recalled).filter((text) => text.includes('bicycle'))).toEqual([items.at(-1)])
    expect(recalled.info.collapsed).toBe(59)
  })

  it('are answered by the one of the latest event', async () => {
    const ada = await newConformingClient(server)
    const [, newest] = await storeEach(ada, [
      { text: copy, occurred_at: '2023-01-01T00:00:00Z' },
      { text: copy, occurred_at: '2025-01-01T00:00:00Z' },
      { text: copy, occurred_at: '2024-01-01T00:00:00Z' },
    ])
    const { results, info } = await recall(ada, { query: 'red bicycle' })
    expect(results.map(({ pattern_id }) => pattern_id)).toEqual([newest])
    expect(info.collapsed).toBe(2)
  })

  it('are left out of no other answer than the one they are copies in', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['ada', 'ben'].map((user) => ({ text: copy, metadata: { user } })))
    for (const [i, user] of ['ada', 'ben'].entries()) {
      const { results, info } = await recall(ada, { query: 'red bicycle', filter: { user } })
      expect(results.map(({ pattern_id }) => pattern_id)).toEqual([ids[i]])
      expect(info.collapsed).toBe(0)
    }
  })

  it('are none where nothing is the same', async () => {
    const { ada } = await newSpace(server)
    expect((await recall(ada, { query: 'RX-2209' })).info.collapsed).toBe(0)
  })
})

describe('a question that was stored', () => {
  const question = 'Where does Ada live?'

  it.each([question, 'where does ada live', 'Where does Ada live??'])(
    'is answered by another text when it is asked again: %s',
    async (query) => {
      const { ada } = await newSpace(server, [...facts, question, `user: ${question}`])
      const texts = textsOf(await recall(ada, { query, top_k: 50 }))
      expect(texts).toHaveLength(facts.length + 2)
      expect(texts[0]).toBe('Ada moved to Lisbon in May.')
      expect(texts.slice(1, 3).toSorted()).toEqual([question, `user: ${question}`])
    },
  )

  it('is found where it is all there is', async () => {
    const { ada } = await newSpace(server, [question])
    expect(textsOf(await recall(ada, { query: question }))).toEqual([question])
  })
})

const otherThings = [
  'Bought new running shoes.',
  'The weather was awful all week.',
  'Printer toner ordered.',
  'Ben likes olives.',
  'The museum has a cafe.',
  'Lunch with Ida was fun.',
]

describe('a text that only tells of a question', () => {
  it.each([
    [
      'Not sure when the passport runs out.',
      'When does the passport run out?',
      'Passport valid until 7 May 2031.',
    ],
    ['Customer asked whether we ship to Malta.', 'Do we ship to Malta?', 'Shipping to Malta takes 9 days.'],
    ["Je cherche le nom de l'électricien.", "Quel est le nom de l'électricien ?", 'Électricien : Gus Varga.'],
    ['用户询问试用期有多长。', '试用期有多长?', '试用21天。'],
  ])('%s is answered by another', async (told, query, answer) => {
    const { ada } = await newSpace(server, [told, 'Watched a documentary about octopuses.', answer])
    expect(textsOf(await recall(ada, { query }))[0]).toBe(answer)
    const { body } = await ada.post('/v1/memory/text/explain', { query, lang: 'en' })
    expect(body.explanation).not.toMatch(new RegExp(`^The nearest memory[^“]*“${told.slice(0, 8)}`, 'u'))
  })

  it.each([
    ['Where did Tom move?', 'Ada asked why Tom moved to Hull.'],
    ['Who is Tom married to?', 'Ben asked how long Tom has been married to Ina.'],
    ['Where is the key?', 'I always forget where the key is so it hangs by the door.'],
    ['Куда переехал Том?', 'Не знаю, почему Том переехал в Казань.'],
    // What only asks is nearer than what has nothing to do with it.
    ['When does the passport run out?', 'Not sure when the passport runs out.'],
    ['Where does Tom live?', 'Where does Tom live?'],
    ['¿Necesito un visado?', 'Necesito un visado'],
  ])('stays before what is about other things: %s', async (query, told) => {
    const { ada } = await newSpace(server, [...otherThings, told])
    expect(textsOf(await recall(ada, { query }))[0]).toBe(told)
  })

  it.each([
    'I forgot my keys at the gym',
    'We need more coffee.',
    'I am looking for a new job',
    'Ich brauche ein Visum',
    "J'ai oublié mes clés",
    '我需要牛奶和鸡蛋',
    'Me recuerdas a Ana',
    'Mi dici sempre bugie',
    'Ask Tom who has the key',
    'Could you be loved',
    'Quando ero piccolo vivevo a Pisa',
    'How to deploy',
    'Our motto is "Why not?"',
    'My favourite book is Who Moved My Cheese?',
    'Notre devise : Pourquoi pas ?',
    '我们的口号是"为什么不?"',
  ])('is not what comes first for its own words: %s', async (text) => {
    const { ada } = await newSpace(server, [...otherThings, text])
    expect(textsOf(await recall(ada, { query: text }))[0]).toBe(text)
  })
})

describe('texts that differ in a value', () => {
  const query = 'What is the wifi password?'
  const passwords = ['1234', '5678', '9012'].map((value) => `The wifi password is ${value}.`)
  const found = async (ada: ConformingClient) => textsOf(await recall(ada, { query })).slice(0, 3)

  it('come in the order of what they tell of, the latest first', async () => {
    const { ada } = await newSpace(server)
    const years = [2024, 2025, 2023]
    await storeEach(
      ada,
      passwords.map((text, i) => ({ text, occurred_at: `${years[i]}-03-01T00:00:00Z` })),
    )
    expect(await found(ada)).toEqual([passwords[1], passwords[0], passwords[2]])
  })

  it('come in store order, the last first, where they say nothing of that', async () => {
    const { ada } = await newSpace(server)
    await storeEach(
      ada,
      passwords.map((text) => ({ text })),
    )
    expect(await found(ada)).toEqual(passwords.toReversed())
  })

  it('come in store order, the last first, where they were stored at once', async () => {
    const { ada } = await newSpace(server, [...facts, ...passwords])
    expect(await found(ada)).toEqual(passwords.toReversed())
  })

  it('stay where the query names one of them', async () => {
    const { ada } = await newSpace(server)
    await storeEach(ada, [
      { text: 'Anna’s birthday is on the ninth of July.' },
      { text: 'Ben’s birthday is on the third of May.' },
    ])
    const texts = textsOf(await recall(ada, { query: 'When is Anna’s birthday?' }))
    expect(texts[0]).toBe('Anna’s birthday is on the ninth of July.')
  })
})

describe('an identifier', () => {
  const orders = Array.from({ length: 40 }, (_, i) => `Order AX-${7_700 + i} was sent to the customer.`)
  const named = 'Ben complained about AX-7731 again.'

  it.each(['AX-7731', 'What about ax-7731?', 'Who complained about order AX-7731?'])(
    'brings the texts that hold it before those that have others like it: %s',
    async (query) => {
      const { ada } = await newSpace(server, [...orders, named])
      const texts = textsOf(await recall(ada, { query, top_k: 5 }))
      expect(texts.slice(0, 2).toSorted()).toEqual([named, orders[31]].toSorted())
    },
  )

  it('brings the text that holds it before all those that say more of what else is asked', async () => {
    const { ada } = await newSpace(server, orders)
    const query = 'Tell me about order ax-7731, which was sent to the customer'
    expect(textsOf(await recall(ada, { query, top_k: 5 }))[0]).toBe(orders[31])
  })

  it('brings a text that says nothing else of what is asked, among many that do with other identifiers', async () => {
    const others = Array.from({ length: 150 }, (_, i) => `Order AX-${8_000 + i} was sent to the customer.`)
    const aside =
      'We talked about the budget, new colleagues and the move upstairs; Pedro said that AX-8131 has to be refunded before May.'
    const { ada } = await newSpace(server, [aside])
    for (let at = 0; at < others.length; at += 50) await ada.store(others.slice(at, at + 50))
    const query = 'Which customer was order AX-8131 sent to?'
    const texts = textsOf(await recall(ada, { query, top_k: 3 }))
    expect(texts.slice(0, 2).toSorted()).toEqual([others[131], aside].toSorted())
  })
})

describe('a query of several sentences', () => {
  it('finds what it asks for behind 500 characters of something else', async () => {
    const { ada } = await newSpace(server, [...facts, ...unrelated])
    const talk =
      'We had a long talk about the weather of the last chapters, and everybody described another day of it. '
    const before = talk.repeat(5)
    expect(before.length).toBeGreaterThan(500)
    for (const query of [
      `${before}When is grandmother’s birthday?`,
      `${before}When is grandmother’s birthday? Thanks!`,
      `When is grandmother’s birthday? ${before}`,
    ]) {
      expect(textsOf(await recall(ada, { query, top_k: 3 }))[0], query.slice(-40)).toBe(facts[4])
    }
  })
})

describe('a store of several languages', () => {
  const english = [
    'The dentist moved to another street.',
    'Our cat sleeps on the warm radiator.',
    'The train to the sea leaves at nine.',
    'We painted the kitchen yellow in spring.',
    'The new bakery sells bread with walnuts.',
    'Two books are due at the library.',
    'The neighbours have bought a red car.',
    'My brother learns to play the violin.',
  ]

  it.each([
    ['German', 'Der Hausschlüssel liegt unter dem blauen Blumentopf neben der Tür.'],
    ['Spanish', 'La llave de la casa está debajo de la maceta azul junto a la puerta.'],
    ['French', 'La clé de la maison est sous le pot de fleurs bleu à côté de la porte.'],
    ['Russian', 'Ключ от дома лежит под синим цветочным горшком у двери.'],
  ])('answers a question in English with the text in %s that tells it', async (_, text) => {
    const { ada } = await newSpace(server, [...english, text])
    expect(textsOf(await recall(ada, { query: 'Where is the key of the house?', top_k: 3 }))[0]).toBe(text)
  })

  it('takes a short text with names in it for none of another language', async () => {
    const answer = 'Pedro has worked at the town hall since last year.'
    const { ada } = await newSpace(server, [...english, 'Pedro lives in Madrid', answer])
    const query = 'Where does Pedro work, and since when?'
    expect(textsOf(await recall(ada, { query, top_k: 3 }))[0]).toBe(answer)
  })

  it('answers in the language of the question where that tells it too', async () => {
    const key = 'The key of the house is under the blue flower pot.'
    const { ada } = await newSpace(server, [...english, 'Der Hausschlüssel liegt unter dem Blumentopf.', key])
    const texts = textsOf(await recall(ada, { query: 'Where is the key of the house?', top_k: 3 }))
    expect(texts.slice(0, 2)).toContain(key)
  })
})

describe('explain', () => {
  const heads = ['semantic', 'lexical', 'associative', 'contiguity', 'salience', 'time']
  const totals = ({ results }: Recalled) => results.map(({ scores }) => scores?.total as number)

  it('says what each head added, in sum the score that texts are ordered by', async () => {
    const { ada } = await newSpace(server, [...facts, ...unrelated])
    for (const query of ['Where does Ada live?', 'Who paid twice? Was it an invoice?', 'toner', '?!']) {
      const recalled = await recall(ada, { query, top_k: 5, explain: true })
      expect(recalled.results).toHaveLength(5)
      for (const { scores = {} } of recalled.results) {
        const { total, ...parts } = scores
        expect(Object.keys(parts)).toEqual(heads)
        expect(total).toBeCloseTo(
          Object.values(parts).reduce((sum, part) => sum + part, 0),
          9,
        )
      }
    }
    const recalled = await recall(ada, { query: 'Who moved to Lisbon?', top_k: 5, explain: true })
    const best = recalled.results[0]
    expect(best?.text).toBe(facts[0])
    expect(best?.scores?.semantic).toBeGreaterThan(0)
    expect(best?.scores?.lexical).toBeGreaterThan(0)
  })

  it('shows the order where nothing was arranged', async () => {
    // No copies, no identifiers, no two that are alike but for a value.
    const { ada } = await newSpace(server, facts.slice(0, 5))
    for (const query of ['Where does Ada live?', 'toner', 'Who comes on Thursday?']) {
      const recalled = await recall(ada, { query, top_k: 50, explain: true })
      expect(totals(recalled)).toEqual(totals(recalled).toSorted((a, b) => b - a))
    }
  })

  it.each([
    ['of a time', { as_of: new Date(Date.now() + 3_600_000).toISOString() }],
    ['with what is superseded', { include_superseded: true }],
  ])('shows the meaning alone %s, where nothing else counts', async (_what, moment) => {
    const { ada } = await newSpace(server, facts.slice(0, 5))
    const body = { query: 'Where does Ada live?', ...moment }
    const { results } = await recall(ada, { ...body, explain: true })
    expect(results).toHaveLength(5)
    const silent = { lexical: 0, associative: 0, contiguity: 0, salience: 0, time: 0 }
    for (const { scores, similarity } of results)
      expect(scores).toEqual({ ...silent, semantic: similarity, total: similarity })
    const plain = await recall(ada, body)
    expect(plain.results.every((result) => !('scores' in result))).toBe(true)
  })

  it('changes nothing else of an answer', async () => {
    const { ada } = await newSpace(server)
    const body = { query: 'Where does Ada live?', read_only: true }
    const [plain, explained] = [await recall(ada, body), await recall(ada, { ...body, explain: true })]
    expect(plain.results.every((result) => !('scores' in result))).toBe(true)
    expect(explained.results.map(({ scores: _, ...result }) => result)).toEqual(plain.results)
    expect(explained.info).toEqual(plain.info)
  })

  it('is the cosine alone while the regime forces exact search', async () => {
    const { ada } = await newSpace(server)
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 20 })
    const { results, info } = await recall(ada, { query: 'Where does Ada live?', explain: true })
    expect(info.pathway).toBe('exact')
    for (const { scores, similarity } of results) {
      const silent = { lexical: 0, associative: 0, contiguity: 0, salience: 0, time: 0 }
      expect(scores).toEqual({ semantic: similarity, ...silent, total: similarity })
    }
  })

  it('says of retrieve that it orders by the cosine', async () => {
    const { ada } = await newSpace(server)
    const query = 'Where does Ada live?'
    const { body } = await ada.post(retrievePath, { query, explain: true })
    expect(body.results).toHaveLength(5)
    for (const { similarity, scores } of body.results) {
      expect(scores).toEqual({ semantic: similarity, total: similarity })
    }
    const plain = await ada.post(retrievePath, { query })
    expect(plain.body.results.some((result: object) => 'scores' in result)).toBe(false)
  })
})

describe('read_only', () => {
  /** Everything that use leaves of a space. */
  const traceOf = (client: ConformingClient) =>
    inSpace(server, client, async (trx, { id }) => {
      const { rows } = await sql<{ trace: unknown }>`
        select jsonb_build_object(
          'state', (select jsonb_agg(t.state) from app.space_states t where t.space_id = ${id}),
          'signals', (select jsonb_agg(t order by t.n) from app.signal_history t where t.space_id = ${id}),
          'associations', (select jsonb_agg(t order by t.a, t.b) from app.associations t where t.space_id = ${id}),
          'transitions', (select jsonb_agg(t order by t.source, t.target) from app.transitions t where t.space_id = ${id}),
          'accesses', (select jsonb_agg(t order by t.idx) from app.pattern_accesses t where t.space_id = ${id}),
          'uncounted', (select jsonb_agg(t order by t.id) from app.uncounted_accesses t where t.space_id = ${id}),
          'actors', (select jsonb_agg(t order by t.actor) from app.actor_traces t where t.space_id = ${id}),
          'tiers', (select jsonb_agg(t) from app.tier_counters t where t.space_id = ${id})
        ) as trace`.execute(trx)
      return rows[0]?.trace
    })
  const queriesOf = (client: ConformingClient) =>
    inSpace(server, client, async (trx, { id }) => {
      const counts = trx.withSchema('app').selectFrom('query_counts').where('space_id', '=', id)
      return Number(
        (await counts.select(({ fn }) => fn.sum('used').as('used')).executeTakeFirst())?.used ?? 0,
      )
    })

  it.each([
    ['recall', '/v1/memory/text/recall'],
    ['retrieve', retrievePath],
  ])('leaves no trace of %s, but counts it as a query', async (_, path) => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.store(facts)
    const ask = async (query: string, read_only?: boolean) => {
      const { status, body } = await ada.post(
        path,
        { query, top_k: 3, read_only },
        { 'X-Memory-Actor': 'eve' },
      )
      expect(status).toBe(200)
      await flush(server)
      return body.results
    }
    // Something has been learned before.
    await ask('Who moved to Lisbon?', false)
    const [before, counted] = [await traceOf(ada), await queriesOf(ada)]
    const first = await ask('Where does Ada live?', true)
    const second = await ask('Where does Ada live?', true)
    await ask('Which invoice was paid twice?', true)
    expect(second).toEqual(first)
    expect(await traceOf(ada)).toEqual(before)
    expect(await queriesOf(ada)).toBe(counted + 3)
    await ask('Where does Ada live?')
    expect(await traceOf(ada)).not.toEqual(before)
  })

  const query = 'Where does Ada live?'
  const embedding = Array.from({ length: 384 }, (_, i) => Math.sin(i))
  it.each([
    ['text/predict', { query }],
    ['text/explain', { query }],
    ['tiered/retrieve', { query }],
    ['query', { embedding, top_k: 3 }],
    ['query', { embedding, top_k: 3, pathway: 'auto' }],
    ['retrieve', { embedding, top_k: 3 }],
    ['belief/classify', { query }],
    ['routing/decide', { query }],
    ['efe/evaluate', { query }],
  ])('leaves no trace of %s', async (path, body) => {
    const ada = await newConformingClient(server)
    await ada.store(facts)
    await ada.retrieve(query)
    await flush(server)
    const before = await traceOf(ada)
    for (const read_only of [true, false]) {
      const { status, headers } = await ada.post(`/v1/memory/${path}`, { ...body, read_only })
      expect(status).toBe(200)
      expect(headers.get('X-Ignored-Fields')).toBeNull()
      await flush(server)
      const after = await traceOf(ada)
      if (read_only) expect(after).toEqual(before)
      else expect(after).not.toEqual(before)
    }
  })
})

describe('whatever is stored and asked', () => {
  /** Every number in an answer. */
  const numbersIn = (value: unknown): number[] =>
    typeof value === 'number'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(numbersIn)
        : []

  const queries: [string, string][] = [
    ['a question', 'Where does Ada live?'],
    ['stop words only', 'it is the and of a'],
    ['emoji only', '😀🎉👍🏽'],
    ['5,000 digits', '1'.repeat(5_000)],
    ['identifiers only', 'RX-2209 TS2345 max_retries'],
    ['what looks like a pattern', '(a+)+$ [x] \\d{3} a.b*'],
  ]

  const stores: [string, string[]][] = [
    ['nothing', []],
    ['one text', ['Ada moved to Lisbon.']],
    ['equal texts', Array(30).fill('Ada moved to Lisbon.')],
    ['stop words', ['it is the', 'and of a', 'it is the and of a']],
    ['emoji', ['😀', '🎉🎉', '😀🎉👍🏽', 'Ada 😀']],
    ['no letters', ['1'.repeat(5_000), '?!'.repeat(2_500), '12 34. '.repeat(700), '...']],
    ['a question', ['Where does Ada live?', 'it is the and of a']],
  ]

  it.each(stores)('recall answers with numbers where there is %s', async (_, texts) => {
    const ada = await newConformingClient(server)
    if (texts.length > 0) await ada.store(texts)
    for (const [what, query] of queries) {
      const recalled = await recall(ada, { query, top_k: 50, explain: true })
      expect(recalled.results, what).toHaveLength(new Set(texts).size)
      expect(recalled.info.collapsed, what).toBe(texts.length - new Set(texts).size)
      expect(recalled.results.every(({ scores }) => numbersIn(scores).length === 7)).toBe(true)
      expect(numbersIn(recalled).every(Number.isFinite), what).toBe(true)
      const { body, status } = await ada.post(retrievePath, { query, top_k: 50, explain: true })
      expect(status, what).toBe(200)
      expect(body.results, what).toHaveLength(texts.length)
      expect(numbersIn(body).every(Number.isFinite), what).toBe(true)
    }
  })
})

describe('what several subjects store by turns', () => {
  /** What somebody says of one thing after the other, some sentences of each. */
  const saying = (things: readonly string[]) =>
    things.flatMap((thing) => [
      `${thing}: it began last spring.`,
      `${thing}, and most of it went well.`,
      `${thing} takes a whole day.`,
      `Nobody helped with that, ${thing.toLowerCase()}.`,
      `Next year there will be more of it: ${thing.toLowerCase()}.`,
    ])
  const ofAda = [
    'The vegetable garden',
    'Learning to play chess',
    'The old sailing boat',
    'Baking rye bread',
    'The tax return',
  ]
  const ofBen = [
    'The football club',
    'Tuning the piano',
    'Watching the moons of Jupiter',
    'The broken dishwasher',
    'Training for a marathon',
  ]

  it('is recalled as what each stored alone', async () => {
    const alone = saying(ofAda)
    const others = saying(ofBen)
    const ada = await newConformingClient(server)
    await ada.store(alone)
    const both = await newConformingClient(server)
    const items = alone.flatMap((text, i) => [
      { text, subject: 'ada' },
      { text: others[i] as string, subject: 'ben' },
    ])
    await both.post('/v1/memory/text/batch-store', { items })
    const body = { query: 'How did learning chess go?', top_k: 10, explain: true }
    // Words are rarer in the larger space, which moves the last trace of a gain from one text to another.
    const gains = ({ results }: Recalled) =>
      results.flatMap(({ text, scores }) => ((scores?.contiguity ?? 0) > 0.05 ? [text] : [])).toSorted()
    const [apart, among] = [
      await recall(ada, body),
      await recall(both, { ...body, filter: { $subject: 'ada' } }),
    ]
    expect(gains(apart).length).toBeGreaterThan(3)
    expect(gains(among)).toEqual(gains(apart))
  })
})

describe('a space of two languages', () => {
  const english = [
    'Our cat Mimi is deaf.',
    'Paul drives a red Tesla Model 3.',
    'Emma is allergic to shellfish.',
    'I take ibuprofen for headaches.',
    'Karl studies law in Heidelberg.',
    'The gym closes at ten in the evening.',
    'My sister lives in Toronto.',
    'We have dinner at seven.',
    'The spare key is under the blue pot.',
  ]
  const german = [
    'Der Nachbar hat einen Hund.',
    'Jonas hat mein Auto gekauft.',
    'Oma backt Apfelkuchen.',
    'Der Arzt hat mir Tabletten gegeben.',
    'Mein Bruder studiert Physik.',
  ]

  it.each([
    ['What car does Paul have?', 1],
    ['What food makes Emma ill?', 2],
    ["Which pet can't hear?", 0],
    ['What medicine do I use when my head hurts?', 3],
    ['What subject is Karl doing at university?', 4],
  ])('answers %s in the language of the question where the answer is in it', async (query, place) => {
    const { ada } = await newSpace(server, [...english, ...german])
    const recalled = await recall(ada, { query, top_k: 3 })
    expect(textsOf(recalled)[0]).toBe(english[place])
  })

  it('answers in the other language what is in that alone', async () => {
    const { ada } = await newSpace(server, [...english, ...german])
    const recalled = await recall(ada, { query: 'What does grandmother bake?', top_k: 3 })
    expect(textsOf(recalled)[0]).toBe('Oma backt Apfelkuchen.')
  })
})

describe('what an assistant said', () => {
  const asked = 'Which hotel did I book in Lisbon?'
  const own = 'I have booked a room in Lisbon, the one by the river.'
  const answers = 'Here is which hotel in Lisbon you could book: hotel Lisbon Plaza, hotel Lisbon Garden.'

  it.each([
    ['by its metadata', { text: answers, metadata: { role: 'assistant' } }],
    ['by what stands before it', { text: `assistant: ${answers}` }],
  ])('comes behind what the one who asks said of themself, told %s', async (_, said) => {
    const { ada } = await newSpace(server, unrelated)
    await ada.store([{ text: own, metadata: { role: 'user' } }, said])
    const [first, second] = textsOf(await recall(ada, { query: asked }))
    expect([first, second]).toEqual([own, said.text])
    // Of what others do it is as good as anybody's.
    const [best] = textsOf(await recall(ada, { query: 'Which hotel in Lisbon could one book?' }))
    expect(best).toBe(said.text)
  })

  it('stands where it stood among texts of which nobody is known to have said them', async () => {
    const { ada } = await newSpace(server, unrelated)
    await ada.store([own, answers])
    const [first] = textsOf(await recall(ada, { query: asked }))
    expect(first).toBe(answers)
  })
})
