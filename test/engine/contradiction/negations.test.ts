import { saysAnother } from '@memory/engine/belief/says-another'
import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { findConflict } from '@memory/engine/sleep/conflicts'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))
const statementOf = (text: string) => ({ comparable: readComparable(text), at: 0 })
const isAnother = (one: string, other: string) => saysAnother(one, other, () => true)

/**
 * By language what is stated and denied: where somebody lives or works, what they have or do, and how something is. Short
 * sentences, of which few words tell the language, or words of another one: "in", "i", "en".
 */
const denials: Readonly<Record<string, readonly (readonly [stated: string, denied: string])[]>> = {
  en: [
    ['Tom lives in Berlin.', 'Tom does not live in Berlin.'],
    ['Tom works in Berlin.', 'Tom no longer works in Berlin.'],
    ['Ada eats meat.', "Ada doesn't eat meat."],
    ['Ada has a car.', 'Ada has no car.'],
    ['The door is open.', 'The door is not open.'],
  ],
  fr: [
    ['Tom vit en France.', 'Tom ne vit pas en France.'],
    ['Tom vit en France.', 'Tom vit pas en France.'],
    ['Paul vit en Allemagne.', 'Paul vit plus en Allemagne.'],
    ['Léa travaille à Lyon.', 'Léa travaille plus à Lyon.'],
    ['Léa mange de la viande.', 'Léa ne mange jamais de viande.'],
    ['Tom boit du café.', 'Tom boit pas de café.'],
    ['La porte est ouverte.', "La porte n'est pas ouverte."],
  ],
  de: [
    ['Tom wohnt in Berlin.', 'Tom wohnt nicht in Berlin.'],
    ['Lena studiert in Bonn.', 'Lena studiert nicht mehr in Bonn.'],
    ['Die Daten liegen in Frankfurt.', 'Die Daten liegen nicht in Frankfurt.'],
    ['Tom isst Fleisch.', 'Tom isst kein Fleisch.'],
    ['Lena raucht.', 'Lena raucht nie.'],
    ['Die Suppe ist warm.', 'Die Suppe ist nicht warm.'],
  ],
  es: [
    ['Ana vive en Lima.', 'Ana no vive en Lima.'],
    ['Ana trabaja en casa.', 'Ana ya no trabaja en casa.'],
    ['Ana bebe café.', 'Ana no bebe café.'],
    ['Ana fuma.', 'Ana nunca fuma.'],
    ['La sopa es picante.', 'La sopa no es picante.'],
  ],
  it: [
    ['Tom vive in Italia.', 'Tom non vive in Italia.'],
    ['Anna lavora in banca.', 'Anna non lavora in banca.'],
    ['Anna abita in centro.', 'Anna non abita più in centro.'],
    ['Anna mangia carne.', 'Anna non mangia carne.'],
    ['La zuppa è calda.', 'La zuppa non è calda.'],
  ],
  pt: [
    ['Ana mora em Lisboa.', 'Ana não mora em Lisboa.'],
    ['Ana trabalha em casa.', 'Ana já não trabalha em casa.'],
    ['Ana come carne.', 'Ana não come carne.'],
    ['Ana fuma.', 'Ana nunca fuma.'],
    ['A sopa é picante.', 'A sopa não é picante.'],
  ],
  nl: [
    ['Tom woont in Gent.', 'Tom woont niet in Gent.'],
    ['Tom werkt in Gent.', 'Tom werkt niet meer in Gent.'],
    ['Tom eet vlees.', 'Tom eet geen vlees.'],
    ['De soep is warm.', 'De soep is niet warm.'],
  ],
  sv: [
    ['Tom bor i Malmö.', 'Tom bor inte i Malmö.'],
    ['Tom bor i Malmö.', 'Tom bor inte längre i Malmö.'],
    ['Anna äter kött.', 'Anna äter inte kött.'],
    ['Anna äger en bil.', 'Anna äger ingen bil.'],
    ['Soppan är varm.', 'Soppan är inte varm.'],
  ],
  da: [
    ['Tom bor i Oslo.', 'Tom bor ikke i Oslo.'],
    ['Tom bor i Aarhus.', 'Tom bor ikke længere i Aarhus.'],
    ['Anna spiser kød.', 'Anna spiser ikke kød.'],
    ['Anna ryger.', 'Anna ryger aldrig.'],
    ['Suppen er varm.', 'Suppen er ikke varm.'],
  ],
  fi: [
    ['Tom asuu Helsingissä.', 'Tom ei asu Helsingissä.'],
    ['Asun Helsingissä.', 'En asu Helsingissä.'],
    ['Tom asuu Turussa.', 'Tom ei asu enää Turussa.'],
    ['Tom juo kahvia.', 'Tom ei juo kahvia.'],
    ['Keitto on kuumaa.', 'Keitto ei ole kuumaa.'],
  ],
  pl: [
    ['Tom mieszka w Krakowie.', 'Tom nie mieszka w Krakowie.'],
    ['Tom mieszka w Krakowie.', 'Tom już nie mieszka w Krakowie.'],
    ['Ewa pije kawę.', 'Ewa nie pije kawy.'],
    ['Zupa jest gorąca.', 'Zupa nie jest gorąca.'],
  ],
  cs: [
    ['Petr bydlí v Praze.', 'Petr nebydlí v Praze.'],
    ['Petr pije kávu.', 'Petr nepije kávu.'],
    ['Petr pije kávu.', 'Petr nikdy nepije kávu.'],
    ['Polévka je horká.', 'Polévka není horká.'],
  ],
  ro: [
    ['Tom locuiește în Cluj.', 'Tom nu locuiește în Cluj.'],
    ['Tom lucrează în Cluj.', 'Tom nu mai lucrează în Cluj.'],
    ['Ana bea cafea.', 'Ana nu bea cafea.'],
    ['Supa este caldă.', 'Supa nu este caldă.'],
  ],
  hu: [
    ['Tom Budapesten él.', 'Tom nem Budapesten él.'],
    ['Tom Budapesten él.', 'Tom már nem él Budapesten.'],
    ['Anna húst eszik.', 'Anna nem eszik húst.'],
    ['A leves meleg.', 'A leves nem meleg.'],
  ],
  tr: [
    ["Ali Ankara'da yaşıyor.", "Ali Ankara'da yaşamıyor."],
    ['Ali et yer.', 'Ali et yemez.'],
    ['Ali çay içiyor.', 'Ali çay içmiyor.'],
    ['Çorba sıcak.', 'Çorba sıcak değil.'],
  ],
  vi: [
    ['Lan sống ở Huế.', 'Lan không sống ở Huế.'],
    ['Lan sống ở Huế.', 'Lan không còn sống ở Huế nữa.'],
    ['Lan ăn thịt.', 'Lan không ăn thịt.'],
  ],
  id: [
    ['Budi tinggal di Jakarta.', 'Budi tidak tinggal di Jakarta.'],
    ['Budi tinggal di Jakarta.', 'Budi tidak tinggal lagi di Jakarta.'],
    ['Budi makan daging.', 'Budi tidak makan daging.'],
  ],
  ru: [['Том живёт в Риме.', 'Том больше не живёт в Риме.']],
  uk: [['Том живе в Римі.', 'Том не живе в Римі.']],
  bg: [['Том живее в Рим.', 'Том не живее в Рим.']],
  el: [['Ο Τομ μένει στη Ρώμη.', 'Ο Τομ δεν μένει στη Ρώμη.']],
  fa: [['علی در تهران زندگی می‌کند', 'علی در تهران زندگی نمی‌کند']],
  ko: [
    ['톰은 고기를 먹는다.', '톰은 고기를 먹지 않는다.'],
    ['민수는 개를 키운다.', '민수는 개를 키우지 않는다.'],
    ['지영은 서울에 산다.', '지영은 서울에 안 산다.'],
  ],
}

