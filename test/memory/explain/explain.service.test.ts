import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush } from '../learning/space.ts'
import { faultsOf } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/text/explain'

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

  it.each(['Wo wohnt Zoé?', '¿Dónde vive Zoé?', 'Dove abita Zoé?'])(
    'explains %j in English, though what it found is French',
    async (query) => {
      const ada = await newConformingClient(server)
      await ada.store(['Zoé habite à Grenoble depuis le mois de mai.'])
      expect((await explain(ada, query)).explanation).toMatch(/^The nearest memory is /)
    },
  )

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
    ['en', 'No text is in memory, so'],
    ['fr', 'Aucun texte n’est en mémoire, il'],
  ])('says of an empty space that it is empty (%s)', async (lang, start) => {
    const ada = await newConformingClient(server)
    const { explanation, ...rest } = await explain(ada, 'Where does Ada live?', lang)
    expect(rest).toEqual({ method: 'no_evidence', confidence: 0 })
    expect(explanation.startsWith(start)).toBe(true)
  })

  it('says of an end user without texts that there is none, whatever others have', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'Ada lives in Lisbon.', subject: 'ada' }])
    const { organizationId } = ada
    const ben = await newConformingClient(server, {
      organizationId,
      subject: { name: 'ben', isShared: false },
    })
    expect((await explain(ben, 'Where does Ada live?', 'en')).explanation).toMatch(
      /^No text is in memory, so/,
    )
  })

  it.each([
    ['a filter', { filter: { of: 'nobody' } }, 'None of the texts searched'],
    ['a subject', { subject: 'nobody' }, 'None of the texts searched'],
    ['a period', { before: '2001-01-01T00:00:00Z' }, 'None of the texts searched'],
    // It is said as it was known then.
    ['a time', { as_of: '2001-01-01T00:00:00Z' }, 'No text in memory'],
  ])('does not say that there is none where %s lets nothing through', async (_what, narrowing, none) => {
    const ada = await withFacts()
    const { body } = await ada.post(path, { query: 'Where does Ada live?', lang: 'en', ...narrowing })
    expect(body).toMatchObject({ method: 'no_evidence', confidence: 0 })
    expect(body.explanation).toMatch(new RegExp(`^${none} is close enough`))
  })

  it('is as confident whatever vectors of another length there are, with a filter that all texts meet, and of a time', async () => {
    const ada = await newConformingClient(server)
    await ada.store(facts.map((text) => ({ text, metadata: { kind: 'fact' } })))
    const confidences = async () => {
      const ways = [
        {},
        { filter: { kind: 'fact' } },
        { as_of: new Date(Date.now() + 3_600_000).toISOString() },
      ]
      const asked = [...ways, { ...ways[1], ...ways[2] }]
      const answers = asked.map((way) => ada.post(path, { query: 'What is Ada allergic to?', ...way }))
      return (await Promise.all(answers)).map(({ body }) => body.confidence as number)
    }
    const [alone = 0] = await confidences()
    for (const dimensions of [3, 100]) {
      const keys = Array.from({ length: 300 }, (_, i) =>
        Array.from({ length: dimensions }, (_, j) => Math.sin(i + j * j + 1)),
      )
      const patterns = keys.map((key) => ({ key, value: [1], metadata: { kind: 'fact' } }))
      expect((await ada.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
    }
    for (const confidence of await confidences()) expect(confidence).toBeCloseTo(alone, 4)
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
    expect(explanation).toContain(`“${text}”`)
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

  it.each([1_254, 6_000])(
    'finds what a passage of a text of %d characters tells, and is as sure',
    async (length) => {
      const ada = await newConformingClient(server)
      const fact = "Rosa's phone number is 0170 5551234."
      const said = [
        'We talked about the garden fence and its paint.',
        'The roof of the shed leaks in the wind.',
        'Coffee was served at half past ten.',
        'A visit to the museum is planned for autumn.',
      ].join(' ')
      const half = `${said} `.repeat(Math.ceil(length / 2 / said.length))
      const items = [`${half}${fact} ${half}`, 'Bob likes tea.'].map((text) => ({
        text,
        metadata: { of: 'rosa' },
      }))
      await ada.store(items)
      const ways = [
        { read_only: true },
        { filter: { of: 'rosa' } },
        { as_of: new Date(Date.now() + 3_600_000).toISOString() },
        {},
      ]
      for (const way of ways) {
        const { body } = await ada.post(path, { query: "What is Rosa's phone number?", ...way })
        expect(body.method).toBe('evidence')
        expect(body.explanation).toContain(`“${fact}`)
        expect(body.confidence).toBeGreaterThan(0.9)
      }
      expect((await explain(ada, fact)).confidence).toBeGreaterThan(0.8)
      expect((await explain(ada, 'Where was Napoleon born?')).method).toBe('no_evidence')
      const { body } = await ada.post(path, { query: fact, filter: { of: 'nobody' } })
      expect(body.method).toBe('no_evidence')
    },
  )

  it.each([
    ['What is the wifi password?', 'The wifi password is hunter2-Blue!'],
    ['Quel est le mot de passe du wifi ?', 'Le mot de passe du wifi est hunter2-Blue!'],
    ['Wie lautet das WLAN-Passwort?', 'Das WLAN-Passwort ist hunter2-Blue!'],
  ])(
    'answers %j with what answers it, not with the question that is stored too',
    async (question, answer) => {
      const ada = await newConformingClient(server)
      await ada.store([question])
      const alone = await explain(ada, question, 'en')
      expect(alone).toMatchObject({ method: 'evidence', confidence: 0 })
      expect(alone.explanation).toMatch(/^A question like this is in memory, but no text/)
      await ada.store([answer])
      for (const as_of of [undefined, new Date(Date.now() + 3_600_000).toISOString()]) {
        const { body } = await ada.post(path, { query: question, as_of, lang: 'en' })
        expect(body.explanation).toMatch(/^Leaving aside what only asks the same, the nearest/)
        expect(body.explanation).toContain(answer)
        expect(body.explanation).not.toContain(question)
        expect(body.confidence).toBeGreaterThan(0.9)
      }
    },
  )

  it.each([
    ['Où habite Élodie ?', 'Dans quelle ville vit Élodie ?'],
    ['Where does Ada live?', "What is Ada's home town?"],
    ['À quelle heure ouvre la pharmacie ?', 'When does the pharmacy open?'],
  ])('takes the stored question %j for no answer to %j', async (stored, query) => {
    const ada = await newConformingClient(server)
    await ada.store([stored, 'Bananas are yellow.', 'The printer is out of toner.'])
    const { explanation, confidence } = await explain(ada, query, 'en')
    expect(explanation).toMatch(/^A question like this is in memory, but no text/)
    expect(confidence).toBe(0)
  })

  it.each([
    ['Who is Mona?', 'Mona'],
    ['Qui est Viktor ?', 'Viktor'],
    ['Viktor', 'Viktor'],
    ['mardi', 'mardi'],
    ['mot de passe', 'mot de passe'],
    ['dogs', 'dogs'],
  ])('quotes for %j what has its words', async (query, word) => {
    const ada = await newConformingClient(server)
    await ada.store([
      "Ada's sister Mona moved to Lisbon in May with her two dogs, and rents a flat above a bakery there.",
      'La réunion du comité avec Viktor est reportée à mardi prochain, car la salle est prise.',
      'Le routeur du bureau est dans le placard du couloir, et le mot de passe est écrit dessous.',
      ...Array.from({ length: 40 }, (_, i) => `The shelf number ${i} needs a new board.`),
    ])
    const { explanation, method } = await explain(ada, query)
    expect(method).toBe('evidence')
    expect(explanation).toContain(word)
    const { body } = await ada.post(path, { query, filter: { of: 'nobody' } })
    expect(body.method).toBe('no_evidence')
  })

  it.each(['Élodie', 'Hugo', 'wifi', 'Hugo thé', 'code portail', 'Bob'])(
    'explains %j in French where all memories are',
    async (query) => {
      const ada = await newConformingClient(server)
      await ada.store([
        'Élodie habite à Lyon depuis trois ans.',
        'Hugo boit du thé le matin.',
        'Le code du portail est dans le tiroir.',
        'Le wifi du bureau est lent.',
      ])
      expect((await explain(ada, query)).explanation).toMatch(/^(?:Le|Aucun) /)
    },
  )

  it('is as sure of what a query asks in any form', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The rent is 900 euros a month.', 'The gym closes at 22:00.', 'Mein Hund heißt Rex.'])
    const asked = [
      ...["What's the rent?", 'Tell me the rent.', 'show me the rent', 'tell me how much the rent is'],
      ...['When does the gym close?', 'I want to know when the gym closes'],
      ...['wie heißt mein Hund?', 'Wie heißt mein Hund', 'sag mir wie mein Hund heißt'],
    ]
    for (const query of asked) expect((await explain(ada, query)).confidence, query).toBeGreaterThan(0.8)
    expect((await explain(ada, 'When does the gym open?')).confidence).toBeLessThan(0.3)
  })

  it.each(['quantum physics', 'Paris trip', 'restaurant menu'])(
    'explains %j in English where nothing tells that it is French',
    async (query) => {
      const ada = await newConformingClient(server)
      await ada.store(['The cat sleeps on the roof.'])
      expect((await explain(ada, query)).explanation).toMatch(/^(?:No text|The nearest)/)
    },
  )

  it('says of an end user’s own memory that nothing in it is near, and of a part of it that nothing searched is', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'Ada lives in Lisbon.', subject: 'ada' }])
    const { organizationId } = ada
    const own = await newConformingClient(server, {
      organizationId,
      subject: { name: 'ada', isShared: true },
    })
    expect((await explain(own, 'quantum chromodynamics', 'en')).explanation).toMatch(
      /^No text in memory is close/,
    )
    const { body } = await own.post(path, {
      query: 'Where does Ada live?',
      lang: 'en',
      filter: { of: 'nobody' },
    })
    expect(body.explanation).toMatch(/^None of the texts searched is close/)
  })

  it('calls a text the nearest of those searched where a filter leaves out others', async () => {
    const ada = await withFacts()
    await ada.store([{ text: 'Ada can eat everything but fish.', metadata: { u: 'bob' } }])
    const { body } = await ada.post(path, {
      query: 'What can Ada not eat?',
      lang: 'en',
      filter: { u: 'bob' },
    })
    expect(body.explanation).toMatch(/^The nearest of the memories searched is “Ada can eat everything/)
  })

  it('says of a long text of one sentence that it quotes a part of it', async () => {
    const ada = await newConformingClient(server)
    const cats = Array.from({ length: 220 }, (_, i) => `cat number ${i} sits on the warm mat`).join(
      ' and then ',
    )
    await ada.store([cats])
    const { explanation } = await explain(ada, 'Where does cat number 49 sit?', 'en')
    const quote = /“(.*)”/.exec(explanation)?.[1] as string
    expect(quote.length).toBeLessThan(1_000)
    expect(explanation).toContain('part of a longer text')
  })

  it('does not call used together what sleeps alone have associated', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada lives in Lisbon.', 'Paul works in a bakery in Lisbon.', 'Bananas are yellow.'])
    for (const city of ['Rome', 'Porto', 'Oslo', 'Paris']) {
      expect((await ada.post('/v1/memory/sleep', { batch_size: 20 })).status).toBe(200)
      await ada.store([`Lisbon is far from ${city}.`])
    }
    for (const query of ['Who is in Lisbon?', 'Which people are in Lisbon?']) {
      expect((await explain(ada, query, 'en')).explanation).not.toContain('often used')
      await flush(server)
    }
  })

  it('says what is often used shortly before or after', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada lives in Lisbon with Rex.', 'Ada walks in the park with Rex.'])
    const query = 'What do Ada and Rex do?'
    expect((await explain(ada, query)).explanation).not.toContain('often used')
    for (let round = 0; round < 6; round++) {
      await ada.retrieve(query)
      await ada.retrieve(`${query} ${round}`)
    }
    await flush(server)
    expect((await explain(ada, query)).explanation).toContain('often used shortly before or after the first')
  })

  it.each([
    ['numbers', 'What is the wifi code?', 'The wifi code is 1234.', 'The wifi code is 9876.'],
    ['places', 'Où est-ce que j’habite ?', 'J’habite à Toulouse.', 'J’habite à Lyon.'],
    ['words', 'Wann probt der Chor?', 'Der Chor probt am Montag.', 'Der Chor probt am Mittwoch.'],
    ['another script', '我住在哪里？', '我住在长沙。', '我住在西安。'],
  ])('quotes the newer value first, now and of a time: %s', async (_name, query, older, newer) => {
    const ada = await newConformingClient(server)
    const texts = [
      { text: older, occurred_at: '2024-02-01T10:00:00Z' },
      { text: newer, occurred_at: '2025-08-01T10:00:00Z' },
    ]
    // In both orders, so that neither store order nor the cosine does it.
    for (const subject of ['one', 'other']) {
      await ada.store(texts.reverse().map((each) => ({ ...each, subject })))
      for (const as_of of [undefined, new Date(Date.now() + 3_600_000).toISOString()]) {
        const { body } = await ada.post(path, { query, subject, as_of, lang: 'en' })
        expect(body.explanation).toMatch(
          new RegExp(
            `^The (?:nearest of the memories|newest of the nearest memories) searched is “${newer}”`,
          ),
        )
      }
    }
  })

  it.each([
    [
      'a number in other groups',
      'DE89370400440532013000',
      'Rent: DE89 3704 0044 0532 0130 00',
      'Rent: DE89 3704 0044 0532 0310 00',
    ],
    [
      'one that is dialled from abroad',
      'Who called from 0171 5551234?',
      'Call of +49 171 555 1234',
      'Call of +49 171 555 1243',
    ],
    ['a variable', 'user_id_map', 'user_id_map is rebuilt nightly', 'user_ip_map is rebuilt nightly'],
    [
      'a moment',
      'log of 2026-03-04T05:06:07Z',
      '2026-03-04T05:06:07Z worker died',
      '2026-03-04T05:07:06Z worker died',
    ],
    [
      'the beginning of a hash',
      'what did 7f3c9ab change',
      'Commit 7f3c9ab41d0e fixes the login',
      'Commit 7f3c9ba41d0e fixes the login',
    ],
    [
      'a hash by its beginning',
      'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
      'Reverted a94a8fe in the release',
      'Reverted a94a8ef in the release',
    ],
    ['far from the query by its meaning', '123-45-6789', 'On file: 123456789', 'On file: 123456798'],
  ])(
    'quotes first what has the identifier of the query, as a recall does: %s',
    async (_, query, named, like) => {
      const ada = await newConformingClient(server)
      const others = ['Bread needs flour.', 'The train leaves at nine.', 'Call 030 4471120 for the keys.']
      for (const [subject, texts] of Object.entries({ one: [named, like], other: [like, named] })) {
        await ada.store([...texts, ...others].map((text) => ({ text, subject })))
        for (const as_of of [undefined, new Date(Date.now() + 3_600_000).toISOString()]) {
          const { body } = await ada.post(path, { query, subject, as_of, lang: 'en' })
          expect(/“(.*?)”/u.exec(body.explanation)?.[1]).toBe(named)
        }
        const { body } = await ada.post('/v1/memory/text/recall', { query, subject })
        expect(body.results[0].text).toBe(named)
      }
    },
  )

  it('says of what has the identifier that it has it, where another text is nearer', async () => {
    const ada = await newConformingClient(server)
    await ada.store([
      'The fix of the login loop is 7f3c9ab41d0e, says Ben.',
      'What 7f3c9ba changed in the login',
    ])
    const query = 'what did 7f3c9ab change in the login'
    expect((await explain(ada, query, 'en')).explanation).toMatch(
      /^The memory that has what the query names is “The fix of the login loop is 7f3c9ab41d0e, says Ben\.”/,
    )
    expect((await explain(ada, query, 'fr')).explanation).toMatch(
      /^Le souvenir qui a ce que la requête nomme est «\u00a0The fix of the login loop/,
    )
  })

  it('does not deny that another text is near where it puts what has the identifier first', async () => {
    const ada = await newConformingClient(server)
    await ada.store([
      'Marta keeps the blue bicycle, frame KQ-77310, in the garden shed behind the apple trees.',
      'Support ticket KQ-77319 is open and waits for the customer.',
    ])
    const query = 'Is support ticket KQ-77310 still open, and who handles it for the customer?'
    expect((await explain(ada, query, 'en')).explanation).toMatch(
      /^The memory that has what the query names is “Marta .* There is also “Support ticket/,
    )
    expect((await explain(ada, query, 'fr')).explanation).toMatch(
      /^Le souvenir qui a ce que la requête nomme est «\u00a0Marta .* Il y a aussi «\u00a0Support ticket/,
    )
  })

  it.each([
    [
      'Where did Renzo live in May 2026?',
      {
        '2026-05-03': 'Renzo lives in Oslo.',
        '2026-05-23': 'Renzo lives in Kraków.',
        '2026-07-03': 'Renzo lives in Cork.',
      },
      'The newest of the nearest memories of the time asked for is “Renzo lives in Kraków',
      'Le plus récent des souvenirs les plus proches, parmi ceux de l’époque demandée, est «\u00a0Renzo lives in Kraków',
    ],
    [
      'Tell me the address where Ylva lives',
      {
        '2026-05-03': 'Ylva lives in Bergen.',
        '2026-05-23': 'Ylva lives in Kraków.',
        '2026-08-03': 'Ylva still lives at the same address.',
      },
      'One of the nearest memories is “Ylva lives in Kraków',
      'L’un des souvenirs les plus proches est «\u00a0Ylva lives in Kraków',
    ],
  ])('says of what it quotes first no more than is so: %s', async (query, facts, english, french) => {
    const ada = await newConformingClient(server)
    const dated = Object.entries(facts).map(([day, text]) => ({ text, occurred_at: `${day}T10:00:00Z` }))
    await ada.store(dated)
    for (const [lang, start] of Object.entries({ en: english, fr: french })) {
      const { explanation } = await explain(ada, query, lang)
      expect(explanation.startsWith(start), explanation).toBe(true)
    }
  })

  it('is confident of an answer, in other words and languages too, and not of what is about another thing', async () => {
    const ada = await newConformingClient(server)
    await ada.store([
      'Tom paid 42 euros for the concert tickets.',
      'Redis was upgraded to 7.2 on 3 October.',
      'Ma sœur Inès est allergique aux arachides.',
      'My car is a red Skoda parked on level 3.',
      'Der Mietvertrag läuft bis Ende August.',
    ])
    for (const [query, answered] of Object.entries({
      'How much did Tom pay for the concert tickets?': true,
      'Combien Tom a-t-il payé les billets de concert ?': true,
      'How much did Tom pay for the taxi?': false,
      'How much did Anna pay for the concert tickets?': false,
      'When was Redis upgraded?': true,
      'When was Postgres upgraded?': false,
      'À quoi ma sœur est-elle allergique ?': true,
      'What is my sister allergic to?': true,
      'What is my brother allergic to?': false,
      'À quoi mon frère est-il allergique ?': false,
      'Where is my car?': true,
      'Bis wann läuft der Mietvertrag?': true,
    })) {
      const { confidence } = await explain(ada, query)
      if (answered) expect(confidence, query).toBeGreaterThan(0.6)
      else expect(confidence, query).toBeLessThanOrEqual(0.2)
    }
  })

  it('names no function words among the shared ones, of the language of the query and of the text', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Tom paid 42 euros for the car.', 'La farmacia de la esquina abre a las nueve.'])
    for (const lang of ['en', 'fr']) {
      const shared = async (query: string) =>
        /(?:shared words?|mots? communs?)\u00a0?: ([^)]*)\)/u.exec(
          (await explain(ada, query, lang)).explanation,
        )?.[1]
      expect(await shared('How much did Tom pay for the car?')).toBe('Tom, car')
      expect(await shared('¿A qué hora abre la farmacia de las nueve?')).toBe('farmacia, abre, nueve')
    }
  })

  it('quotes the value of the time that the query names first', async () => {
    const ada = await newConformingClient(server)
    const codes = [
      { text: 'The wifi code is 1234.', occurred_at: '2024-02-01T10:00:00Z' },
      { text: 'The wifi code is 9876.', occurred_at: '2025-08-01T10:00:00Z' },
    ]
    await ada.store(codes)
    const { explanation } = await explain(ada, 'What was the wifi code in February 2024?', 'en')
    expect(explanation).toMatch(/^The nearest memory (?:of the time asked for )?is “The wifi code is 1234\.”/)
  })

  it.each(['Tell me the gate code.', 'I wonder what the gate code is.', 'what is the gate code'])(
    'does not take a stored request for its answer: %s',
    async (query) => {
      const ada = await newConformingClient(server)
      await ada.store([query, 'The gate code is 7712.'])
      const { explanation } = await explain(ada, query, 'en')
      expect(explanation).toMatch(
        /^Leaving aside what only asks the same, the nearest memory is “The gate code is 7712\.”/,
      )
    },
  )

  it.each([
    ['Qui répare le toit ?', 'M. Dupont répare le toit.'],
    ['Who wrote the book?', 'J. K. Rowling wrote the book.'],
    ['Wer repariert das Dach?', 'Prof. Dr. Meyer repariert das Dach.'],
  ])('quotes a name with its title or initials: %s', async (query, text) => {
    const ada = await newConformingClient(server)
    await ada.store([text, 'It rained on Sunday.'])
    const { explanation } = await explain(ada, query, 'en')
    expect(explanation.startsWith(`The nearest memory is “${text}”`)).toBe(true)
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
