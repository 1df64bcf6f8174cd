import { asksByMark, isQuestion } from '@memory/engine/explain/asking'
import { functionWords } from '@memory/engine/explain/function-words'
import type { ExplanationLanguage } from '@memory/engine/explain/languages'
import { fold, isSmall } from '@memory/engine/explain/terms'
import { parameters } from '@memory/engine/parameters'
import { languageScores } from '../lexical/letter-statistics.ts'

const { frenchShareMin, languageMarginMin } = parameters.explain

/**
 * The language to answer a text in: French when it looks French, else English, whatever it is; undefined for what may be
 * French or English, as many single words are both (allergies, question, vacation), and for names and terms, which ask nothing:
 * Hugo, quantum physics, code portail.
 */
export function detectLanguage(text: string): ExplanationLanguage | undefined {
  const scores = languageScores(text)
  const scoreOf = (code: string) => scores.find(({ language }) => language === code)?.score ?? 0
  const [french, english, best] = [scoreOf('fr'), scoreOf('en'), scores[0]?.score ?? 0]
  if (french === 0 || french < frenchShareMin * best) {
    const isEnglish = wordsOf(text).some((word) => isSmall(word, 'en'))
    return isTerm(text) && !isEnglish && !asksInAnother(text) ? undefined : 'en'
  }
  if (Math.abs(french - english) < languageMarginMin) return undefined
  if (french < english) return 'en'
  return hasSmallWord(text) || accent.test(text) ? 'fr' : undefined
}

/** Letters that French has and English seldom. */
const accent = /[àâçèéêëîïôùûœ]/iu

/** Words of French that are too short to be content of a text anyhow. */
const shortWords: ReadonlySet<string> = new Set(
  'a au ce de des du elle en et il je la le les ma me mes mon ne ni on ou où sa se si ses son ta te tu un une y'.split(
    ' ',
  ),
)
const elided = /(?<![\p{L}\p{M}])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\p{L})/iu

/** Whether a text has one of the words that nearly every French sentence has. */
function hasSmallWord(text: string): boolean {
  if (elided.test(text)) return true
  return wordsOf(text).some((word) => shortWords.has(word.toLowerCase()) || functionWords.fr.has(fold(word)))
}

/** Most words of a term; what is longer has small words of its language. */
const termWords = 3

/** Whether a text is a few words in Latin letters that say nothing of their language but by themselves. */
function isTerm(text: string): boolean {
  const words = wordsOf(text)
  return (
    words.length > 0 && words.length <= termWords && words.every((word) => /^\p{Script=Latin}/u.test(word))
  )
}

/**
 * Whether a few words ask something in a language that is not French: by a question mark, without the space that French sets before
 * it, or by how they begin. By its beginning alone two words may as well be a name: Che Guevara, Île Maurice.
 */
function asksInAnother(text: string): boolean {
  const words = wordsOf(text)
  const unspaced = text.replace(/(?<!\s)\s+[?!]+\s*$/u, '')
  const isAsked = words.length > 2 ? isQuestion(unspaced) : words.length === 2 && asksByMark(unspaced)
  // As French writes them: "qué" is no French word.
  return isAsked && !words.some((word) => /^où$/iu.test(word) || functionWords.fr.has(word.toLowerCase()))
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}]+/gu) ?? []
