import { parameters } from '@memory/engine/parameters'
import { viewsOf, wantedBy } from '@memory/engine/recall/focus'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { focusWhole, focusStated } = parameters.recall

/** The sentence that a query is seen by beside the whole; undefined where there is none. */
const focusOf = (query: string) => viewsOf(query)[1]?.text
const sole = (query: string) => [{ text: query, share: 1 }]

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
    [
      'English',
      'I moved house last week. It was hard work. Where did I put the kettle?',
      'Where did I put the kettle?',
    ],
    ['Chinese', '我上周搬家了。东西非常多。我把那个旧水壶放在哪里了？', '我把那个旧水壶放在哪里了？'],
    ['Chinese, in few characters', '我上周搬家了。东西非常多。水壶在哪里？', '水壶在哪里？'],
    ['Japanese', '先週引っ越しました。大変でした。やかんはどこですか？', 'やかんはどこですか？'],
    ['Arabic', 'انتقلت إلى منزل جديد. كان العمل شاقا. أين وضعت الغلاية؟', 'أين وضعت الغلاية؟'],
    ['Thai', 'ฉันย้ายบ้าน! มันเหนื่อยมาก! กาต้มน้ำอยู่ที่ไหน?', 'กาต้มน้ำอยู่ที่ไหน?'],
    [
      'Greek',
      'Μετακόμισα την περασμένη εβδομάδα. Πού είναι ο βραστήρας\u037e',
      'Πού είναι ο βραστήρας\u037e',
    ],
    ['Hindi', 'मैं पिछले हफ्ते चला गया। केतली कहाँ है?', 'केतली कहाँ है?'],
    ['Spanish', 'Me mudé la semana pasada. ¿Dónde puse la tetera?', '¿Dónde puse la tetera?'],
  ])('finds the question after what it tells: %s', (_, query, question) => {
    // What is wanted counts the more, the less of the query it is.
    const share = 1 - (focusWhole * question.length) / query.length
    expect(viewsOf(query)).toEqual([
      { text: query, share: expect.closeTo(1 - share, 12) },
      { text: question, share: expect.closeTo(share, 12) },
    ])
  })

  it('finds the question before what is only polite', () => {
    const question = 'Where did I put the old kettle?'
    expect(focusOf(`I moved house. ${question} Thanks!`)).toBe(question)
    expect(focusOf(`I moved. ${question} Thank you very much for looking. Bye.`)).toBe(question)
  })

  it.each([
    'My boss asked me "Is the report done?" again and I did not know. Please tell me the wifi password.',
    'Meine Chefin fragte „Ist der Bericht fertig?“ und ich wusste es nicht. Sag mir bitte das WLAN-Passwort.',
    'Il a demandé « Le rapport est-il prêt ? » ce matin encore. Dis-moi le mot de passe du wifi.',
  ])('takes no question that is quoted: %s', (query) => {
    const wanted = viewsOf(query).at(-1)?.text
    expect(query.endsWith(wanted ?? 'nothing')).toBe(true)
    expect(wanted).not.toMatch(/\?/)
  })

  it('takes all questions where there are several', () => {
    const told = 'There was a party in the garden behind the house. '
    expect(focusOf(`${told}Who was there? It was late. What did they eat? ${told}`)).toBe(
      'Who was there? What did they eat?',
    )
  })

  it('sees a query whole of which two thirds or more are what is wanted', () => {
    const question = 'Can you help me find the kettle?'
    expect(viewsOf(`${question} Thanks!`)).toEqual(sole(`${question} Thanks!`))
    const questions = 'Where is the kettle? Where is the pan?'
    expect(viewsOf(questions)).toEqual(sole(questions))
  })

  it('counts a last sentence that asks nothing a share of what a question would', () => {
    const focus = 'Tell me where the kettle is.'
    const query = `I moved house last week. It took us four days. ${focus}`
    const share = focusStated * (1 - (focusWhole * focus.length) / query.length)
    expect(viewsOf(query)).toEqual([
      { text: query, share: expect.closeTo(1 - share, 12) },
      { text: focus, share: expect.closeTo(share, 12) },
    ])
  })

  it('counts the question the more, the more stands around it', () => {
    const question = 'Where did I put the kettle?'
    const shares = [1, 2, 5, 20].map(
      (count) => viewsOf(`${'We moved house. '.repeat(count)}${question}`)[1]?.share ?? 0,
    )
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeGreaterThan(0.85)
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

  it('gives one view or two, the whole first, of shares that are 1 in sum, whatever is asked', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('. ', '? ', '! ', '。', '؟ ', '\n', 'Where is it?', ' It is here. '),
    )
    const queries = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(queries, (query) => {
        const views = viewsOf(query)
        expect(views[0]?.text).toBe(query)
        expect([1, 2]).toContain(views.length)
        expect(views.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
        for (const { text, share } of views) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(text.length).toBeLessThanOrEqual(query.length)
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
