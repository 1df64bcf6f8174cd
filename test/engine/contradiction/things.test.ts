import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { kinds } from '@memory/engine/contradiction/kinds'
import { knownNames } from '@memory/engine/contradiction/known-names'
import { languages } from '@memory/engine/contradiction/languages'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** Judged alike in either order. */
function expectReason(one: string, other: string, reason: string | undefined): void {
  expect(reasonOf(one, other)).toBe(reason)
  expect(reasonOf(other, one)).toBe(reason)
}

describe('another name in the same place', () => {
  // A sentence with a gap, where a capital tells no name, and two names for it.
  it.each([
    ['en', '… bought a bike.', 'Grace', 'Molly'],
    ['fr', '… a acheté un vélo.', 'Camille', 'Baptiste'],
    ['de', 'Am Montag traf ich … im Park.', 'Svenja', 'Moritz'],
    ['es', '… compró una bici.', 'Lucía', 'Gonzalo'],
    ['it', '… ha comprato una bici.', 'Chiara', 'Matteo'],
    ['pt', '… comprou uma bicicleta.', 'Beatriz', 'Tiago'],
    ['nl', '… kocht een fiets.', 'Sanne', 'Maarten'],
    ['sv', '… har en hund.', 'Gunilla', 'Håkan'],
    ['da', '… har købt en cykel.', 'Pernille', 'Morten'],
    ['fi', '… osti pyörän.', 'Päivi', 'Jukka'],
    ['pl', '… kupił rower.', 'Grzegorz', 'Wojciech'],
    ['cs', '… koupil kolo.', 'Zdeněk', 'Ondřej'],
    ['ro', '… a cumpărat o casă.', 'Bogdan', 'Florin'],
    ['hu', '… vett egy biciklit.', 'Balázs', 'Zoltán'],
    ['tr', '… bir bisiklet aldı.', 'Serkan', 'Gökhan'],
    ['ru', '… купил велосипед.', 'Кирилл', 'Григорий'],
    ['uk', '… купив велосипед.', 'Богдан', 'Остап'],
    ['bg', '… купи колело.', 'Пламен', 'Стоян'],
    ['ar', 'اتصلت أمس ب…', 'سوسن', 'نجوى'],
    ['hi', '… ने साइकिल खरीदी।', 'पंकज', 'आलोक'],
    ['ja', '昨日…に電話した。', '香織', '明美'],
    ['ko', '어제 …에게 전화했다.', '혜진', '은경'],
    ['zh', '昨天…来过。', '陈静', '赵磊'],
  ])('is found in %s: %s', (_, sentence, one, other) => {
    const [text, otherText] = [sentence.replace('…', one), sentence.replace('…', other)]
    expectReason(text, otherText, 'name')
  })

  it.each([
    ['Katherine bought a bike.', 'Kate bought a bike.'],
    ['Иван купил велосипед.', 'Ваня купил велосипед.'],
    ['Katarzyna kupiła rower.', 'Kasia kupiła rower.'],
    ['Adam kupił rower.', 'Adaś kupił rower.'],
    ['Gabriella bought a bike.', 'Ella bought a bike.'],
    ['Ярослав купил велосипед.', 'Слава купил велосипед.'],
    ['Вячеслав купил велосипед.', 'Слава купил велосипед.'],
    ['Анна купила велосипед.', 'Ася купила велосипед.'],
    ['Kasia nauczyła Wojtka grać w szachy.', 'Wojtek nauczył się grać w szachy od Kasi.'],
    ['Elle est médecin.', 'Camille est médecin.'],
    ['Er ist Lehrer.', 'Moritz ist Lehrer.'],
    ['My mother is a nurse.', 'Grace is a nurse.'],
  ])('is not found in %s and %s', (one, other) => expectReason(one, other, undefined))

  it.each([
    ['Ich nutze Firefox.', 'Ich nutze Chrome.'],
    ['Er fährt einen Opel.', 'Er fährt einen Audi.'],
    ['彼はスバルに乗っている。', '彼はトヨタに乗っている。'],
    ['我哥哥用三星手机。', '我哥哥用苹果手机。'],
    ['형은 애플에서 일한다.', '형은 구글에서 일한다.'],
  ])('is found where it is a maker: %s and %s', (one, other) => expectReason(one, other, 'name'))
})

