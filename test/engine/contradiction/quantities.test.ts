import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { languages } from '@memory/engine/contradiction/languages'
import { quantitiesOf } from '@memory/engine/contradiction/quantities'
import { readTokens } from '@memory/engine/contradiction/tokens'
import { lexiconOf } from '@memory/engine/contradiction/words'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))
/** In either order. */
const reasonsOf = (one: string, other: string) => [reasonOf(one, other), reasonOf(other, one)]
const none = [undefined, undefined]

const times: readonly (readonly [told: string, digits: string])[] = [
  ['Das Treffen ist um fünf vor halb neun.', 'Das Treffen ist um 8:25.'],
  ['Das Treffen ist um fünf nach halb neun.', 'Das Treffen ist um 8:35.'],
  ['De trein vertrekt om kwart voor vier.', 'De trein vertrekt om 3:45.'],
  ['De trein vertrekt om tien voor vier.', 'De trein vertrekt om 15:50.'],
  ['De trein vertrekt om vijf voor half vier.', 'De trein vertrekt om 3:25.'],
  ['Tåget går kvart i fyra.', 'Tåget går 15:45.'],
  ['Tåget går tio i fyra.', 'Tåget går 3:50.'],
  ['Toget går kvart i fire.', 'Toget går 15:45.'],
  ['Il treno parte alle quattro meno un quarto.', 'Il treno parte alle 3:45.'],
  ['Il treno parte alle quattro meno dieci.', 'Il treno parte alle 15:50.'],
  ['O trem parte às quinze para as quatro.', 'O trem parte às 3:45.'],
  ['O comboio parte às quatro menos um quarto.', 'O comboio parte às 15:45.'],
  ['El tren sale a las cuatro menos diez.', 'El tren sale a las 15:50.'],
  ['Le train part à quatre heures moins le quart.', 'Le train part à 15h45.'],
  ['Le train part à quatre heures moins dix.', 'Le train part à 3:50.'],
  ['Juna lähtee varttia vaille neljä.', 'Juna lähtee kello 3.45.'],
  ['Juna lähtee puoli neljä.', 'Juna lähtee kello 15:30.'],
  ['Pociąg odjeżdża za kwadrans czwarta.', 'Pociąg odjeżdża o 3:45.'],
  ['Pociąg odjeżdża wpół do czwartej.', 'Pociąg odjeżdża o 15:30.'],
  ['Pociąg odjeżdża kwadrans po trzeciej.', 'Pociąg odjeżdża o 15:15.'],
  ['Vlak odjíždí ve čtvrt na čtyři.', 'Vlak odjíždí v 15:15.'],
  ['Vlak odjíždí v půl čtvrté.', 'Vlak odjíždí v 15:30.'],
  ['Trenul pleacă la patru fără un sfert.', 'Trenul pleacă la 15:45.'],
  ['Trenul pleacă la patru și jumătate.', 'Trenul pleacă la 16:30.'],
  ['Azt mondta, hogy a vonat háromnegyed négykor indul.', 'Azt mondta, hogy a vonat 15:45-kor indul.'],
  ['Azt mondta, hogy a vonat fél négykor indul.', 'Azt mondta, hogy a vonat 15:30-kor indul.'],
  ['Tren dört buçukta kalkıyor.', "Tren 16:30'da kalkıyor."],
  ['Tàu chạy lúc bốn giờ kém mười lăm.', 'Tàu chạy lúc 3:45.'],
  ['Tàu chạy lúc bốn giờ rưỡi.', 'Tàu chạy lúc 4:30.'],
  ['Kereta berangkat jam empat kurang seperempat.', 'Kereta berangkat jam 3:45.'],
  ['Kereta berangkat jam setengah empat.', 'Kereta berangkat jam 3:30.'],
  ['Поезд отходит без четверти четыре.', 'Поезд отходит в 15:45.'],
  ['Поезд отходит без пятнадцати четыре.', 'Поезд отходит в 3:45.'],
  ['Поезд отходит в половине четвёртого.', 'Поезд отходит в 15:30.'],
  ['Потяг відходить за чверть четверта.', 'Потяг відходить о 15:45.'],
  ['Потяг відходить о пів на четверту.', 'Потяг відходить о 15:30.'],
  ['Влакът тръгва в четири без петнадесет.', 'Влакът тръгва в 15:45.'],
  ['Влакът тръгва в четири и половина.', 'Влакът тръгва в 16:30.'],
  ['Το τρένο φεύγει στις τέσσερις παρά τέταρτο.', 'Το τρένο φεύγει στις 15:45.'],
  ['Το τρένο φεύγει στις τέσσερις και μισή.', 'Το τρένο φεύγει στις 16:30.'],
  ['القطار يغادر الساعة الرابعة إلا ربعا.', 'القطار يغادر الساعة 3:45.'],
  ['القطار يغادر الساعة الرابعة والنصف.', 'القطار يغادر الساعة 4:30.'],
  ['قطار ساعت چهار و نیم می‌رود.', 'قطار ساعت 4:30 می‌رود.'],
  ['הרכבת יוצאת בארבע וחצי.', 'הרכבת יוצאת ב-4:30.'],
  ['ट्रेन पौने चार बजे जाती है।', 'ट्रेन 3:45 बजे जाती है।'],
  ['ट्रेन साढ़े चार बजे जाती है।', 'ट्रेन 4:30 बजे जाती है।'],
  ['火车差一刻四点出发。', '火车3:45出发。'],
  ['火车四点一刻出发。', '火车4:15出发。'],
  ['電車は四時十分前に出る。', '電車は3:50に出る。'],
  ['電車は午後四時半に出る。', '電車は16:30に出る。'],
  ['기차는 네 시 반에 떠난다.', '기차는 4:30에 떠난다.'],
  ['기차는 네 시 십 분 전에 떠난다.', '기차는 3:50에 떠난다.'],
]

