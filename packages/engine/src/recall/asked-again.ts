import {
  asksAtLast,
  asksForValue,
  asksPlainly,
  endsAsStatement,
  isOfAsking,
  isQuestion,
  isRequest,
  onlyAsks,
  wantedOf,
  withoutSpeaker,
} from '../explain/asking.ts'
import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { asksQuestion } from './question.ts'
import { oneWord } from './word-set.ts'

/** How a text asks what a query asks: as a copy of it, or in other words. */
type Asked = 'copy' | 'reworded'

/**
 * Tells the texts that ask nothing but what a query asks, which answer nothing, see `askedAgain`. Where nearly all texts ask, as
 * in a list of frequent questions, the questions are what is looked for; then and for a query that does not ask copies alone are
 * told.
 * @param among the texts that are looked at
 */
export function askedAgainBy(
  query: string,
  among: readonly { text: string }[],
): (one: { text: string; cosine: number }) => Asked | undefined {
  const asked = askedAgain(query)
  const asks = isQuestion(query)
  let wantsAnswer: boolean | undefined
  return (one) => {
    const found = asked(one)
    if (found !== 'reworded') return found
    // Few queries find any, and to look at all texts takes longest.
    wantsAnswer ??= asks && !areQuestions(among)
    return wantsAnswer ? found : undefined
  }
}

/**
 * Tells the texts that ask nothing but what a query asks, or would ask: copies of it that ask, or request to be told, and what
 * only asks with nearly no word that it lacks, "What is the wifi password?" for "Hey, what was the wifi password again?", or is so
 * near to it that it asks the same in other words or another language; not where it has a name or a number of its own, which may
 * be the answer, nor where the query is about questions. A speaker's name may stand before them.
 */
export function askedAgain(query: string): (one: { text: string; cosine: number }) => Asked | undefined {
  const asked = comparable(query)
  const charactersMax = 2 * query.length + speakerMax
  const asks = isQuestion(query)
  const words = new Set(wordsOf(query))
  const isOfQuestions = aboutQuestions.test(query)
  return ({ text, cosine }) => {
    // What is longer than the query by more than a name and its punctuation is no copy of it.
    if (asked === '' || text.length > charactersMax) return undefined
    const said = withoutSpeaker(text)
    const isSaid = comparable(text) === asked || (said !== text && comparable(said) === asked)
    if (isSaid && asksAtLast(said)) return 'copy'
    // Most texts are statements, which is told soonest by how they end.
    if (endsAsStatement(said) && !isRequest(said)) return undefined
    // "Where does Ada live?" has no answer of its own in it, as "Is it Lisbon where Ada lives?" may have.
    const wantsValue = asksForValue(said)
    const isMarked = asksQuestion(said)
    const cosineMin = isMarked ? (wantsValue ? askedAgainValue : askedAgainCosine) : unmarkedMin(said)
    const isNear = asks && cosine >= cosineMin && !isOfQuestions && (isMarked || !mayBeNote(said, words))
    const isSame = (isNear || addsNothing(said, words)) && (wantsValue || !namesMore(said, words))
    return isSame && onlyAsks(said) ? 'reworded' : undefined
  }
}

/**
 * Least cosine of what has no question mark: words that begin questions begin notes as well, which may be the answer, "When Ada
 * comes feed the cat".
 */
const unmarkedMin = (text: string): number => (asksPlainly(text) ? askedAgainCosine : askedAgainUnmarked)

/**
 * Whether a text without a question mark says something behind a heading, names something, "How to open the gate - 421", or ends in
 * what the query has not: "who is my dentist dr meyer". (Where there are no cases, verbs stand last.)
 */
function mayBeNote(text: string, words: ReadonlySet<string>): boolean {
  if (/[:：;；=–—]|\s-\s|[,，、]\s*\S/u.test(text) || namesMore(text, words)) return true
  const about = wordsOf(text).filter((word) => /^\p{Ll}{3,}$/u.test(word) && !isOfAsking(word))
  return about.some((word) => words.has(word)) && !words.has(about.at(-1) ?? '')
}

/** Which share of texts asks where questions are what is stored. */
const questionsMin = 0.8
const areQuestions = (texts: readonly { text: string }[]): boolean =>
  texts.filter(({ text }) => asksQuestion(text) || onlyAsks(text)).length >= questionsMin * texts.length

const speakerMax = 40

const { askedAgainCosine, askedAgainValue, askedAgainUnmarked } = parameters.recall

/** What was asked is looked for, not what answers it. */
const aboutQuestions =
  /(?<!\p{L})(?:asks?|asked|question|frag|gefragt|demand|question|pregunt|domand|chies|pergunt|vra(?:ag|gen)|pyta|спр[ао]с|вопрос)|[问問質]/iu

/** Whether a text has a number, or a word as names and codes are written beside its first, that a query lacks. */
const namesMore = (text: string, words: ReadonlySet<string>): boolean =>
  (text.match(oneWord) ?? []).some(
    (word, n) => (n === 0 ? /\p{N}/u : /[\p{Lu}\p{N}]/u).test(word) && !words.has(fold(word)),
  )

/** A text without case, accents, white space and punctuation. */
const comparable = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')

const wordsOf = (text: string): string[] => fold(text).match(oneWord) ?? []

/** How many of its words the query has: "my new dog" is asked of as "my dog" is. */
const sharedMin = 0.75
/** Words that say nothing of their own. */
const fillers = new Set(
  'the for and with der die das den dem des für mit und les des une pour avec los las una por para con del della per voor het een van och för'.split(
    ' ',
  ),
)

/** Whether the query has nearly all words of a text that say what it is about: "Where does Ada work?" is about Ada and work. */
function addsNothing(text: string, words: ReadonlySet<string>): boolean {
  const about = wordsOf(wantedOf(text)).filter(
    (word) => !isOfAsking(word) && !isSmall(word) && !fillers.has(word),
  )
  const missing = about.filter((word) => !words.has(word))
  if (missing.length === about.length) return false
  // Without its mark a question may be a note: "How to open the gate - 421".
  return missing.length <= (asksQuestion(text) ? (1 - sharedMin) * about.length : 0)
}

/** "My", "is", "de": of two letters that have cases, or fewer. */
const isSmall = (word: string): boolean => /^\p{Ll}{1,2}$/u.test(word)
