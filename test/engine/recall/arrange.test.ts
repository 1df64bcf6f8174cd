import { fold } from '@memory/engine/lexical/tokenise'
import { type Arrangeable, arrange } from '@memory/engine/recall/arrange'
import { namesOf } from '@memory/engine/recall/names-of-query'
import { foldText } from '@memory/engine/text-form'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** Texts that were stored one after the other, best first. */
const stored = (...texts: string[]): Arrangeable[] =>
  texts.map((text, idx) => ({ idx, text, cosine: 0.5, score: 1, at: 1_000 + idx }))

const arranged = (texts: readonly Arrangeable[], query: string) =>
  arrange(texts, query).texts.map(({ text }) => text)

describe('copies of a text', () => {
  it('take the best of their places, and the newest of them stands there', () => {
    const texts = [
      { idx: 4, text: 'Bread needs yeast.', cosine: 0.5, score: 1, at: 50 },
      { idx: 7, text: 'The choir sings.', cosine: 0.5, score: 1, at: 10 },
      { idx: 2, text: 'The choir sings.', cosine: 0.5, score: 1, at: 90 },
      { idx: 9, text: 'Interest rates rose.', cosine: 0.5, score: 1, at: 20 },
      { idx: 3, text: 'The choir sings.', cosine: 0.5, score: 1, at: 60 },
      { idx: 8, text: 'Bread needs yeast.', cosine: 0.5, score: 1, at: 40 },
    ]
    expect(arrange(texts, 'choir')).toEqual({ texts: [texts[0], texts[2], texts[3]], collapsed: 3 })
  })

  it('are those stored last where they tell of the same time', () => {
    const [first, last] = [5, 6].map((idx) => ({ idx, text: 'The same.', at: 7 }))
    for (const texts of [
      [first, last],
      [last, first],
    ] as Arrangeable[][]) {
      expect(arrange(texts, 'same').texts).toEqual([last])
    }
  })

  it('are that of the time that is asked for, before the newest', () => {
    const [then, last] = [
      { idx: 5, text: 'The same.', cosine: 0.5, score: 1, at: 7, isOfTime: true },
      { idx: 6, text: 'The same.', cosine: 0.5, score: 1, at: 9, isOfTime: false },
    ]
    expect(arrange([last, then], 'same').texts).toEqual([then])
    const doors = ['The door was painted red.', 'The door was painted blue.']
    const values = stored(...doors).map((one, i) => ({ ...one, isOfTime: i === 0 }))
    expect(arranged(values.toReversed(), 'Which colour was the door painted?')).toEqual(doors)
  })

  it('are the same to the character', () => {
    const texts = stored('The choir sings.', 'the choir sings.', 'The choir sings', 'The choir, sings.')
    expect(arrange(texts, 'choir').collapsed).toBe(0)
  })

  it('are the same after NFC and with their white space folded', () => {
    const spaced = [' Café  opens', 'Café\nopens', 'Café\topens ', 'Café\u00a0opens', 'Cafe\u0301 opens']
    const texts = stored('Café opens', ...spaced)
    expect(arrange(texts, 'opens')).toEqual({ texts: [texts.at(-1)], collapsed: spaced.length })
  })
})

