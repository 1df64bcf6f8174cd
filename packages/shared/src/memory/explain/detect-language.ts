import type { ExplanationLanguage } from '../../engine/explain/languages.ts'
import { parameters } from '../../engine/parameters.ts'

const { frenchShareMin } = parameters.explain

let detector: Promise<(text: string) => Record<string, number>> | undefined

/**
 * The language to answer a text in: French when it looks French, else English, whatever it is.
 *
 * The statistics of letters take 30 MB and 0.2 s to read, so they are read when a text is first looked at.
 */
export async function detectLanguage(text: string): Promise<ExplanationLanguage> {
  detector ??= import('eld/extrasmall').then(
    ({ eld }) =>
      (text) =>
        eld.detect(text).getScores(),
  )
  const scores = (await detector)(text)
  const french = scores.fr ?? 0
  const best = Math.max(0, ...Object.values(scores))
  return french > (scores.en ?? 0) && french >= frenchShareMin * best ? 'fr' : 'en'
}