/** Words that say no in another language, and words that go with those, in what says the same or the like. */
const paraphrases: readonly (readonly [string, string])[] = [
  ['Tom bor i Malmö.', 'Tom bor nu i Malmö.'],
  ['Anna äter kött.', 'Anna äter nu kött.'],
  ['Anna älskar katten.', 'Anna älskar sin katt.'],
  ['Lars köpte bil.', 'Lars köpte en bil.'],
  ['Tom är läkare.', 'Tom är en läkare.'],
  ['Tom woont in Gent.', 'Tom woont nu in Gent.'],
  ['Tom woont in Gent.', 'Tom woont pas in Gent.'],
  ['Anna wohnt in Bonn.', 'Anna wohnt noch in Bonn.'],
  ['Jan wohnt nie allein.', 'Jan wohnt niemals allein.'],
  ['Wir essen ein Ei.', 'Wir essen Ei.'],
  ['Vive a norte do rio.', 'Vive no norte do rio.'],
  ['Ana trabalha em Porto.', 'Ana trabalha no Porto.'],
  ['Ana nunca bebe café.', 'Ana não bebe café.'],
  ['Eu tomo café.', 'Eles tomam café.'],
  ['Paul vit en France.', 'Paul vit en mai en France.'],
  ['Tom vit pas en France.', 'Tom ne vit pas en France.'],
  ["Ada n'habite plus à Lyon.", 'Ada vit plus à Lyon.'],
  ['Elle travaille souvent à Paris.', 'Elle travaille plus souvent à Paris.'],
  ['Tom gagne 2000 euros.', 'Tom gagne plus de 2000 euros.'],
  ["Ce n'est pas une réponse.", "Non, ce n'est pas une réponse."],
  ['Mario ha due gatti.', 'Mario ne ha due, di gatti.'],
  ['Tom non vive in Italia.', 'Tom in Italia non vive.'],
  ['Tom bor aldrig i Oslo.', 'Tom bor ikke i Oslo.'],
  ['Kasia mieszka w Łodzi.', 'Tak, Kasia mieszka w Łodzi.'],
  ['Pojď hned.', 'Pojď sem hned.'],
  ['Ana bea cafea.', 'Ana mai bea cafea.'],
  ['Ali çay içer.', 'Ali çayı içer.'],
  ['Ada is a nurse.', 'Ada opiekuje się chorymi.'],
  ['Mężczyzna gra na gitarze.', 'Człowiek gra na gitarze.'],
]

