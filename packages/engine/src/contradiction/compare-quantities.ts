import { isSameTelephone } from '../telephone-number.ts'
import type { Difference } from './alignment.ts'
import { type Counted, haveExchangedNumbers, tokensOfLists } from './exchanged-numbers.ts'
import { haveOtherPaths, shortNames } from './identifiers.ts'
import { dottedDate, isMinus, type Quantity } from './quantities.ts'
import { cancel, joinParts } from './same-quantities.ts'

/** Whether two texts state different numbers, the same number of different units, or addresses that differ in names alone. */
export function compareQuantities(
  one: Counted,
  other: Counted,
  places: readonly Difference[],
): 'number' | 'unit' | 'name' | undefined {
  if (haveSameDigits(one, other)) return undefined
  if (haveRegroupedDigits(one.text, other.text) || haveSameTelephones(one.text, other.text)) return undefined
  // An hour and 30 minutes, which the other text may give as 90 minutes, or as the hour and minute of a clock.
  const [joined, otherJoined] = [withPartsJoined(one), withPartsJoined(other)]
  const [apart, together] = [
    cancel(one.quantities, other.quantities),
    cancel(joined.quantities, otherJoined.quantities),
  ]
  return together.flat().length < apart.flat().length
    ? compareLeft(joined, otherJoined, together, places)
    : compareLeft(one, other, apart, places)
}

const withPartsJoined = (counted: Counted): Counted => ({
  ...counted,
  quantities: joinParts(counted.quantities),
})

/** As `compareQuantities`, by what is left when the same numbers are taken away. */
function compareLeft(
  one: Counted,
  other: Counted,
  [left, right]: readonly [readonly Quantity[], readonly Quantity[]],
  places: readonly Difference[],
): 'number' | 'unit' | 'name' | undefined {
  const [firm, otherFirm] = [left.filter(isFirm), right.filter(isFirm)]
  if (firm.length > 0 && otherFirm.length > 0) {
    const isOtherUnit = firm.some((a) => otherFirm.some((b) => a.spoken === b.spoken))
    return isOtherUnit ? 'unit' : 'number'
  }
  if (haveOtherIdentifiers(signedLetters(one), signedLetters(other))) return 'number'
  if (haveOtherLetters(one, other) || haveOtherMarks(one, other, places)) return 'number'
  if (hasMoreAfterNumber(one, other) || hasMoreAfterNumber(other, one)) return 'number'
  if (haveOtherIdentifiers(shortNames(one), shortNames(other))) return 'number'
  if (haveOtherIdentifiers(identifiers(one), identifiers(other))) return 'number'
  if (haveOtherIdentifiers(addresses(one), addresses(other)) || haveOtherPaths(one.text, other.text))
    return digitsOf(one.text) === digitsOf(other.text) ? 'name' : 'number'
  if (haveTurnedParts(one, other)) return 'number'
  const isPartedOtherwise = ['.', '/', '-'].some((mark) =>
    haveOtherIdentifiers(partedNumbers(one, mark), partedNumbers(other, mark)),
  )
  if (isPartedOtherwise) return 'number'
  if (differInPlace(left, right, places) || haveExchangedNumbers(one, other)) return 'number'
  return left.length === 0 && right.length === 0 && countOtherThings(one, other) ? 'number' : undefined
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

const isFirm = ({ isWeak }: Quantity): boolean => !isWeak

/** The same digits in other groups: of a telephone number, say. */
function haveSameDigits(one: Counted, other: Counted): boolean {
  const digits = ({ tokens }: Counted) =>
    tokens
      .filter((token) => token.kind === 'number' || isMinus(token))
      .map((token) => (isMinus(token) ? '-' : token.raw.replaceAll(/\D/g, '')))
      .join('')
  const [a, b] = [digits(one), digits(other)]
  return a === b && a.length >= 5 && one.tokens.length !== other.tokens.length
}

/** Fewer digits are a range rather than one number. */
const leastRegrouped = 7
const date = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})$/

/** Whether the numbers are the same but for spaces and hyphens between the digits of long ones. */
function haveRegroupedDigits(one: string, other: string): boolean {
  const numbersOf = (text: string): readonly string[] => text.match(/\d+(?:[ -]\d+)*/g) ?? []
  const [a, b] = [numbersOf(one), numbersOf(other)]
  if (a.join('|') === b.join('|') || a.length !== b.length) return false
  return a.every((written, i) => {
    const [digits, otherDigits] = [written, b[i] as string].map((each) => each.replaceAll(/\D/g, ''))
    if (written === b[i]) return true
    if (date.test(written) && date.test(b[i] as string)) return false
    return digits === otherDigits && (digits?.length ?? 0) >= leastRegrouped
  })
}

