import { namedTime } from '@memory/engine/recall/time-expressions'
import { describe, expect, it } from 'vitest'

/** A Wednesday. */
const reference = Date.parse('2026-08-05T12:00:00Z')
const dayMs = 86_400_000
const [monday, tuesday, wednesday] = ['2026-08-03', '2026-08-04', '2026-08-05']
const [thursday, friday, saturday, sunday] = ['2026-07-30', '2026-07-31', '2026-08-01', '2026-08-02']

/** The day that a query names. */
function dayOf(query: string, at = reference): string | undefined {
  const time = namedTime(query, at)
  if (time === undefined) return undefined
  expect(time.to - time.from).toBe(dayMs)
  return new Date(time.from).toISOString().slice(0, 10)
}

const read: Record<string, [query: string, day: string][]> = {
  English: [
    ['What did I do on Friday?', friday],
    ['what did i do on friday', friday],
    ['What happened on Monday?', monday],
    ['Who called on Tuesday?', tuesday],
    ['What did I eat on Saturday evening?', saturday],
    ['What did I do on Friday afternoon?', friday],
    ['What did we do on Friday then?', friday],
    ['What did we agree on Thursday?', thursday],
    ['On Sunday, who came to dinner?', sunday],
    ['Where was I on Friday?', friday],
    ['Who is the man I met on Friday?', friday],
    ['What did I tell you on Monday?', monday],
    ['What did Tom and I talk of on Monday in Rome?', monday],
  ],
  French: [
    ["Qu'est-ce que j'ai fait lundi ?", monday],
    ['Qui a appelé mardi ?', tuesday],
    ['Où sommes-nous allés vendredi soir ?', friday],
    ["Que s'est-il passé dimanche ?", sunday],
    ["Lundi dernier, qu'ai-je fait ?", monday],
  ],
  German: [
    ['Was habe ich am Montag gemacht?', monday],
    ['Wer hat am Dienstag angerufen?', tuesday],
    ['Wer ist am Sonntag gekommen?', sunday],
    ['Was geschah am Freitag?', friday],
    ['Was habe ich am Montag Nachmittag gemacht?', monday],
    ['Was habe ich am Samstagabend gegessen?', saturday],
    ['Was haben wir am Sonntag in Rom gesehen und gekauft?', sunday],
    ['Am Donnerstag habe ich was gekauft?', thursday],
  ],
  Spanish: [
    ['¿Qué hice el lunes?', monday],
    ['¿Quién llamó el martes?', tuesday],
    ['¿Qué pasó el viernes por la noche?', friday],
    ['¿Adónde fuimos el domingo?', sunday],
    ['¿Qué dijo Ana el miércoles?', wednesday],
    ['¿Quién vino el domingo a cenar?', sunday],
  ],
  Italian: [
    ['Cosa ho fatto lunedì?', monday],
    ['Chi ha chiamato martedì?', tuesday],
    ['Che cosa è successo venerdì sera?', friday],
    ['Dove siamo andati domenica?', sunday],
  ],
  Portuguese: [
    ['O que eu fiz na segunda-feira?', monday],
    ['Quem ligou na terça-feira?', tuesday],
    ['O que aconteceu na sexta-feira à noite?', friday],
    ['Onde fomos no domingo?', sunday],
  ],
  Dutch: [
    ['Wat heb ik maandag gedaan?', monday],
    ['Waar ben ik zondag naartoe gegaan?', sunday],
    ['Wat heb ik op maandag gedaan?', monday],
    ['Wie belde dinsdag?', tuesday],
    ['Wat hebben we vrijdagavond gegeten?', friday],
    ['Wat gebeurde er zondag?', sunday],
  ],
  Chinese: [
    ['星期一我做了什么', monday],
    ['星期一我做了一件什么事', monday],
    ['周二谁打电话了？', tuesday],
    ['我星期五晚上吃了什么？', friday],
    ['礼拜天我们去了哪里？', sunday],
    ['周六的晚上我吃了什么？', saturday],
    ['星期日发生了什么重要的事？', sunday],
  ],
  Japanese: [
    ['月曜日に何をしましたか', monday],
    ['火曜日に誰が電話しましたか？', tuesday],
    ['金曜の夜に何を食べましたか？', friday],
    ['日曜日はどこに行きましたか？', sunday],
  ],
}

