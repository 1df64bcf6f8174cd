import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { hasForm, type Lexicon, withoutFormerly, wordsOf } from './words.ts'

/** Forms of "be" and "have" in the present, by how they are called. */
const present = new Map([
  ['be', ['am', 'is', 'are', 'm', 's', 're']],
  ['have', ['have', 'has', 've']],
])
/** Behind these, "used to" tells of a habit or a purpose rather than of what was. */
const beforeHabits = /^(?:am|is|are|was|were|be|been|being|get|gets|got|getting|become|became|m|s|re)$/
/** What stands before a word for somebody who is it no more; with some it is written as one word. */
const formerly = /^(?:ex|former|ehemalige[rnms]?|fruhere[rnms]?|antigu[oa]|voormalige?|vroegere)$/
const exWord =
  /^ex(?=(?:mann|frau|freund|freundin|marido|espos[oa]|mujer|novi[oa]|marit[oa]|mogli?e|man|vrouw|vriend|vriendin)$)/

/** Whether one says of what was that it is no more, and the other says that it is: used to live, and lives. */
export function isFormer(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  if (lexicon !== undefined && (tellsOfPast(one, other, lexicon) || tellsOfPast(other, one, lexicon)))
    return true
  const [keys, otherKeys] = [one.map(({ key }) => key), other.map(({ key }) => key)]
  return endsWhatIs(keys, otherKeys) || endsWhatIs(otherKeys, keys)
}

/** Behind these, a word for what was only compares: before that, earlier than. */
const compares = /^(?:de|del|que|di|da|do|che|als|чем|ніж|niz|nez)$/
/** Words for "than", which may stand anywhere behind it. */
export const than = /^(?:als|dan|que|che|чем|ніж|niz|nez)$/
/** Before it, words by which it compares, or says that all is as it was: the earlier the better, as before. */
const beforeComparison =
  /^(?:je|desto|umso|viel|noch|wie|hoe|te|zoals|como|come|tanto|cuanto|mucho|чем|тем|как|як|jak|jako)$/
/** Behind it, where something goes or when it begins, which may be earlier than at other times: goes to bed earlier. */
const earlierWhere: Readonly<Record<string, RegExp>> = {
  de: /^(?:ins?|nach|zum?|zur|auf|an|ab|los|weg|heim|da|hier|fertig|um|aus)$/,
  nl: /^(?:naar|op|weg|thuis|aan|klaar|om|in|uit)$/,
}
/** Languages in which the word is also "earlier", and stands before the verb where it tells of what is no more. */
const beforeItsVerb: ReadonlySet<string> = new Set(['es', 'pt', 'ru', 'uk', 'cs'])
/** Before these it says how long ago, or by when: three days before, before Friday, in … before …. */
const agoBefore =
  /[\d年月日天周号點点時时間间分秒之午底初末节節]$|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]$|[在于於][^以]{0,12}$|^से$/u
/** A verb of Arabic in the present behind "was": what one used to do. "Was" alone is the plain past. */
const wasDoing =
  / [وف]?(?:كنت|كنا|كان|كانت|كانوا) (?=[اينت](?:عيش|سكن|قيم|عمل|درس|دخن|حب|كره|لعب|شرب|اكل|ملك|كتب|قرا|سافر)(?:ون)? )/u

/** Whether a word for what was, such as "formerly" in other languages, is in one text alone, and the other tells of today. */
function tellsOfPast(past: readonly Token[], now: readonly Token[], lexicon: Lexicon): boolean {
  const [words, nowWords] = [past, now].map((tokens) => wordsOf({ tokens }, lexicon)) as [string, string]
  if (!saysFormerly(words, lexicon) || saysFormerly(nowWords, lexicon) || isEarlier(past, lexicon))
    return false
  const at = lexicon.formerly.map(({ text }) => words.indexOf(text)).filter((found) => found >= 0)
  const before = words.slice(0, Math.max(0, Math.min(...at)))
  if (agoBefore.test(before.trim().split(' ').at(-1) ?? '')) return false
  return lexicon.past === undefined
    ? withoutPast(words, lexicon) === withoutPast(nowWords, lexicon)
    : tellsOfWhatWas(lexicon, past) && isOfToday(past, now, lexicon)
}

