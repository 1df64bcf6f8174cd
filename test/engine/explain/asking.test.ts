import {
  asksAtLast,
  asksForValue,
  isQuestion,
  isRequest,
  onlyAsks,
  questionOf,
  wantedOf,
} from '@memory/engine/explain/asking'
import { describe, expect, it } from 'vitest'

describe('isQuestion', () => {
  it.each([
    'Where does Ada live?',
    'where does ada live',
    'Ada lives in Lisbon?',
    '“Is it so?”',
    'at what time does the gym open',
    '¿Dónde vive Ada?',
    'dónde vivo',
    'donde vivo',
    'cómo se llama mi perro',
    '猫はどこですか？',
    '私の犬の名前は何ですか',
    '犬の名前を教えて',
    '我住在哪里',
    '내 개 이름이 뭐야',
    'मेरा कुत्ता कहाँ है',
    'أين تسكن؟',
    'أين أسكن',
    'как зовут мою собаку',
    'köpeğimin adı ne',
    'wie heißt mein Hund',
    'um wie viel Uhr fährt der Zug',
    'Où habite Ada',
    'à quelle heure part le train',
    'Qu’est-ce que Léa aime',
    'est-ce que j’ai un chat',
    'comment va Léa',
    "dov'è la macchina",
    'gdzie mieszkam',
    'Tell me the rent.',
    'Please tell me how much the rent is',
    'show me the rent',
    'I want to know when the gym closes',
    'I forgot where my key is',
    'dis-moi le code',
    'sag mir die Miete',
    'dime dónde vivo',
    'List my allergies',
    'Could you please explain why the boiler was replaced',
    'Name the members',
    'Check when the bus leaves',
    'Check how often the bus leaves',
    'Liste die Mitglieder auf',
    'dame los datos',
    'explica cómo funciona',
    'Riassumi la riunione',
    'Liste os remédios',
    'Explique la loi',
    'Dá-me o código',
    'Toon mijn afspraken',
    'Kerro vuokra',
    '给我推荐一本书',
    'บอกเวลาที',
    'Where is it?!',
  ])('is true of %j', (text) => {
    expect(isQuestion(text)).toBe(true)
  })

  it.each([
    'Ada lives in Lisbon.',
    'Ada habite à Lisbonne',
    'Whatever it takes',
    'dentist',
    'To do list',
    'Remind me to call Bob',
    'I forgot my umbrella',
    'Name tags are in the drawer',
    'Check engine light is on',
    'Check is in the mail',
    'Any idea is welcome',
    'Name was Ada before',
    'Show is on at 8',
    'Resume is in the drawer',
    'List price: 40',
    'Name the cat is called Mimi',
    'Check how the oven is off',
    'Me da miedo volar',
    'Me da alergia el polen',
    'Me dá medo voar',
    'Me manda flores todo domingo',
    'Me expliqué mal',
    'Expliqué la ley a mis alumnos',
    'Explica la ley a sus alumnos',
    'Resume los datos cada noche',
    'Mostra il negozio ai clienti',
    'Liste der Mitglieder: Anna, Ben',
    'Vergleich der Angebote: keines passt',
    'Toon de Groot is mijn arts',
    'Kerro 3, ovi B',
    '给我治病的医生姓王',
    '给我理发的师傅姓陈',
    '给我推荐工作的人是李雷',
    'บอกเวลาไว้สิบนาที',
    'Mein Hund heißt Rex',
    'Vivo en Madrid',
    'Como pan',
    '誰かが来た',
    'いつも朝に走る',
    '',
    '猫',
    '"',
  ])('is false of %j', (text) => {
    expect(isQuestion(text)).toBe(false)
  })
})

describe('wantedOf and questionOf', () => {
  it('leave out how a query asks to be told, the latter only before a question', () => {
    expect(wantedOf('I want to know when the gym closes')).toBe('when the gym closes')
    expect(questionOf('I want to know when the gym closes')).toBe('when the gym closes')
    expect(wantedOf('Tell me the rent.')).toBe('the rent.')
    expect(questionOf('Tell me the rent.')).toBe('Tell me the rent.')
    expect(wantedOf('List my allergies')).toBe('my allergies')
    expect(questionOf('Explain why it broke')).toBe('why it broke')
    expect(wantedOf('sag mir, wie mein Hund heißt')).toBe('wie mein Hund heißt')
  })

  it.each(['What is the rent?', 'tell me', 'Tell me!', 'Remind me to call Bob', 'ﬁnd', ''])(
    'leave %j',
    (text) => {
      expect(wantedOf(text)).toBe(text)
      expect(questionOf(text)).toBe(text)
    },
  )
})

describe('onlyAsks', () => {
  it.each(['What is the wifi password?', 'Julia: What is the wifi password?', 'Where is it? Who has it?'])(
    'is true of %j',
    (text) => {
      expect(onlyAsks(text)).toBe(true)
    },
  )

  it.each([
    'What is the wifi password? It is hunter2.',
    'Quel est le code ? hunter2',
    'The rent is 900.',
    '?',
    '',
  ])('is false of %j', (text) => {
    expect(onlyAsks(text)).toBe(false)
  })
})

describe('asksAtLast', () => {
  it.each([
    'Where is it?',
    'I am at the gate. Where is it?',
    'Where is it? Thanks a lot!',
    'Wo ist es? Danke!',
    'Gdzie to jest? Dziękuję!',
    'Onde fica? Obrigada!',
    'Var är den? Tackar!',
    'Please send me the code',
  ])('is true of %j', (text) => {
    expect(asksAtLast(text)).toBe(true)
  })

  it.each([
    'Where is it? In the hall.',
    'You know what? I passed!',
    'Thanks!',
    'How do I get there? Take bus 5.',
    'What is first? Tackle the stairs.',
    'Was ist los? Er ist dankbar.',
    'Where is it? Thanks to Ada I know that it is in the hall by now.',
    '',
  ])('is false of %j', (text) => {
    expect(asksAtLast(text)).toBe(false)
  })
})

describe('asksForValue', () => {
  it('tells what wants a value from what wants a yes or no', () => {
    expect(['When is it?', 'in which town', 'wo ist es'].every(asksForValue)).toBe(true)
    expect(['Is it open?', 'Was it open?', 'Do I like it?', 'It is open?'].some(asksForValue)).toBe(false)
  })
})

it.each(['。', '、', '—', '「', ' '])(
  'a request is looked for in bounded work behind any run of %j',
  (mark) => {
    // With work that grows by the square of its length, a run so long takes minutes.
    expect(isRequest(mark.repeat(300_000))).toBe(false)
    expect(isRequest(`${mark.repeat(300_000)}教えてください`)).toBe(true)
  },
)
