import { type Arrangeable, arrange } from '@memory/engine/recall/arrange'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** An older text and a newer one, of which the older is nearer to the query by so much. */
const found = (older: string, newer: string, apart = 0.1, behind = 0.5): Arrangeable[] => [
  { idx: 0, text: older, cosine: 0.6, score: 2, at: 1_000 },
  { idx: 1, text: newer, cosine: 0.6 - apart, score: 2 - behind, at: 2_000 },
]
const firstOf = (texts: readonly Arrangeable[], query: string) => arrange(texts, query).texts[0]?.text

describe('what says that something has changed', () => {
  it.each([
    [
      'What is the wifi password?',
      'The wifi password is maple-88.',
      'Changed the wifi password to cedar-41.',
    ],
    ['What is the deadline?', 'The deadline is 1 March.', 'The deadline was extended to 20 March.'],
    ['Who is my hairdresser?', 'My hairdresser is Tony.', 'I have a new hairdresser, Layla.'],
    ['Combien coûte la cantine ?', 'La cantine coûte 4,20 €.', 'Le prix de la cantine est passé à 4,85 €.'],
    ['Wie hoch ist die Miete?', 'Die Miete beträgt 780 Euro.', 'Ab jetzt zahlen wir 840 Euro Miete.'],
    ['¿Cuándo es la boda?', 'La boda es el 12 de mayo.', 'Hemos aplazado la boda al 9 de junio.'],
    [
      'Chi è il nostro idraulico?',
      'Il nostro idraulico è Marco.',
      'Abbiamo un nuovo idraulico, si chiama Dario.',
    ],
    ['Qual é a senha do cofre?', 'A senha do cofre é 4412.', 'Mudei a senha do cofre para 8090.'],
    ['Сколько стоит садик?', 'Садик стоит 5000 рублей.', 'Плата за садик выросла до 6200 рублей.'],
    ['متى موعد الطبيب؟', 'موعد الطبيب يوم الأحد.', 'تم تأجيل موعد الطبيب إلى الأربعاء.'],
    ['例会几点?', '例会是周一上午九点。', '例会改为周二下午两点。'],
    ['会議はいつ?', '会議は10日です。', '会議を17日に変更しました。'],
    ['헬스장이 어디야?', '헬스장은 스포애니야.', '헬스장을 짐박스로 바꿨어.'],
  ])('comes before what was: %s', (query, older, newer) => {
    expect(firstOf(found(older, newer), query)).toBe(newer)
  })

  it.each([
    ['Where do I live?', 'I live in Leeds.', "We've moved to Hull."],
    ['Wo wohne ich?', 'Ich wohne in Kassel.', 'Wir sind nach Jena umgezogen.'],
    ['Où habite Clara ?', 'Clara habite à Lille.', 'Clara a déménagé à Rennes.'],
    ['Где я живу?', 'Я живу в Самаре.', 'Мы переехали в Казань.'],
    ['我住在哪里?', '我住在武汉。', '我们上个月搬到长沙了。'],
    ['どこに住んでいますか?', '仙台に住んでいます。', '盛岡に引っ越しました。'],
    ['Where do I work?', 'I work at Nordbank.', 'I quit my job and joined Helvia.'],
  ])('has a new home or other work, in no word of the query: %s', (query, older, newer) => {
    expect(firstOf(found(older, newer, 0.4, 1.8), query)).toBe(newer)
  })

  it('names what is no more', () => {
    const texts = found('I bank with Monzo.', "I've closed my Monzo account and bank with Starling.")
    expect(firstOf(texts, 'Which bank do I use?')).toBe(texts[1]?.text)
  })

  it('comes first, the newest of several, whatever the order of their scores', () => {
    const texts = ['I live in Leeds.', "We've moved to Hull.", "We've moved to York."]
    const [leeds, hull, york] = texts.map((text, idx) => ({ idx, text, at: idx })) as [
      Pick<Arrangeable, 'idx' | 'text' | 'at'>,
      Pick<Arrangeable, 'idx' | 'text' | 'at'>,
      Pick<Arrangeable, 'idx' | 'text' | 'at'>,
    ]
    for (const order of [
      [leeds, hull, york],
      [leeds, york, hull],
      [hull, york, leeds],
    ]) {
      const scored = order.map((one, i) => ({ ...one, cosine: 0.6 - 0.1 * i, score: 2 - 0.3 * i }))
      expect(firstOf(scored, 'Where do I live?')).toBe(york.text)
    }
  })
})