describe('a copy of the query', () => {
  const answer = 'She moved to Lisbon in May.'
  const query = 'Where does Ada live?'

  it.each([
    'Where does Ada live?',
    'where does ada live ?',
    '  Where does Ada live???\n',
    'user: Where does Ada live?',
    'User： Where does Ada live?!',
    'Where does Ada live？',
    '“Where does Ada live?”',
  ])('answers nothing and comes last: %j', (copy) => {
    expect(arranged(stored(copy, answer, 'Bread needs yeast.'), query)).toEqual([
      answer,
      'Bread needs yeast.',
      copy,
    ])
    expect(arranged(stored(copy), query)).toEqual([copy])
  })

  it.each([
    ['Chinese', '用户：张伟住在哪里？', '张伟住在哪里?'],
    ['Arabic', 'أين تعيش سلمى؟', 'أين تعيش سلمى'],
    ['French', 'Où habite Zoé ?', 'ou habite zoe?'],
  ])('is one in %s too', (_, copy, asked) => {
    expect(arranged(stored(copy, answer), asked)).toEqual([answer, copy])
  })

  it.each([
    ['another wording', 'What is the wifi password?', 'Hey, what was the wifi password again?'],
    ['a request', 'What is the wifi password?', 'Do you know what the wifi password is?'],
    ['few words', 'What is the wifi password?', 'the wifi password?'],
    ['no mark', 'How much do I pay for rent', 'How much do I pay for rent?'],
    ['a small word more', 'Wie heißt mein Hund?', 'Wie heißt denn mein Hund?'],
    ['Spanish', '¿Dónde trabajo?', '¿Dónde trabajo yo?'],
    ['Chinese', '我的生日是什么时候？', '我生日是什么时候？'],
    ['a task', 'List my allergies', 'What are my allergies?'],
    ['a question', 'What are my allergies?', 'Please list all my allergies'],
    ['a task in Spanish', 'Enumera mis alergias', '¿Cuáles son mis alergias?'],
    ['a speaker', 'user: What is the wifi password?', 'what’s the wifi password?'],
  ])('is one in %s too, which asks the same', (_, copy, asked) => {
    expect(arranged(stored(copy, answer), asked)).toEqual([answer, copy])
  })

  it.each([
    'Tell me the gate code.',
    'I wonder where the spare key is.',
    'how old is grandma',
    'Dis-moi le code du portail.',
    'Sag mir den Code des Tors.',
    'Dime el código del portón.',
    'quien arregla la caldera',
    'Dimmi il codice del cancello.',
    'Diz-me o código do portão.',
    'Vertel me de code van de poort.',
    'Podaj mi kod do bramy.',
    'Скажи мне код ворот.',
    'Berätta för mig vad portkoden är.',
    'Πες μου τον κωδικό της πύλης.',
    'Bana kapının kodunu söyle.',
    'أخبرني برمز البوابة.',
    'मुझे गेट का कोड बताओ।',
    '告诉我大门的密码。',
    '門のコードを教えてください。',
    '대문 비밀번호를 알려 주세요.',
    'Find the phone number of the sweep',
    'Explain why the boiler was replaced',
    'Please name the members of the band.',
    'Could you please check what the dosage is',
    'Do you remember my shoe size',
    'Any idea when the concert starts',
    'List my allergies',
    'Gib mir die Nummer vom Schornsteinfeger',
    'Fasse zusammen, was wir beschlossen haben',
    'Weißt du noch, wie der Hund heißt',
    'Résume ce que nous avons décidé',
    'Dame el número del deshollinador',
    'Riassumi quello che abbiamo deciso',
    'Dá-me o número do limpa-chaminés',
    'Geef me het nummer van de schoorsteenveger',
    'Дай мне номер трубочиста',
    'Bana bacacının numarasını ver',
    'Ge mig numret till sotaren',
    'Berätta när mötet börjar',
    'Kerro minulle koiran nimi',
    'Beri tahu saya nama anjing itu',
    'Cho tôi biết tên con chó',
    'أعطني رقم الطبيب',
    'मुझे प्लंबर का नंबर दो',
    'บอกชื่อหมาให้หน่อย',
    '给我水管工的电话',
    '总结一下我们的决定',
    'What is the gate code? Thanks a lot!',
    'I am at the gate. What is its code?!',
  ])('is a request, or a question without its mark, too: %s', (copy) => {
    expect(arranged(stored(copy, answer), copy)).toEqual([answer, copy])
  })

  it.each([
    'Call the plumber at 5.',
    'Do not call me on Sundays.',
    'I wonder at the stars every night.',
    'Remind me to call Bob.',
    'When Ada comes, feed the cat.',
    'Dile a Ana que venga.',
    'Säg hej till Ada.',
    'Cuando llueve, el tren va lento.',
    '他告诉我密码是1234。',
    '谁都可以进来',
    'Q: What is the code of the bike shed? A: 8816.',
    'What is the code of the attic? It is 4455.',
    'You know what? I passed the driving test!',
    'Weißt du was? Ich habe die Stelle in Jena bekommen!',
    '你知道吗？我拿到驾照了！',
    'She asked “where?” and left.',
    'Name tags are in the drawer.',
    'List of allergies: latex',
    'Dame Judi lives in Surrey',
    'Compare notes on Friday',
    '给我打电话的是小李。',
    'Bana kod söylendi.',
    '他什么都吃',
    '彼が鍵の場所を教えてくれた。',
    '엄마가 비밀번호를 알려 줬다.',
    'Annem kodu bana söyledi.',
    'من القاهرة إلى دمشق.',
  ])('is no fact, which comes first: %s', (fact) => {
    expect(arranged(stored(fact, answer), fact)).toEqual([fact, answer])
  })

  it.each([
    ['what age is grandma', 'how old is grandma', 0.93],
    ['quien arregla nuestra caldera', '¿Quién arregla la caldera?', 0.92],
    ['我们的锅炉是谁修的', '谁修我们的锅炉？', 0.97],
    ['누가 보일러를 고치나요', '보일러는 누가 고쳐요?', 0.94],
    ['من الذي يقوم بإصلاح المرجل', 'من يصلح المرجل؟', 0.79],
    ['बॉयलर की मरम्मत कौन करता है', 'बॉयलर कौन ठीक करता है?', 0.82],
  ])('is one in other words without a mark, where it is near enough: %s', (copy, asked, cosine) => {
    const [first, ...others] = stored(copy, answer) as [Arrangeable, Arrangeable]
    expect(arranged([{ ...first, cosine }, ...others], asked)).toEqual([answer, copy])
    expect(arranged([{ ...first, cosine: 0.6 }, ...others], asked)[0]).toBe(copy)
  })

  it.each([
    ['When Ada comes feed the cat', 'When does Ada come to feed it?', 0.83],
    ['How to open the gate - lift it', 'How do I open the gate?', 0.95],
    ['Who has the keys: the neighbour', 'Who has the keys of ours?', 0.95],
    ['What Ada eats is Tofu', 'What does Ada eat?', 0.95],
    ['锅炉谁修：老范', '谁修我们的锅炉？', 0.95],
    ['who is my dentist dr meyer', 'Who is my dentist?', 0.95],
    ['cuando es mi cita el martes', '¿Cuándo es mi cita?', 0.95],
    ['Where I park is behind the church', 'Where do I park?', 0.95],
  ])('is no note, though it begins as questions do: %s', (note, asked, cosine) => {
    const [first, ...others] = stored(note, answer) as [Arrangeable, Arrangeable]
    expect(arranged([{ ...first, cosine }, ...others], asked)).toEqual([note, answer])
  })

  it('in other words is what is looked for where all texts ask without a mark', () => {
    const questions = ['how does the virus spread', 'how long is it infectious', 'who is at risk']
    const near = stored(...questions).map((one, i) => ({ ...one, cosine: 0.95 - i / 10 }))
    expect(arranged(near, 'in which ways does the virus spread')).toEqual(questions)
  })

  it.each([
    ['奶奶多大年纪了？', '奶奶几岁了？'],
    ['How old is grandma?', '¿Cuántos años tiene la abuela?'],
    ['When is the dentist appointment?', 'when’s my dentist appointment again'],
    ['What is the code of the gate?', 'gate code?'],
    ['Welches Medikament nimmt Opa gegen den Schwindel?', 'Was nimmt Opa bei Schwindel ein?'],
    ['At what time does the pool close on Sundays?', 'At what time does the pool close on a Sunday?'],
    ['Τι ώρα ανοίγει το φαρμακείο;', 'Τι ώρα ανοίγει το φαρμακείο το Σάββατο;'],
  ])('is one in words that are nothing alike, or in another language: %s', (copy, asked) => {
    const [first, ...others] = stored(copy, answer) as [Arrangeable, Arrangeable]
    expect(arranged([{ ...first, cosine: 0.8 }, ...others], asked)).toEqual([answer, copy])
  })

  it.each([
    ['Did you know Anna lives in Rome?', 'Where does Anna live?'],
    ['Is Tom Lee the CEO of Acme?', 'Who is the CEO of Acme?'],
    ['Bob: What shall we have for dinner?', 'What did Bob ask about the dinner?'],
    ['What was the name of your first pet?', 'What is my security question?'],
  ])('may be what answers, however near it is: %s', (other, asked) => {
    const [first, ...others] = stored(other, answer) as [Arrangeable, Arrangeable]
    expect(arranged([{ ...first, cosine: 0.8 }, ...others], asked)).toEqual([other, answer])
  })

  it('in other words is what is looked for where all texts ask, and a copy of the query is not', () => {
    const questions = ['How does the virus spread?', 'How long is it infectious?', 'Who is at risk?']
    const [asked] = questions as [string]
    expect(arranged(stored(...questions), 'In which ways does the virus spread?')).toEqual(questions)
    expect(arranged(stored(...questions), asked).at(-1)).toBe(asked)
  })

  it.each([
    ['What I owe Bob: 30 euros', 'What do I owe Bob?'],
    ['How to open the gate - 421', 'How do I open the gate?'],
    ['Quel est le code du portail = 417', 'Quel est le code du portail ?'],
    ['Tell me the wifi password is abc', 'What is the wifi password?'],
    ['When Ada comes, feed the cat', 'When does Ada come to feed it?'],
    ['What is the alarm code? 4711.', 'What is the alarm code?'],
    ['Who has the key of the garage?', 'Who has the car?'],
    ['What is the wifi password?', 'The wifi password is long.'],
  ])('is not what says or asks something else: %s', (other, asked) => {
    expect(arranged(stored(other, answer), asked)).toEqual([other, answer])
  })

  it('comes before what is far from it', () => {
    const far = { ...(stored('Bread needs yeast.')[0] as Arrangeable), cosine: 0.1 }
    const [copy, near] = stored(query, answer) as [Arrangeable, Arrangeable]
    expect(arranged([copy, near, far], query)).toEqual([answer, query, far.text])
    expect(arranged([copy, far], query)).toEqual([query, far.text])
    const reworded = { ...copy, text: 'And where does Ada live?' }
    expect(arranged([reworded, far, near], query)).toEqual([reworded.text, far.text, answer])
    expect(arranged([reworded, near, far], query)).toEqual([answer, reworded.text, far.text])
  })

  it('without a question mark comes before what is not half as near', () => {
    const [copy, other] = stored('How to deploy', 'We deploy on Fridays.') as [Arrangeable, Arrangeable]
    const asked = (cosine: number) =>
      arranged(
        [
          { ...copy, cosine: 1 },
          { ...other, cosine },
        ],
        copy.text,
      )
    expect(asked(0.4)[0]).toBe(copy.text)
    expect(asked(0.6)[0]).toBe(other.text)
  })

  it('stays in its order behind what answers, beside others', () => {
    const copies = [query, 'user: Where does Ada live?']
    const reworded = ['So where does Ada live?', 'And where does Ada live?']
    const others = [answer, 'Bread needs yeast.']
    // Of texts that are alike the newest comes first.
    const texts = stored(...copies, ...reworded, ...others).map((one) => ({ ...one, at: -one.at }))
    expect(arranged(texts, query)).toEqual([answer, ...reworded, 'Bread needs yeast.', ...copies])
  })

  it('that asks nothing may be what is looked for', () => {
    expect(arranged(stored('Ada lives in Rome.', answer), 'Ada lives in Rome.')[0]).toBe('Ada lives in Rome.')
  })

  it('is none that says more, and none is a copy of a query without a letter', () => {
    const more = 'Where does Ada live? In Lisbon.'
    expect(arranged(stored(more, answer), query)).toEqual([more, answer])
    expect(arranged(stored('?', answer), '?!')).toEqual(['?', answer])
  })
})

