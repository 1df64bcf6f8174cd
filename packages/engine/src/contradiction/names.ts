import type { Difference } from './alignment.ts'
import { sharedBeginning } from './stems.ts'
import type { Token } from './tokens.ts'
import type { Lexicon } from './words.ts'

/** Whether a name stands in the place of another one. */
export function haveOtherNames(
  one: readonly Token[],
  other: readonly Token[],
  places: readonly Difference[],
  lexicon: Lexicon | undefined,
): boolean {
  return places.some((place) => {
    const names = one.slice(...place.one)
    const otherNames = other.slice(...place.other)
    if (names.length === 0 || names.length !== otherNames.length) return false
    return names.some((name, i) => isOtherName(name, otherNames[i] as Token, lexicon))
  })
}

function isOtherName(name: Token, other: Token, lexicon: Lexicon | undefined): boolean {
  if (!isName(name, lexicon) || !isName(other, lexicon)) return false
  return !isVariant(name.key, other.key, lexicon?.inflects ?? false)
}

function isName({ raw, key, kind, isFirst }: Token, lexicon: Lexicon | undefined): boolean {
  if (kind !== 'word' || isFirst || !/^\p{Lu}./u.test(raw)) return false
  return !(lexicon?.common.has(key) ?? false)
}

/** Endings that names take where they change with their place in a sentence. */
const caseEnding = /^(?:[aeiouyąęěůıiuü]{0,2}|(?:ow|ov|iow)?[iey]|em|om|ą|ę|ie|iem|[аеёиіїйоуыьюяє]{0,2}|ом|ем|ём|ой|ей|ою|ею|ові|еві|ам|ах|ами|n|ssa|ssä|sta|stä|lla|llä|ban|ben|ból|ből|nak|nek|[ςου]{0,2})$/u

/** Whether two ways of writing stand for one name. */
function isVariant(one: string, other: string, inflects: boolean): boolean {
  const shared = sharedBeginning(one, other)
  const [rest, otherRest] = [one.slice(shared), other.slice(shared)]
  if ((rest === '' || otherRest === '') && /^s?$|^es$/.test(rest + otherRest)) return true
  if (plainLetters(one) === plainLetters(other)) return true
  return inflects && shared >= 2 && caseEnding.test(rest) && caseEnding.test(otherRest)
}

/** As one types letters that a keyboard has not. */
const plainLetters = (word: string): string =>
  word.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u').replaceAll(/(.)\1/g, '$1')