describe('what tells of another change', () => {
  it.each([
    ['Where do I live?', 'I live in Leeds.', 'My brother has moved to Hull.'],
    ['Where do I live?', 'I live in Leeds.', 'Our office moved to Hull last month.'],
    ['Where do I live?', 'I live in Leeds.', "We're thinking of moving to Hull."],
    ['Where did I live before Hull?', 'I live in Leeds.', "We've moved to Hull."],
    ['What was the old password?', 'The password is maple-88.', 'Changed the password to cedar-41.'],
    [
      'What is the wifi password?',
      'The wifi password is maple-88.',
      'Changed the guest wifi password to cedar-41.',
    ],
    ['Where do I work?', 'I work at Acme.', 'Acme now has a new logo.'],
    ['Do we have pets?', 'We have a dog called Rex.', 'The neighbours have a new cat called Tom.'],
    ['When is the launch?', 'The launch is on 3 June.', 'The launch party has been moved to the rooftop.'],
    ['Which car do I drive?', 'I drive a Skoda.', 'I changed the tyres on the car.'],
    ['Wo wohne ich?', 'Ich wohne in Kassel.', 'Meine Schwester ist nach Jena umgezogen.'],
    ['Wie war das alte Passwort?', 'Das Passwort ist Ahorn88.', 'Das Passwort wurde auf Zeder41 geändert.'],
    [
      'Qui est mon médecin ?',
      'Mon médecin est le docteur Faure.',
      'Ma mère a changé de médecin, elle voit le docteur Roy.',
    ],
    ['¿Dónde vivo?', 'Vivo en Murcia.', 'Mi hermana se ha mudado a Cartagena.'],
    ['Где я живу?', 'Я живу в Самаре.', 'Мой брат переехал в Казань.'],
    ['أين أسكن؟', 'أسكن في فاس.', 'أخي انتقل إلى الرباط.'],
    ['我以前住在哪里?', '我住在武汉。', '我们搬到长沙了。'],
    ['我住在哪里?', '我住在武汉。', '我弟弟搬到长沙了。'],
    ['どこに住んでいますか?', '仙台に住んでいます。', '弟が盛岡に引っ越しました。'],
    ['ドアの暗証番号は?', 'ドアの暗証番号は4410です。', '金庫の暗証番号を9921に変更しました。'],
  ])('stays behind: %s %s %s', (query, older, newer) => {
    expect(firstOf(found(older, newer), query)).toBe(older)
  })

  it('stays behind what is much nearer to the query, and what is newer', () => {
    const [older, newer] = ['The wifi password is maple-88.', 'Changed the wifi password to cedar-41.']
    const query = 'What is the wifi password?'
    expect(firstOf(found(older, newer, 0.5, 0.5), query)).toBe(older)
    expect(firstOf(found(older, newer, 0.1, 2), query)).toBe(older)
    const reversed = found(older, newer).map((one) => ({ ...one, at: -one.at }))
    expect(firstOf(reversed, query)).toBe(older)
  })

  it('stays behind where it is long', () => {
    const newer = `Changed the wifi password to cedar-41. ${'We also painted the hall. '.repeat(5)}`
    const texts = found('The wifi password is maple-88.', newer)
    expect(firstOf(texts, 'What is the wifi password?')).toBe(texts[0]?.text)
  })
})

it('keeps every text once, whatever is stored and asked', () => {
  const piece = fc.constantFrom(
    'changed',
    'new',
    'moved to',
    'we',
    '搬到',
    'wifi',
    'Leeds',
    '41',
    '。',
    '*',
    'ist',
    '\ud800',
  )
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(' '))
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 8 }), text, (texts, query) => {
      const scored = texts.map((each, idx) => ({ idx, text: each, cosine: 0.5, score: 1, at: idx }))
      const { texts: arranged, collapsed } = arrange(scored, query)
      expect(arranged.length + collapsed).toBe(texts.length)
      expect(new Set(arranged).size).toBe(arranged.length)
    }),
  )
})