describe('texts that differ in a value', () => {
  it.each([
    ['English', 'Where does Ada live?', 'Ada lives in Rome.', 'Ada lives in Lisbon.'],
    ['German', 'Wo wohnt Anna?', 'Anna wohnt jetzt in Berlin.', 'Anna wohnt jetzt in Hamburg.'],
    ['Spanish', '¿Dónde vive Ana?', 'Ana vive ahora en Madrid.', 'Ana vive ahora en Sevilla.'],
    ['French', 'Où habite Anne ?', 'Anne habite maintenant à Lyon.', 'Anne habite maintenant à Nice.'],
    [
      'Turkish',
      'Ayşe nerede yaşıyor?',
      'Ayşe şimdi Ankara şehrinde yaşıyor.',
      'Ayşe şimdi Bursa şehrinde yaşıyor.',
    ],
    ['Russian', 'Где живёт Аня?', 'Аня сейчас живёт в Казани.', 'Аня сейчас живёт в Москве.'],
    ['Greek', 'Πού μένει η Άννα;', 'Η Άννα μένει στην Αθήνα.', 'Η Άννα μένει στην Πάτρα.'],
    ['Arabic', 'أين تعيش سلمى؟', 'سلمى تعيش الآن في القاهرة.', 'سلمى تعيش الآن في دمشق.'],
    ['Hebrew', 'איפה דנה גרה?', 'דנה גרה עכשיו בחיפה.', 'דנה גרה עכשיו באילת.'],
    ['Hindi', 'मीना कहाँ रहती है?', 'मीना अब जयपुर में रहती है।', 'मीना अब दिल्ली में रहती है।'],
    ['Korean', '민지는 어디에 살고 있니?', '민지는 지금 서울에 살고 있다.', '민지는 지금 부산에 살고 있다.'],
    ['Chinese', '张伟住在哪个城市？', '张伟现在住在上海市的东边。', '张伟现在住在北京市的东边。'],
    ['Japanese', '会議はいつですか？', '会議は木曜日の三時からです。', '会議は金曜日の四時からです。'],
    ['Thai', 'รหัสผ่านคืออะไร', 'รหัสผ่านของบ้านคือ ๑๒๓๔', 'รหัสผ่านของบ้านคือ ๕๖๗๘'],
    [
      'kana with long vowels',
      'サーバーのパスワードは？',
      'サーバーのパスワードは1234です。',
      'サーバーのパスワードは5678です。',
    ],
    [
      'Latin letters in Japanese',
      'A社の本社はどこ？',
      'A社の本社は東京にあります。',
      'A社の本社は大阪にあります。',
    ],
    [
      'Latin letters in Chinese',
      'NAS的登录密码是什么？',
      'NAS的登录密码是四三二一。',
      'NAS的登录密码是七八九零。',
    ],
    ['digits in Chinese', '3号会议室的密码？', '3号会议室的密码是四三二一。', '3号会议室的密码是七八九零。'],
    ['Latin letters in Thai', 'รหัส WiFi ของบ้าน', 'WiFiของบ้านรหัสคือแมวดำ', 'WiFiของบ้านรหัสคือหมาขาว'],
    [
      'a small word of the query',
      'Where is my car parked?',
      'My car is parked on level 2.',
      'My car was parked on level 4.',
    ],
    ['numbers', 'What is the wifi password?', 'The wifi password is 1234.', 'The wifi password is 5678.'],
    ['both named', 'Do I prefer dark or light mode?', 'I prefer dark mode.', 'I prefer light mode.'],
    [
      'both named in German',
      'Ist das Treffen um 18:00 oder 20:00 Uhr?',
      'Das Treffen ist um 18:00 Uhr.',
      'Das Treffen ist um 20:00 Uhr.',
    ],
    ['now', 'Who is my landlord?', 'My landlord is Mr Weber.', 'My landlord is now Mrs Schmidt.'],
    ['now in Italian', 'Dove abito?', 'Abito a Roma.', 'Adesso abito a Torino.'],
    ['now in Chinese', '我住在哪里？', '我住在上海。', '我现在住在北京。'],
    [
      'an article that is a letter',
      'Is there a bus to town?',
      'A bus to town runs.',
      'The bus to town runs.',
    ],
  ])('come newer first: %s', (_, query, older, newer) => {
    expect(arranged(stored(older, newer, 'Bread needs yeast.'), query).slice(0, 2)).toEqual([newer, older])
    expect(arranged(stored(newer, older, 'Bread needs yeast.').toReversed(), query).slice(0, 3)).toEqual([
      'Bread needs yeast.',
      older,
      newer,
    ])
  })

  it.each([
    [
      'gate for the flight to Italy',
      'Flight to Rome departs from gate A12.',
      'Flight to Athens departs from gate B7.',
    ],
    ['What is the cheapest plan?', 'Plan Basic costs 9 euros a month.', 'Plan Pro costs 29 euros a month.'],
    ['who manufactured the heating?', 'The boiler was made by Vaillant.', 'The fridge was made by Bosch.'],
    ['去意大利的航班登机口', '飞往罗马的航班在十二号登机口。', '飞往雅典的航班在七号登机口。'],
  ])('stay where each is of another thing: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.45, score: 0.9 }], query)).toEqual([right, other])
  })

  it.each([
    ['Where is my car?', 'My car is parked on level 2.', 'My car was parked on level 4.'],
    ['会議はいつですか？', '会議は木曜日の三時からです。', '会議は金曜日の四時からです。'],
  ])('come newer first where a small word or a few characters stand between: %s', (query, older, newer) => {
    const [first, second] = stored(older, newer) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.45, score: 0.9 }], query)).toEqual([newer, older])
  })

  it.each([
    ['How much do I weigh?', 'My weight is 82 kg.', 'My weight is 78 kg.'],
    ['Kto jest moim przełożonym?', 'Mój szef to Nowak.', 'Mój szef to Kowalski.'],
  ])(
    'come newer first where numbers or names differ, though the query has no word of them: %s',
    (query, older, newer) => {
      const [first, second] = stored(older, newer) as [Arrangeable, Arrangeable]
      expect(arranged([first, { ...second, cosine: 0.47, score: 0.9 }], query)).toEqual([newer, older])
    },
  )

  it.each([
    ['Missä mummo asuu?', 'Mummo asuu Oulussa', 'Mummo asuu Turussa', 0.11, 0.6],
    ['健太の仕事は何ですか？', '健太は料理人です', '健太は運転手です', 0.1, 0.44],
    ['钢琴课是星期几？', '钢琴课在星期二', '钢琴课在星期六', 0.145, 0.72],
    ['荷物はどうなっていますか？', '荷物は配送中です', '荷物は届きました', 0.07, 0.4],
    ['订单状态怎么样？', '订单正在配送', '订单已经签收', 0.05, 0.3],
    ['준호는 무슨 일을 해?', '준호는 요리사다', '준호는 운전사다', 0.02, 0.1],
    ['Minh làm nghề gì?', 'Minh là đầu bếp', 'Minh là tài xế', 0.06, 0.02],
    [
      'Quanto costa il parcheggio?',
      'Il parcheggio costa 3 euro all’ora',
      'Il parcheggio costa 4 euro all’ora',
      0.03,
      0.1,
    ],
    ['Is Kim a vegetarian?', 'Kim is a vegetarian', 'Kim is no longer a vegetarian', 0.15, 0.65],
    ['Is Kim a vegetarian?', 'Kim is no longer a vegetarian', 'Kim is a vegetarian', 0.15, 0.65],
    ['Who is my dentist?', 'My dentist is Dr Holm', 'My new dentist is Dr Lind', 0.08, 0.3],
    ['Wer ist mein Zahnarzt?', 'Mein Zahnarzt ist Dr. Holm', 'Mein neuer Zahnarzt ist Dr. Lind', 0.08, 0.3],
  ])(
    'come newer first where one of a kind took the other’s place: %s',
    (query, older, newer, apart, behind) => {
      const [first, second] = stored(older, newer) as [Arrangeable, Arrangeable]
      const texts = [first, { ...second, cosine: 0.5 - apart, score: 1 - behind }]
      expect(arranged(texts, query)).toEqual([newer, older])
    },
  )

  it.each([
    ['How old is Tom?', 'Tom is 44', 'Tom is tall'],
    ['Where is Tom?', 'Tom is here', 'Tom is tall'],
    ['Who sleeps in the attic?', 'Ada sleeps', 'Ben sleeps'],
    ['Which animal is it that Mia likes?', 'Mia likes Rex', 'Mia paints Ivy'],
    ['Where is the new school?', 'The school is in Rome', 'The old school is in Oslo'],
    ['小王什么时候来？', '小王星期五来', '小王坐火车来'],
    ['汤姆是谁？', '汤姆是我哥哥', '汤姆是高个子'],
  ])('stay where they may say different things of one: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.37, score: 0.4 }], query)).toEqual([right, other])
  })

  it.each([
    ['When was Tom born?', 'Tom was born in May.', 'Tom was born in Leeds.'],
    ['When was Tom born?', 'Tom was born on Friday.', 'Tom was born in Leeds.'],
    ['Wann ist Tom geboren?', 'Tom ist im Mai geboren.', 'Tom ist in Leeds geboren.'],
    ['What is the name of the cat?', 'The cat is Mimi.', 'The cat is Persian.'],
    ['Who is Ben?', 'Ben is Ada.', 'Ben is Dutch.'],
  ])('stay where one alone is a date or a nationality: %s', (query, right, other) => {
    expect(arranged(stored(right, other), query)).toEqual([right, other])
  })

  it.each([
    ['When is the rent due?', 'The rent is due on Friday.', 'The rent is due on Monday.'],
    ['When is the fair?', 'The fair is in May.', 'The fair is on 3 June.'],
    ['周会在星期几？', '周会在星期五', '周会在星期一'],
    ['会議は何曜日ですか？', '会議は木曜日です', '会議は金曜日です'],
    ['What is the cook?', 'The cook is Dutch.', 'The cook is French.'],
  ])('come newer first where both are dates or nationalities: %s', (query, older, newer) => {
    const [first, second] = stored(older, newer) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.38, score: 0.4 }], query)).toEqual([newer, older])
  })

  it.each([
    ['Where do I live?', 'I live in Oslo.', 'I no longer live in Rome.'],
    ['Where do I live?', 'I live in Oslo.', "I don't live in Rome anymore."],
    ['Who is my boss?', 'My boss is Ada.', 'Jim is no longer my boss.'],
    ['Wo wohne ich?', 'Ich wohne in Oslo.', 'Ich wohne nicht mehr in Rom.'],
    ['¿Quién es mi jefe?', 'Ana es mi jefe.', 'Jim ya no es mi jefe.'],
    ['Где я живу?', 'Я живу в Осло.', 'Я больше не живу в Риме.'],
    ['Waar woon ik?', 'Ik woon in Oslo.', 'Ik woon niet meer in Rome.'],
  ])('stay where the newer ends what the older does not tell: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    const texts = [first, { ...second, cosine: 0.44, score: 0.7 }]
    expect(arranged(texts, query)).toEqual([right, other])
  })

  it.each([
    ['Do I work at IBM?', 'I work at IBM.', 'I no longer work at IBM.'],
    ['Is Ada at IBM?', 'Ada works at IBM.', "Ada doesn't work at IBM anymore."],
    ['Wohnt Ben in Rom?', 'Ben wohnt in Rom.', 'Ben wohnt nicht mehr in Rom.'],
  ])('come newer first where the newer ends just that: %s', (query, older, newer) => {
    const [first, second] = stored(older, newer) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.44, score: 0.7 }], query)).toEqual([newer, older])
  })

  it.each([
    ['Where does Ada work?', 'Ada works at IBM.', "Ada's husband now works at SAP."],
    ['What is my rent?', 'My rent is 900 euros.', 'My garage rent is now 80 euros.'],
    ['Who is my doctor?', 'My doctor is Dr Meyer.', 'My new eye doctor is Dr Braun.'],
    ['Wie hoch ist meine Miete?', 'Meine Miete ist 900 Euro.', 'Die Miete meiner Garage ist jetzt 80 Euro.'],
  ])('stay where what has come to be is of another: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.45, score: 0.6 }], query)).toEqual([right, other])
  })

  it.each([
    ['What is my phone number?', 'My phone number is 555-1234.', "My son's phone number is 555-9876."],
    ['What is my size?', 'My size is 40.', 'My hat size is 58.'],
    ['What is the door code?', 'The door code is 4412.', 'The den door code is 8090.'],
  ])('stay where a word of one is small in another language only: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.45, score: 0.7 }], query)).toEqual([right, other])
  })

  it.each([
    ['What is my favorite color?', 'My favorite color is blue.', 'My favorite color was green.'],
    ['When is our standup?', 'Our standup is at 10:00.', 'Our standup was at 9:30.'],
    [
      'Was für eine Lieblingsfarbe habe ich?',
      'Meine Lieblingsfarbe ist blau.',
      'Meine Lieblingsfarbe war grün.',
    ],
    ['Wat is mijn lievelingskleur?', 'Mijn lievelingskleur is blauw.', 'Mijn lievelingskleur was groen.'],
    ['¿Cuál es mi color favorito?', 'Mi color favorito es el azul.', 'Mi color favorito era el verde.'],
    ['Какой мой любимый цвет?', 'Мой любимый цвет синий.', 'Мой любимый цвет был зелёный.'],
    ['家賃はいくらですか?', '家賃は780円です。', '家賃は840円でした。'],
  ])('stay where the newer tells what was, and the query asks for what is: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    const texts = [first, { ...second, cosine: 0.45, score: 0.7 }]
    expect(arranged(texts, query)).toEqual([right, other])
  })

  it('come newer first where both tell what was, or the older does', () => {
    const [older, newer, is] = ['The color was blue.', 'The color was green.', 'The color is red.']
    expect(arranged(stored(older, newer), 'What is the color?')).toEqual([newer, older])
    expect(arranged(stored(older, is), 'What is the color?')).toEqual([is, older])
  })

  it.each([
    ['When is the meeting?', 'The meeting is at 9:30.', 'The meeting is cancelled.'],
    ['When is the meeting?', 'The meeting is at 9:30.', 'The meeting is now at noon.'],
    ['What is my weight?', 'My weight is 80.', 'My weight is 78 kg.'],
    ['How large is the flat?', 'The flat is 80 sqm.', 'The flat is 85 m2.'],
    ['How much is the gym?', 'The gym is 30 euros.', 'The gym is now free.'],
    ['How old is Ben?', 'Ben is seven.', 'Ben is 8.'],
    ['Where do I live?', 'I live in Milan.', 'I no longer live in Rome, I live in Oslo.'],
  ])('come newer first where the newer tells the value in another way: %s', (query, older, newer) => {
    expect(arranged(stored(older, newer), query)).toEqual([newer, older])
  })

  it.each([
    ['When is our standup?', 'Our standup is at 9:30.', 'Our standup is 15 minutes.'],
    ['How much is the gym?', 'The gym is 30 euros.', 'The gym is 2 km away.'],
  ])('stay where the newer measures something else: %s', (query, right, other) => {
    const [first, second] = stored(right, other) as [Arrangeable, Arrangeable]
    expect(arranged([first, { ...second, cosine: 0.47, score: 0.8 }], query)).toEqual([right, other])
  })

  it.each([
    ['What is the rent?', 'The rent is 900.', 'The rent is 980 euros.'],
    ['What is the rent?', 'The rent is €900.', 'The rent is 950 euros.'],
    ['When is our standup?', 'Our standup is at 9:30.', 'Our standup is at 10.'],
    ['Quand est le cours ?', 'Le cours est à 9:30.', 'Le cours est à 10 h.'],
    ['What is the wifi password?', 'The wifi password is 12345678.', 'The wifi password is cedar.'],
    ['Where is the meeting?', 'The meeting is in room 5.', 'The meeting is in room Oslo.'],
    ['How far is the school?', 'The school is 900 m away.', 'The school is 2 km away.'],
  ])('come newer first where the same may be written so: %s', (query, older, newer) => {
    expect(arranged(stored(older, newer), query)).toEqual([newer, older])
  })

  it('stay where they only begin alike', () => {
    const [first, second] = stored('A man is cooking.', 'A man is sleeping.') as [Arrangeable, Arrangeable]
    const texts = [first, { ...second, cosine: 0.47, score: 0.9 }]
    expect(arranged(texts, 'Who prepares dinner?')).toEqual(texts.map(({ text }) => text))
  })

  it('take each other’s places only', () => {
    const texts = [
      { idx: 1, text: 'Ada lives in Rome.', cosine: 0.5, score: 1, at: 10 },
      { idx: 2, text: 'The printer on the second floor is broken.', cosine: 0.5, score: 1, at: 99 },
      { idx: 3, text: 'Ada lives in Lisbon.', cosine: 0.5, score: 1, at: 30 },
      { idx: 4, text: 'Bread needs flour and yeast.', cosine: 0.5, score: 1, at: 98 },
      { idx: 5, text: 'Ada lives in Oslo.', cosine: 0.5, score: 1, at: 20 },
    ]
    expect(arrange(texts, 'Where does Ada live?').texts.map(({ idx }) => idx)).toEqual([3, 2, 5, 4, 1])
  })

  it('stay where the score tells them apart, as feedback has it', () => {
    const spots = stored('Karl parks on spot 12.', 'Karl parks on spot 31.')
    const told = spots.map((one, i) => ({ ...one, score: 0.9 - 0.8 * i }))
    expect(arranged(told, 'Where does Karl park?')).toEqual(spots.map(({ text }) => text))
  })

  it('are the same first ones where questions stand before statements', () => {
    const cats = Array.from({ length: 40 }, (_, i) =>
      i < 16 ? `When do I feed cat ${i}?` : `Cat ${i} sleeps.`,
    )
    const all = stored('When should I feed the cat?', ...cats)
    const query = 'When do I feed the cat?'
    expect(arranged(all, query)[0]).toBe(arranged(all.slice(0, 17), query)[0])
  })

  it('are the same first ones, however many are looked at', () => {
    const texts = Array.from({ length: 60 }, (_, i) => `Ada likes tea since ${1990 + i}.`)
    const all = stored(...texts)
    const first = arranged(all.slice(0, 5 + 16), 'What does Ada like?').slice(0, 5)
    expect(arranged(all, 'What does Ada like?').slice(0, 5)).toEqual(first)
  })

  it('go by when what they tell of happened, not by store order', () => {
    const texts = [
      { idx: 1, text: 'Ada lives in Rome.', cosine: 0.5, score: 1, at: 10 },
      { idx: 9, text: 'Ada lives in Oslo.', cosine: 0.5, score: 1, at: 5 },
    ]
    expect(arrange(texts, 'Where does Ada live?').texts).toEqual(texts)
  })

  it('go by store order where they tell of the same time', () => {
    const texts = [
      { idx: 1, text: 'Ada lives in Rome.', cosine: 0.5, score: 1, at: 10 },
      { idx: 2, text: 'Ada lives in Oslo.', cosine: 0.5, score: 1, at: 10 },
    ]
    expect(arrange(texts, 'Where does Ada live?').texts.map(({ idx }) => idx)).toEqual([2, 1])
  })

  it.each([
    ['a name', 'When is Anna’s birthday?', 'Anna’s birthday is on 9 July.', 'Ben’s birthday is on 3 May.'],
    ['a place', 'Who works in Rome?', 'Ada works in Rome.', 'Eve works in Oslo.'],
    ['a number', 'What is in box 12?', 'Box 12 has the red cups.', 'Box 13 has the red plates.'],
    [
      'a name in Russian',
      'Когда день рождения Анны?',
      'День рождения Анны в июле.',
      'День рождения Бена в мае.',
    ],
    ['a short name', 'Is the TV in the kitchen?', 'The TV is in the kitchen.', 'The PC is in the kitchen.'],
    ['a character', '周三有什么会议？', '周三上午的会议在大厅。', '周四上午的会议在大厅。'],
    ['a letter', 'how much is plan a?', 'Plan A costs ten euros.', 'Plan B costs twenty euros.'],
    [
      'a letter behind a number',
      'when has 3 b maths?',
      'Grade 3 B has maths at ten.',
      'Grade 3 C has maths at nine.',
    ],
    [
      'a chapter',
      'What is chapter 1.1 about?',
      'Chapter 1.1 is about birds.',
      'Chapter 1.1.1 is about owls.',
    ],
    ['a time', 'Where does the 12:21 go?', 'The train 12:21 goes to Bonn.', 'The train 21:12 goes to Ulm.'],
    ['a version', 'What did v2.1 fix?', 'Release 2.1 fixed the login.', 'Release 2.10 fixed the login.'],
    [
      'a name beside an “of”',
      'Who is the head of sales, and does marketing report to them?',
      'The head of sales is Bob.',
      'The head of marketing is Ann.',
    ],
    [
      'a name beside an article “o”',
      'Qual o nome do filho de Ana, irmã de Pedro?',
      'O filho de Ana é o Rui.',
      'O filho de Pedro é o Nuno.',
    ],
    [
      'one of several values',
      'What did 2.1 do in May?',
      'Release 2.1 shipped.',
      'Release 2.2 shipped in May.',
    ],
  ])('stay where the query names %s that only one has', (_, query, named, other) => {
    expect(arranged(stored(named, other), query)).toEqual([named, other])
  })

  it.each([
    ['Ada lives in Rome.', 'The printer is broken.'],
    ['Ada lives in Rome.', 'Ada likes to swim in the cold sea.'],
    ['Ada lives in Rome with her brother.', 'Ada was born where the river ends.'],
  ])('are none where they state something else: %s %s', (one, other) => {
    expect(arranged(stored(one, other), 'Tell me about her')).toEqual([one, other])
  })

  it('are none where names that both have stand in another order', () => {
    const ada = 'Ada used to live in Quito and now lives in Bergen.'
    const ben = 'Ben used to live in Bergen and now lives in Quito.'
    expect(arranged(stored(ada, ben), 'Who lives in Bergen now?')).toEqual([ada, ben])
  })

  it.each([
    [
      'who must not drink milk?',
      'Juri is 8 and allergic to lactose.',
      'Tess is 9 and allergic to penicillin.',
    ],
    ['What is my dog called?', 'My dog is called Rex.', 'My cat is called Tom.'],
  ])('are none where they tell of others: %s', (query, first, second) => {
    const [one, other] = stored(first, second) as [Arrangeable, Arrangeable]
    expect(arranged([one, { ...other, cosine: one.cosine - 0.04, score: one.score - 0.1 }], query)).toEqual([
      first,
      second,
    ])
  })

  it('are none where they have the same words', () => {
    const texts = stored('Rome, Ada lives in.', 'Ada lives in Rome!')
    expect(arrange(texts, 'Where does Ada live?').texts).toEqual(texts)
  })
})