describe('another relative or animal in the same place', () => {
  it.each([
    ['My aunt lives in Derby.', 'My cousin lives in Derby.'],
    ['A minha avó vive em Braga.', 'O meu avô vive em Braga.'],
    ['A avó faz bolos', 'A avô faz bolos'],
    ['avó', 'avô'],
    ['Vovó: bolos!', 'Vovô: bolos!'],
    ['Min mormor bor i Falun.', 'Min farfar bor i Falun.'],
    ['Моя бабушка живёт в Твери.', 'Мой дедушка живёт в Твери.'],
    ['Mio zio vive a Pisa.', 'Mio nonno vive a Pisa.'],
    ['Teyzem Konya’da yaşıyor.', 'Amcam Konya’da yaşıyor.'],
    ['我姑姑住在武汉。', '我叔叔住在武汉。'],
    ['叔母は長野に住んでいます。', '祖母は長野に住んでいます。'],
    ['이모는 전주에 살아요.', '고모는 전주에 살아요.'],
    ['عمتي تسكن في فاس.', 'جدتي تسكن في فاس.'],
    ['मेरी मौसी आगरा में रहती है।', 'मेरी दादी आगरा में रहती है।'],
    ['Moja ciocia mieszka w Łodzi.', 'Moja babcia mieszka w Łodzi.'],
    ['Our rabbit is three.', 'Our parrot is three.'],
    ['Unser Pferd ist krank.', 'Unser Hund ist krank.'],
    ['うちの犬は三歳です。', 'うちの猫は三歳です。'],
  ])('is found in %s and %s', (one, other) => expect(reasonOf(one, other)).toBeDefined())

  it.each([
    ['My grandma lives in Derby.', 'My grandmother lives in Derby.'],
    ['A avo faz bolos', 'A avó faz bolos'],
    ['Zie haar far', 'Zie haar får'],
    ['Ma grand-mère vit à Lyon.', 'Ma mamie vit à Lyon.'],
    ['我妈妈住在武汉。', '我母亲住在武汉。'],
    ['Собака тяжелее кошки.', 'Кошка легче собаки.'],
  ])('is not found in %s and %s', (one, other) => expectReason(one, other, undefined))

  it('every language with kinds or names is one that the comparison knows', () => {
    for (const code of [...Object.keys(kinds), ...Object.keys(knownNames)])
      expect(languages).toHaveProperty(code)
  })

  it.each([
    ['Eşim Sivas’ta çalışıyor.', 'Karım Sivas’ta çalışıyor.'],
    ['Eşim Sivas’ta çalışıyor.', 'Kocam Sivas’ta çalışıyor.'],
    ['Kardeşim Sivas’ta çalışıyor.', 'Ablam Sivas’ta çalışıyor.'],
    ['Ο σύζυγός μου εργάζεται εδώ.', 'Ο άντρας μου εργάζεται εδώ.'],
    ['Η σύζυγός μου εργάζεται εδώ.', 'Η γυναίκα μου εργάζεται εδώ.'],
    ['Min onkel bor i Odense.', 'Min farbror bor i Odense.'],
    ['Min onkel bor i Odense.', 'Min morbror bor i Odense.'],
    ['Min tante bor i Odense.', 'Min faster bor i Odense.'],
    ['Min bedstefar bor i Odense.', 'Min farfar bor i Odense.'],
    ['Min bestemor bor i Bergen.', 'Min farmor bor i Bergen.'],
    ['همسرم در شیراز است.', 'زنم در شیراز است.'],
    ['همسرم در شیراز است.', 'شوهرم در شیراز است.'],
    ['Moja stryjenka mieszka w Opolu.', 'Moja ciotka mieszka w Opolu.'],
    ['외할머니는 전주에 살아요.', '할머니는 전주에 살아요.'],
  ])('is not found where one word holds for both: %s and %s', (one, other) =>
    expectReason(one, other, undefined),
  )

  it.each([
    ['Karım Sivas’ta çalışıyor.', 'Kocam Sivas’ta çalışıyor.'],
    ['Min morbror bor i Odense.', 'Min farbror bor i Odense.'],
    ['Min tante bor i Odense.', 'Min onkel bor i Odense.'],
  ])('is found beside such words: %s and %s', (one, other) => expectReason(one, other, 'name'))

  it('no thing or name has a form twice', () => {
    const groups = [
      ...Object.values(kinds).flatMap((text) => text.split(/[;~]/).map((thing) => thing.split('|'))),
      ...Object.values(knownNames).flatMap((text) => text.split(/\s+/).map((name) => name.split('/'))),
    ]
    for (const forms of groups) {
      const written = forms.map((form) => form.normalize('NFC'))
      expect(written).toEqual([...new Set(written)])
    }
  })
})