const saysFormerly = (words: string, { formerly, code }: Lexicon): boolean =>
  hasForm(words, formerly) || (code === 'ar' && wasDoing.test(words))

/** Whether a word for what was only compares two times, as "earlier" does. */
const isEarlier = (tokens: readonly Token[], { formerly, code }: Lexicon): boolean =>
  tokens.some(({ key }, i) => {
    if (!hasForm(` ${key} `, formerly)) return false
    const [next, rest] = [tokens[i + 1]?.key ?? '', tokens.slice(i + 1)]
    return (
      compares.test(next) ||
      beforeComparison.test(tokens[i - 1]?.key ?? '') ||
      // At the beginning of a sentence it tells of what was, as in "formerly I worked as a teacher".
      (i > 0 && (rest.some((token) => than.test(token.key)) || (earlierWhere[code]?.test(next) ?? false)))
    )
  })

/** Whether what one says with a word for what was is in the past: "llegó antes" is of the past, but "antes" tells when. */
function tellsOfWhatWas(lexicon: Lexicon, tokens: readonly Token[]): boolean {
  const at = beforeItsVerb.has(lexicon.code)
    ? tokens.findLastIndex(({ key }) => hasForm(` ${key} `, lexicon.formerly))
    : 0
  return isInPast(tokens.slice(Math.max(0, at)), lexicon)
}

const isInPast = (tokens: readonly Token[], { past, isDense }: Lexicon): boolean => {
  const lower = tokens.map((token) => token.lower)
  return past?.test(isDense ? lower.join('') : ` ${lower.join(' ')} `) ?? false
}

/** The words without those for what was, and without the characters of Chinese for what is done, or often done. */
const withoutPast = (words: string, lexicon: Lexicon): string =>
  withoutFormerly(words, lexicon)
    .replace(wasDoing, ' ')
    .replaceAll(/[ 过過了常]/g, '')

/** Whether a text has the words of another in the present: but for its verb, all that it says is said there. */
function isOfToday(past: readonly Token[], now: readonly Token[], lexicon: Lexicon): boolean {
  if (isInPast(now, lexicon)) return false
  const isThere = ({ key }: Token) => past.some((token) => token.key === key)
  const other = now.filter((token) => !isThere(token))
  const isForm = ({ key }: Token) => past.some((token) => isSameStem(token.key, key))
  return (
    other.length > 0 &&
    (lexicon.isDense ? other.length <= 3 : other.filter((token) => !isForm(token)).length <= 1)
  )
}

const endsWhatIs = (past: readonly string[], now: readonly string[]): boolean =>
  past.some((_, i) => isWhatWas(past, i, now) || isFormerly(past, i, now))

/** Whether "used to" stands at a place, and the other text has the verb behind it in the present. */
function isWhatWas(past: readonly string[], i: number, now: readonly string[]): boolean {
  if (past[i] !== 'used' || past[i + 1] !== 'to' || beforeHabits.test(past[i - 1] ?? '')) return false
  return !isUsedTo(now) && formsOf(past[i + 2] ?? '').some((form) => now.includes(form))
}

/**
 * Whether what stands at a place is somebody's former role, and the other text says the same but for that. Where it says more,
 * the role may only tell of whom one speaks.
 */
function isFormerly(past: readonly string[], i: number, now: readonly string[]): boolean {
  const key = past[i] ?? ''
  const isMark = (word: string) => formerly.test(word) || exWord.test(word)
  if (!isMark(key) || now.some(isMark)) return false
  const kept = key.replace(exWord, '')
  const role = kept === key ? [] : [kept]
  return longWords([...past.slice(0, i), ...role, ...past.slice(i + 1)]) === longWords(now)
}

/** The words of a text but for articles and the like, in any order. */
const longWords = (keys: readonly string[]): string =>
  keys
    .filter((key) => key.length > 3)
    .toSorted()
    .join(' ')

const isUsedTo = (keys: readonly string[]): boolean =>
  keys.some((key, i) => key === 'used' && keys[i + 1] === 'to')

/** A verb as one says it of the present. */
const formsOf = (verb: string): readonly string[] =>
  present.get(verb) ?? [verb, `${verb}s`, `${verb}es`, verb.replace(/y$/, 'ies')]