describe('times told from an hour', () => {
  it.each(times)('"%s" is "%s"', (told, digits) => {
    expect(reasonsOf(told, digits)).toEqual(none)
    // Another time of the same form is another.
    const later = digits.replace(/(\d{1,2})([:.h])(\d\d)/, (_, hour, mark, minutes) => {
      return `${hour}${mark}${minutes === '45' ? '20' : '45'}`
    })
    expect(later).not.toBe(digits)
    expect(reasonsOf(told, later)).toEqual(['number', 'number'])
  })

  it.each(times)('have a place among the words of "%s", wherever it ends', (told) => {
    const words = told.split(' ')
    for (let count = 1; count <= words.length; count++) {
      const { reading, lexicon } = readComparable(words.slice(0, count).join(' '))
      for (const { from, to } of quantitiesOf(reading, lexicon)) {
        expect(from).toBeLessThan(to)
        expect(to).toBeLessThanOrEqual(reading.tokens.length)
      }
    }
  })

  it.each([
    ['The kids are five to ten years old.', 'The kids are 5-10 years old.'],
    ['From five to ten people came.', 'From 5 to 10 people came.'],
    ['Tengo tres y media libras.', 'Tengo 3 libras y media.'],
  ])('"%s" tells no time, and is "%s"', (one, other) => {
    expect(reasonsOf(one, other)).toEqual(none)
  })
})

describe('hours and minutes with a point between them', () => {
  const sentences = {
    en: 'The train leaves at T.',
    de: 'Der Film beginnt um T.',
    es: 'El tren llega a las T.',
    pt: 'O comboio chega às T amanhã.',
    it: 'Il film inizia alle T.',
    fr: 'Le train part à T.',
    sv: 'Filmen börjar T.',
    da: 'Filmen begynder kl. T.',
    fi: 'Elokuva alkaa kello T.',
    pl: 'Film zaczyna się o T.',
    ru: 'Фильм начинается в T.',
    tr: "Film T'da başlıyor.",
  }
  it.each(Object.entries(sentences))('are a time in %s where the other text tells one', (_, sentence) => {
    const at = (time: string) => sentence.replace('T', time)
    expect(reasonsOf(at('19.30'), at('19:30'))).toEqual(none)
    expect(reasonsOf(at('7.05'), at('7:05'))).toEqual(none)
    expect(reasonsOf(at('19.30'), at('19:40'))).toEqual(['number', 'number'])
    expect(reasonsOf(at('16.20'), at('18:20'))).toEqual(['number', 'number'])
  })

  it.each([
    ['It costs 3.50 euros', 'It costs 3:50 euros'],
    ['I use version 3.10', 'I use version 3:10'],
    ['The value is 27.30', 'The value is 27:30'],
  ])('are none in "%s"', (one, other) => {
    expect(reasonOf(one, other)).toBe('number')
  })

  it('are a number where no text tells a time', () => {
    expect(reasonOf('The coffee is 3.50', 'The coffee is 15.50')).toBe('number')
  })
})

