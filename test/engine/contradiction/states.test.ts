import {
  type ContradictionReason,
  findContradiction,
  readComparable,
} from '@memory/engine/contradiction/contradiction'
import { languages } from '@memory/engine/contradiction/languages'
import { states } from '@memory/engine/contradiction/states'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** Judged alike in either order. */
function expectReason(one: string, other: string, reason: ContradictionReason | undefined): void {
  expect(reasonOf(one, other)).toBe(reason)
  expect(reasonOf(other, one)).toBe(reason)
}

describe('states that exclude each other in the same place', () => {
  it('the table has every language, and no form in two sets of one group', () => {
    expect(
      Object.keys(states)
        .filter((code) => code !== 'any')
        .toSorted(),
    ).toEqual(Object.keys(languages).toSorted())
    for (const groups of Object.values(states))
      for (const group of groups.split(';')) {
        const forms = group.split(/[~|]/)
        expect(forms, group).toEqual([...new Set(forms)])
      }
  })

  it.each([
    ['The gym is near the office', 'The gym is far from the office'],
    ['La piscine est près du lycée', 'La piscine est loin du lycée'],
    ['Das Büro ist nahe am Hafen', 'Das Büro ist weit vom Hafen'],
    ['El gimnasio está cerca del puerto', 'El gimnasio está lejos del puerto'],
    ['La palestra è vicino al porto', 'La palestra è lontano dal porto'],
    ['O ginásio fica perto do porto', 'O ginásio fica longe do porto'],
    ['De sportschool is dichtbij', 'De sportschool is ver weg'],
    ['Gymmet ligger nära kontoret', 'Gymmet ligger långt från kontoret'],
    ['Butikken ligger tæt på havnen', 'Butikken ligger langt fra havnen'],
    ['Koulu on lähellä', 'Koulu on kaukana'],
    ['Sklep jest blisko dworca', 'Sklep jest daleko od dworca'],
    ['Obchod je blízko nádraží', 'Obchod je daleko od nádraží'],
    ['Magazinul e aproape de gară', 'Magazinul e departe de gară'],
    ['A bolt közel van', 'A bolt messze van'],
    ['Market eve yakın', 'Market eve uzak'],
    ['Cửa hàng gần nhà tôi', 'Cửa hàng xa nhà tôi'],
    ['Toko itu dekat dari sini', 'Toko itu jauh dari sini'],
    ['Магазин близко от вокзала', 'Магазин далеко от вокзала'],
    ['Магазин близько від вокзалу', 'Магазин далеко від вокзалу'],
    ['Магазинът е близо до гарата', 'Магазинът е далеч от гарата'],
    ['Το μαγαζί είναι κοντά στο σπίτι', 'Το μαγαζί είναι μακριά από το σπίτι'],
    ['المكتب قريب من المحطة', 'المكتب بعيد عن المحطة'],
    ['فروشگاه به خانه نزدیک است', 'فروشگاه از خانه دور است'],
    ['המשרד קרוב לתחנה', 'המשרד רחוק מהתחנה'],
    ['दुकान स्टेशन के पास है', 'दुकान स्टेशन से दूर है'],
    ['商店离车站很近', '商店离车站很远'],
    ['店は駅から近いです', '店は駅から遠いです'],
    ['가게가 역에서 가까워요', '가게가 역에서 멀어요'],
    ['ร้านอยู่ใกล้สถานี', 'ร้านอยู่ไกลสถานี'],
  ])('near and far: %s, %s', (one, other) => expectReason(one, other, 'opposite'))

  it.each([
    ['The mole was benign', 'The mole was malignant'],
    ['Le kyste est bénin', 'Le kyste est malin'],
    ['Der Knoten ist gutartig', 'Der Knoten ist bösartig'],
    ['El quiste es benigno', 'El quiste es maligno'],
    ['Het gezwel is goedaardig', 'Het gezwel is kwaadaardig'],
    ['Knölen är godartad', 'Knölen är elakartad'],
    ['Киста доброкачественная', 'Киста злокачественная'],
    ['Test sonucu pozitif', 'Test sonucu negatif'],
    ['نتيجة التحليل إيجابية', 'نتيجة التحليل سلبية'],
    ['תוצאת הבדיקה חיובית', 'תוצאת הבדיקה שלילית'],
    ['囊肿是良性的', '囊肿是恶性的'],
    ['できものは良性でした', 'できものは悪性でした'],
    ['รอยโรคเป็นเนื้อดี', 'รอยโรคเป็นเนื้อร้าย'],
    ['Xét nghiệm dương tính', 'Xét nghiệm âm tính'],
    ['रिपोर्ट पॉजिटिव आई', 'रिपोर्ट नेगेटिव आई'],
    ['The pain is acute', 'The pain is chronic'],
  ])('findings: %s, %s', (one, other) => expectReason(one, other, 'opposite'))

  it.each([
    ['Invite everybody except Tom', 'Invite everybody including Tom'],
    ['Lade alle außer Tom ein', 'Lade alle einschließlich Tom ein'],
    ['Invite tout le monde sauf Tom', 'Invite tout le monde y compris Tom'],
    ['Choir is every other Friday', 'Choir is every Friday'],
    ['Der Chor probt jeden zweiten Freitag', 'Der Chor probt jeden Freitag'],
    ['隔周开会', '每周开会'],
    ['会議は隔週です', '会議は毎週です'],
    ['She has a part-time contract', 'She has a full-time contract'],
    ['Er arbeitet in Teilzeit', 'Er arbeitet in Vollzeit'],
    ['Elle travaille à temps partiel', 'Elle travaille à temps plein'],
    ['Nina is vegetarian', 'Nina is vegan'],
    ['Nina ist Vegetarierin', 'Nina ist Veganerin'],
    ['Send it to the old address', 'Send it to the new address'],
    ['The bike shed is above the ramp', 'The bike shed is below the ramp'],
    ['Le grenier est au-dessus de la cuisine', 'Le grenier est en dessous de la cuisine'],
    ['The lease was extended', 'The lease was terminated'],
    ['Der Mietvertrag wurde verlängert', 'Der Mietvertrag wurde gekündigt'],
    ['Umowa została podpisana', 'Umowa została rozwiązana'],
    ["L'esame è stato anticipato", "L'esame è stato posticipato"],
    ['De prijzen gaan omhoog', 'De prijzen gaan omlaag'],
    ['Meg joined the standup', 'Meg missed the standup'],
    ['Put the dough in the fridge', 'Put the dough in the freezer'],
    ['Get me a window seat', 'Get me an aisle seat'],
    ['Der Ofen ist angeschaltet', 'Der Ofen ist ausgeschaltet'],
    ['Klaus hat die Klausur bestanden', 'Klaus ist durch die Klausur gefallen'],
    ['หน้าต่างเปิดอยู่', 'หน้าต่างปิดอยู่'],
    ['فاز الفريق أمس', 'خسر الفريق أمس'],
    ['The webhook uses HTTP', 'The webhook uses HTTPS'],
    ['ORDER BY price ASC', 'ORDER BY price DESC'],
  ])('how it stands: %s, %s', (one, other) =>
    expect([reasonOf(one, other), reasonOf(other, one)]).not.toContain(undefined),
  )

  it.each([
    ['The gym is near the office', 'The gym is around the corner from the office'],
    ['The gym is not far from the office', 'The gym is near the office'],
    ['The gym is near the office', 'The gym is close to the office'],
    ['La piscine n’est pas loin du lycée', 'La piscine est près du lycée'],
    ['Das Büro ist nicht weit vom Hafen', 'Das Büro ist nahe am Hafen'],
    ['El gimnasio no está lejos del puerto', 'El gimnasio está cerca del puerto'],
    ['As far as I know, the gym is open', 'The gym is open, as far as I know'],
    ['The test came back positive', 'The test was positive'],
    ['The test was positive', 'The test is positive'],
    ['Le test est positif', 'Le test était positif'],
    ['La prueba es positiva', 'La prueba era positiva'],
    ['The mole was not malignant', 'The mole was benign'],
    ['Der Knoten ist nicht bösartig', 'Der Knoten ist gutartig'],
    ['Explain it step by step', 'Explain it step-by-step'],
    ['Choir is every other Friday', 'Choir is every second Friday'],
    ['Invite everybody except Tom', 'Invite everybody but Tom'],
    ['My old friend Ben is here', 'Ben, an old friend of mine, is here'],
    ['The lease was terminated', 'The lease was cancelled'],
    ['The parcel came last night', 'The parcel came yesterday evening'],
    ['He works part-time at the bakery', 'He has a part-time job at the bakery'],
    ['She is 30 years old', 'She is thirty years old'],
    ['Over 50 guests came', 'More than 50 guests came'],
    ['Half the team is remote', '50% of the team is remote'],
    ['The film was over at nine', 'The film ended at nine'],
    ['Nina eats no meat', 'Nina is vegetarian'],
    ['He missed the bus', 'He did not catch the bus'],
    ['Below 50 means less, above 50 means more', 'Above 50 means more, while below 50 means less'],
    ['店は駅から近い', '店は駅の近くです'],
    ['我家离学校不远', '我家离学校很近'],
  ])('are not found in %s and %s', (one, other) => expectReason(one, other, undefined))
})

describe('what a word for no says alike', () => {
  it.each([
    ['I hate olives', "I can't stand olives"],
    ['Ich hasse Oliven', 'Ich mag keine Oliven'],
    ['Je déteste les olives', "Je n'aime pas les olives"],
    ['Odio las aceitunas', 'No soporto las aceitunas'],
    ['Jag är glutenintolerant', 'Jag tål inte gluten'],
    ['Ich bin laktoseintolerant', 'Ich vertrage keine Laktose'],
    ['トマトが苦手です', 'トマトは好きじゃない'],
    ['ピーマンが嫌いです', 'ピーマンは好きではありません'],
    ['Я ненавижу оливки', 'Я не люблю оливки'],
  ])('%s: %s', (one, other) => expectReason(one, other, undefined))

  it.each([
    ['I hate olives', "I don't hate olives", 'negation'],
    ['I love olives', "I can't stand olives", 'negation'],
    ['Jag tål gluten', 'Jag tål inte gluten', 'negation'],
    ['トマトが好きです', 'トマトは好きじゃない', 'negation'],
  ] as const)('%s is not %s', (one, other, reason) => expectReason(one, other, reason))
})
