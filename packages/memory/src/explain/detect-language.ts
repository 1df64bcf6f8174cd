import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { parameters } from '@memory/engine/parameters'
import { languageScores } from '../lexical/letter-statistics.ts'

const { frenchShareMin, languageMarginMin } = parameters.explain

/**
 * The language to answer a text in: French when it looks French, else English, whatever it is; undefined for what may be
 * French or English, as many single words are both: allergies, question, vacation.
 */
export function detectLanguage(text: string): ExplanationLanguage | undefined {
  const scores = languageScores(text)
  const scoreOf = (code: string) => scores.find(({ language }) => language === code)?.score ?? 0
  const [french, english, best] = [scoreOf('fr'), scoreOf('en'), scores[0]?.score ?? 0]
  if (french === 0 || french < frenchShareMin * best) return 'en'
  if (Math.abs(french - english) < languageMarginMin) return undefined
  return french > english ? 'fr' : 'en'
}
