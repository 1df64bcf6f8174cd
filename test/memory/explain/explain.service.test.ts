import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/text/explain'
const nbsp = '\u00a0'

interface Explanation {
  explanation: string
  method: string
  confidence: number
}

const explain = async (
  client: ConformingClient,
  query: string,
  lang?: string | null,
): Promise<Explanation> => {
  const { status, body } = await client.post(path, { query, lang })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['confidence', 'explanation', 'method'])
  return body
}

const facts = [
  'Ada moved to Lisbon in May.',
  'Le chat dort sur le toit chaud.',
  'Interest rates rose by half a percent.',
  'Ada is allergic to peanuts.',
  'The train to Porto leaves at nine.',
  'Bread needs flour, water, salt and yeast.',
]

const withFacts = async (): Promise<ConformingClient> => {
  const ada = await newConformingClient(server)
  await ada.store(facts)
  return ada
}

describe('POST /v1/memory/text/explain', () => {
  it('quotes what it found and says why, in English', async () => {
    const ada = await withFacts()
    const { explanation, method, confidence } = await explain(ada, 'What can Ada not eat?', 'en')
    expect(method).toBe('evidence')
    expect(explanation).toMatch(
      /^The nearest memory is “Ada is allergic to peanuts\.” \(very close to the query in meaning, similarity 0\.\d\d; shared word: Ada\)\./,
    )
    expect(confidence).toBeGreaterThan(0)
    expect(confidence).toBeLessThanOrEqual(1)
  })

  it('quotes what it found and says why, in French, each text in its own language', async () => {
    const ada = await withFacts()
    const english = await explain(ada, 'A quelle heure part le train pour Porto ?', 'fr')
    expect(english.explanation).toMatch(
      /^Le souvenir le plus proche est «\u00a0The train to Porto leaves at nine\.\u00a0» \(.*similarité 0,\d\d/,
    )
    const french = await explain(ada, 'Où dort le chat ?', 'en')
    expect(french.explanation).toMatch(/^The nearest memory is “Le chat dort sur le toit chaud\.”/)
  })

  it.each([
    ['French', 'Où dort le chat ?', 'Le souvenir'],
    ['English', 'Where does the cat sleep?', 'The nearest'],
    ['German', 'Wo schläft die Katze?', 'The nearest'],
    ['Japanese', '猫はどこで寝ていますか', 'The nearest'],
  ])('explains a query in %s in a language that it speaks', async (_language, query, start) => {
    const ada = await withFacts()
    for (const lang of [undefined, null]) {
      const { explanation, method } = await explain(ada, query, lang)
      expect(method).toBe('evidence')
      expect(explanation.startsWith(start)).toBe(true)
      expect(explanation).toContain('Le chat dort sur le toit chaud.')
    }
  })

  it.each([
    ['Ada has food allergies.', 'The nearest'],
    ['Ada a des allergies alimentaires.', 'Le souvenir'],
  ])('explains a word that is French and English as what it found is: %s', async (fact, start) => {
    const ada = await newConformingClient(server)
    await ada.store([fact])
    const { explanation } = await explain(ada, 'allergies')
    expect(explanation).toContain(fact)
    expect(explanation.startsWith(start)).toBe(true)
  })

  it('is more confident of what states the query than of what is only near', async () => {
    const ada = await withFacts()
    const same = await explain(ada, 'Ada is allergic to peanuts.')
    const near = await explain(ada, 'Ada is allergic to cats.')
    expect(same.confidence).toBeGreaterThan(0.8)
    expect(near.confidence).toBeLessThan(same.confidence)
  })

  it('is confident of an answer that stands out, and less of one that does not', async () => {
    const ada = await withFacts()
    const { confidence } = await explain(ada, 'What is Ada allergic to?')
    expect(confidence).toBeGreaterThan(0.8)
    expect((await explain(ada, 'What does Ada like?')).confidence).toBeLessThan(confidence - 0.3)
  })

  it.each([
    ['en', 'No text is in memory yet'],
    ['fr', 'Aucun texte n’est encore en mémoire'],
  ])('says of an empty space that it is empty (%s)', async (lang, start) => {
    const ada = await newConformingClient(server)
    const { explanation, ...rest } = await explain(ada, 'Where does Ada live?', lang)
    expect(rest).toEqual({ method: 'no_evidence', confidence: 0 })
    expect(explanation.startsWith(start)).toBe(true)
  })

  it.each([
    ['quantum chromodynamics', 'No text in memory is close enough'],
    ['Qui a gagné la coupe du monde de 1998 ?', 'Aucun texte en mémoire n’est assez proche'],
  ])('quotes nothing for %j, which nothing stored is about', async (query, start) => {
    const ada = await withFacts()
    const { explanation, ...rest } = await explain(ada, query)
    expect(rest).toEqual({ method: 'no_evidence', confidence: 0 })
    expect(explanation.startsWith(start)).toBe(true)
    for (const fact of facts) expect(explanation).not.toContain(fact)
  })

  it('quotes at most three texts, each once, and no vectors', async () => {
    const ada = await newConformingClient(server)
    const texts = ['Paris', 'Lyon', 'Porto', 'Rome', 'Oslo'].map((city) => `Ada has been to ${city}.`)
    await ada.store([...texts, texts[0] as string, texts[0] as string])
    const { body } = await ada.post('/v1/memory/text/embed', { text: 'Which cities has Ada been to?' })
    await ada.post('/v1/memory/store', { key: body.embedding, value: [1] })
    const { explanation } = await explain(ada, 'Which cities has Ada been to?')
    const quotes = Array.from(explanation.matchAll(/“([^”]*)”/g), ([, quote]) => quote)
    expect(quotes.length).toBeGreaterThan(1)
    expect(quotes.length).toBeLessThanOrEqual(3)
    expect(new Set(quotes).size).toBe(quotes.length)
    for (const quote of quotes) expect(texts).toContain(quote)
  })

  it('quotes any text character by character, and adds nothing of the query', async () => {
    const ada = await newConformingClient(server)
    const text =
      'Ada’s page: <script>alert("x")</script> & $& {name} \n— «\u202fÉté\u202f» 👩‍👩‍👧 猫 \u0065\u0301'
    await ada.store([text])
    const { explanation } = await explain(ada, 'Ada’s page <b>$process</b> <img src=y>', 'fr')
    expect(explanation).toContain(`«${nbsp}${text}${nbsp}»`)
    expect(explanation.replace(text, '')).not.toMatch(/[<>$]|process|img/)
  })

  it('quotes whole sentences of a long text, those that share words with the query', async () => {
    const ada = await newConformingClient(server)
    const filler = Array.from({ length: 30 }, (_, i) => `Ada’s garden has plant number ${i}.`)
    const text = [...filler, 'The tortoise is called Gustav.', ...filler].join(' ')
    await ada.store([text])
    const { explanation } = await explain(ada, 'What is the tortoise in Ada’s garden called?')
    const quote = /“(.*)” \(/.exec(explanation)?.[1] as string
    expect(quote).toMatch(/^The tortoise is called Gustav\. .*\.$/)
    expect(text).toContain(quote)
    expect(quote.length).toBeLessThan(600)
    expect(explanation).toMatch(/\d+ sentences of 61\)\.$/)
  })

  it('says what is often recalled together', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada lives in Lisbon with Rex.', 'Ada walks in the park with Rex.'])
    const query = 'What do Ada and Rex do?'
    expect((await explain(ada, query)).explanation).not.toContain('recalled together')
    for (let round = 0; round < 6; round++) {
      await ada.retrieve(query)
      await ada.retrieve(`${query} ${round}`)
    }
    await server.context.memory.learning.flush()
    expect((await explain(ada, query)).explanation).toContain('often recalled together with the first')
  })

  it.each([
    ['de', 'enum'],
    ['FR', 'enum'],
    ['', 'enum'],
    [7, 'enum'],
  ])('refuses the language %j', async (lang, type) => {
    const ada = await newConformingClient(server)
    const answer = await ada.post(path, { query: 'x', lang })
    expect(faultsOf(answer)).toEqual([expect.objectContaining({ type, loc: ['body', 'lang'] })])
  })

  it.each([
    [{}, 'missing'],
    [{ query: ' \n' }, 'string_too_short'],
    [{ query: 'x'.repeat(5_001) }, 'string_too_long'],
    [{ query: null }, 'string_type'],
  ])('refuses a body without a query that it can read', async (body, type) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(path, body))).toEqual([
      expect.objectContaining({ type, loc: ['body', 'query'] }),
    ])
  })
})
