import { differences } from './alignment.ts'
import { times } from './roles.ts'
import { sharedBeginning } from './stems.ts'
import type { Token } from './tokens.ts'
import type { Lexicon } from './words.ts'

/** The one word that differs in two texts of as many words, in each of them. */
function wordsThatDiffer(
  one: readonly Token[],
  other: readonly Token[],
): readonly [Token, Token] | undefined {
  const keys = (tokens: readonly Token[]) => tokens.map(({ lower }) => lower)
  if (one.length !== other.length) return undefined
  const [place, ...more] = differences(keys(one), keys(other))
  if (place === undefined || more.length > 0) return undefined
  const [from, to] = place.one
  const [a, b] = [one[from], other[place.other[0]]]
  return to - from === 1 && a !== undefined && b !== undefined ? [a, b] : undefined
}

/** Ends of a noun that does something, and of the same to which it is done; nouns beside it may have one form for both. */
const cases: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  ru: [
    [/а$/u, 'у'],
    [/я$/u, 'ю'],
  ],
  uk: [
    [/а$/u, 'у'],
    [/я$/u, 'ю'],
  ],
  pl: [[/a$/u, 'ę']],
}
/** Less is said with a verb and another noun than what is done to whom. */
const leastWords = 3

/**
 * Whether a word is named as one who does something may be: first of all, or by a name that no short everyday word leads to. Of
 * tea, of the house and the like, behind a preposition or how much, two forms of one case may have the same endings: чашку чая, чаю.
 */
function mayDo(token: Token, tokens: readonly Token[], { common }: Lexicon): boolean {
  const before = tokens[tokens.indexOf(token) - 1]
  if (before === undefined || times.has(before.key)) return true
  return /^\p{Lu}/u.test(token.raw) && !common.has(before.key) && !ofPlace.test(before.lower)
}
/** Prepositions that are no everyday words. */
const ofPlace = /^(?:около|возле|вокруг|вдоль|мимо|біля|коло|навколо|вздовж|koło|obok|wokół)$/u

/** Whether the same words say, by the case of one, that it is done to whom the other says does it: кошка, кошку поймала мышь. */
export function haveOtherCases(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  const endings = cases[lexicon?.code ?? '']
  const [a, b] = wordsThatDiffer(one, other) ?? []
  if (endings === undefined || lexicon === undefined || a === undefined || b === undefined) return false
  if (one.length < leastWords || !mayDo(a, one, lexicon) || !mayDo(b, other, lexicon)) return false
  return endings.some(([end, ending]) =>
    [
      [a.lower, b.lower],
      [b.lower, a.lower],
    ].some(([does = '', done]) => end.test(does) && does.replace(end, ending) === done),
  )
}

/** A name with an ending that an apostrophe sets apart, as Turkish has: Ali'ye, Mehmet'e, Ali'den, Ali'yi. */
const marked = /(?<name>\p{Lu}\p{L}+)['’](?<ending>[ydnt]?[aeıiuü]n?)(?!\p{L})/gu

/** Whether the ending behind one name stands behind another one in the other text, and all other words are the same. */
export function haveOtherMarkedNames(one: string, other: string): boolean {
  const [names, otherNames] = [one, other].map((text) =>
    [...text.matchAll(marked)].map(
      ({ groups }) => [groups?.name ?? '', harmonised(groups?.ending ?? '')] as const,
    ),
  ) as [(readonly [string, string])[], (readonly [string, string])[]]
  const bare = (text: string) =>
    text
      .replaceAll(marked, '$<name>')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .toSorted()
      .join(' ')
  const [[name = '', ending = ''] = [], [otherName = '', otherEnding = ''] = []] = [names[0], otherNames[0]]
  if (names.length !== 1 || otherNames.length !== 1 || name === otherName) return false
  return (
    ending.replace(/^[yn](?=.)/, '') === otherEnding.replace(/^[yn](?=.)/, '') && bare(one) === bare(other)
  )
}

/** Vowels of Turkish endings by what they stand for, as they follow those of the word. */
const harmonised = (word: string): string => word.replaceAll(/[ae]/g, 'A').replaceAll(/[ıiuü]/g, 'I')

/** Whether a verb of Turkish says no within, where the same says yes in the other text: satacağım, satmayacağım. */
export function isDeniedWithin(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  const [a, b] = lexicon?.code === 'tr' ? (wordsThatDiffer(one, other) ?? []) : []
  if (a === undefined || b === undefined) return false
  const [word, otherWord] = [harmonised(a.lower), harmonised(b.lower)]
  return isNegated(word, otherWord) || isNegated(otherWord, word)
}

function isNegated(stated: string, denied: string): boolean {
  const start = sharedBeginning(stated, denied)
  const [rest, otherRest] = [stated.slice(start), denied.slice(start)]
  const shared = sharedBeginning([...rest].toReversed().join(''), [...otherRest].toReversed().join(''))
  if (start < leastShared || shared < leastShared) return false
  const [yes, no] = [rest, otherRest].map((each) => each.slice(0, each.length - shared)) as [string, string]
  // The last letter of a stem may be another one before a vowel.
  return (
    /^(?:[dbcğ]|bIl)?$/u.test(yes) &&
    (/^[tpçk]?mAy?$/u.test(no) || (/^m$/u.test(no) && otherRest.startsWith('mIyor')))
  )
}
/** Letters at the beginning and at the end that such words have in common. */
const leastShared = 2
