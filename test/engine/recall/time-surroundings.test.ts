import { namedTime } from '@memory/engine/recall/time-expressions'
import { describe, expect, it } from 'vitest'

/** A Saturday near the end of a year: December comes soon, and June is over. */
const reference = Date.parse('2026-11-28T10:00:00Z')

/** What a query names: the day, the month or the year of it. */
function named(query: string, at = reference): string | undefined {
  const time = namedTime(query, at)
  if (time === undefined) return undefined
  const [first, last] = [time.from, time.to - 1].map((ms) => new Date(ms).toISOString().slice(0, 10))
  if (first === last) return first
  return `${first}/${last}`
    .replace(/^(\d{4})-01-01\/\1-12-31$/, '$1')
    .replace(/^(\d{4}-\d\d)-01\/\1-\d\d$/, '$1')
}

const expectAll = (cases: readonly [query: string, of: string | undefined][]) =>
  it.each(cases)('%s: %s', (query, of) => {
    expect(named(query)).toBe(of)
  })

const unread = (...queries: readonly string[]) =>
  it.each(queries)('reads no time in: %s', (query) => {
    expect(named(query)).toBeUndefined()
  })

describe('a month or day beside the year that it is of', () => {
  expectAll([
    ['Where did we go in June last year?', '2025-06'],
    ['Where did we go in June of last year?', '2025-06'],
    ['Where did we go last year in June?', '2025-06'],
    ['Where did we go in June two years ago?', '2024-06'],
    ['Where did we go in June the year before last?', '2024-06'],
    ['Where did we go in June this year?', '2026-06'],
    ['Where did we go in June in 2023?', '2023-06'],
    ['What did we do on May 3 last year?', '2025-05-03'],
    ['What will I do on December 3 next year?', '2027-12-03'],
    ['What will I do next year?', '2027'],
    ["Où sommes-nous allés en juin de l'année dernière ?", '2025-06'],
    ['Où étions-nous il y a deux ans en juin ?', '2024-06'],
    ['Wo waren wir letztes Jahr im Juni?', '2025-06'],
    ['Wo waren wir im Juni vor zwei Jahren?', '2024-06'],
    ['Wo waren wir im Juni vorletzten Jahres?', '2024-06'],
    ['Was taten wir am 3. Mai letzten Jahres?', '2025-05-03'],
    ['¿Adónde fuimos en junio del año pasado?', '2025-06'],
    ['¿Recuerdas junio del año pasado?', '2025-06'],
    ["Dove siamo andati a giugno dell'anno scorso?", '2025-06'],
    ['Onde fomos em 3 de junho do ano passado?', '2025-06-03'],
    ['Wat deden we in juni van vorig jaar?', '2025-06'],
    ['去年6月我们去了哪里？', '2025-06'],
    ['前年6月我们去了哪里？', '2024-06'],
    ['昨年の6月にどこに行きましたか？', '2025-06'],
    ['一昨年の6月にどこに行きましたか？', '2024-06'],
    // A friend.
    ['Where was May last year?', '2025'],
    ["What may last year's trip have cost?", '2025'],
  ])

  unread(
    'What did I say in June about the trip last year?',
    'Last year we went to Rome in June, where did we stay?',
    'What do we do in June every year?',
    'Every year in June, where do we go?',
    'What did we do in June that year?',
    'Was machen wir im Juni jedes Jahr?',
    'What happened before June last year?',
    'What happened since May 3 last year?',
    'What happened on February 30 last year?',
  )
})

describe('a time that only bounds the one that is meant, or is left out', () => {
  unread(
    'What happened prior to March 2024?',
    'What happened up to March 2024?',
    'What happened earlier than March 2024?',
    'What was bought no later than 10 March 2024?',
    'What happened before Monday, 4 March 2024?',
    'What happened in March 2024 or later?',
    'Where did we go in every year except in 2024?',
    'What happened in all days but not 2024-05-07?',
    "Que s'est-il passé à partir de mars 2024 ?",
    'Où étions-nous avant le 3 mai 2024 ?',
    'Où étions-nous chaque année sauf en 2024 ?',
    'Was geschah bis zum März 2024?',
    'Was wurde spätestens am 10. März 2024 gekauft?',
    'Wo waren wir außer in 2024?',
    '¿Qué pasó antes del 3 de mayo de 2024?',
    '¿Qué pasó a partir del 3 de mayo de 2024?',
    'Che cosa è successo entro il 3 maggio 2024?',
    'O que aconteceu até 3 de maio de 2024?',
    'Wat gebeurde er na maart 2024?',
    'Wat gebeurde er uiterlijk op 3 mei 2024?',
    '除了2024年她住在哪里？',
    '2024年以外にどこに住んでいましたか？',
  )

  expectAll([
    ['How was the ending in 2023?', '2023'],
    ['Who stood outside last Friday?', '2026-11-27'],
    ['What happened at the end of March 2024?', '2024-03'],
    ["Foto's van maart 2024", '2024-03'],
    ['Fotos von gestern', '2026-11-27'],
    ['昨日起きた', '2026-11-27'],
  ])
})

