import { namedTime } from '@memory/engine/recall/time-expressions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** A Wednesday. */
const reference = Date.parse('2024-05-15T10:00:00Z')
const dayMs = 86_400_000

/** The first and the last day that a query names, the last left out where it is the same. */
function daysOf(query: string, at = reference): string | undefined {
  const time = namedTime(query, at)
  if (time === undefined) return undefined
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const [first, last] = [day(time.from), day(time.to - 1)]
  return first === last ? first : `${first}/${last}`
}

const lastWeek = '2024-05-06/2024-05-12'
const thisWeek = '2024-05-13/2024-05-19'
const lastMonth = '2024-04-01/2024-04-30'
const thisMonth = '2024-05-01/2024-05-31'
const march = '2024-03-01/2024-03-31'
const juneBefore = '2023-06-01/2023-06-30'
const year = (of: number) => `${of}-01-01/${of}-12-31`

const named: Record<string, [query: string, days: string][]> = {
  English: [
    ['What did I eat today?', '2024-05-15'],
    ["What was in yesterday's letter?", '2024-05-14'],
    ['Who called the day before yesterday?', '2024-05-13'],
    ['What happened last week?', lastWeek],
    ['What is planned this week?', thisWeek],
    ['What did we buy last month?', lastMonth],
    ['What did we buy this month?', thisMonth],
    ['Where did Ada live last year?', year(2023)],
    ['What did Ben say three days ago?', '2024-05-12'],
    ['Who came a week ago?', lastWeek],
    ['Who came 2 months ago?', march],
    ['What did I read 5 years ago?', year(2019)],
    ['Who rang last Friday?', '2024-05-10'],
    ['Who rang last Wednesday?', '2024-05-08'],
    ['What did Ada paint in March?', march],
    ['what did ada paint in june', juneBefore],
    ['Where did they go in May 2023?', '2023-05-01/2023-05-31'],
    ['What happened on 7 May 2024?', '2024-05-07'],
    ['What happened on May 7?', '2024-05-07'],
    ['What happened on May 20th?', '2023-05-20'],
    ['What did Tim read on 8th December, 2023?', '2023-12-08'],
    ['Where was it taken on December 1,2023?', '2023-12-01'],
    ['What happened on the 29th of February?', '2024-02-29'],
    ['How often did Mel swim in 2023?', year(2023)],
    ['Who came in 2023 as a guest?', year(2023)],
    ['Who was our coach 2023?', year(2023)],
    ['What Did I Do Yesterday?', '2024-05-14'],
    ['WHAT DID I DO YESTERDAY?', '2024-05-14'],
    ['Who was the coach of the year 2023?', year(2023)],
    ['What did Ann finish last week, as she said on November 6, 2023?', '2023-11-06'],
  ],
  French: [
    ['Qu’est-ce que j’ai mangé aujourd’hui ?', '2024-05-15'],
    ["Qu'ai-je mangé hier ?", '2024-05-14'],
    ['Qui a appelé hier soir ?', '2024-05-14'],
    ['Qui est venu avant-hier ?', '2024-05-13'],
    ['Que s’est-il passé la semaine dernière ?', lastWeek],
    ['Que fait-on cette semaine ?', thisWeek],
    ['Qu’avons-nous acheté le mois dernier ?', lastMonth],
    ['Où habitait Ada l’année dernière ?', year(2023)],
    ['Qui est venu il y a trois jours ?', '2024-05-12'],
    ['Qui a appelé vendredi dernier ?', '2024-05-10'],
    ['Où sommes-nous allés en mars ?', march],
    ['Qui est né le 7 mai 2023 ?', '2023-05-07'],
    ['Où habitait-elle en 2022 ?', year(2022)],
    ['Qui était le directeur l’année 2022 ?', year(2022)],
  ],
  Russian: [
    ['Что я ел сегодня?', '2024-05-15'],
    ['Кто звонил вчера?', '2024-05-14'],
    ['Кто приходил позавчера?', '2024-05-13'],
    ['Что было на прошлой неделе?', lastWeek],
    ['Где жила Ада в прошлом году?', year(2023)],
    ['Кто приходил три дня назад?', '2024-05-12'],
    ['Кто звонил в прошлую пятницу?', '2024-05-10'],
    ['Что мы купили в марте?', march],
    ['Куда мы ездили в мае 2023 года?', '2023-05-01/2023-05-31'],
    ['Сколько стоил билет в мае 2023?', '2023-05-01/2023-05-31'],
    ['Что было 7 мая 2023 года?', '2023-05-07'],
    ['Кто был тренером в 2022 году?', year(2022)],
    ['Кто был тренером в 2022?', year(2022)],
    ['Что мы сделали за 2023 год?', year(2023)],
    ['Кто был тренером в 2022 г.?', year(2022)],
  ],
  Korean: [
    ['오늘 뭐 먹었어?', '2024-05-15'],
    ['어제 누가 전화했어?', '2024-05-14'],
    ['지난주에 무슨 일이 있었어?', lastWeek],
    ['지난달에 뭘 샀어?', lastMonth],
    ['작년에 에이다는 어디 살았어?', year(2023)],
    ['3일 전에 누가 왔어?', '2024-05-12'],
    ['2023년 5월에 어디 갔어?', '2023-05-01/2023-05-31'],
    ['2023년 5월 7일에 무슨 일이 있었어?', '2023-05-07'],
    ['2022년에 점장은 누구였어?', year(2022)],
    ['2022년 점장은 누구였어?', year(2022)],
  ],
  German: [
    ['Was habe ich heute gegessen?', '2024-05-15'],
    ['Wer hat gestern angerufen?', '2024-05-14'],
    ['Wer kam vorgestern?', '2024-05-13'],
    ['Was war letzte Woche los?', lastWeek],
    ['Wer war 2022 unser Trainer?', year(2022)],
    ['Wo wohnte Ada 2022?', year(2022)],
    ['Was ist diese Woche geplant?', thisWeek],
    ['Was haben wir letzten Monat gekauft?', lastMonth],
    ['Wo lebte Ada im letzten Jahr?', year(2023)],
    ['Wer kam vor drei Tagen?', '2024-05-12'],
    ['Wer kam vor einem Monat?', lastMonth],
    ['Wer hat letzten Freitag angerufen?', '2024-05-10'],
    ['Was war im März?', march],
    ['Was geschah am 7. Mai 2024?', '2024-05-07'],
    ['Was geschah am 20. Mai?', '2023-05-20'],
    ['Was geschah am 7.5.2024?', '2024-05-07'],
    ['Wo lebte sie im Jahr 2022?', year(2022)],
  ],
  Spanish: [
    ['¿Qué comí hoy?', '2024-05-15'],
    ['¿Quién llamó ayer?', '2024-05-14'],
    ['¿Quién vino anteayer?', '2024-05-13'],
    ['¿Quién vino antes de ayer?', '2024-05-13'],
    ['¿Qué pasó la semana pasada?', lastWeek],
    ['¿Qué hay esta semana?', thisWeek],
    ['¿Qué compramos el mes pasado?', lastMonth],
    ['¿Dónde vivía Ada el año pasado?', year(2023)],
    ['¿Quién vino hace tres días?', '2024-05-12'],
    ['¿Quién llamó el viernes pasado?', '2024-05-10'],
    ['¿Qué pasó en marzo?', march],
    ['¿Qué pasó el 7 de mayo de 2024?', '2024-05-07'],
    ['¿Dónde vivía en 2022?', year(2022)],
  ],
  Italian: [
    ['Che cosa ho mangiato oggi?', '2024-05-15'],
    ['Chi ha chiamato ieri?', '2024-05-14'],
    ['Chi è venuto l’altro ieri?', '2024-05-13'],
    ['Che cosa è successo la settimana scorsa?', lastWeek],
    ['Che cosa c’è questa settimana?', thisWeek],
    ['Che cosa abbiamo comprato il mese scorso?', lastMonth],
    ['Dove viveva Ada l’anno scorso?', year(2023)],
    ['Chi è venuto tre giorni fa?', '2024-05-12'],
    ['Chi ha chiamato venerdì scorso?', '2024-05-10'],
    ['Che cosa è successo a marzo?', march],
    ['Che cosa è successo il 7 maggio 2024?', '2024-05-07'],
    ['Dove viveva nel 2022?', year(2022)],
  ],
  Portuguese: [
    ['O que comi hoje?', '2024-05-15'],
    ['Quem ligou ontem?', '2024-05-14'],
    ['Quem veio anteontem?', '2024-05-13'],
    ['O que aconteceu na semana passada?', lastWeek],
    ['O que há esta semana?', thisWeek],
    ['O que compramos no mês passado?', lastMonth],
    ['Onde vivia a Ada no ano passado?', year(2023)],
    ['Quem veio há três dias?', '2024-05-12'],
    ['Quem veio dois meses atrás?', march],
    ['Quem ligou na sexta-feira passada?', '2024-05-10'],
    ['O que aconteceu em março?', march],
    ['O que aconteceu em 7 de maio de 2024?', '2024-05-07'],
    ['Onde vivia em 2022?', year(2022)],
  ],
  Dutch: [
    ['Wat heb ik vandaag gegeten?', '2024-05-15'],
    ['Wie belde gisteren?', '2024-05-14'],
    ['Wie kwam eergisteren?', '2024-05-13'],
    ['Wat gebeurde er vorige week?', lastWeek],
    ['Wat is er deze week?', thisWeek],
    ['Wat kochten we vorige maand?', lastMonth],
    ['Waar woonde Ada vorig jaar?', year(2023)],
    ['Wie kwam drie dagen geleden?', '2024-05-12'],
    ['Wie belde afgelopen vrijdag?', '2024-05-10'],
    ['Wie belde vorige week vrijdag?', '2024-05-10'],
    ['Wat gebeurde er in maart?', march],
    ['Wat gebeurde er op 7 mei 2024?', '2024-05-07'],
    ['Waar woonde ze in 2022?', year(2022)],
  ],
  Chinese: [
    ['我今天吃了什么？', '2024-05-15'],
    ['昨天谁打电话了？', '2024-05-14'],
    ['前天谁来了？', '2024-05-13'],
    ['上周发生了什么？', lastWeek],
    ['这个星期有什么安排？', thisWeek],
    ['上个月我们买了什么？', lastMonth],
    ['去年她住在哪里？', year(2023)],
    ['三天前谁来了？', '2024-05-12'],
    ['两个星期前谁来了？', '2024-04-29/2024-05-05'],
    ['上周五谁打电话了？', '2024-05-10'],
    ['三月发生了什么？', march],
    ['2023年6月发生了什么？', juneBefore],
    ['2024年5月7日发生了什么？', '2024-05-07'],
    ['2022年她住在哪里？', year(2022)],
  ],
  Japanese: [
    ['今日は何を食べましたか？', '2024-05-15'],
    ['昨日誰が電話しましたか？', '2024-05-14'],
    ['一昨日誰が来ましたか？', '2024-05-13'],
    ['先週何がありましたか？', lastWeek],
    ['今週の予定は？', thisWeek],
    ['先月何を買いましたか？', lastMonth],
    ['昨年どこに住んでいましたか？', year(2023)],
    ['3日前に誰が来ましたか？', '2024-05-12'],
    ['2ヶ月前に誰が来ましたか？', march],
    ['先週の金曜日に誰が電話しましたか？', '2024-05-10'],
    ['3月に何がありましたか？', march],
    ['2024年5月7日に何がありましたか？', '2024-05-07'],
    ['2022年にどこに住んでいましたか？', year(2022)],
  ],
  digits: [
    ['2024-05-07', '2024-05-07'],
    ['log of 2024-05-07T10:00:00Z', '2024-05-07'],
    ['2024/5/7', '2024-05-07'],
    ['07.05.2024', '2024-05-07'],
    ['17/05/2024', '2024-05-17'],
    ['05/17/2024', '2024-05-17'],
    ['05/05/2024', '2024-05-05'],
  ],
}

