import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { parameters } from '@memory/engine/parameters'

const { frenchShareMin, languageMarginMin } = parameters.explain

let detector: Promise<(text: string) => Record<string, number>> | undefined

/**
 * The language to answer a text in: French when it looks French, else English, whatever it is; undefined for what may be
 * French or English, as many single words are both: allergies, question, vacation.
 *
 * The statistics of letters take 30 MB and 0.2 s to read, so they are read when a text is first looked at.
 */
export async function detectLanguage(text: string): Promise<ExplanationLanguage | undefined> {
  detector ??= import('eld/extrasmall').then(
    ({ eld }) =>
      (text) =>
        eld.detect(text).getScores(),
  )
  const scores = (await detector)(text)
  const { fr: french = 0, en: english = 0 } = scores
  const best = Math.max(0, ...Object.values(scores))
  if (french === 0 || french < frenchShareMin * best) return 'en'
  if (Math.abs(french - english) < languageMarginMin) return undefined
  return french > english ? 'fr' : 'en'
}