describe('a time that is one of several', () => {
  unread(
    'Where did we live in 2022 or 2023?',
    'Where did we live in 2022 and 2023?',
    'Where did we live in 2021, 2022 and 2023?',
    'Where did we live in 2022-2023?',
    'What happened on 3 and 4 May 2024?',
    'What happened 1-3 May 2024?',
    'What happened on May 1-3?',
    'What happened May 1 to May 3, 2024?',
    'What did Ada do in May or June?',
    'Who came two or three days ago?',
    'Who came a year and two days ago?',
    'Who came last week or the week before?',
    'Où étions-nous du 1er au 3 mai 2024 ?',
    'Wo waren wir vom 1. bis 3. Mai 2024?',
    'Wo waren wir 1.-3. Mai 2024?',
    '¿Dónde estuvimos del 1 al 3 de mayo de 2024?',
    'Dove eravamo dal 1 al 3 maggio 2024?',
    'Onde estivemos de 1 a 3 de maio de 2024?',
    'Waar waren we van 1 tot 3 mei 2024?',
    '2022和2023年她住在哪里？',
    '5月3日和4日去了哪里？',
    '两三天前谁来了？',
  )

  expectAll([
    ['What did I give last week to a friend?', '2026-11-16/2026-11-22'],
    ['What did I give yesterday to 5 people?', '2026-11-27'],
    ['What did the couple last week buy?', '2026-11-16/2026-11-22'],
    ['What did we do on Monday, May 7, 2023?', '2023-05-07'],
    ['Who won 2-1 on 7 May 2024?', '2024-05-07'],
    ['What is on in the week of 2024-05-07?', '2024-05-07'],
    ['What happened during May 2024 in Rome and Paris?', '2024-05'],
    ['昨天和3个朋友吃了什么？', '2026-11-27'],
    ['两天前谁来了？', '2026-11-26'],
  ])
})

describe('a number or day that is not what its last part says', () => {
  unread(
    'Who came twenty two days ago?',
    'O que aconteceu vinte e dois dias atrás?',
    'What happened on 30 February 2024?',
    'What happened on February 30, 2024?',
    'What happened on 32 May 2024?',
    'Où étions-nous le 30 février 2024 ?',
    'Wo waren wir am 30. Februar 2024?',
    '¿Dónde estuvimos el 30 de febrero de 2024?',
    '2024年2月30日去了哪里？',
    'What happened on 30 February 2024 and last week?',
  )

  expectAll([
    ['Où étions-nous le 3 mai dernier ?', '2026-05-03'],
    ['¿Dónde estuvimos el 3 de mayo pasado?', '2026-05-03'],
    ['Dove eravamo il 3 maggio scorso?', '2026-05-03'],
    ['Onde estivemos em 3 de maio passado?', '2026-05-03'],
  ])
})

describe('a month or day without a year', () => {
  const [past, future] = ['2025-12', '2026-12']
  expectAll([
    ['What happened in December?', past],
    ['Who called in December?', past],
    ['What will I do on December 3?', '2026-12-03'],
    ['Which flight do I take on 3 December?', '2026-12-03'],
    ["What's coming up in December?", future],
    ['What is planned in June?', '2027-06'],
    ["Qu'avons-nous fait en décembre ?", past],
    ['Que ferons-nous en décembre ?', future],
    ['Was haben wir im Dezember gemacht?', past],
    ['Was werden wir im Dezember machen?', future],
    ['¿Qué hicimos en diciembre?', past],
    ['¿Qué haremos en diciembre?', future],
    ['Che cosa abbiamo fatto a dicembre?', past],
    ['Che cosa faremo a dicembre?', future],
    ['O que fizemos em dezembro?', past],
    ['O que vamos fazer em dezembro?', future],
    ['Wat hebben we in december gedaan?', past],
    ['Wat gaan we in december doen?', future],
    ['十二月我们做了什么？', past],
    ['十二月我们打算做什么？', future],
    ['12月に何をしましたか？', past],
    ['12月の予定は？', future],
    // Has begun, and none comes soon.
    ['What will we do in November?', '2026-11'],
    ['What do I know of the trip in June?', '2026-06'],
  ])

  unread(
    "What's on 3 December?",
    'Which trip have I booked for December 3?',
    'What did I say I will do in December?',
    'What will I do in December, as last year?',
    'Was machen wir am 3. Dezember?',
    'Que faisons-nous en décembre ?',
    'Wat doen we in december?',
    '12月3日我们去哪里？',
  )

  it('is the next that a calendar has', () => {
    expect(named('What will we do on February 29?')).toBe('2028-02-29')
    expect(named('What will we do on January 1?', Date.UTC(2026, 0, 1))).toBe('2026-01-01')
    expect(named('What will we do on January 1?', Date.UTC(2026, 0, 2))).toBe('2027-01-01')
  })
})
