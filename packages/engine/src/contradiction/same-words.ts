import { copula, isDeterminer, isPronoun, loose } from './roles.ts'
import { isSameFleeting, isSameStem } from './stems.ts'
import type { Reading, Token } from './tokens.ts'
import { type LanguageScores, type Lexicon, lexiconsFor } from './words.ts'

/** A text, and what it tells of the languages of its script. */
export interface Scored {
  readonly reading: Reading
  readonly scores: LanguageScores
}

/** What two everyday words tell of a language. */
const surely = 4

/** The language of two texts where they tell it, else all of their script: short texts may tell another one. */
export function possibleLexicons(
  one: Scored,
  other: Scored,
  lexicon: Lexicon | undefined,
): readonly Lexicon[] {
  const isTold = ({ scores }: Scored) => (scores.get(lexicon?.code ?? '') ?? 0) >= surely
  if (lexicon !== undefined && (isTold(one) || isTold(other))) return [lexicon]
  return lexiconsFor(`${one.reading.text} ${other.reading.text}`)
}

/** Pronouns that some languages leave out, or that stand where nobody is meant. */
const leftOut = new Set(
  'yo el él ella nosotros ellos ellas io lui lei noi loro eu ele ela nós eles elas ja on ona my oni one já hän minä hun en olen on man men je il you one it there es zu to я ты он она мы они ми він вона вони аз той тя ние те εγώ αυτός αυτή هو هي أنا نحن هم אני הוא היא אנחנו הם है हैं हूँ'.split(
    ' ',
  ),
)

/** Whether a word says little: an article, a pronoun, a form of "be". */
export const isSmall = (token: Token, lexicon: Lexicon): boolean =>
  loose.has(token.key) ||
  leftOut.has(token.lower) ||
  copula.test(token.key) ||
  isPronoun(token.key) ||
  isDeterminer(token, lexicon)

/** The words of each of two texts that the other has in no form. */
export function wordsApart(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon,
): readonly [one: Token[], other: Token[]] {
  const left = [...other]
  const areForms = (a: string, b: string) =>
    (a.length > 2 && b.length > 2 && isSameStem(a, b)) || (lexicon.inflects && isSameFleeting(a, b))
  const take = (token: Token, isLike: (a: string, b: string) => boolean) => {
    const at = left.findIndex(({ key }) => isLike(token.key, key))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const unlike = one.filter((token) => !take(token, (a, b) => a === b))
  return [unlike.filter((token) => !take(token, areForms)), left]
}