/** Digits with what stands between those of a telephone number, and the unit or whatever else is behind them. */
const dialled = /(?<number>(?:\+|\(\+?)?\d(?:[\d()./ -]*\d)?)(?<behind>\s*[^\s,;.]*)/g

/** Whether the numbers are the same but that telephones have theirs for calls from abroad in one text, and from within in the other. */
function haveSameTelephones(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => Array.from(text.matchAll(dialled))) as [
    RegExpExecArray[],
    RegExpExecArray[],
  ]
  const isSame = ([written, number = '']: RegExpExecArray, [there, otherNumber = '']: RegExpExecArray) =>
    written === there || isSameTelephone(number, otherNumber)
  const areSame = a.length === b.length && a.every((found, i) => isSame(found, b[i] as RegExpExecArray))
  return areSame && a.some(([, number], i) => number !== b[i]?.[1])
}

/** Letters with the sign after them, as of blood groups. */
function signedLetters({ tokens }: Counted): Set<string> {
  return new Set(
    tokens.flatMap(({ raw, isGlued }, i) =>
      isGlued && /^[+-]$/.test(raw) && /^(?:\p{L}+|0)$/u.test(tokens[i - 1]?.raw ?? '')
        ? [`${tokens[i - 1]?.key}${raw}`]
        : [],
    ),
  )
}

/** Whether the same number has another letter at its end: rooms 12A and 12B; 4º and 4ª are in two genders. */
function haveOtherLetters(one: Counted, other: Counted): boolean {
  const [letters, otherLetters] = [lettersAfter(one), lettersAfter(other)]
  const isAlone = (a: readonly string[], b: readonly string[]) =>
    a.length === 1 && b.length === 1 && a[0] !== b[0] && !/^(?:ao|oa)$/.test(`${a[0]}${b[0]}`)
  return [...letters].some(([digits, found]) => isAlone(found, otherLetters.get(digits) ?? []))
}

/** Whether a letter alone stands for another in the same place, as of a blood group, a mark or a room; the English I is none. */
function haveOtherMarks(one: Counted, other: Counted, places: readonly Difference[]): boolean {
  // Where everything is in capitals, a letter alone is an article or the like.
  if (![one, other].every(({ text }) => /\p{Ll}/u.test(text))) return false
  const markAt = ({ tokens }: Counted, [from, to]: readonly [number, number]) => {
    const token = to - from === 1 ? tokens[from] : undefined
    return token !== undefined && !token.isFirst && /^(?!I)\p{Lu}$/u.test(token.raw) ? token.key : undefined
  }
  return places.some((place) => {
    const [a, b] = [markAt(one, place.one), markAt(other, place.other)]
    return a !== undefined && b !== undefined && a !== b
  })
}

/** Letters that follow the number of a house, a seat or a room; others are rather units, as of degrees, and endings. */
const roomLetters = /^[abd]$/
/** After the number of a house; in German one of them says until. */
const furtherWords = new Set(['bis', 'ter', 'quater'])
const languagesOfThem = new Set(['fr', 'it', 'es', 'pt'])
/** Where an a ends ordinals of things that are feminine. */
const languagesOfOrdinals = new Set(['it', 'es', 'pt'])

/** Whether a number that both texts have once goes on in one of them alone: 12b and 12, 12 bis and 12. */
function hasMoreAfterNumber(one: Counted, other: Counted): boolean {
  return one.tokens.some((number, at) => {
    const more = one.tokens[at + 1]
    if (more === undefined || !/^\d{1,4}$/.test(number.raw) || !goesOn(one, at)) return false
    const places = other.tokens.flatMap(({ key }, i) => (key === number.key ? [i] : []))
    if (places.length !== 1 || one.tokens.filter(({ key }) => key === number.key).length !== 1) return false
    const next = other.tokens[(places[0] as number) + 1]
    if (next === undefined) return true
    // The letter may stand for itself, as in "3. Klasse b".
    if (other.tokens.some(({ key }) => key === more.key)) return false
    // Another letter there is compared as such. A unit may be written by its first letter here, and as a word there.
    const isLetter = next.isGlued && /^\p{L}$/u.test(next.raw)
    return !isLetter && !next.key.startsWith(more.key.slice(0, 1)) && !/^(?:°|deg|grad)/.test(next.key)
  })
}

/** Whether what follows a number belongs to its name. */
function goesOn({ tokens, quantities, language = '' }: Counted, at: number): boolean {
  const [more, then] = [tokens[at + 1], tokens[at + 2]]
  if (more === undefined) return false
  if (furtherWords.has(more.key)) return languagesOfThem.has(language) && then?.kind !== 'number'
  if (!more.isGlued || !roomLetters.test(more.key) || then?.isGlued) return false
  if (more.key === 'a' && languagesOfOrdinals.has(language)) return false
  // "9a to 5p" are hours.
  if (tokens.some(({ key, isGlued }, i) => key === 'p' && isGlued && tokens[i - 1]?.kind === 'number'))
    return false
  return !quantities.some(({ from, unit }) => from === at && unit !== undefined)
}

/** By number the letter that goes on with it. */
function lettersAfter({ tokens }: Counted): Map<string, string[]> {
  const letters = new Map<string, string[]>()
  for (const [i, { raw, key, isGlued }] of tokens.entries()) {
    const number = tokens[i - 1]
    if (!isGlued || number?.kind !== 'number' || !/^[a-z]$/i.test(raw)) continue
    letters.set(number.key, [...(letters.get(number.key) ?? []), key])
  }
  return letters
}

