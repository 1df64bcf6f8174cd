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
    ['When is the exam?', 'The exam is on Monday.', 'The exam has been moved to Friday.'],
    ['What is the deadline?', 'The deadline is 1 March.', 'The deadline was extended to 20 March.'],
    ['How much is the gym?', 'The gym costs 30 euros.', 'The gym has gone up to 36 euros.'],
    ['Where is the meeting?', 'The meeting is in room 5.', 'The meeting has moved to room 12.'],
    ['When is the recital?', 'The recital is on 3 May.', 'We moved the recital to the 9th of May.'],
    ['Combien coûte la cantine ?', 'La cantine coûte 4,20 €.', 'Le prix de la cantine est passé à 4,85 €.'],
    ['Wann ist der Termin?', 'Der Termin ist am 3. Mai.', 'Der Termin wurde auf den 9. Mai verschoben.'],
    ['Wie hoch ist die Miete?', 'Die Miete beträgt 780 Euro.', 'Ab jetzt zahlen wir 840 Euro Miete.'],
    ['¿Cuándo es la boda?', 'La boda es el 12 de mayo.', 'Hemos aplazado la boda al 9 de junio.'],
    ["Quando è l'esame?", "L'esame è il 3 maggio.", "L'esame è stato spostato al 9 maggio."],
    ['Qual é a senha do cofre?', 'A senha do cofre é 4412.', 'Mudei a senha do cofre para 8090.'],
    ['Wat kost de opvang?', 'De opvang kost 50 euro.', 'De opvang is verhoogd naar 62 euro.'],
    ['Сколько стоит садик?', 'Садик стоит 5000 рублей.', 'Плата за садик выросла до 6200 рублей.'],
    ['Kiedy jest egzamin?', 'Egzamin jest 3 maja.', 'Egzamin został przesunięty na 9 maja.'],
    ['例会几点?', '例会是周一上午九点。', '例会改为周二下午两点。'],
    ['会議はいつ?', '会議は10日です。', '会議を17日に変更しました。'],
    ['월세는 얼마야?', '월세는 780유로야.', '월세가 840유로로 올랐어.'],
  ])('comes before what was: %s', (query, older, newer) => {
    expect(firstOf(found(older, newer), query)).toBe(newer)
  })

  it.each([
    ['Where do I live?', 'I live in Leeds.', "We've moved to Hull."],
    ['Wo wohne ich?', 'Ich wohne in Kassel.', 'Wir sind nach Jena umgezogen.'],
    ["Où est-ce que j'habite ?", "J'habite à Lille.", 'Nous avons déménagé à Rennes le mois dernier.'],
    ['¿Dónde vivo?', 'Vivo en Murcia.', 'Nos hemos mudado a Cartagena.'],
    ['Где я живу?', 'Я живу в Самаре.', 'Мы переехали в Казань.'],
    ['Nerede yaşıyorum?', "Bursa'da yaşıyorum.", "İzmir'e taşındık."],
    ['मैं कहाँ रहता हूँ?', 'मैं जयपुर में रहता हूँ।', 'हम उदयपुर शिफ्ट हो गए हैं।'],
    ['我住在哪里?', '我住在武汉。', '我们上个月搬到长沙了。'],
    ['どこに住んでいますか?', '仙台に住んでいます。', '盛岡に引っ越しました。'],
    ['나는 어디에 살아?', '나는 대전에 살아.', '우리 청주로 이사했어.'],
  ])('has a new home, in no word of the query: %s', (query, older, newer) => {
    expect(firstOf(found(older, newer, 0.4, 1.8), query)).toBe(newer)
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
    [
      'of another kind of value',
      'Where is the exam?',
      'The exam is in room 5.',
      'The exam was moved to 9 May.',
    ],
    [
      'of another kind of value',
      'When is the exam?',
      'The exam is on 3 May.',
      'The exam now lasts 60 minutes.',
    ],
    [
      'of another kind of value',
      'Where is the meeting?',
      'The meeting is in room 5.',
      'We moved the meeting to 7.',
    ],
    ['of another kind of value', '考试在哪里?', '考试在5号教室。', '考试改到5月9日。'],
    ['of another kind of value', '試験はどこですか?', '試験は5号室です。', '試験は5月9日に延期されました。'],
    ['of a name', 'Who leads the team?', 'The team is led by Ada.', 'The team moved to Hull.'],
    ['when, not what', 'When is the exam?', 'The exam is on 3 May.', 'The exam was changed on 9 April.'],
    [
      'when, not what',
      'Wann ist der Termin?',
      'Der Termin ist am 3. Mai.',
      'Der Termin wurde am 9. April verschoben.',
    ],
    ['by how much', 'What is the rent?', 'The rent is 780 euros.', 'The rent was raised by 60 euros.'],
    ['by how much', 'Quel est le loyer ?', 'Le loyer est de 780 euros.', 'Le loyer a augmenté de 60 euros.'],
    [
      'by how much',
      'Сколько стоит садик?',
      'Садик стоит 5000 рублей.',
      'Плата за садик выросла на 1200 рублей.',
    ],
    ['by how much', '家賃はいくら?', '家賃は780円です。', '家賃が60円上がりました。'],
    [
      'what is not so',
      'What is the rent?',
      'The rent is 780 euros.',
      'The rent was not raised to 840 euros.',
    ],
    [
      'what is not so',
      '¿Cuándo es el examen?',
      'El examen es el 3 de mayo.',
      'El examen no se ha aplazado al 9 de mayo.',
    ],
    ['what is not so', 'Когда экзамен?', 'Экзамен 3 мая.', 'Экзамен не перенесли на 9 мая.'],
    ['what is not so', '考试是什么时候?', '考试是5月3日。', '考试没有改到5月9日。'],
    ['what is not so', '試験はいつですか?', '試験は5月3日です。', '試験は5月9日に変更されていません。'],
    ['what is not so', 'Where do I live?', 'I live in Leeds.', 'We have not moved to Hull.'],
    ['what is not so', 'Var bor jag?', 'Jag bor i Lund.', 'Vi har inte flyttat till Malmö.'],
    ['what may be', 'When is the exam?', 'The exam is on 3 May.', 'The exam can be moved to 9 May.'],
    ['what may be', 'Where do I live?', 'I live in Leeds.', "We're thinking of moving to Hull."],
    ['what will be', 'どこに住んでいますか?', '仙台に住んでいます。', '来月、盛岡に引っ越します。'],
    ['what will be', '¿Dónde vivo?', 'Vivo en Sevilla.', 'Nos mudamos a Cádiz en mayo.'],
    ['no new home', 'Where do I live?', 'I live in Leeds.', 'We moved to weekly releases.'],
    ['no new home', 'Where do I live?', 'I live in Leeds.', 'We moved to Linux.'],
    ['no new home', 'Where do I live?', 'I live in Leeds.', 'I was moved to tears.'],
    ['no new home', 'Where do I live?', 'I live in Leeds.', 'I moved to Management.'],
    ['no new home', 'Where do I live?', 'I live in Leeds.', 'We moved to Sales last month.'],
    ['no new home', 'Wo wohne ich?', 'Ich wohne in Kassel.', 'Ich habe mich umgezogen.'],
    ['no new home', '¿Dónde vivo?', 'Vivo en Sevilla.', 'Me he mudado de ropa.'],
    ['no new home', 'Где я живу?', 'Я живу в Самаре.', 'Мы переехали на Линукс.'],
    ['no new home', '我住在哪里?', '我住在武汉。', '我把桌子搬到窗边了。'],
    ['no new home', '我住在哪里?', '我住在武汉。', '我们搬到二楼了。'],
    ['no new home', '我住在哪里?', '我住在武汉。', '我搬到后排了。'],
    ['of others', 'Where do I live?', 'I live in Leeds.', 'My brother has moved to Hull.'],
    ['of others', 'Where does Tom live?', 'Tom lives in Leeds.', 'Ben told Tom he had moved to Hull.'],
    ['of others', 'Où est-ce que j’habite ?', "J'habite à Lyon.", 'Luc a déménagé à Nice.'],
    ['of others', 'どこに住んでいますか?', '仙台に住んでいます。', '弟が盛岡に引っ越しました。'],
    [
      'of another thing',
      'What is the wifi password?',
      'The wifi password is maple-88.',
      'Changed the guest wifi password to cedar-41.',
    ],
    [
      'of another thing',
      'What is the rent?',
      'The rent is 780 euros.',
      'The rent deposit went up to 900 euros.',
    ],
    [
      'of another thing',
      'ドアの暗証番号は?',
      'ドアの暗証番号は4410です。',
      '金庫の暗証番号を9921に変更しました。',
    ],
    ['what is asked of before', 'Where did I live before Hull?', 'I live in Leeds.', "We've moved to Hull."],
    [
      'what is asked of before',
      "What's the oldest wifi password?",
      'The wifi password is maple-88.',
      'Changed the wifi password to cedar-41.',
    ],
    [
      'what is asked of before',
      'What is the rent of last year?',
      'The rent is 780 euros.',
      'The rent went up to 840 euros.',
    ],
    [
      'what is asked of before',
      'What was the rent in 2024?',
      'The rent is 780 euros.',
      'The rent went up to 840 euros.',
    ],
    [
      'what is asked of before',
      'Combien coûtait la cantine ?',
      'La cantine coûte 4,20 €.',
      'Le prix de la cantine est passé à 4,85 €.',
    ],
    [
      'what is asked of before',
      '¿Cuánto costaba el alquiler?',
      'El alquiler cuesta 780 euros.',
      'El alquiler subió a 840 euros.',
    ],
    [
      'what is asked of before',
      'Сколько стоил садик?',
      'Садик стоит 5000 рублей.',
      'Плата за садик выросла до 6200 рублей.',
    ],
    [
      'what is asked of before',
      'Wat kostte de huur?',
      'De huur kost 780 euro.',
      'De huur is verhoogd naar 840 euro.',
    ],
    ['what is asked of before', '我以前住在哪里?', '我住在武汉。', '我们搬到长沙了。'],
    ['what is asked of before', '家賃はいくらでしたか?', '家賃は780円です。', '家賃が840円に上がりました。'],
  ])('stays behind, %s: %s', (_, query, older, newer) => {
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
