import {
  anyOf,
  askedOf,
  asksAtLast,
  asksForValue,
  asksPlainly,
  endsAsStatement,
  isOfAsking,
  isQuestion,
  isRequest,
  onlyAsks,
  saidSentences,
  withoutSpeaker,
} from '../explain/asking.ts'
import { reportOf, reportsOf } from '../explain/indirect.ts'
import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { askers, isAttribute, reportedBy, reportedMin } from './asks-reported.ts'
import { asksQuestion } from './question.ts'
import { oneWord } from './word-set.ts'
import { addsNothing, wordsOf } from './words-added.ts'

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
  if (!isQuestion(query) && reportOf(query) === undefined) {
    const isCopy = copyOf(query)
    return ({ text }) => (isCopy(text) ? 'copy' : undefined)
  }
  const asked = askedAgain(query)
  let wantsAnswer: boolean | undefined
  return (one) => {
    const found = asked(one)
    if (found !== 'reworded') return found
    // Few queries find any, and to look at all texts takes longest.
    wantsAnswer ??= !areQuestions(among)
    return wantsAnswer ? found : undefined
  }
}

/**
 * Tells copies of a query, with or without a speaker's name before them, that ask or request to be told.
 * @returns undefined for what is no copy, and may ask the same in other words; false for what does not
 */
function copyOf(query: string): (text: string) => boolean | undefined {
  const asked = comparable(query)
  const charactersMax = 2 * query.length + speakerMax
  return (text) => {
    // What is longer than the query by more than a name and its punctuation is no copy of it.
    if (asked === '' || text.length > charactersMax) return false
    if (comparable(text) === asked) return onlyAsksItself(text)
    const said = withoutSpeaker(text)
    return said !== text && comparable(said) === asked && asksAtLast(said) ? true : undefined
  }
}

/**
 * Tells the texts that ask nothing but what a query asks, or would ask: copies of it that ask, or request to be told, and what
 * only asks with nearly no word that it lacks, "What is the wifi password?" for "Hey, what was the wifi password again?", or is so
 * near to it that it asks the same in other words or another language; not where it has a name or a number of its own, which may
 * be the answer, nor where the query is about questions. A speaker's name may stand before them. What only tells that somebody
 * asks it is one too, see `reportedBy`.
 */
export function askedAgain(query: string): (one: { text: string; cosine: number }) => Asked | undefined {
  const isCopy = copyOf(query)
  const asks = isQuestion(query)
  const words = new Set(wordsOf(query))
  const isOfQuestions = aboutQuestions.test(query)
  const isReported = reportedBy(query)
  return ({ text, cosine }) => {
    const copy = isCopy(text)
    if (copy !== undefined) return copy ? 'copy' : undefined
    const said = withoutSpeaker(text)
    const reported = isReported({ text: said, cosine })
    if (reported !== undefined) return reported && !isOfQuestions ? 'reworded' : undefined
    // Most texts are statements, which is told soonest by how they end.
    if ((endsAsStatement(said) && !isRequest(said) && !asksQuestion(said)) || !onlyAsks(said))
      return undefined
    const core = cosine < reportedMin ? said : saidSentences(said).map(askedOf).join(' ')
    // "Where does Ada live?" has no answer of its own in it, as "Is it Lisbon where Ada lives?" may have.
    const isValue = asksForValue(core) || (core !== said && isAttribute(core))
    const isMarked = asksQuestion(core)
    const cosineMin = isMarked ? (isValue ? askedAgainValue : askedAgainCosine) : unmarkedMin(core)
    const isNear = asks && cosine >= cosineMin && !isOfQuestions && (isMarked || !mayBeNote(core, words))
    return (isNear || addsNothing(core, words)) && (isValue || !namesMore(core, words))
      ? 'reworded'
      : undefined
  }
}

/**
 * Whether a text that is the query itself plainly asks, so that something else is to answer it. A heading before a question says
 * what it is, "Our motto: Why not?", unless it says only that somebody asks. What tells of a question, "I forgot my keys", is
 * as well what is looked for.
 */
function onlyAsksItself(text: string): boolean {
  const heading = headingOf(text)
  if (heading !== undefined && !isAsker(heading)) return false
  return asksAtLast(text)
}

const headingOf = (text: string): string | undefined =>
  /^([^\n?？:：]{1,80}?)(?:[:：](?!\p{N})|\s[–—-]\s(?=\p{Lu}))/u.exec(text)?.[1]

/** What begins a message, or a question that a heading says to be one. */
const opener = new RegExp(
  String.raw`^\P{L}*${anyOf(askers)}\P{L}*$|(?<!\p{L})(?:quick|kurz|rapid|schnell|snel|snabb|hurtig|быстр|hey|hi|hello|hallo|hola|bonjour|salut|ciao|ola|hej|hei|привет)`,
  'u',
)
const isAsker = (heading: string): boolean =>
  opener.test(fold(heading)) ||
  (aboutQuestions.test(heading) && !/\p{N}/u.test(heading) && wordsOf(heading).length <= 2) ||
  isReport(heading)
/** "The customer wants to know: ..." */
const isReport = (heading: string): boolean => reportOf(`${heading} what`)?.kind === 'value'

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
  texts.filter(({ text }) => asksQuestion(text) || onlyAsks(text) || tellsOfQuestion(text)).length >=
  questionsMin * texts.length
/** "Bread needs yeast" names a thing only. */
const tellsOfQuestion = (text: string): boolean =>
  reportsOf(text)?.every(({ kind }) => kind !== 'thing') ?? false

const speakerMax = 40

const { askedAgainCosine, askedAgainValue, askedAgainUnmarked } = parameters.recall

/** What was asked is looked for, not what answers it. */
const aboutQuestions =
  /(?<!\p{L})(?:asks?|asked|question|frag(?:en?|st|te?|test|tet)(?!\p{L})|gefragt|demand|question|pregunt|domand|chies|pergunt|vra(?:ag|gen)|pyta|спр[ао]с|вопрос)|[问問質]/iu

/** Whether a text has a number, or a word as names and codes are written beside its first, that a query lacks. */
const namesMore = (text: string, words: ReadonlySet<string>): boolean =>
  (text.match(oneWord) ?? []).some(
    (word, n) => (n === 0 ? /\p{N}/u : /[\p{Lu}\p{N}]/u).test(word) && !words.has(fold(word)),
  )

/** A text without case, accents, white space and punctuation. */
const comparable = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