/** Whether each names a thing by letters and digits that the other does not have. */
function haveOtherIdentifiers(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((each) => !b.has(each)) && [...b].some((each) => !a.has(each))
}

/** From the beginning of a word on: from each of its characters, a long one would take the square of its length. */
const address = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+[\p{L}\p{N}]|https?:\/\/[^\s]+/gu

/** Addresses of mail and of pages. */
const addresses = ({ text }: Counted): Set<string> => new Set(text.toLowerCase().match(address))

/** Dates, versions and the like with one mark between their parts: written with another they may be the same. */
function partedNumbers({ text, tokens }: Counted, mark: string): Set<string> {
  const numbers = tokens.filter(
    ({ kind, raw, end }) =>
      kind === 'number' &&
      (raw.split(mark).length > (mark === '/' ? 1 : 2) ||
        (mark === '.' && dottedDate.test(raw + text.slice(end, end + 2)))),
  )
  return new Set(numbers.map(({ raw }) => raw.replaceAll(/(?<!\d)0+(?=\d)/g, '')))
}

/** Whether the two parts of a result, a ratio or a range have changed places: 3:1 and 1:3. */
function haveTurnedParts(one: Counted, other: Counted): boolean {
  const pairs = ({ tokens }: Counted) =>
    new Set(tokens.filter(({ raw }) => /^\d{1,3}[:-]\d{1,3}$/.test(raw)).map(({ raw }) => raw))
  const [a, b] = [pairs(one), pairs(other)]
  const turned = (raw: string) => raw.replace(/^(\d+)(.)(\d+)$/, '$3$2$1')
  return [...a].some((pair) => !b.has(pair) && !a.has(turned(pair)) && b.has(turned(pair)))
}

function identifiers({ tokens }: Counted): Set<string> {
  const runs: string[] = []
  let isRun = false
  for (const { key, kind, isGlued } of tokens) {
    const isPart = kind === 'number' || /^[a-z]+$/.test(key)
    if (isPart && isGlued && isRun) runs[runs.length - 1] += key
    else if (isPart) runs.push(key)
    isRun = isPart
  }
  // A number with its unit or the end of an ordinal begins with digits and has letters after them alone.
  return new Set(runs.filter((run) => run.length >= 4 && /[a-z]\d/.test(run)))
}

/** Whether numbers stand for other numbers in the same place, also such as may count nothing elsewhere. */
function differInPlace(
  left: readonly Quantity[],
  right: readonly Quantity[],
  places: readonly Difference[],
): boolean {
  return places.some(({ one, other }) => {
    // Of a numeral of several words some may be the same: two hundred fifty, and two hundred; in Chinese 70 and 80.
    const isEmpty = one[0] === one[1] || other[0] === other[1]
    const isAt = ({ from, to }: Quantity, [start, end]: Difference['one']) =>
      isEmpty ? from <= start && to >= end : from < end && to > start
    const [a] = left.filter((quantity) => isAt(quantity, one))
    const [b] = right.filter((quantity) => isAt(quantity, other))
    if (a === undefined || b === undefined || a.value === b.value) return false
    return areOfOneKind(a, b) && areOfOneKind(b, a)
  })
}

/** Ordinals are listed as far as this one. */
const lastOrdinal = 12

/**
 * Whether one number stands in the place of the other: half an hour is 1/2 hour, though not an hour, and a group may be the
 * second one.
 */
function areOfOneKind(a: Quantity, b: Quantity): boolean {
  if (a.isOrdinal) return b.isOrdinal || (isFirm(b) && Number(b.value) <= lastOrdinal)
  const isPart = Number(a.value) > 0 && Number(a.value) < 1
  if (isPart && a.unit !== undefined && a.unit.name === b.unit?.name) return true
  return !(isPart && b.isWeak && b.value === '1')
}

/** Whether the same numbers count other things: three cats and two dogs, two cats and three dogs. */
function countOtherThings(one: Counted, other: Counted): boolean {
  const [a, b] = [countedThings(one), countedThings(other)]
  return [...a].some(([thing, value]) => b.has(thing) && b.get(thing) !== value)
}

/** Numbers by the word after them; a word of several numbers, as after a list of them, tells nothing. */
function countedThings(counted: Counted): Map<string, string | undefined> {
  const { tokens, quantities, common } = counted
  const listed = tokensOfLists(counted)
  const ofLists = new Set<string>()
  const things = new Map<string, string | undefined>()
  for (const { value, from, to, isWeak } of quantities) {
    const thing = tokens[to]
    if (isWeak || thing?.kind !== 'word' || thing.isSetOff || thing.isFirst || common?.has(thing.key))
      continue
    if (listed.has(from)) ofLists.add(thing.key)
    const earlier = things.get(thing.key)
    things.set(thing.key, earlier === undefined || earlier === value ? value : undefined)
  }
  for (const [thing, value] of things) if (value === undefined || ofLists.has(thing)) things.delete(thing)
  return things
}