describe.each(Object.entries(read))('a weekday of the past in %s', (_language, cases) => {
  it.each(cases)('%s: %s', (query, day) => {
    expect(dayOf(query)).toBe(day)
  })
})

const unread: Record<string, string[]> = {
  English: [
    'What do I do on Mondays?',
    'What did I do on Mondays?',
    'What did I do on Friday evenings?',
    'What did I do every Friday?',
    'What do I do on Friday?',
    'Who works on Fridays?',
    'What happens next Friday?',
    'What did I say of next Friday?',
    'What happened this Friday?',
    'On Friday I will fly, what did I pack?',
    'What will I do on Friday?',
    'What did I say I will do on Friday?',
    'Who was coming on Friday?',
    "Who was on Friday's podcast?",
    'Who wrote Friday the novel?',
    'What did Friday say to Robinson?',
    'Who met Mr Monday?',
    'What did the Sunday Times write?',
    'What did I buy on Black Friday?',
    'What did I do on Good Friday?',
    'What happened on Friday the 13th?',
    'What did we do on Friday after the wedding?',
    'What did we do on Friday of that week?',
    'What happened before Friday?',
    'Who came not on Friday?',
    'What did I do on Monday and Tuesday?',
    'What did I do on Monday, Tuesday and Friday?',
    'Who swam on Monday or on Friday?',
    'What did I do on Monday–Friday?',
    'Who sang "on Friday"?',
  ],
  French: [
    'Que fais-je lundi ?',
    'Que ferai-je lundi ?',
    "Qu'est-ce que j'ai fait le lundi ?",
    "Qu'ai-je fait tous les lundis ?",
    "Qu'ai-je dit de la réunion de lundi ?",
    "Qu'avons-nous préparé pour lundi ?",
    "Qu'ai-je acheté vendredi noir ?",
    'Que va-t-il se passer vendredi prochain ?',
    'Qui a écrit Vendredi ?',
    "Qu'avons-nous fait mardi gras ?",
    "Qu'avons-nous fait lundi et mardi ?",
  ],
  German: [
    'Was mache ich am Montag?',
    'Was werde ich am Montag machen?',
    'Was habe ich montags gemacht?',
    'Was habe ich jeden Montag gemacht?',
    'Was wollte ich am Montag machen?',
    'Wer hat bei der Freitag AG gearbeitet?',
    'Was hat Herr Freitag gesagt?',
    'Was haben wir am Karfreitag gemacht?',
    'Was haben wir am Freitag nach Ostern gemacht?',
    'Was geschah am nächsten Montag?',
    'Was haben wir am Montag und Dienstag gemacht?',
  ],
  Spanish: [
    '¿Qué hago el lunes?',
    '¿Qué haré el lunes?',
    '¿Qué hice los lunes?',
    '¿Qué hacía yo el lunes?',
    '¿Qué dijo Ana de la reunión del lunes?',
    '¿Qué compró Ana para el lunes?',
    '¿Qué pasó el viernes santo?',
    '¿Qué pasó el domingo de Ramos?',
    '¿Quién fue el lunes que viene?',
    '¿Qué dijo Domingo?',
    '¿Qué hice el lunes y el martes?',
  ],
  Italian: [
    'Cosa faccio lunedì?',
    'Cosa farò lunedì?',
    'Cosa ho fatto il lunedì?',
    'Cosa ho fatto ogni lunedì?',
    'Cosa ho detto della riunione di lunedì?',
    'Cosa è successo venerdì santo?',
    'Cosa è successo venerdì 17?',
    'Cosa ho fatto lunedì e martedì?',
  ],
  Portuguese: [
    'O que eu faço na segunda-feira?',
    'O que vou fazer na segunda-feira?',
    'O que eu fiz às segundas-feiras?',
    'O que eu fiz na quinta?',
    'O que eu fiz na segunda vez?',
    'O que eu fiz em cada domingo?',
    'O que a Ana disse sobre a festa no domingo?',
    'O que aconteceu na sexta-feira santa?',
    'O que fizemos no sábado e no domingo?',
  ],
  Dutch: [
    'Wat doe ik maandag?',
    'Wat ga ik maandag doen?',
    'Wat heb ik elke maandag gedaan?',
    'Wat heb ik op maandagen gedaan?',
    'Wat heb ik gezegd over de vergadering van maandag?',
    'Wat heb ik voor maandag gekocht?',
    'Wat gebeurde er aanstaande maandag?',
    'Wat hebben we maandag en dinsdag gedaan?',
  ],
  Chinese: [
    '星期一我做什么？',
    '我每星期一做了什么？',
    '下周一我去了哪里？',
    '这周五谁来了？',
    '黑色星期五我买了什么？',
    '一周三次我做了什么？',
    '那周一我做了什么？',
    '那周一直下雨了吗？',
    '周一到周五我做了什么？',
    '星期一和星期二我做了什么？',
  ],
  Japanese: [
    '月曜日に何をしますか？',
    '毎週月曜日に何をしましたか？',
    '来週の月曜日に何をしましたか？',
    '月曜日の会議について何を話しましたか？',
    '金曜ロードショーで何を見ましたか？',
    '月曜日までに何をしましたか？',
    '月曜日と火曜日に何をしましたか？',
  ],
}