/** "Ada lives in Lisbon", and that she does not, in other languages. */
const translations: readonly (readonly [stated: string, denied: string])[] = [
  ['Ada wohnt in Lissabon.', 'Ada wohnt nicht in Lissabon.'],
  ['Ada woont in Lissabon.', 'Ada woont niet in Lissabon.'],
  ['Ada habite à Lisbonne.', "Ada n'habite pas à Lisbonne."],
  ['Ada vive en Lisboa.', 'Ada no vive en Lisboa.'],
  ['Ada vive a Lisbona.', 'Ada non vive a Lisbona.'],
  ['Ada mora em Lisboa.', 'Ada não mora em Lisboa.'],
  ['Ada bor i Lissabon.', 'Ada bor inte i Lissabon.'],
  ['Ада живёт в Лиссабоне.', 'Ада не живёт в Лиссабоне.'],
  ['艾达住在里斯本。', '艾达不住在里斯本。'],
]

describe.each(Object.entries(denials))('in %s', (_, pairs) => {
  it.each(pairs)('%j is denied by %j, which sleep and belief see too', (stated, denied) => {
    for (const [one, other] of [
      [stated, denied],
      [denied, stated],
    ] as const) {
      expect(reasonOf(one, other)).toMatch(/^(?:negation|opposite)$/)
      expect(isAnother(one, other)).toBe(true)
      const conflict = findConflict(statementOf(one), statementOf(other), 0.95)
      expect(conflict?.kind).toBe('possible_contradiction')
    }
  })
})

it.each(paraphrases)('no denial in %j and %j', (one, other) => {
  expect(reasonOf(one, other)).toBeUndefined()
  expect(reasonOf(other, one)).toBeUndefined()
})

it.each(translations)(
  'a statement is stated by %j and denied by %j in another language',
  (stated, denied) => {
    const statement = 'Ada lives in Lisbon.'
    const no = 'Ada does not live in Lisbon.'
    for (const [one, other] of [
      [statement, denied],
      [no, stated],
    ] as const) {
      expect(reasonOf(one, other)).toBe('negation')
      expect(isAnother(one, other)).toBe(true)
      expect(isAnother(other, one)).toBe(true)
    }
    for (const [one, other] of [
      [statement, stated],
      [no, denied],
    ] as const) {
      expect(reasonOf(one, other)).toBeUndefined()
      expect(isAnother(one, other)).toBe(false)
    }
  },
)

it('a statement is denied in other words of the same', () => {
  expect(isAnother('Ben is not allergic to peanuts.', 'Ben has a peanut allergy.')).toBe(true)
  expect(isAnother('Ada cannot eat peanuts because she is allergic.', 'Ada is allergic to peanuts.')).toBe(
    false,
  )
})
