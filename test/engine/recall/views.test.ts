import { parameters } from '@memory/engine/parameters'
import { viewsOf, wantedBy } from '@memory/engine/recall/views'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { sentencesMax, sentenceShareMax, statedWeight } = parameters.recall

/** The sentences that a query is seen by beside the whole. */
const sentencesOf = (query: string) => viewsOf(query).slice(1)
const whole = (query: string) => ({ text: query, share: 1, weight: 1 })
const sole = (query: string) => [whole(query)]

describe('viewsOf', () => {
  it.each([
    ['English', 'Where does Ada live?'],
    ['English without a mark', 'where does ada live'],
    ['Chinese', '张伟住在哪里？'],
    ['Arabic', 'أين تعيش سلمى؟'],
    ['Japanese', '会議は何時からですか？'],
    ['Thai', 'มาลีอยู่ที่ไหน?'],
    ['Greek', 'Πού μένει η Άννα;'],
    ['Hindi', 'मीना कहाँ रहती है?'],
    ['a number', 'The price was 3.50 in May'],
    ['an address', 'Please read https://example.com/a?b=c and the long page about it before Monday'],
    ['one word', 'RX-2209'],
    ['a title before a name', 'Where does Mr. Jones live?'],
    ['a short form', 'What did Dr. J. R. Smith say about no. 5?'],
  ])('sees one sentence whole: %s', (_, query) => {
    expect(viewsOf(query)).toEqual(sole(query))
  })

  it.each([
    ['English', ['I moved house last week.', 'It was hard work.', 'Where did I put the kettle?']],
    ['Chinese', ['我上周搬家了。', '东西非常多。', '我把那个旧水壶放在哪里了？']],
    ['Chinese, in few characters', ['我上周搬家了。', '东西非常多。', '水壶在哪里？']],
    ['Japanese', ['先週引っ越しました。', '大変でした。', 'やかんはどこですか？']],
    ['Arabic', ['انتقلت إلى منزل جديد.', 'كان العمل شاقا.', 'أين وضعت الغلاية؟']],
    ['Thai', ['ฉันย้ายบ้าน!', 'มันเหนื่อยมาก!', 'กาต้มน้ำอยู่ที่ไหน?']],
    ['Greek', ['Μετακόμισα την περασμένη εβδομάδα.', 'Πού είναι ο βραστήρας\u037e']],
    ['Hindi', ['मैं पिछले हफ्ते चला गया।', 'केतली कहाँ है?']],
    ['Spanish', ['Me mudé la semana pasada.', '¿Dónde puse la tetera?']],
  ])(
    'sees each sentence, the more the less of the query it is, above all what asks: %s',
    (language, parts) => {
      const query = parts.join(/Chinese|Japanese/.test(language) ? '' : ' ')
      const seen = parts.map((text, i) => ({
        text,
        share: expect.closeTo(Math.min(sentenceShareMax, 1 - text.length / query.length), 12),
        weight: i === parts.length - 1 ? 1 : statedWeight,
      }))
      expect(viewsOf(query)).toEqual([whole(query), ...seen])
    },
  )

  it.each([
    ['English', 'I am at the office and cannot get in', 'Where is my key?'],
    ['English, behind a preposition', 'Thanks for the talk about the budget', 'At what time is my flight?'],
    ['German', 'Ich stehe noch im Büro bei der Anmeldung', 'In welchem Schrank liegt mein Schlüssel?'],
    ['French', 'Je suis encore au bureau avec Marie', 'Où est ma clé ?'],
    ['Spanish', 'Estoy todavía en la oficina con María', '¿Dónde está mi llave?'],
    ['Russian', 'Я еще стою в офисе', 'Где лежит мой ключ?'],
    ['Greek', 'Είμαι ακόμα στο γραφείο', 'Πού είναι το κλειδί μου;'],
  ])('tells a question from what no mark separates from it: %s', (_, before, question) => {
    expect(sentencesOf(`${before} ${question}`).map(({ text, weight }) => [text, weight])).toEqual([
      [before, statedWeight],
      [question, 1],
    ])
  })

  it.each([
    'When does the film about Doctor Who start?',
    'Who gave me the book How to Win Friends, and what did it cost?',
    'Tell me who wrote What We Do in the Shadows?',
    'Wann sprach ich mit Anna über Was bleibt und den Rest?',
    'Did I tell Will about the trip?',
    'My favourite band is The Who, do you know when their concert is?',
    'We saw The Who do you know when?',
    'Cuando vivía en Lisboa, ¿dónde trabajaba yo?',
  ])('takes no name for one: %s', (query) => {
    expect(viewsOf(query)).toEqual(sole(query))
  })

  it.each([
    ['English', 'I am looking for the invoice RX-2209 of our supplier.', 'Can you find it?'],
    ['English, of what was said', 'A man from Acme gave me his number last week.', 'Do you remember?'],
    ['English, at a loss', 'The build fails with TS2345 since this morning.', 'What should I do?'],
    ['German', 'Ich suche die Rechnung RX-2209 von unserem Lieferanten.', 'Kannst du mir helfen?'],
    ['French', 'Je cherche la facture RX-2209 de notre fournisseur.', 'Peux-tu m’aider ?'],
    ['Spanish', 'Busco la factura RX-2209 de nuestro proveedor.', '¿Me ayudas?'],
    ['Russian', 'Я ищу счёт RX-2209 от поставщика.', 'Ты можешь помочь?'],
    ['Chinese', '我在找供应商的发票RX-2209，很着急。', '你能帮我找一下吗？'],
  ])('weighs a question little that says nothing of what it is about: %s', (language, said, question) => {
    const query = language === 'Chinese' ? said + question : `${said} ${question}`
    expect(sentencesOf(query).map(({ text, weight }) => [text, weight])).toEqual([
      [said, 1],
      [question, statedWeight],
    ])
    expect(wantedBy(query)).toContain(said)
  })

  it('weighs a greeting little, and not a question of few words about something', () => {
    const weights = (query: string) => sentencesOf(query).map(({ weight }) => weight)
    expect(weights('How are you today? Please tell me the password of the office.')).toEqual([
      statedWeight,
      1,
    ])
    expect(weights('What did I do today? It was a long day at work.')).toEqual([1, statedWeight])
    expect(weights('I owe the rent. How are you going to get it from my bank?')).toEqual([statedWeight, 1])
    expect(weights('How are you doing? Can you help me?')).toEqual([1, 1])
  })

  it('weighs sentences alike where none asks', () => {
    const query = 'I moved house last week. Tell me where the kettle is.'
    expect(sentencesOf(query).map(({ weight }) => weight)).toEqual([1, 1])
  })

  it.each([
    'My boss asked me "Is the report done?" again and I did not know. Please tell me the wifi password.',
    'Meine Chefin fragte „Ist der Bericht fertig?“ und ich wusste es nicht. Sag mir bitte das WLAN-Passwort.',
    'Il a demandé « Le rapport est-il prêt ? » ce matin encore. Dis-moi le mot de passe du wifi.',
  ])('weighs no question more that is quoted: %s', (query) => {
    expect(new Set(sentencesOf(query).map(({ weight }) => weight))).toEqual(new Set([1]))
  })

  it('joins neighbours where there are very many sentences', () => {
    const sentences = Array.from({ length: 50 }, (_, n) => `This is sentence number ${n}.`)
    const seen = sentencesOf(sentences.join(' '))
    expect(seen.length).toBe(sentencesMax)
    expect(seen.map(({ text }) => text).join(' ')).toBe(sentences.join(' '))
  })

  it('sees nothing in a sentence of a few characters', () => {
    for (const query of ['We moved house last week. Why?', 'We moved house last week. Thanks!']) {
      expect(viewsOf(query)).toEqual(sole(query))
    }
  })

  it.each([
    ['white space', ' \n\t '],
    ['nothing', ''],
    ['emoji', '😀😀😀'],
    ['emoji and marks', '😀! 😀? 😀.'],
    ['5,000 digits', '1'.repeat(5_000)],
    ['5,000 marks', '?!'.repeat(2_500)],
    ['5,000 characters of short sentences without a letter', '12 34. '.repeat(714)],
    ['half a character', '\ud800'],
  ])('sees %s whole', (_, query) => {
    expect(viewsOf(query)).toEqual(sole(query))
  })

  it('gives few views, the whole first, of shares and weights up to 1, whatever is asked', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('. ', '? ', '! ', '。', '؟ ', '\n', 'Where is it?', ' It is here. '),
    )
    const queries = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(queries, (query) => {
        const views = viewsOf(query)
        expect(views[0]).toEqual(whole(query))
        expect(views.length).toBeLessThanOrEqual(1 + sentencesMax)
        expect(views.length).not.toBe(2)
        for (const { text, share, weight } of views.slice(1)) {
          expect(share).toBeGreaterThan(0)
          expect(share).toBeLessThanOrEqual(sentenceShareMax)
          expect([statedWeight, 1]).toContain(weight)
          expect(text.length).toBeLessThan(query.length)
        }
        expect(viewsOf(query)).toEqual(views)
      }),
    )
  })
})

describe('wantedBy', () => {
  it('is the question where most of a query is something else, and else the query', () => {
    const question = 'Where did I put the kettle?'
    expect(wantedBy(question)).toBe(question)
    expect(wantedBy(`${'We moved house. '.repeat(9)}${question}`)).toBe(question)
    expect(wantedBy(`${question} Thanks!`)).toBe(`${question} Thanks!`)
    expect(wantedBy('')).toBe('')
  })
})