describe.each(Object.entries(unread))('no weekday of the past in %s', (_language, queries) => {
  it.each(queries)('reads no time in: %s', (query) => {
    expect(namedTime(query, reference)).toBeUndefined()
  })
})

describe('a weekday that is not said to be the last', () => {
  it('is the latest from a week before tomorrow on, at both ends of a week', () => {
    const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
    const [firstOfWeek, lastOfWeek] = [Date.parse('2026-08-03T00:00:00Z'), Date.parse('2026-08-09T23:59:59Z')]
    const days = (at: number) => names.map((name) => dayOf(`What did I do on ${name}?`, at)?.slice(5))
    expect(days(firstOfWeek)).toEqual(['08-03', '07-28', '07-29', '07-30', '07-31', '08-01', '08-02'])
    expect(days(lastOfWeek)).toEqual(['08-03', '08-04', '08-05', '08-06', '08-07', '08-08', '08-09'])
  })

  it('is today where it may be, as a date is, and a week before where it is said to be the last', () => {
    expect(dayOf('What did I do on Wednesday?')).toBe(wednesday)
    expect(dayOf('What did I do on 5 August?')).toBe(wednesday)
    expect(dayOf('What did I do last Wednesday?')).toBe('2026-07-29')
  })

  it('says the words that name it', () => {
    expect(namedTime('What did I eat on Friday evening?', reference)?.expression).toBe('on Friday')
    expect(namedTime("Qu'ai-je mangé lundi soir ?", reference)?.expression).toBe('lundi')
  })

  it('leaves the time that stands beside it as it is', () => {
    const named = (query: string) => namedTime(query, reference)?.expression
    expect(named('What did I do on Friday last week?')).toBe('last week')
    expect(named('What did I do on Friday, 7 May 2024?')).toBe('7 May 2024')
    expect(named('What did I do on Friday in June?')).toBe('in June')
    expect(named('Wat heb ik maandag vorige week gedaan?')).toBe('vorige week')
    expect(named('¿Qué hice el lunes pasado?')).toBe('lunes pasado')
    expect(named('上周五我做了什么？')).toBe('上周五')
    expect(named('先週の金曜日に何をしましたか？')).toBe('先週の金曜日')
  })
})