describe('identifiers', () => {
  const others = ['Something else.', 'And more of that.', 'Bread needs yeast.']

  it.each([
    [
      'a UUID',
      'What about 550e8400-e29b-41d4-a716-446655440000?',
      'Parcel 550e8400-e29b-41d4-a716-446655440001 was lost by the carrier.',
      'Order 550e8400-e29b-41d4-a716-446655440000 shipped.',
    ],
    [
      'the last part of a UUID',
      'What about 446655440000?',
      'Parcel 550e8400-e29b-41d4-a716-446655440001 was lost by the carrier.',
      'Order 550e8400-e29b-41d4-a716-446655440000 shipped.',
    ],
    [
      'a SHA',
      '9fceb02d0ae598e95dc970b74767f19372d61af8',
      'Commit 9fceb02d0ae598e95dc970b74767f19372d61af9 broke the build.',
      '9fceb02d0ae598e95dc970b74767f19372d61af8 repairs it.',
    ],
    ['a short SHA', 'Who made 9fceb02?', 'Commit 9fceb03 is of Ada.', 'Ben pushed 9fceb02 at night.'],
    ['an order number', 'Where is order 2024-00818?', 'Order 2024-00817 is late.', 'We sent 2024-00818.'],
    ['an invoice', 'rx-2209', 'RX-2208 was paid.', 'Somebody paid RX-2209 twice by mistake.'],
    ['an error code', 'What is error TS2345?', 'TS2322 is an error.', 'A wrong argument gives TS2345.'],
    ['a phone number', 'Whose number is 555-0143?', 'Call 555-0142.', 'At 555-0143 Ben answers.'],
    [
      'an international number',
      'Who has +49 170 1234568?',
      'Call +49 170 1234567.',
      'Ben has +49 170 1234568.',
    ],
    ['a number in groups', 'Who has 0171 4455 902?', 'Ben: 0171 4455 920.', 'Brandt, mobil 01714455902.'],
    ['a number in other groups', 'What is 4711083255?', 'Order 4711-0823-55.', 'Order 4711-0832-55.'],
    ['an account', 'DE89 3704 0044 0532', 'IBAN DE89370400440523', 'IBAN DE89370400440532'],
    ['digits of another script', 'What is 492731?', 'Code 492713.', 'رمز الخزنة ٤٩٢٧٣١'],
    ['camelCase', 'What does getUserById do?', 'Use getUserName here.', 'By key getUserById is faster.'],
    ['a flight written apart', 'Which gate does LH456 leave from?', 'LH457 is late.', 'Gate B12: LH 456.'],
    ['snake_case', 'What is max_retries?', 'Set max_items first.', 'Ada doubled max_retries.'],
    ['capitals', 'What is MAX_RETRIES?', 'Set MAX_ITEMS first.', 'Ada doubled MAX_RETRIES.'],
    ['one in Russian', 'Что со счётом СЧ-2209?', 'Счёт СЧ-2208 оплачен.', 'Кто-то дважды оплатил СЧ-2209.'],
    ['one in Korean', '주문 ORD-48213은 언제 와요?', 'ORD-48214는 내일 와요.', '오늘 ORD-48213이 와요.'],
    ['one in Japanese', 'エラーERR-50234とは？', 'ERR-50235は警告です。', '「ERR-50234」は故障です。'],
    ['one in Chinese', '订单AB-7731在哪里？', '订单AB-7730已发货。', '仓库里有 AB-7731。'],
  ])('come first: %s', (_, query, like, named) => {
    expect(arranged(stored(others[0] as string, like, named, ...others.slice(1)), query)).toEqual([
      named,
      others[0],
      like,
      ...others.slice(1),
    ])
  })

  it.each([
    [
      'a path',
      '/etc/nginx/conf.d/api.conf',
      'Limits: /etc/nginx/conf.d/api.conf',
      'Limits: /etc/nginx/api.conf',
    ],
    ['a path as part', 'What is in /etc/nginx?', 'It is in /etc/nginx.', 'It is in /etc/nginx/api.conf.'],
    [
      'one of Windows',
      'C:\\Users\\kim\\notes.txt',
      'It is C:\\Users\\kim\\notes.txt',
      'It is C:\\Users\\kim\\votes.txt',
    ],
    ['a file', 'Who wrote notes.txt?', 'Kim wrote docs/notes.txt.', 'Kim wrote docs/votes.txt.'],
    [
      'a page',
      'https://example.com/docs/setup',
      'See https://example.com/docs/setup',
      'See https://example.com/docs/start',
    ],
    [
      'a page in a sentence',
      'What is on (https://example.com/a/)?',
      'Rules: https://example.com/a.',
      'Rules: https://example.com/a/b.',
    ],
    [
      'a host',
      'What is wiki.acme.io for?',
      'Ask at https://wiki.acme.io/faq',
      'Ask at https://wiki.acme.org/faq',
    ],
    [
      'an address',
      'jane.roe@example.org',
      'Write to jane.roe@example.org',
      'Write to ann-jane.roe@example.org',
    ],
    [
      'a hash by its beginning',
      'commit 9e107d9',
      'Commit 9e107d9d372bb6826bd81d3542a419d6 mends it',
      'Commit 9e107d8d372bb6826bd81d3542a419d6 mends it',
    ],
    ['a plate', 'AB-123-CD', 'The Clio is AB123CD', 'The Clio is AB132CD'],
    ['a plate in groups', 'Whose car is HH KL 4711?', 'The van is HH-KL 4711', 'The van is HH-LK 4711'],
    ['one in Russian', 'А123ВС77', 'Машина А 123 ВС 77 стоит тут', 'Машина А 132 ВС 77 стоит тут'],
    [
      'a parcel',
      '1Z 999 AA1 01 2345 6784',
      'Parcel 1Z999AA10123456784 is due',
      'Parcel 1Z999AA10123456785 is due',
    ],
    ['a postcode', 'Who lives in 1017 AB?', 'Daan lives in 1017AB', 'Daan lives in 1017AC'],
    ['one with other letters behind', '1017 AB', 'Daan lives in 1017 AB', 'Daan lives in 1017 AC'],
    ['an article', 'SKU 00-4471-B', 'Article 004471B is sold out', 'Article 004472B is sold out'],
    ['a line of a file', 'open src/app.ts', 'See the file src/app.ts:12', 'See the file src/app.tsx:12'],
    ['a line of a page', 'open src/app.ts', 'See the file src/app.ts#L12', 'See the file src/app.ts/12'],
    ['a flight to a code', 'When does LH 456 JFK arrive', 'LH 456 is late', 'LH 457 is late'],
    ['a plate behind a word', 'Was I AB 123 CD owner', 'The Clio is AB 123 CD', 'The Clio is AB 132 CD'],
    [
      'the moment of an entry',
      'log of 2026-03-04T05:06:07Z',
      '2026-03-04T05:06:07Z Ada left',
      '2026-03-04T05:07:06Z Ada left',
    ],
    [
      'a moment with a space',
      'at 2026-03-04 05:06',
      '2026-03-04T05:06:07Z Ada left',
      '2026-03-04T05:07:06Z Ada left',
    ],
    [
      'a short SHA of a longer one',
      'what did 7f3c9ab change',
      'Commit 7f3c9ab41d0e is Ada’s',
      'Commit 7f3c9ba41d0e is Ada’s',
    ],
    ['letters before digits', 'who wrote abc1234', 'Commit abc1234d is Ada’s', 'Commit abc1243d is Ada’s'],
    [
      'a SHA where its beginning stands',
      'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
      'Ada took back a94a8fe',
      'Ada took back a94a8ef',
    ],
    ['eight digits of a hash', '9fceb02d0ae5', 'Commit 9fceb02d is bad', 'Commit 9fceb02e is bad'],
    [
      'an image',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'Container 9f86d081884c is down',
      'Container 9f86d081848c is down',
    ],
    [
      'an image by its beginning',
      'docker 9f86d081884c',
      'Ran sha256:9f86d081884c7d659a2f',
      'Ran sha256:9f86d081848c7d659a2f',
    ],
    [
      'a UUID where its beginning stands',
      '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
      'Session 3F2504E0 crashed',
      'Session 3F2504E1 crashed',
    ],
    [
      'a UUID by its beginning',
      'session 3f2504e0',
      'Session 3F2504E0-4F89-11D3-9A0C-0305E82C3301 crashed',
      'Session 3F2504E1-4F89-11D3-9A0C-0305E82C3301 crashed',
    ],
    [
      'a UUID that ends otherwise',
      '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
      'Session 3f2504e0-4f89-11d3-9a0c-0305e82c3301 crashed',
      'Session 3f2504e0-4f89-11d3-9a0c-0305e82c3310 crashed',
    ],
    [
      'a number dialled from abroad',
      'Who has 0171 5551234?',
      'Ben: +49 171 555 1234',
      'Ben: +49 171 555 1243',
    ],
    ['a number dialled within', '+33 6 12 34 56 78 ?', 'Paul: 0612345678', 'Paul: 0612345687'],
    ['a number with two noughts', '0049 171 5551234', 'Ben: 0171 555 1234', 'Ben: 0171 555 1243'],
    ['a nought in brackets', '0171 5551234', 'Ben: +49 (0)171 555 1234', 'Ben: +49 (0)171 555 1243'],
    ['an area in brackets', '(415) 555-0134', 'Dr. Yu: 415.555.0134', 'Dr. Yu: 415.555.0143'],
    ['an area without brackets', '415.555.0134', 'Dr. Yu: +1 (415) 555-0134', 'Dr. Yu: +1 (415) 555-0143'],
    ['three groups that are no date', '123-45-6789', 'Number 123456789', 'Number 123456798'],
    ['a British postcode', 'SW1A 1AA', 'Send it to SW1A1AA', 'Send it to SW1A2AA'],
    ['one in small letters', 'who lives in sw1a1aa?', 'Kim lives in SW1A 1AA', 'Kim lives in SW1A 2AA'],
    ['one apart in small letters', 'who lives in m1 1ae?', 'Kim lives in M1 1AE', 'Kim lives in M1 2AE'],
    [
      'a number with its kind',
      'ISBN 978-3-16-148410-0',
      'The book is 9783161484100',
      'The book is 9783161484101',
    ],
  ])('come before a newer text that is like theirs: %s', (_, query, named, newer) => {
    expect(arranged(stored(named, newer), query)).toEqual([named, newer])
    expect(arranged(stored(newer, named), query)).toEqual([named, newer])
  })

  it.each([
    ['a word of a to f', 'Who defaced the facade?', 'Ben defaced1234 the wall'],
    ['digits alone', 'Who has 1234567?', 'Ben has 12345678abc'],
    ['a day', 'What was on 20260304?', 'Order 20260304abc came'],
    ['a number of a bill', 'Who paid BC1234567?', 'Ben paid BC12345678'],
    ['fewer than seven', 'Who wrote 7f3c9a?', 'Commit 7f3c9ab41d0e is Ada’s'],
    ['digits before a hash’s letters', 'Who wrote 1234567ab4c1?', 'Call 1234567'],
    ['a number of another area', 'Who has 0171 5551234?', 'Call +49 172 555 1234'],
    ['a longer number', 'Who has 0171 5551234?', 'Call +49 171 555 12345'],
  ])('are no beginnings of others: %s', (_, query, text) => {
    expect(namesOf(query).some(({ isIn }) => isIn(fold(text)))).toBe(false)
  })

  it('are two where each is one by itself, or a word stands between them', () => {
    for (const query of ['LH456 LH457', 'GATES 4711 OR 4712']) {
      const texts = stored('Gate 4711 is open. LH456 is late.', 'Gate 4712 is open. LH457 is late.')
      const others = stored('Something else.', 'And more of that.', 'Bread needs yeast.')
      expect(new Set(arranged([...others, ...texts], query).slice(0, 2))).toEqual(
        new Set(texts.map(({ text }) => text)),
      )
    }
  })

  it.each(['iPhone', 'eBay', 'iPad'])('are none that shops have: %s', (name) => {
    const texts = stored('The shop mends broken screens.', `My sister likes her ${name}.`)
    expect(arranged(texts, `Who repairs an ${name}?`)).toEqual(texts.map(({ text }) => text))
  })

  it('are whole words', () => {
    const texts = stored('Something else.', 'XRX-22091 is another.', 'my_max_retries is too.')
    expect(arranged(texts, 'RX-2209 max_retries')).toEqual(texts.map(({ text }) => text))
  })

  it('count one by one, so that a text with two of them comes before those with one', () => {
    const texts = stored('See TS2345 there.', 'RX-2209 is paid.', 'Both: TS2345 in RX-2209, of course.')
    expect(arranged([...texts, ...stored(...others)], 'TS2345 RX-2209')[0]).toBe(texts[2]?.text)
  })

  it.each([
    ['a date', 'What happened on 2025-05-02?', 'On 2025-05-02 it rained.'],
    ['a German date', 'Was war am 02.05.2025?', 'Am 02.05.2025 hat es geregnet.'],
    ['an American date', 'What happened on 5/2/2025?', 'On 5/2/2025 it rained.'],
    ['a month', 'What happened in 2025-05?', 'In 2025-05 it rained.'],
    ['a time', 'Who comes at 10:30am?', 'At 10:30am Ben comes.'],
    ['a year', 'What happened in 2019?', 'In 2019 it rained.'],
    ['a decade', 'Music of the 1990s', 'In the 1990s it rained.'],
    ['a quantity', 'Who lifts 500kg?', 'The crane lifts 500kg.'],
    ['a fraction', 'Who ran 2.55 miles?', 'Ada ran 2.55 miles.'],
    ['a number of thousands', 'Who paid 12,500 euros?', 'Ben paid 12,500 euros.'],
    ['an ordinal', 'Who was the 100th guest?', 'The 100th guest was Eve.'],
    ['a name with few digits', 'Who had SARS-CoV-2?', 'Ada had SARS-CoV-2.'],
    ['a word', 'Who likes JavaScript?', 'Ada likes JavaScript.'],
    [
      'words joined by points or strokes',
      'Is it his and/or hers, e.g. at 3 p.m.?',
      'It is his and/or hers, e.g. at 3 p.m.',
    ],
    ['a sum in capitals', 'WHO PAID 500 EUR?', 'Ben paid 500 EUR.'],
    ['a sum beside a word in capitals', 'Was it A 500 EUR fine?', 'Ben paid a 500 euro fine.'],
    ['words in capitals', 'WHO HAS AB 123 CD', 'The tag is WhoHasAB123CD.'],
  ])('are no %s', (_, query, text) => {
    const texts = [...others, text]
    expect(arranged(stored(...texts), query)).toEqual(texts)
  })

  it('are no words that many texts hold', () => {
    const words = 'apple bread cloud delta eagle frost grape house'.split(' ')
    const texts = words.map((word, i) => (i % 2 === 0 ? `${word} alone` : `ISO-9001 and the ${word}.`))
    // Newest first, so that none takes the place of an older one.
    const given = texts.map((text, idx) => ({ idx, text, cosine: 0.5, score: 1, at: -idx }))
    expect(arranged(given, 'ISO-9001')).toEqual(texts)
  })

  it('do not raise a copy of the query', () => {
    const query = 'What is error TS2345?'
    expect(arranged(stored(query, ...others), query).at(-1)).toBe(query)
  })
})

