import { detectLanguage } from '@memory/memory/explain/detect-language'
import { describe, expect, it } from 'vitest'

describe('detectLanguage', () => {
  it.each([
    'Où habite Ada ?',
    'Quel est mon plat préféré ?',
    'ou est le chat',
    'rendez-vous chez le dentiste',
    "Qu'est-ce que Léa aime manger ?",
    'mot de passe du wifi',
    'À QUELLE HEURE PART LE TRAIN ?',
  ])('takes %j for French', async (text) => {
    expect(detectLanguage(text)).toBe('fr')
  })

  it.each([
    ['English', 'Where does Ada live?'],
    ['English', 'where is Ada'],
    ['English', 'What did we talk about in Paris?'],
    ['German', 'Wo wohnt meine Schwester?'],
    ['Spanish', '¿Cuándo sale el tren de la mañana?'],
    ['Italian', 'Quando parte il treno di domani?'],
    ['German', 'Wo wohnt Zoé?'],
    ['German', 'wo wohnt Zoé'],
    ['German', 'Lebt Zoé?'],
    ['Spanish', '¿Dónde vive Zoé?'],
    ['Spanish', '¿Cómo te llamas?'],
    ['Spanish', '¿Qué come Zoé?'],
    ['Italian', 'Dove vive Zoé?'],
    ['Dutch', 'Hoe heet Zoé?'],
    ['Polish', 'Gdzie mieszka Zoé?'],
    ['Japanese', '猫はどこで寝ていますか'],
    ['no language', '???'],
    ['digits', '42'],
    ['nothing', ''],
    ['emoji', '👩‍👩‍👧'],
  ])('answers %s in English: %j', async (_language, text) => {
    expect(detectLanguage(text)).toBe('en')
  })
  it.each(['l’anniversaire de maman', 'numéro de sécurité sociale', 'réunion équipe'])(
    'takes the few words %j for French',
    async (text) => {
      expect(detectLanguage(text)).toBe('fr')
    },
  )

  it.each([
    ...['allergies', 'question', 'profession', 'budget', 'car'],
    ...['quantum physics', 'Paris trip', 'restaurant menu', 'thé vert', 'dentist appointment'],
    ...['Élodie', 'Hugo', 'wifi', 'Hugo thé', 'code portail'],
    ...['Hugo?', 'code portail ?', 'Che Guevara', 'ile Maurice', 'Où vit Ada ?', 'Hugo mange quoi ?'],
  ])('says nothing of %j, which may be French or English', async (text) => {
    expect(detectLanguage(text)).toBeUndefined()
  })
})
