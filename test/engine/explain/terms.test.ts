import { contentWords, fold, sharedTerms } from '@memory/engine/explain/terms'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const shared = (query: string, text: string, language: 'fr' | 'en' = 'fr') =>
  sharedTerms(contentWords(query, language), text, language)

describe('sharedTerms', () => {
  it('are words as the text writes them, whatever their case, accents, ligatures and apostrophes', () => {
    expect(shared('OU EST LA SOEUR DE LEA', 'La sœur de Léa est à Évreux.')).toEqual(['sœur', 'Léa'])
    expect(shared('l’eau d’Évian', "L'eau vient d'Evian, l’eau est bonne.")).toEqual(['eau', 'Evian'])
    expect(shared('Was macht die STRASSE?', 'Die Straße ist nass.', 'en')).toEqual(['Die', 'Straße'])
  })

  it('are not the words that most sentences have', () => {
    expect(shared('Quelle est son adresse ?', 'Son adresse est celle que vous avez.')).toEqual(['adresse'])
    expect(shared('Where is it that she was?', 'It is where she was.', 'en')).toEqual([])
    expect(shared('Why doesn’t it start?', "It doesn't start.", 'en')).toEqual(['start'])
  })

  it('are whole where they have a hyphen', () => {
    expect(shared('Quand est mon rendez-vous ?', 'J’ai rendez-vous mardi.')).toEqual(['rendez-vous'])
    expect(shared('les grands-parents', 'Mes grands‑parents arrivent ce week-end')).toEqual([
      'grands‑parents',
    ])
    expect(shared('ma grand-mère', 'ton grand-père')).toEqual([])
    expect(shared('un arc-en-ciel', 'L’arc-en-ciel - beau')).toEqual(['arc-en-ciel'])
    expect(shared('the 2024-05-01 check-in', 'check-in on 2024-05-01', 'en')).toEqual([
      'check-in',
      '2024-05-01',
    ])
  })

  it('are without the pronoun that French hangs on a verb', () => {
    expect(shared('Où habite-t-il ?', 'Il habite à Lyon.')).toEqual(['habite'])
    expect(shared('Habitez-vous ici ?', 'Vous habitez Lyon.')).toEqual(['habitez'])
    expect(shared('Qu’est-ce que c’est ? Dis-moi', 'Qu’est-ce que c’est')).toEqual([])
  })

  it('are no small words of English for being like one without accents', () => {
    expect(shared('Où est le thé ?', 'Le thé vert', 'en')).toContain('thé')
    expect(shared('Where is THE tea', 'The Tea', 'en')).toEqual(['Tea'])
  })

  it('tell nouns of one language from small words of the other', () => {
    expect(shared('Where is my car?', 'My son has my car.', 'en')).toEqual(['car'])
    expect(shared("Ada's cat", 'The cat of Ada', 'en')).toEqual(['cat', 'Ada'])
  })

  it('are found where words stand without spaces between them, and in other scripts', () => {
    expect(shared('猫はどこですか', '猫は屋根の上で寝ています', 'en')).toEqual(['猫'])
    expect(shared('Когда отправляется поезд?', 'Поезд в девять.', 'en')).toEqual(['Поезд'])
    expect(shared('أين القطار', 'القطار في التاسعة', 'en')).toEqual(['القطار'])
  })

  it('are words of both, each once, for any texts', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(text, text, (query, stored) => {
        const terms = shared(query, stored)
        expect(new Set(terms.map(fold)).size).toBe(terms.length)
        const inQuery = contentWords(query, 'fr')
        for (const term of terms) {
          expect(stored).toContain(term)
          expect(inQuery.has(fold(term))).toBe(true)
        }
      }),
    )
  })
})
