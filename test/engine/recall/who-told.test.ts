import { parameters } from '@memory/engine/parameters'
import { asksOfAsker, ownWordsFirst } from '@memory/engine/recall/who-told'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { assistantLag } = parameters.recall

describe('a query asks for something of the one who asks', () => {
  it.each([
    ['English', 'When is my flight?'],
    ['English, politely', 'Can you tell me when my flight is?'],
    ['English, as a request', 'Tell me my blood type'],
    ['French', 'Où ai-je mis ma clé ?'],
    ['French, in the middle', 'Où est-ce que j’ai garé la voiture ?'],
    ['German', 'Wann ist mein Termin?'],
    ['German, formally asked', 'Können Sie mir sagen, wann mein Termin ist?'],
    ['Spanish', '¿Cuándo es mi cita?'],
    ['Italian', 'Quando è il mio compleanno?'],
    ['Portuguese', 'Quando é a minha consulta?'],
    ['Dutch', 'Wanneer is mijn afspraak?'],
    ['Swedish', 'När är min bokning?'],
    ['Russian', 'Когда у меня встреча?'],
    ['Turkish', 'Benim uçuşum ne zaman?'],
    ['Hindi', 'मेरी उड़ान कब है?'],
    ['Vietnamese', 'Tôi sinh năm nào?'],
    ['Chinese', '我的航班是什么时候？'],
    ['Japanese', '私の歯医者の予約はいつですか'],
    ['Korean', '내 생일은 언제야?'],
    ['English, in small letters', 'when did i book the flight'],
    ['English, of an age', 'How old am I?'],
    ['Italian, of a name', 'Come si chiama il mio gatto?'],
    ['Spanish, of a name', '¿Cómo se llama mi gato?'],
  ])('%s', (_, query) => {
    expect(asksOfAsker(query)).toBe(true)
  })

  it.each([
    ['of somebody else', 'Where does Ada live?'],
    ['of a number of minutes', 'What can be cooked in 30 min'],
    ['of a least value', 'What is the min value of this field?'],
    ['of the number of a name', 'When did World War I begin?'],
    ['of somebody whose name is a word elsewhere', 'Was macht Mia mit Ben und Mina?'],
    ['of an abbreviation', 'What is the EU VAT rate?'],
    ['with a word of another language: Italian', 'Quali sono i sintomi dell’influenza?'],
    ['with a word of another language: Swedish', 'Vad heter huvudstaden i Frankrike?'],
    ['with a word of another language: Spanish', '¿Qué museos hay en Madrid?'],
    ['with a word of another language: Hungarian', 'Mi a Bitcoin?'],
    ['of instructions: English', 'How do I reset my router?'],
    ['of instructions: what should be', 'What should I cook tonight?'],
    ['of instructions: German', 'Wie kann ich meinen Router zurücksetzen?'],
    ['of instructions: French', 'Comment est-ce que je réinitialise mon routeur ?'],
    ['of instructions: Spanish', '¿Cómo reinicio mi router?'],
    ['of instructions: Russian', 'Как мне сбросить мой роутер?'],
    ['of instructions: Chinese', '我怎么重置我的路由器？'],
    ['of what was answered: English', 'What did you say about my flight?'],
    ['of what was answered: by name', 'What did the assistant say about my diet?'],
    ['of advice', 'Which restaurant was recommended to me?'],
    ['of what was answered: French', 'Que m’as-tu dit de mon jardin ?'],
    ['of what was answered: German', 'Was hast du zu meinem Garten gesagt?'],
    ['of what was answered: German, formally', 'Was haben Sie zu meinem Vertrag gesagt?'],
    ['of what was answered: Spanish', '¿Qué me dijiste de mi jardín?'],
    ['of what was answered: Dutch', 'Wat heb je over mijn tuin gezegd?'],
    ['of what was answered: Russian', 'Что ты сказал о моей встрече?'],
    ['of what was answered: Chinese', '你说我的花园怎么样？'],
  ])('not %s', (_, query) => {
    expect(asksOfAsker(query)).toBe(false)
  })
})

describe('where it does', () => {
  const query = 'When is my flight?'
  const texts = [
    { text: 'assistant: Your flight could be on Monday or Tuesday.', score: 2 },
    { text: 'My flight is on Monday.', score: 2 - assistantLag / 2 },
    { text: 'Flights are late.', score: 2 - 2 * assistantLag },
  ]
  const order = (of: readonly (typeof texts)[number][], asked = query) =>
    ownWordsFirst(of, asked, (one) => (one as { role?: string }).role).map((one) => of.indexOf(one))

  it('what an assistant said comes behind what is not much further down', () => {
    expect(order(texts)).toEqual([1, 0, 2])
  })

  it.each(['**Assistant:** ', '[AI] : ', 'bot: ', '助手：', 'Assistent: '])(
    'it is known by what stands before it: %s',
    (speaker) => {
      const [, ...others] = texts
      const said = { text: `${speaker.replace('] :', ']:')}Your flight is on Monday.`, score: 2 }
      expect(order([said, ...others] as typeof texts)).toEqual([1, 0, 2])
    },
  )

  it('it is known by its role, which comes before that', () => {
    const [first, ...others] = texts as [(typeof texts)[number], ...typeof texts]
    const said = (role: string, text: string) => order([{ ...first, text, role } as typeof first, ...others])
    for (const role of ['assistant', 'AI', 'model'])
      expect(said(role, 'Your flight is on Monday.')).toEqual([1, 0, 2])
    expect(said('user', 'assistant: you said Monday')).toEqual([0, 1, 2])
  })

  it('a thing is no speaker', () => {
    const [first, ...others] = texts as [(typeof texts)[number], ...typeof texts]
    for (const text of ['Model: Corolla', 'Assistant professor: Ada', 'Air: Lufthansa'])
      expect(order([{ ...first, text }, ...others])).toEqual([0, 1, 2])
  })

  it('for another query nothing moves', () => {
    expect(order(texts, 'When does Ada fly?')).toEqual([0, 1, 2])
  })

  it('nothing is lost, and the order among each kind stays', () => {
    const one = fc.record({ text: fc.constantFrom('assistant: a', 'b'), score: fc.double({ noNaN: true }) })
    fc.assert(
      fc.property(fc.array(one), (given) => {
        const best = given.toSorted((a, b) => b.score - a.score)
        const placed = ownWordsFirst(best, query, () => undefined)
        expect(new Set(placed)).toEqual(new Set(best))
        for (const text of ['assistant: a', 'b'])
          expect(placed.filter((each) => each.text === text)).toEqual(
            best.filter((each) => each.text === text),
          )
      }),
    )
  })
})
