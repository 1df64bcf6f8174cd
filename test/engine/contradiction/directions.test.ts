import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('from where and where to', () => {
  it.each([
    ['The letter from my aunt arrived today.', 'The letter to my aunt arrived today.'],
    ['Leo gave the keys to Hannah.', 'Leo got the keys from Hannah.'],
    ['Der Bus nach Kassel fährt gleich.', 'Der Bus von Kassel fährt gleich.'],
    ['Jan leiht Geld an Piet.', 'Jan leiht Geld von Piet.'],
    ['Le vol vers Nice est annulé.', 'Le vol depuis Nice est annulé.'],
    ['Le colis vient de Brest.', 'Le colis va à Brest.'],
    ['El tren a Sevilla va lleno.', 'El tren de Sevilla va lleno.'],
    ['Il volo per Roma è in ritardo.', 'Il volo da Roma è in ritardo.'],
    ['O voo para Lisboa foi cancelado.', 'O voo de Lisboa foi cancelado.'],
    ['De bus naar Gent is vol.', 'De bus uit Gent is vol.'],
    ['Bussen till Lund är full.', 'Bussen från Lund är full.'],
    ['Toget til Aarhus er forsinket.', 'Toget fra Aarhus er forsinket.'],
    ['Bussi menee asemalle.', 'Bussi tulee asemalta.'],
    ['Pociąg do Krakowa jest pełny.', 'Pociąg z Krakowa jest pełny.'],
    ['Vlak do Prahy je plný.', 'Vlak z Prahy je plný.'],
    ['Trenul merge la Cluj.', 'Trenul vine din Cluj.'],
    ['A busz Szegedre megy.', 'A busz Szegedről jön.'],
    ["Otobüs Bursa'ya gidiyor.", "Otobüs Bursa'dan geliyor."],
    ['Xe buýt đi đến Huế.', 'Xe buýt đi từ Huế.'],
    ['Kereta ke Bandung penuh.', 'Kereta dari Bandung penuh.'],
    ['Автобус в Тулу опаздывает.', 'Автобус из Тулы опаздывает.'],
    ['Потяг до Одеси запізнюється.', 'Потяг з Одеси запізнюється.'],
    ['Влакът пътува до Варна.', 'Влакът пътува от Варна.'],
    ['Το τρένο πάει στην Πάτρα.', 'Το τρένο έρχεται από την Πάτρα.'],
    ['الحافلة إلى دمشق متأخرة.', 'الحافلة من دمشق متأخرة.'],
    ['वह दिल्ली से आया।', 'वह दिल्ली तक आया।'],
    ['他从广州来。', '他去广州。'],
    ['電車は大阪へ行きます。', '電車は大阪から来ます。'],
    ['버스는 부산으로 간다.', '버스는 부산에서 온다.'],
  ])('are told apart in %j and %j', (one, other) => {
    expect([reasonOf(one, other), reasonOf(other, one)]).not.toContain(undefined)
  })

  it.each([
    ['I drove from Paris to Lyon.', 'I drove to Lyon from Paris.'],
    ['This is different from that.', 'This is different to that.'],
    ['I got the ring from my mother.', 'My mother gave the ring to me.'],
    ['Ich komme gerade von der Arbeit.', 'Ich komme gerade aus der Arbeit.'],
    ['Il travaille au bureau de Lille.', 'Il travaille au bureau à Lille.'],
    ['Il continue à travailler.', 'Il continue de travailler.'],
    ["J'ai acheté la voiture à Paul.", "J'ai acheté la voiture de Paul."],
    ['El avión llegó de Madrid.', 'El avión llegó desde Madrid.'],
    ['Compré la casa a Luis.', 'Compré la casa de Luis.'],
    ['Коровы едят в корыте.', 'Коровы едят из корыта.'],
    ['友達に本を借りた。', '友達から本を借りた。'],
    ['친구에게 선물을 받았다.', '친구에게서 선물을 받았다.'],
    ['मैंने राम से कहा।', 'मैंने राम को कहा।'],
    ['火车从北京到上海。', '火车到上海，从北京出发。'],
  ])('are the same in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})

describe('what stands between two parties', () => {
  it.each([
    ['Jack lent his t-shirt to Tim.', 'Tim lent his t-shirt to Jack.'],
    ['Jack lent, last week, ten euros to Tim.', 'Tim lent, last week, ten euros to Jack.'],
    ['Luc doit quatre-vingts euros à Anne.', 'Anne doit quatre-vingts euros à Luc.'],
    ['She is willing to lend me her car.', 'I am willing to lend her my car.'],
    ['He gave her a ring.', 'She gave him a ring.'],
    ['Er liebt sie.', 'Sie liebt ihn.'],
  ])('does not hide who does what to whom in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('direction')
    expect(reasonOf(other, one)).toBe('direction')
  })

  it.each([
    ['We have apples, pears and plums.', 'We have plums, pears and apples.'],
    ['He and she may come.', 'She and he may come.'],
    ['Call Anna/Ben tonight.', 'Call Ben/Anna tonight.'],
    ['Ein weiß-brauner Hund läuft.', 'Ein braun-weißer Hund läuft.'],
    ['Pablo invitó a Irene a cenar.', 'Pablo invitó a cenar a Irene.'],
    ['Nadie ha pagado la factura.', 'La factura no la ha pagado nadie.'],
    ['She will lend me her car.', 'She will let me borrow her car.'],
  ])('says the same in another order in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})

describe('two in each other’s place', () => {
  it.each([
    ['He met her at a wedding.', 'She met him at a wedding.'],
    ['Zoe lives with Max.', 'Max lives with Zoe.'],
    ['I sing with you.', 'You sing with me.'],
    ['He is engaged to her.', 'She is engaged to him.'],
    ['She is as old as him.', 'He is as old as her.'],
    ['I sat next to you.', 'You sat next to me.'],
    ['Il chante avec elle.', 'Elle chante avec lui.'],
    ['Zoé habite avec Max.', 'Max habite avec Zoé.'],
    ['Er ist mit ihr befreundet.', 'Sie ist mit ihm befreundet.'],
    ['Sie ist so groß wie er.', 'Er ist so groß wie sie.'],
    ['Él canta con ella.', 'Ella canta con él.'],
    ['Lui abita con lei.', 'Lei abita con lui.'],
    ['Ele canta com ela.', 'Ela canta com ele.'],
    ['Ik zing met jou.', 'Jij zingt met mij.'],
    ['Jag sjunger med dig.', 'Du sjunger med mig.'],
    ['Zofia mieszka z Markiem.', 'Marek mieszka z Zofią.'],
    ['Zuzana bydlí s Markem.', 'Marek bydlí se Zuzanou.'],
    ['Пётр живёт с Ольгой.', 'Ольга живёт с Петром.'],
    ['Max locuiește cu Zoe.', 'Zoe locuiește cu Max.'],
    ['Mehmet Zeynep ile yaşıyor.', 'Zeynep Mehmet ile yaşıyor.'],
    ['रवि मीना के साथ रहता है।', 'मीना रवि के साथ रहती है।'],
  ])('say the same in %j and %j, where each is to the other what the other is', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it.each([
    ['I borrowed a pen from you.', 'You borrowed a pen from me.'],
    ['He likes her.', 'She likes him.'],
    ['He is angry with her.', 'She is angry with him.'],
    ['He left as soon as she came.', 'She left as soon as he came.'],
    ['He told her he met you.', 'She told him she met you.'],
    ['Max bought a gift for Zoe.', 'Zoe bought a gift for Max.'],
    ['They replaced Max with Zoe.', 'They replaced Zoe with Max.'],
    ['Er ist zufrieden mit ihr.', 'Sie ist zufrieden mit ihm.'],
    ['Lui è arrabbiato con lei.', 'Lei è arrabbiata con lui.'],
  ])('don’t in %j and %j, where one feels or does it', (one, other) => {
    expect(reasonOf(one, other)).toBe('direction')
    expect(reasonOf(other, one)).toBe('direction')
  })
})
