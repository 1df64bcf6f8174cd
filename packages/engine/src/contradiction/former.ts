import type { Token } from './tokens.ts'

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
export function isFormer(one: readonly Token[], other: readonly Token[]): boolean {
  const [keys, otherKeys] = [one.map(({ key }) => key), other.map(({ key }) => key)]
  return endsWhatIs(keys, otherKeys) || endsWhatIs(otherKeys, keys)
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