/** A weekday beside a date says of which year it is, however it is joined to it. */
const withWeekdays: [query: string, days: string][] = [
  ['What did I eat on Tuesday 7 May?', '2024-05-07'],
  ['What did I eat on Tuesday, 7 May?', '2024-05-07'],
  ['What did I eat on Tuesday the 7th of May?', '2024-05-07'],
  ['What happened on Tuesday, May 7 in Rome?', '2024-05-07'],
  ['Qu’ai-je mangé le mardi 7 mai ?', '2024-05-07'],
  ['Qu’ai-je mangé mardi 7 mai ?', '2024-05-07'],
  ['Was habe ich am Dienstag, 7. Mai gegessen?', '2024-05-07'],
  ['Was habe ich am Dienstag, dem 7. Mai gegessen?', '2024-05-07'],
  ['¿Qué comí el martes 7 de mayo?', '2024-05-07'],
  ['Cosa ho mangiato martedì 7 maggio?', '2024-05-07'],
  ['O que comi na terça-feira, 7 de maio?', '2024-05-07'],
  ['Wat at ik op dinsdag 7 mei?', '2024-05-07'],
  ['What did I eat on Sunday, 7 May 2023?', '2023-05-07'],
  ['Qu’ai-je mangé le dimanche 7 mai ?', '2023-05-07'],
  ['Was habe ich am Freitag, dem 3. März gegessen?', '2023-03-03'],
]
it.each([
  'Was Monday 10 may be too late for the dentist?',
  'Did we plan that on Saturday, may 4 people come to dinner?',
  'Did we walk on Sunday march 5 miles?',
  'What happened on Monday, 30 February?',
  'What happened on Monday 6 May last year?',
  'What did I eat on Thursday 7 May?',
])('namedTime reads no date in %s', (query) => {
  expect(daysOf(query)).toBeUndefined()
})
it.each(withWeekdays)('namedTime reads the date of %s', (query, days) => {
  expect(daysOf(query)).toBe(days)
})