describe('halves, quarters and names of hours', () => {
  it.each([
    ['It takes a quarter of an hour.', 'It takes 15 minutes.'],
    ['Das kostet eine halbe Million Euro.', 'Das kostet 500.000 Euro.'],
    ["Ça coûte un demi-million d'euros.", 'Ça coûte 500 000 euros.'],
    ['Cuesta medio millón de euros.', 'Cuesta 500.000 euros.'],
    ['Costa mezzo milione di euro.', 'Costa 500.000 euro.'],
    ['Custa meio milhão de euros.', 'Custa 500.000 euros.'],
    ['Het kost een half miljoen euro.', 'Het kost 500.000 euro.'],
    ['Det kostar en halv miljon kronor.', 'Det kostar 500 000 kronor.'],
    ['To kosztuje pół miliona złotych.', 'To kosztuje 500 000 złotych.'],
    ['Это стоит полмиллиона рублей.', 'Это стоит 500 000 рублей.'],
    ['Bu yarım milyon lira.', 'Bu 500.000 lira.'],
    ['Дорога занимает полчаса.', 'Дорога занимает 30 минут.'],
    ['Es dauert eine Viertelstunde.', 'Es dauert 15 Minuten.'],
    ['La réunion dure deux heures et demie.', 'La réunion dure 150 minutes.'],
    ['La reunión dura dos horas y media.', 'La reunión dura 150 minutos.'],
    ['We meet at noon.', 'We meet at 12:00.'],
    ['We meet at midnight.', 'We meet at 0:00.'],
    ['We meet at midnight.', 'We meet at 12 am.'],
    ['We meet at midnight.', 'We meet at 24:00.'],
    ['We meet at noon.', 'We meet at 12 pm.'],
    ['Wir treffen uns um Mitternacht.', 'Wir treffen uns um 0 Uhr.'],
    ['Wir essen am Mittag.', 'Wir essen um 12 Uhr.'],
    ['Meeting at 3.45pm', 'Meeting at 3:45 pm'],
    ['We have a couple of dogs.', 'We have two dogs.'],
    ['We wait a day.', 'We wait 24 hours.'],
    ['My birthday is on the twenty-second of May.', 'My birthday is on 22 May.'],
    ['Мой день рождения двадцать второго мая.', 'Мой день рождения 22 мая.'],
    ['Sklep zamykają o dwudziestej drugiej.', 'Sklep zamykają o 22:00.'],
  ])('"%s" is "%s"', (one, other) => {
    expect(reasonsOf(one, other)).toEqual(none)
  })

  it.each([
    ['We meet at noon.', 'We meet at midnight.'],
    ['Nous arrivons à midi.', 'Nous arrivons à minuit.'],
    ['Sie kommt am Mittag.', 'Sie kommt um Mitternacht.'],
    ['We meet at noon.', 'We meet at 11:30.'],
    ['It takes half an hour to get there.', 'It takes an hour to get there.'],
    ['Le cours dure une demi-heure.', 'Le cours dure une heure.'],
    ['Es dauert eine halbe Stunde.', 'Es dauert eine Stunde.'],
    ['Dura media hora.', 'Dura una hora.'],
    ['Het duurt een half uur.', 'Het duurt een uur.'],
    ['It cost half a million.', 'It cost a quarter of a million.'],
    ['Sklep zamykają o dwudziestej.', 'Sklep zamykają o dwudziestej pierwszej.'],
    ['Sklep zamykają o dwudziestej.', 'Sklep zamykają o dwudziestej drugiej.'],
    ['会议下午三点半开始。', '会议凌晨三点半开始。'],
    ['会议下午三点开始。', '会议凌晨三点开始。'],
    ['오전 세 시에 만나요.', '오후 세 시에 만나요.'],
  ])('"%s" is not "%s"', (one, other) => {
    expect(reasonsOf(one, other)).not.toContain(undefined)
  })
})

