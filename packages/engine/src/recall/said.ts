import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { isAmong } from './updates.ts'
import { hashOf, isNameOrNumber, oneWord, type WordSet, wordSetOf } from './word-set.ts'

const { nearEqualCharacters } = parameters.recall

/** What is compared of a text, without the words that say that it has come to be. */
export interface Said {
  text: string
  words: WordSet
  /** Whether it says that what it tells has come to be: "My landlord is now Mrs Schmidt". */
  isNow: boolean
  /** Whether it says that something is no longer so: "I no longer live in Rome". */
  isEnded: boolean
}

export function saidBy(text: string): Said {
  // A long text says more than a value.
  if (text.length > nearEqualCharacters) return { text, words: wordSetOf(''), isNow: false, isEnded: false }
  const words = wordSetOf(text)
  const hasEnded = ended.test(text)
  // "I no longer live in Rome, I live in Oslo" tells what is, too.
  const isEnded = hasEnded && clausesOf(text).every((clause) => ended.test(clause) || !saysMore(clause))
  const isNow =
    hasEnded || words.words.some((word) => nowHashes.has(word)) || joinedNow.test(text) || renewed.test(text)
  if (!isNow) return { text, words, isNow, isEnded }
  const rest = text.replaceAll(everyNow, ' ')
  return { text: rest, words: wordSetOf(rest), isNow, isEnded }
}

/** A word of a text, as it is compared with those of others. */
export interface Token {
  word: string
  folded: string
  hash: number
  /** Whether it may be a name, or is a number. */
  isName: boolean
  /** Where it stands in the text. */
  index: number
}

/** The words of what is compared, taken apart once although it is compared with many. */
export function tokensOf(said: Said): readonly Token[] {
  const known = tokens.get(said)
  if (known !== undefined) return known
  const made = Array.from(said.text.matchAll(oneWord), ({ 0: word, index }) => {
    const folded = fold(word)
    return { word, folded, hash: hashOf(folded), isName: isNameOrNumber(word), index }
  })
  tokens.set(said, made)
  return made
}
const tokens = new WeakMap<Said, readonly Token[]>()

const clausesOf = (text: string): string[] => text.split(clauseEnd)
const saysMore = (clause: string): boolean =>
  (clause.match(oneWord) ?? []).some((word) => saysSomething({ word, folded: fold(word) }))

export const wordsOf = (words: string): string =>
  String.raw`(?<![\p{L}\p{N}\p{M}])(?:${words})(?![\p{L}\p{N}\p{M}])`

/** Words that tell of a new value that it is one, and are no part of it. */
const nowWords =
  'now|nowadays|currently|maintenant|désormais|actuellement|jetzt|nun|inzwischen|mittlerweile|ahora|actualmente|adesso|ora|attualmente|agora|atualmente|nu|теперь|сейчас|тепер|зараз|teraz|obecnie|nyní|teď|şimdi|artık|الآن|עכשיו|अब|지금|이제'
const nowHashes: ReadonlySet<number> = new Set(nowWords.split('|').map((word) => hashOf(fold(word))))
/** The same where nothing stands between words. */
const joinedNow = /现在|現在|如今|今は|今では/u
/** The same by several words: what is no longer so. */
const ended = new RegExp(
  wordsOf(
    'no longer|not any ?more|any ?more|nicht mehr|niet meer|ya no|non più|já não|больше не|більше не|już nie|už ne|inte längre|ikke lenger|ikke længere|artık değil',
  ),
  'iu',
)
/** What took the place of somebody's former one, "my new dentist". */
const renewed = new RegExp(
  wordsOf(
    '(?<=(?:my|our|his|her|their) )new|(?<=(?:mein|unser|sein|ihr)e? )neue[rs]?|(?<=(?:mon|ma|notre) )nou(?:veau|vel|velle)|(?<=(?:mi|nuestr[oa]) )nuev[oa]|(?<=mijn )nieuwe|(?<=(?:мой|наш) )новый|(?<=(?:моя|наша) )новая',
  ),
  'iu',
)
/** Between clauses, of which one may tell what has ended, and another what has begun. */
const clauseEnd = new RegExp(
  `[,;:.!?，。；！？]|${wordsOf('but|and|sondern|und|mais|et|sino|pero|y|ma|mas|e|maar|en|men|och|og|ale|но|а|и')}`,
  'iu',
)
export const onlyNow = new RegExp(`${wordsOf(nowWords)}|${joinedNow.source}`, 'giu')
const everyNow = new RegExp(`${onlyNow.source}|${ended.source}|${renewed.source}`, 'giu')

/** "Is" for "was" is no place of its own. What is small in one language and a thing or a person in another, "son", is one. */
export const isShort = (word: string): boolean =>
  /^(?:\p{Ll}{1,2}|are|has|had|its|his|her|our|the|sie|ist|est|les|des|sus|una|het|een|som|det|est[aá]?)$/u.test(
    word,
  ) || isPast(word)

/** Forms of "be" that tell what was, folded. */
const isPast = (word: string): boolean =>
  /^(?:was|were|war|waren|etait|etaient|era|eran|eram|erano|fue|foi|var|by[lł][ao]?|был[аои]?)$/u.test(word)
/** The same where nothing stands between words. */
const joinedPast = /でした|だった/u

/** By any word but the first, which asks for a thing or a place in some languages: "Was ist", "Var bor". */
export const asksForPast = (query: string): boolean =>
  joinedPast.test(query) || (fold(query).match(oneWord) ?? []).slice(1).some(isPast)

/**
 * Whether a text that came later leaves another as it is: that something else is no longer so says nothing of what is. Nor does what
 * was something else, "My favorite color was green", where a query asks for what is.
 */
export const leaves = (later: Said, earlier: Said, isOfPast: boolean): boolean =>
  (later.isEnded && hasOwn(earlier, later)) || (!isOfPast && wasOther(later, earlier))

/** Whether a text has a word that says something, and of which another has no form. */
function hasOwn(said: Said, other: Said): boolean {
  const others = tokensOf(other).map(({ folded }) => folded)
  return tokensOf(said).some((token) => saysSomething(token) && !isAmong(token.folded, others))
}

/** Whether a word of a text says something by itself. */
export const saysSomething = ({ word, folded }: Pick<Token, 'word' | 'folded'>): boolean =>
  !isShort(folded) || isNameOrNumber(word)

/**
 * Whether "was" of a text alone stands before what another has not. Before what both have it tells of something that happened and
 * may still hold: "My car was parked on level 4".
 */
function wasOther(said: Said, other: Said): boolean {
  if (joinedPast.test(said.text) && !joinedPast.test(other.text)) return true
  const words = tokensOf(said)
  const isOwn = ({ hash }: Token) => !other.words.words.includes(hash)
  const at = words.findIndex((token) => isPast(token.folded) && isOwn(token))
  const next = at < 0 ? undefined : words.slice(at + 1).find(saysSomething)
  return next !== undefined && isOwn(next)
}