describe('texts that only begin alike', () => {
  const said = (text: string, cosine: number, idx: number) => ({ idx, text, cosine, score: 1, at: idx })

  it('stay where they are when the query is nearer to one', () => {
    const given = [said('Un homem está a correr.', 0.8, 0), said('Un homem está a comer.', 0.76, 1)]
    expect(arranged(given, 'Un uomo sta correndo.')).toEqual(given.map(({ text }) => text))
  })

  it('come newest first when the query has a word of both and none of the values', () => {
    const given = [said('My phone number is 12 34.', 0.8, 0), said('My phone number is 56 78.', 0.76, 1)]
    expect(arranged(given, 'What is my phone number?')).toEqual(given.map(({ text }) => text).reverse())
  })
})

describe('arrange', () => {
  it('has nothing to arrange without texts', () => {
    expect(arrange([], 'anything')).toEqual({ texts: [], collapsed: 0 })
  })

  it('gives each distinct text once, and the same each time, whatever is asked', () => {
    const words = [
      'Ada',
      'lives',
      'in',
      'Rome',
      'Oslo',
      'RX-2209',
      'max_retries',
      '2025',
      '上海',
      '?',
      '(',
      '\\',
      '😀',
    ]
    const sentence = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((all) => all.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    )
    const texts = fc.uniqueArray(
      fc.record({
        idx: fc.nat({ max: 99 }),
        text: sentence,
        cosine: fc.double({ min: -1, max: 1, noNaN: true }),
        score: fc.double({ min: -3, max: 3, noNaN: true }),
        at: fc.integer({ min: -5, max: 5 }),
      }),
      { selector: ({ idx }) => idx, maxLength: 40 },
    )
    fc.assert(
      fc.property(texts, sentence, (given, query) => {
        const answer = arrange(given, query)
        const distinct = new Set(given.map(({ text }) => foldText(text)))
        expect(answer.texts).toHaveLength(distinct.size)
        expect(new Set(answer.texts.map(({ text }) => foldText(text)))).toEqual(distinct)
        expect(answer.texts.every((one) => given.includes(one))).toBe(true)
        expect(answer.collapsed).toBe(given.length - distinct.size)
        for (const one of answer.texts) {
          const copies = given.filter(({ text }) => foldText(text) === foldText(one.text))
          expect(copies.every(({ at }) => at <= one.at)).toBe(true)
        }
        expect(arrange(given, query)).toEqual(answer)
      }),
    )
  })
})