describe('units', () => {
  /** A sentence, then words for units that stand for U: each is another one than every other. */
  const units: readonly (readonly [sentence: string, words: readonly string[]])[] = [
    ['路程五U。', ['公里', '米', '英里']],
    ['这个箱子重十二U。', ['公斤', '克', '斤', '吨']],
    ['这件衣服两百U。', ['元', '欧元', '美元', '日元']],
    ['この荷物は五Uです。', ['キロ', 'グラム', 'トン']],
    ['家賃は八百Uです。', ['ユーロ', 'ドル', 'ポンド']],
    ['짐은 오 U이다.', ['킬로그램', '그램', '톤']],
    ['역까지 삼 U예요.', ['킬로미터', '미터']],
    ['집세는 칠백U예요.', ['유로', '달러', '원']],
    ['وزن الحقيبة 5 U.', ['كيلوغرامات', 'غرامات', 'أطنان']],
    ['المسافة ثلاثة U.', ['كيلومترات', 'أمتار', 'أميال']],
    ['الإيجار 700 U.', ['يورو', 'دينار', 'ريال', 'درهم', 'جنيه', 'دولار']],
    ['خالد مدين لسلمى بخمسين U.', ['دينارا', 'دولارا']],
    ['थैले का वजन 5 U है।', ['किलो', 'ग्राम', 'टन']],
    ['किराया 700 U है।', ['रुपये', 'डॉलर', 'यूरो', 'पाउंड']],
    ['Vuokra on 500 U.', ['euroa', 'dollaria', 'puntaa']],
    ['Odotin 5 U.', ['tuntia', 'minuuttia', 'päivää', 'viikkoa']],
    ['La distancia es de 5 U.', ['kilómetros', 'metros', 'millas', 'centímetros']],
    ['La distanza è di 5 U.', ['chilometri', 'metri', 'miglia', 'centimetri']],
    ['A távolság 5 U.', ['kilométer', 'méter', 'mérföld'].slice(0, 2)],
    ['Czekałem 5 U.', ['godzin', 'minut', 'dni', 'tygodni', 'miesięcy', 'lat']],
    ['Czynsz wynosi 500 U.', ['złotych', 'euro', 'dolarów', 'funtów', 'koron']],
    ['Jag väntade 5 U.', ['timmar', 'minuter', 'dagar', 'veckor', 'månader', 'år']],
    ['Čekal jsem 5 U.', ['hodin', 'minut', 'dní', 'týdnů', 'měsíců']],
    ['Аренда стоит 500 U.', ['рублей', 'евро', 'долларов', 'фунтов стерлингов', 'гривен']],
    ['Περίμενα 5 U.', ['ώρες', 'λεπτά', 'ημέρες', 'εβδομάδες', 'μήνες']],
    ['اجاره ۷۰۰ U است.', ['یورو', 'دلار', 'تومان']],
    ['Kira 700 U.', ['avro', 'dolar', 'lira', 'sterlin']],
  ]
  const pairs = units.flatMap(([sentence, words]) =>
    words.flatMap((word, i) => words.slice(i + 1).map((other) => [sentence, word, other] as const)),
  )
  it.each(pairs)('in "%s" %s are no %s', (sentence, word, other) => {
    expect(reasonsOf(sentence.replace('U', word), sentence.replace('U', other))).toEqual(['unit', 'unit'])
  })

  it.each([
    ['駅まで三キロあります。', '駅まで3kmあります。'],
    ['この荷物は三キロです。', 'この荷物は3000グラムです。'],
    ['有一天他来了。', '有一年他来了。'],
    ['他们住在百万元的房子里。', '他们住在百万美元的房子里。'],
    ['이 시간에 만나요.', '이 분에 만나요.'],
  ])('"%s" may be "%s"', (one, other) => {
    expect(reasonsOf(one, other)).toEqual(none)
  })
})

