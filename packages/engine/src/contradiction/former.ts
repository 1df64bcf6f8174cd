import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { hasForm, type Lexicon, wordsOf } from './words.ts'

/** Forms of "be" and "have" in the present, by how they are called. */
const present: Readonly<Record<string, readonly string[]>> = {
  be: ['am', 'is', 'are', 'm', 's', 're'],
  have: ['have', 'has', 've'],
}
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
/** Before these it says how long ago: three days before. */
const agoBefore = /[\d年月日天周号點点時时間间分秒之]$|^से$/u

/** Whether a word for what was, such as "formerly" in other languages, is in one text alone, and the other tells of today. */
function tellsOfPast(past: readonly Token[], now: readonly Token[], lexicon: Lexicon): boolean {
  const [words, nowWords] = [past, now].map((tokens) => wordsOf({ tokens }, lexicon)) as [string, string]
  if (!hasForm(words, lexicon.formerly) || hasForm(nowWords, lexicon.formerly)) return false
  if (
    past.some(
      (token, i) => compares.test(past[i + 1]?.key ?? '') && hasForm(` ${token.key} `, lexicon.formerly),
    )
  )
    return false
  const at = lexicon.formerly.map(({ text }) => words.indexOf(text)).filter((found) => found >= 0)
  if (
    agoBefore.test(
      words
        .slice(0, Math.min(...at))
        .trim()
        .split(' ')
        .at(-1) ?? '',
    )
  )
    return false
  return lexicon.past === undefined
    ? withoutFormerly(words, lexicon) === withoutFormerly(nowWords, lexicon)
    : isOfToday(past, now, lexicon)
}

/** The words without those for what was, and without the characters of Chinese for what is done, or often done. */
const withoutFormerly = (words: string, { formerly }: Lexicon): string =>
  formerly
    .reduce((left, { needles }) => needles.reduce((rest, needle) => rest.replace(needle, ' '), left), words)
    .replaceAll(/[ 过過了常]/g, '')

/** Whether a text has the words of another in the present: but for its verb, all that it says is said there. */
function isOfToday(
  past: readonly Token[],
  now: readonly Token[],
  { past: verbs, isDense }: Lexicon,
): boolean {
  const lower = now.map((token) => token.lower)
  if (verbs?.test(isDense ? lower.join('') : ` ${lower.join(' ')} `)) return false
  const isThere = ({ key }: Token) => past.some((token) => token.key === key)
  const other = now.filter((token) => !isThere(token))
  const isForm = ({ key }: Token) => past.some((token) => isSameStem(token.key, key))
  return (
    other.length > 0 && (isDense ? other.length <= 3 : other.filter((token) => !isForm(token)).length <= 1)
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
  present[verb] ?? [verb, `${verb}s`, `${verb}es`, verb.replace(/y$/, 'ies')]
