import { plans } from '@memory/shared/catalogue/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, inSpace } from './space.ts'

let server: TestServer
let ada: ConformingClient
let ids: string[]

const path = '/v1/memory/belief/classify'
const facts = [
  'Ada moved to Lisbon in May.',
  'The cat sleeps on the warm roof.',
  'Interest rates rose by half a percent.',
  'Ada is allergic to peanuts.',
  'The train to Porto leaves at nine.',
  'Bread needs flour, water, salt and yeast.',
  'The printer is out of toner.',
  'My sister Marie lives in Lyon.',
]

interface Answer {
  classification: string
  probabilities: { exact_match: number; composition: number; novel: number }
  best_match_id: string | null
  confidence: number
}

async function classify(client: ConformingClient, query: string): Promise<Answer> {
  const { status, body } = await client.post(path, { query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  ids = await ada.store(facts)
})

afterAll(() => server.close())

describe('POST /v1/memory/belief/classify', () => {
  it('finds everything novel in an empty space', async () => {
    const ben = await newConformingClient(server)
    expect(await classify(ben, 'Ada moved to Lisbon in May.')).toEqual({
      classification: 'novel',
      probabilities: { exact_match: 0, composition: 0, novel: 1 },
      best_match_id: null,
      confidence: 1,
    })
  })

  it.each(facts)('knows a stored text: %s', async (text) => {
    const answer = await classify(ada, text)
    expect(answer).toMatchObject({ classification: 'exact_match', best_match_id: ids[facts.indexOf(text)] })
    expect(answer.confidence).toBeGreaterThan(0.9)
  })

  it.each([
    ['In May, Ada moved to Lisbon.', 0],
    ['Ada relocated to Lisbon in May.', 0],
    ['Ada cannot eat peanuts because she is allergic.', 3],
    ['Marie, my sister, lives in Lyon.', 7],
  ])('knows a stored fact in other words: %s', async (query, fact) => {
    expect(await classify(ada, query)).toMatchObject({
      classification: 'exact_match',
      best_match_id: ids[fact],
    })
  })

  it.each([
    'Ada is not allergic to peanuts.',
    'The train to Porto leaves at ten.',
    'Ada moved to London in May.',
  ])('does not know what contradicts a fact: %s', async (query) => {
    expect((await classify(ada, query)).classification).not.toBe('exact_match')
    const { body } = await ada.post('/v1/memory/text/explain', { query })
    expect(body.confidence).toBeLessThan(0.5)
  })

  it.each([
    ['Ada moved to Lisbon in May and the train to Porto leaves at nine.', [0, 4]],
    ['Ada is allergic to peanuts. The printer is out of toner.', [3, 6]],
    ['Interest rates rose by half a percent, and my sister Marie lives in Lyon.', [2, 7]],
  ])('sees that stored facts are put together: %s', async (query, parts) => {
    const answer = await classify(ada, query)
    expect(answer.classification).toBe('composition')
    expect(parts.map((part) => ids[part])).toContain(answer.best_match_id)
  })

  it.each([
    'Photosynthesis turns light into sugar.',
    'The printer was repaired yesterday.',
    'Ada moved to Berlin in March.',
    'Dolphins are mammals, and volcanoes erupt when pressure builds up.',
  ])('sees what is new: %s', async (query) => {
    expect((await classify(ada, query)).classification).toBe('novel')
  })

  it.each([
    'Ada did not move to Lisbon in May and the train to Porto leaves at nine.',
    'Ada is allergic to peanuts. The train to Porto leaves at ten.',
    'Marie moved to Lisbon in May, and my sister Ada lives in Lyon.',
  ])('does not see stored facts put together where a part says something else: %s', async (query) => {
    const { classification, probabilities } = await classify(ada, query)
    expect(classification).toBe('novel')
    expect(probabilities.composition).toBe(0)
    const { body } = await ada.post('/v1/memory/text/explain', { query })
    expect(body.confidence).toBeLessThan(0.2)
  })

  it('does not know what has one word for another, however much of the rest is known', async () => {
    const ben = await newConformingClient(server)
    await ben.store([
      'My uncle is from Graz. He repairs clocks in the attic and collects stamps from Brazil. He likes tea.',
      'Mein Onkel ist aus Graz. Er repariert Uhren auf dem Dachboden und sammelt Briefmarken aus Brasilien.',
      '叔叔住在杭州。他在阁楼里修钟表，还收集巴西邮票。',
      'Vikram plays the cello.',
      'Vikram lives in Pune.',
    ])
    const classes = async (queries: string[]) => {
      const answers = await Promise.all(queries.map((query) => classify(ben, query)))
      return answers.map(({ classification }) => classification)
    }
    const known = [
      'He repairs clocks in the attic and collects stamps from Brazil.',
      'He fixes clocks in the attic and collects stamps from Brazil.',
      'Er repariert Uhren auf dem Dachboden und sammelt Briefmarken aus Brasilien.',
      '他在阁楼里修钟表，还收集巴西邮票。',
    ]
    expect(await classes(known)).toEqual(known.map(() => 'exact_match'))
    const other = [
      'He repairs clocks in the cellar and collects stamps from Brazil.',
      'He repairs clocks in the attic and collects coins from Brazil.',
      'Er repariert Uhren im Keller und sammelt Briefmarken aus Brasilien.',
      'Er repariert Uhren auf dem Dachboden und sammelt Münzen aus Brasilien.',
      '他在地下室修钟表，还收集巴西邮票。',
      'Vikram plays the piano.',
      'Vikram plays the cello and lives in Goa.',
      'Vikram plays the drums and lives in Pune.',
    ]
    expect(await classes(other)).toEqual(other.map(() => 'novel'))
    expect(await classes(['Vikram plays the cello and lives in Pune.'])).toEqual(['composition'])
    const { body } = await ben.post('/v1/memory/text/explain', { query: other.at(-1) })
    expect(body.confidence).toBeLessThan(0.2)
  })

  it('knows a statement that is written with other characters for the same letters', async () => {
    const ben = await newConformingClient(server)
    await ben.store(['Password cat', 'The key of the shed is ab'])
    for (const query of ['Password ｃａｔ', 'password Cat', 'The key of the shed is a\u200bb'])
      expect(await classify(ben, query), query).toMatchObject({ classification: 'exact_match' })
  })

  it.each([1, 3, 8, 20, 60])('knows a sentence among %d others', async (count) => {
    const ben = await newConformingClient(server)
    const filler = [
      'Le jardin a été tondu samedi matin.',
      'La voisine a rapporté les clés du garage.',
      'Il faudra repeindre les volets au printemps.',
      'Le plombier est passé pour la douche.',
    ]
    const around = Array.from({ length: count }, (_, i) => `${filler[i % filler.length]}`)
    const half = Math.ceil(count / 2)
    const fact = 'La garantie de la chaudière expire en 2031.'
    const note = [...around.slice(0, half), fact, ...around.slice(half)].join(' ')
    // So many that the note is not among the nearest by its embedding alone.
    const others = Array.from(
      { length: 49 },
      (_, i) => `La garantie numéro ${i} de la voiture expire bientôt.`,
    )
    const [id] = await ben.store([note, ...others])
    const inOtherWords = 'La garantie de la chaudière prend fin en 2031.'
    for (const query of [fact, 'la garantie de la chaudiere expire en 2031', inOtherWords]) {
      expect(await classify(ben, query), query).toMatchObject({
        classification: 'exact_match',
        best_match_id: id,
      })
    }
    for (const as_of of [undefined, new Date(Date.now() + 3_600_000).toISOString()]) {
      const { body } = await ben.post('/v1/memory/text/explain', { query: fact, as_of, lang: 'fr' })
      // What was at a time is looked for by its embedding alone.
      if (as_of === undefined || count < 20) {
        expect(body.explanation).toContain(`est «\u00a0${fact}\u00a0» (presque identique`)
        expect(body.confidence).toBeGreaterThan(0.8)
      }
    }
    const another = await classify(ben, 'La garantie de la chaudière expire en 2032.')
    expect(another.classification).toBe('novel')
  })

  it('takes a stored text for the match rather than one that has it among its sentences', async () => {
    const ben = await newConformingClient(server)
    const [, id] = await ben.store([
      'The printer is out of toner. Ada is away.',
      'The printer is out of toner.',
    ])
    expect(await classify(ben, 'The printer is out of toner.')).toMatchObject({ best_match_id: id })
  })

  it('gives the probability of the class as confidence; all sum to 1', async () => {
    for (const query of [...facts, 'The cat chases a mouse.', 'x', '🙂', '123', '…']) {
      const { classification, probabilities, confidence } = await classify(ada, query)
      expect(Object.values(probabilities).reduce((a, b) => a + b)).toBeCloseTo(1, 9)
      expect(confidence).toBe(Math.max(...Object.values(probabilities)))
      expect(Object.entries(probabilities)).toContainEqual([classification, confidence])
    }
  })

  it('compares with one text, and with the same text many times', async () => {
    const ben = await newConformingClient(server)
    const [first] = await ben.store(['The printer is out of toner.'])
    expect(await classify(ben, 'The printer is out of toner.')).toMatchObject({
      classification: 'exact_match',
      best_match_id: first,
    })
    await ben.store(Array.from({ length: 40 }, () => 'The printer is out of toner.'))
    expect(await classify(ben, 'The printer is out of toner.')).toMatchObject({
      classification: 'exact_match',
      best_match_id: first,
    })
  })

  it('forgets with the space: a deleted text is novel again', async () => {
    const ben = await newConformingClient(server)
    const [id] = await ben.store(['The printer is out of toner.', 'Ada is allergic to peanuts.'])
    await ben.request('DELETE', `/v1/memory/patterns/${id}`)
    expect((await classify(ben, 'The printer is out of toner.')).classification).toBe('novel')
  })

  it('compares with texts only', async () => {
    const ben = await newConformingClient(server)
    const query = 'The printer is out of toner.'
    const { body } = await ben.post('/v1/memory/text/embed', { text: query })
    await ben.post('/v1/memory/store', { key: body.embedding, value: [1] })
    expect(await classify(ben, query)).toMatchObject({ classification: 'novel', best_match_id: null })
  })

  it('counts as one query of the day, of which a refused request takes none', async () => {
    const ben = await newConformingClient(server, { plan: 'free' })
    const used = (set?: number) =>
      inSpace(server, ben, async (trx, { id }) => {
        if (set !== undefined)
          await sql`update app.query_counts set used = ${set} where space_id = ${id}`.execute(trx)
        const { rows } = await sql<{ used: number }>`
          select coalesce(sum(used), 0)::int as used from app.query_counts where space_id = ${id}`.execute(
          trx,
        )
        return rows[0]?.used
      })
    await classify(ben, 'anything')
    expect(await used()).toBe(1)
    expect((await ben.post(path, { query: '' })).status).toBe(422)
    expect(await used()).toBe(1)
    await used(plans.free.queriesPerDay)
    const { status, body } = await ben.post(path, { query: 'anything' })
    expect({ status, body }).toEqual({ status: 429, body: { detail: 'Daily query limit reached' } })
  })

  it('refuses what is no text', async () => {
    expect(faultsOf(await ada.post(path, {}))).toEqual([
      { type: 'missing', loc: ['body', 'query'], msg: 'Field required' },
    ])
    expect(faultsOf(await ada.post(path, { query: ' \n ' }))).toMatchObject([
      { type: 'string_too_short', loc: ['body', 'query'] },
    ])
    expect(faultsOf(await ada.post(path, { query: 5 }))).toMatchObject([
      { type: 'string_type', loc: ['body', 'query'] },
    ])
    expect(faultsOf(await ada.post(path, { query: 'x'.repeat(5_001) }))).toMatchObject([
      { type: 'string_too_long', loc: ['body', 'query'] },
    ])
  })

  it('needs memory:read', async () => {
    const writer = await newConformingClient(server, { scopes: ['memory:write'] })
    const { status, body } = await writer.post(path, { query: 'x' })
    expect({ status, body }).toEqual({
      status: 403,
      body: { detail: 'Insufficient scope: memory:read required' },
    })
  })
})