describe('names of months', () => {
  const codes =
    'en fr de es it pt nl sv da fi pl cs ro hu tr id ru uk bg el ar fa he hi th bn ta te mr gu kn ml my km ka hy'
  it.each(codes.split(' '))('of %s are known, each by another number', (code) => {
    const format = new Intl.DateTimeFormat(`${code}-u-ca-gregory`, { month: 'long', timeZone: 'UTC' })
    const names = Array.from({ length: 12 }, (_, i) => format.format(new Date(Date.UTC(2024, i, 3))))
    // Marathi is read as Hindi, the one language of its script in the table.
    const read = code === 'mr' ? 'hi' : code
    const lexicon = read in languages ? lexiconOf(read) : undefined
    const values = names.map((name) =>
      quantitiesOf(readTokens(name), lexicon)
        .map(({ value }) => value)
        .join(),
    )
    // What is a frequent word as well counts for none: "mai" is "more" in Romanian.
    const known = names.filter((name) => !lexicon?.common.has(name.toLowerCase()))
    expect(new Set(values.filter((value) => value !== '')).size).toBe(known.length)
    expect(known.length).toBeGreaterThanOrEqual(11)
  })

  it.each([
    ['W maju jadę do Rzymu.', 'W czerwcu jadę do Rzymu.'],
    ['Приеду в июне.', 'Приеду в июле.'],
    ['Tulen kesäkuussa.', 'Tulen heinäkuussa.'],
    ['אני מגיע ביוני.', 'אני מגיע ביולי.'],
    ['Θα έρθω τον Ιούνιο.', 'Θα έρθω τον Ιούλιο.'],
    ['मेरा जन्मदिन सितंबर में है।', 'मेरा जन्मदिन अक्टूबर में है।'],
    ['วันเกิดของฉันคือเดือนมีนาคม', 'วันเกิดของฉันคือเดือนเมษายน'],
  ])('"%s" is not "%s"', (one, other) => {
    for (const reason of reasonsOf(one, other)) expect(['number', 'unit']).toContain(reason)
  })
})

describe('the number of a telephone', () => {
  it.each([
    ['My phone is 07700 900123', 'My phone is +44 7700 900123'],
    ['Call me on +1 555 123 4567', 'Call me on 555-123-4567'],
    ['Meine Nummer ist 0171/5551234', 'Meine Nummer ist +49 (0)171 555 1234'],
    ['Meine Nummer ist 0049 171 5551234', 'Meine Nummer ist +49 171 5551234'],
    ['Mi número es 612 345 678', 'Mi número es +34 612 345 678'],
    ['Мой номер 8 916 123-45-67', 'Мой номер +7 916 123-45-67'],
    ['我的电话是+86 138 1234 5678', '我的电话是13812345678'],
    ['電話は090-1234-5678です', '電話は+81 90-1234-5678です'],
  ])('is one as it is dialled within a country and from abroad: %s, %s', (one, other) => {
    expect(reasonsOf(one, other)).toEqual(none)
  })

  it.each([
    ['My phone is 07700 900123', 'My phone is +44 7700 900124'],
    ['My phone is +44 7700 900123', 'My phone is +49 7700 900123'],
    ['Call 07700 900123 at 5', 'Call +44 7700 900123 at 6'],
    [
      "Ada's number is 07700 900123, Ben's is 07700 900456",
      "Ada's number is +44 7700 900456, Ben's is +44 7700 900123",
    ],
    ['Call 07700 900123 in 5 minutes', 'Call +44 7700 900123 in 5 hours'],
    ['My account is 00123456789', 'My account is 23456789'],
  ])('is another, or not all that differs: %s, %s', (one, other) => {
    for (const reason of reasonsOf(one, other)) expect(['number', 'unit']).toContain(reason)
  })
})
