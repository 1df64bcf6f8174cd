import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { parameters } from '@memory/engine/parameters'
import { languageDetector } from '../lexical/language.ts'

const { frenchShareMin, languageMarginMin } = parameters.explain

/**
 * The language to answer a text in: French when it looks French, else English, whatever it is; undefined for what may be
 * French or English, as many single words are both: allergies, question, vacation.
 */
export async function detectLanguage(text: string): Promise<ExplanationLanguage | undefined> {
  const scores = (await languageDetector())(text).getScores()
  const { fr: french = 0, en: english = 0 } = scores
  const best = Math.max(0, ...Object.values(scores))
  if (french === 0 || french < frenchShareMin * best) return 'en'
  if (Math.abs(french - english) < languageMarginMin) return undefined
  return french > english ? 'fr' : 'en'
}