describe('opposites by an affix', () => {
  it.each([
    ['De lift is bereikbaar.', 'De lift is onbereikbaar.'],
    ['Avtalet är giltigt.', 'Avtalet är ogiltigt.'],
    ['Det er en gyldig aftale.', 'Det er en ugyldig aftale.'],
    ['この方法は可能です。', 'この方法は不可能です。'],
    ['その切符は有効です。', 'その切符は無効です。'],
    ['He is careful.', 'He is careless.'],
    ['The prices include tax.', 'The prices exclude tax.'],
    ['Самолёт прилетел.', 'Самолёт улетел.'],
    ['Er hat das Licht eingeschaltet.', 'Er hat das Licht ausgeschaltet.'],
  ])('are found in %s and %s', (one, other) => expectReason(one, other, 'opposite'))

  it.each([
    ['Hij is on tijd.', 'Hij is tijd.'],
    ['Jag såg en sak.', 'Jag såg en orsak.'],
  ])('are not found in words that are too short for it: %s and %s', (one, other) =>
    expect(reasonOf(one, other)).not.toBe('opposite'),
  )

  it('a denial of the opposite says the same', () => {
    expectReason('Het antwoord is duidelijk.', 'Het antwoord is niet onduidelijk.', undefined)
  })
})

describe('everyday opposites', () => {
  it.each([
    ['He rarely eats meat.', 'He often eats meat.'],
    ['The boss praised my report.', 'The boss criticised my report.'],
    ['The store is upstairs.', 'The store is downstairs.'],
    ['Il a réussi son permis.', 'Il a raté son permis.'],
    ['Die Miete ist gestiegen.', 'Die Miete ist gesunken.'],
    ['Mio zio è guarito.', 'Mio zio si è ammalato.'],
    ['Sklep otwierają o ósmej.', 'Sklep zamykają o ósmej.'],
    ['Ceny rosną.', 'Ceny spadają.'],
    ['Dükkân saat dokuzda açılıyor.', 'Dükkân saat dokuzda kapanıyor.'],
    ['老师表扬了小明。', '老师批评了小明。'],
    ['上司は私を褒めた。', '上司は私を叱った。'],
    ['선생님이 나를 칭찬했다.', '선생님이 나를 혼냈다.'],
    ['هذا ممكن.', 'هذا مستحيل.'],
    ['Hon äter sällan kött.', 'Hon äter ofta kött.'],
    ['Она редко ест мясо.', 'Она часто ест мясо.'],
  ])('are found in %s and %s', (one, other) => expectReason(one, other, 'opposite'))

  it.each([
    ['He rarely eats meat.', 'He seldom eats meat.'],
    ['The soup is expensive.', 'The soup is costly.'],
    ['La sopa es cara.', 'La sopa no es barata.'],
    ['Die Suppe ist günstig.', 'Die Suppe ist billig.'],
  ])('are not found in %s and %s', (one, other) => expectReason(one, other, undefined))
})