describe.each(Object.entries(named))('namedTime in %s', (_language, cases) => {
  it.each(cases)('reads %s', (query, days) => {
    expect(daysOf(query)).toBe(days)
  })
})

describe('namedTime', () => {
  it.each([
    'Where does Ada live?',
    'May I go?',
    'Who did May meet?',
    'Did they march on London?',
    'What did June say?',
    'Is August coming to dinner?',
    'What may 7 people want?',
    'Who has read the song "Yesterday"?',
    'Does she read USA Today?',
    'What did Yesterday by the Beatles mean to me?',
    '我大前天做了什么?',
    'さきおととい何をしましたか?',
    '그그저께 뭐 했어?',
    'God morgen, hvad laver Bo?',
    'Hvad spiser jeg hver morgen?',
    'What is sold in 2000 stores?',
    'Was kostet das in 2000 Metern Höhe?',
    'What is order 2023-05-0712?',
    'What is 07/05/2024?',
    'Call 555-2023',
    'version 7.5.2024.1',
    'on 31/02/2024',
    'What happened on 30 February?',
    'What were the sales in 2023 compared to 2024?',
    'Combien en 2023 par rapport à 2024 ?',
    'Wie viel 2023 in 2023 gegenüber 2024?',
    '¿Cuánto en 2023 frente a 2024?',
    'Was esse ich am Morgen?',
    'Wo wohnt Frau Morgen?',
    '再来週の予定は？',
    '下下周的安排',
    '楼下周围有什么餐厅？',
    '以下周期的数据',
    '明日香さんの誕生日は？',
    'Wat eet ik elke morgen?',
    '¿Qué como por la mañana?',
    'What comes the day after tomorrow?',
    'What happened on the last night of the trip?',
    'What happened before May 2023?',
    'What happened since yesterday?',
    'Where was John between August 11 and August 15 2023?',
    'What did we do more than three years ago?',
    'Who came half a year ago?',
    'What happened last week or this week?',
    'What happened in the last week of June?',
    'What did they do on the 5 May 2022 and 6 May 2022?',
    'Was ist hier passiert?',
    'Wer wohnt hier?',
    'Ist das von heute auf morgen?'.replace('heute', 'Heute-Journal'),
    'Depuis hier, que fait-il ?',
    'hace tres años que vive aquí',
    '目前天气怎么样？',
    '过去年代的照片',
    '2024年以前她住在哪里？',
    '今日は、元気ですか',
    '昨日まで何をしましたか',
    'Who was in room 2024?',
    'Who had order 2019?',
    'What was paid for 2024?',
    'Who ran 2019?',
    'Who owed him 2000?',
    'Who is our coach 2024?',
    'Was war Auftrag 2024?',
    'Wer hat 2000 in bar bezahlt?',
    'Wer hatte Schließfach 2024?',
    'Qui avait le numéro 2024 ?',
    'Кто жил здесь до 2024 года?',
    'Где он работает с 2022 года?',
    'Кто был в кабинете 2024?',
    'Что я купил за 2000 рублей?',
    'Что я купил за 2000?',
    'Кто был на высоте в 2000 метрах?',
    'Кто жил в 2014 квартире?',
    'When did I watch Blade Runner 2049?',
    'Who was in Blade Runner 2049?',
    'When did I read 1984?',
    'When did I return 1984?',
    'Wann habe ich 1984 angesehen?',
    'Wann war ich in Blade Runner 2049?',
    'Who lived in apartment 2014?',
    'Who was at table 2024?',
    'Who bought painting 1984?',
    'Who had read 1984?',
    'Wer war an Tisch 2024?',
    'Wo war Gemälde 1984?',
    '2022년부터 어디 살았어?',
    '2022년생은 누구야?',
    '2022년이나 2023년에 어디 살았어?',
  ])('reads no time in %s', (query) => {
    expect(namedTime(query, reference)).toBeUndefined()
  })

  it('says the words that name it', () => {
    expect(namedTime('What happened on May 7, 2023 in Rome?', reference)?.expression).toBe('May 7, 2023')
  })

  it.each([
    ['Que s’est-il passé la semaine dernière ?', lastWeek],
    ['Wer kam im März 2024?', march],
    ['¿Dónde viví el año pasado?', year(2023)],
    ['O que comprei no mês passado?', lastMonth],
  ])('reads letters however their accents are written: %s', (query, days) => {
    expect(daysOf(query.normalize('NFD'))).toBe(days)
    expect(daysOf(query.normalize('NFC'))).toBe(days)
  })

  it.each([
    ['What is planned for tomorrow?', '2024-05-16'],
    ['Which meetings are next week?', '2024-05-20/2024-05-26'],
    ['What did I hear last night?', '2024-05-14'],
    ['What did I do last \n week?', lastWeek],
    ['What did we sell in Q1 2024?', '2024-01-01/2024-03-31'],
    ['Sales of 2023-Q4', '2023-10-01/2023-12-31'],
    ['Who came fifteen days ago?', '2024-04-30'],
    ['Qu’est-ce que je fais demain ?', '2024-05-16'],
    ['Quels rendez-vous la semaine prochaine ?', '2024-05-20/2024-05-26'],
    ['Qui est venu il y a quinze jours ?', '2024-04-30'],
    ['Was mache ich morgen?', '2024-05-16'],
    ['Wer kam vor vierzehn Tagen?', '2024-05-01'],
    ['Was ist nächste Woche geplant?', '2024-05-20/2024-05-26'],
    ['¿Qué hago mañana?', '2024-05-16'],
    ['¿Quién llamó anoche?', '2024-05-14'],
    ['Che cosa faccio domani?', '2024-05-16'],
    ['O que faço amanhã?', '2024-05-16'],
    ['Quem veio faz três dias?', '2024-05-12'],
    ['Wat doe ik morgen?', '2024-05-16'],
    ['Wat deed ik afgelopen week?', lastWeek],
    ['Wie belde gisteravond?', '2024-05-14'],
    ['明天有什么会议？', '2024-05-16'],
    ['昨晚谁来了？', '2024-05-14'],
    ['下个月的计划是什么？', '2024-06-01/2024-06-30'],
    ['明日の予定は？', '2024-05-16'],
    ['来週の会議は？', '2024-05-20/2024-05-26'],
    ['昨夜は何を食べた？', '2024-05-14'],
  ])('reads what is to come, and evenings before: %s', (query, days) => {
    expect(daysOf(query)).toBe(days)
  })

  it('goes back over the turn of a year', () => {
    const newYear = Date.parse('2024-01-01T00:00:00Z')
    expect(daysOf('yesterday', newYear)).toBe('2023-12-31')
    expect(daysOf('last month', newYear)).toBe('2023-12-01/2023-12-31')
    expect(daysOf('last week', newYear)).toBe('2023-12-25/2023-12-31')
    expect(daysOf('in January', newYear)).toBe('2024-01-01/2024-01-31')
    expect(daysOf('on February 29', Date.parse('2023-03-01T00:00:00Z'))).toBe('2020-02-29')
  })

  const moments = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2999, 11, 31) })
  const queries = Object.values(named).flatMap((cases) => cases.map(([query]) => query))

  it('names a whole number of days that have begun, of a text of the query', () => {
    fc.assert(
      fc.property(fc.constantFrom(...queries), moments, (query, at) => {
        const time = namedTime(query, at)
        // A number alone that is yet to come is no year.
        if (time === undefined) {
          expect(Number(/\d{4}/.exec(query)?.[0])).toBeGreaterThan(new Date(at).getUTCFullYear())
          return
        }
        const { from, to, expression } = time
        expect([from % dayMs, to % dayMs].map(Math.abs)).toEqual([0, 0])
        expect(to).toBeGreaterThan(from)
        expect(query).toContain(expression)
        // What is told by digits alone may be yet to come.
        if (!/\d{4}/.test(expression)) expect(from).toBeLessThanOrEqual(at)
      }),
    )
  })

  it('is the same at every moment of a day', () => {
    fc.assert(
      fc.property(fc.constantFrom(...queries), moments, fc.nat(dayMs - 1), (query, at, later) => {
        const midnight = at - (((at % dayMs) + dayMs) % dayMs)
        expect(namedTime(query, midnight + later)).toEqual(namedTime(query, midnight))
      }),
    )
  })

  it('reads every date that it is told', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2099, 11, 31) }),
        moments,
        (time, at) => {
          const iso = new Date(time).toISOString().slice(0, 10)
          const [y, m, d] = iso.split('-').map(Number) as [number, number, number]
          const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(time)
          for (const query of [
            iso,
            `${d}.${m}.${y}`,
            `${d} ${month} ${y}`,
            `${month} ${d}, ${y}`,
            `${y}年${m}月${d}日`,
          ]) {
            expect(daysOf(`What of ${query}?`, at), query).toBe(iso)
          }
        },
      ),
    )
  })

  it('takes any text', () => {
    const word = fc.constantFrom(
      'last',
      'in',
      'May',
      '7',
      '2024',
      '年',
      '月',
      '上',
      'vor',
      'hier',
      '/',
      '.',
      ' ',
      'il y a',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(word).map((words) => words.join(' ')),
        ),
        moments,
        (query, at) => {
          const time = namedTime(query, at)
          if (time !== undefined) expect(query.replaceAll(/\s+/g, ' ')).toContain(time.expression)
        },
      ),
    )
  })

  it('reads a long text no further than it is a question', () => {
    expect(namedTime(`${'so '.repeat(400)} yesterday`, reference)).toBeUndefined()
  })
})
