import type { Difference } from './alignment.ts'
import { sharedBeginning } from './stems.ts'
import {
  areOthers,
  bearersOf,
  haveOtherAccents,
  haveOtherDenseThings,
  type Things,
  thingsOf,
} from './things.ts'
import type { Token } from './tokens.ts'
import { unitAround } from './units.ts'
import { excludeEachOther, isLatin, type Lexicon, lexiconOf, wordsOf } from './words.ts'

/** Most words of a name. */
const nameWords = 3
/** In a heading every word has a capital: then it tells nothing. */
const headingShare = 0.6

/** Whether a name stands in the place of another one. */
export function haveOtherNames(
  one: readonly Token[],
  other: readonly Token[],
  places: readonly Difference[],
  lexicon: Lexicon | undefined,
): boolean {
  if (
    lexicon !== undefined &&
    (haveListedNames(one, other, lexicon) || standWhereNamesDo(one, other, places, lexicon))
  )
    return true
  if (haveOtherThings({ one, other, lexicon }, places)) return true
  if (lexicon?.code !== 'de' && (isHeading(one) || isHeading(other))) return false
  if (beginWithOtherNames(one, other, places, lexicon)) return true
  const texts = { one, other, lexicon }
  return places.some((place) => {
    const [length, otherLength] = [place.one[1] - place.one[0], place.other[1] - place.other[0]]
    if (length !== otherLength) return areNames(texts, place)
    if (length > nameWords) return false
    return Array.from({ length }, (_, i) =>
      isOtherName(texts, place.one[0] + i, place.other[0] + i),
    ).includes(true)
  })
}

/** Whether a known name, or a thing of a kind such as a relative, stands where the other text has another one. */
function haveOtherThings({ one, other, lexicon }: Texts, places: readonly Difference[]): boolean {
  if (lexicon?.isDense) {
    const [text, otherText] = [one, other].map((tokens) => wordsOf({ tokens }, lexicon)) as [string, string]
    return haveOtherDenseThings(text, otherText, lexicon)
  }
  if (haveOtherAccents(one, other)) return true
  const inflects = lexicon?.inflects ?? false
  const meant = (token: Token) => [...thingsOf(token, lexicon), ...bearersOf(token, lexicon)]
  const [all, otherAll] = [one, other].map((tokens): Things => new Set(tokens.flatMap(meant)))
  // Who is spoken of in both stands in another place only.
  const isOther = (things: Things, otherThings: Things) =>
    areOthers(things, otherThings) && !haveCommon(otherThings, all) && !haveCommon(things, otherAll)
  return places.some((place) => {
    const [tokens, otherTokens] = [one.slice(...place.one), other.slice(...place.other)]
    if (isOther(thingsOf(joinedUp(tokens), lexicon), thingsOf(joinedUp(otherTokens), lexicon))) return true
    if (tokens.length !== otherTokens.length) return false
    return tokens.some((a, i) => {
      const b = otherTokens[i] as Token
      if (isOther(thingsOf(a, lexicon), thingsOf(b, lexicon))) return true
      return isOther(bearersOf(a, lexicon), bearersOf(b, lexicon)) && !isVariant(a, b, inflects)
    })
  })
}

const haveCommon = (things: Things, all: Things | undefined): boolean =>
  [...things].some((thing) => all?.has(thing))

/** Words that stand for a thing together. */
const joinedUp = (tokens: readonly Token[]): Pick<Token, 'lower' | 'key'> => ({
  lower: tokens.map(({ lower }) => lower).join(' '),
  key: tokens.map(({ key }) => key).join(' '),
})

/** Whether names of one and of several words stand in the same place. */
function areNames({ one, other, lexicon }: Texts, place: Difference): boolean {
  // Of a name in the genitive the ending stands apart: Olav's.
  const [names, otherNames] = [one.slice(...place.one), other.slice(...place.other)].map((tokens) =>
    tokens.filter(({ raw }) => raw !== 's'),
  ) as [Token[], Token[]]
  const [shortest, longest] = [names.length, otherNames.length].sort((a, b) => a - b) as [number, number]
  if (shortest === 0 || longest > nameWords || lexicon?.code === 'de' || isAbbreviated(names, otherNames))
    return false
  if (names.some((a) => otherNames.some((b) => isVariant(a, b, lexicon?.inflects ?? false)))) return false
  return [...names, ...otherNames].every((token) => isName(token, lexicon) && !/^\p{Lu}+$/u.test(token.raw))
}

interface Texts {
  readonly one: readonly Token[]
  readonly other: readonly Token[]
  readonly lexicon: Lexicon | undefined
}

/** Shorter words begin many names. */
const leastName = 3

/** Whether two words in the same place are names of two; one that the other text has elsewhere only stands elsewhere. */
function isOtherName({ one, other, lexicon }: Texts, i: number, j: number): boolean {
  const [a, b] = [one[i] as Token, other[j] as Token]
  if (isUnit(one, i) && isUnit(other, j)) return false
  if (!isName(a, lexicon) || !isName(b, lexicon) || isVariant(a, b, lexicon?.inflects ?? false)) return false
  const inflects = lexicon?.inflects ?? false
  // In another case: "Anna met Eva" has Anna in the place of her who is met.
  const isForm = (each: Token, name: Token) =>
    inflects && each.key.length >= leastName && hasCapital(each) && isVariant(each, name, true)
  const isAmong = (tokens: readonly Token[], name: Token) =>
    tokens.some((each) => each.key === name.key || isForm(each, name))
  const isElsewhere = isAmong(other, a) || isAmong(one, b)
  return !isElsewhere && (lexicon?.code !== 'de' || areGermanNames(one, other, i, j))
}

/** Whether a word is the unit of the number before it. */
const isUnit = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.kind === 'number' && unitAround('', tokens[at]?.lower ?? '') !== undefined

/** Whether each has a known name that the other has not. */
function haveListedNames(one: readonly Token[], other: readonly Token[], lexicon: Lexicon): boolean {
  const [words, otherWords] = [wordsOf({ tokens: one }, lexicon), wordsOf({ tokens: other }, lexicon)]
  return lexicon.names.some((group) => excludeEachOther(words, otherWords, group))
}

/** Whether the texts differ in one place alone, and there by what stands where names do: lives in …, is called …. */
function standWhereNamesDo(
  one: readonly Token[],
  other: readonly Token[],
  places: readonly Difference[],
  lexicon: Lexicon,
): boolean {
  const place = joined(places, lexicon.isDense)
  if (place === undefined) return false
  const isEmpty = place.one[0] === place.one[1] || place.other[0] === place.other[1]
  const [name, otherName] = [one.slice(...place.one), other.slice(...place.other)]
  if (isAbbreviated(name, otherName) || isInflected(name, otherName, lexicon)) return false
  if (isEmpty || name.some(({ kind }) => kind === 'number')) return false
  if (lexicon.code === 'zh' && [name, otherName].every(isChineseCopula)) return false
  const before = wordsOf({ tokens: one.slice(0, place.one[0]) }, lexicon).trim()
  const after = wordsOf({ tokens: one.slice(place.one[1]) }, lexicon).trim()
  const isLed = lexicon.beforeNames.some(({ text }) =>
    endsIn(lexicon.isDense ? before : ` ${before}`, text, name, lexicon),
  )
  const isFollowed = lexicon.afterNames.some(({ text }) =>
    lexicon.isDense ? after.slice(0, text.length + sharedCharacters).includes(text) : after.startsWith(text),
  )
  return isLed || isFollowed
}

/** Whether both are forms of one common noun, of which the last letter tells the case: из дома, из дому. */
function isInflected(
  [a, ...more]: readonly Token[],
  [b, ...others]: readonly Token[],
  lexicon: Lexicon,
): boolean {
  if (!lexicon.inflects || a === undefined || b === undefined || more.length + others.length > 0) return false
  return (
    !hasCapital(a) && !hasCapital(b) && a.key.slice(0, -1) === b.key.slice(0, -1) && a.key.length > leastName
  )
}

/** What stands in Chinese between one and what one works as. */
const isChineseCopula = (tokens: readonly Token[]): boolean =>
  /^(?:[是当當做为為]|担任|擔任)$/u.test(tokens.map(({ key }) => key).join(''))

/** Whether the words are the same in another order, or one is made of the first letters of the others. */
function isAbbreviated(one: readonly Token[], other: readonly Token[]): boolean {
  const [keys, otherKeys] = [one, other].map((tokens) => tokens.map(({ key }) => key)) as [string[], string[]]
  if (keys.toSorted().join(' ') === otherKeys.toSorted().join(' ')) return true
  const isInitials = (short: string[], long: string[]) =>
    short.length === 1 && long.length > 1 && short[0] === long.map((key) => key[0]).join('')
  return isInitials(keys, otherKeys) || isInitials(otherKeys, keys)
}

/** Most characters of what differs, where names have no spaces around them and may share characters. */
const denseName = 10
/** Characters that a name may share with the other, before and after what differs. */
const sharedCharacters = 2

/** The one place where two texts differ. */
function joined(places: readonly Difference[], isDense: boolean): Difference | undefined {
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined || first === last) return first
  if (!isDense || last.one[1] - first.one[0] > denseName) return undefined
  return { one: [first.one[0], last.one[1]], other: [first.other[0], last.other[1]] }
}

/** A preposition may be written together with the name. */
function endsIn(before: string, cue: string, [name]: readonly Token[], { isDense, code }: Lexicon): boolean {
  if (isDense) return before.slice(-cue.length - sharedCharacters).includes(cue)
  if (code === 'he' && cue.endsWith(' ב'))
    return before.endsWith(` ${cue.slice(0, -2)}`) && (name?.key.startsWith('ב') ?? false)
  return before.endsWith(` ${cue}`)
}

/** Shorter verbs are other words in other languages. */
const leastVerb = 4
/** Languages in which common nouns in the singular have articles: before a verb there what has none is a name. */
const withArticles = ['en', 'fr', 'es', 'it', 'pt', 'de', 'nl']
/** Whether a word is a verb of such a language, of any where the language is not sure; "come" is one in the plural in English. */
const isVerb = (word: string, code: string): boolean =>
  (withArticles.includes(code) && lexiconOf(code).verbs.has(word)) ||
  (word.length >= leastVerb &&
    word !== 'come' &&
    withArticles.some((each) => lexiconOf(each).verbs.has(word)))
/** Of English, other verbs: some look like nouns in the plural. */
const englishVerb = /^.{3,}(?:[^s]s|ed)$/
/** Words that begin a sentence before a verb, and are no names although they may have others in their place. */
const notNames = new Set(
  [
    'here there this that now then today he she it who what where when how everyone everybody someone somebody each mom mum mommy mummy mother dad daddy father',
    'heute jetzt hier da dort dann nun so das dies dieser diese dieses jeder jede jedes jemand niemand man wer was wo wann wie alles nichts oft immer nie manchmal vielleicht leider trotzdem deshalb daher also auch aber doch nur gestern morgen mama mutter papa vater',
    'hier daar nu dat dit wie wat waar wanneer hoe iedereen iemand niemand vaak altijd nooit soms misschien helaas ook maar vandaag gisteren moeder mama vader',
    'ici la ce cela ca qui que on celui celle tout chacun personne il elle ou comment quand aujourd maintenant souvent toujours parfois maman papa',
    'aqui ahi alli alla eso esto ese esa este quien donde cuando como hoy ahora todo todos nadie alguien el ella usted siempre nunca ya tambien antes despues mama papa madre padre no si solo',
    'aqui ali isso isto quem onde quando hoje agora tudo todos ninguem alguem ele ela voce sempre nunca ja tambem antes depois mamae mae pai nao so',
    'qui oggi ora adesso questo quello questa quella chi dove tutto tutti ognuno nessuno lui lei sempre mai gia anche prima dopo mamma papa madre padre non solo',
  ].flatMap((words) => words.split(' ')),
)
/** Endings of adverbs. */
const adverb = /(?:mente|lich|lijk|weise)$/
const plural = /(?:s|ing|men|people|children)$/

/** Whether the texts differ in their first word alone, where a capital tells nothing, and that is a name. */
function beginWithOtherNames(
  one: readonly Token[],
  other: readonly Token[],
  places: readonly Difference[],
  lexicon: Lexicon | undefined,
): boolean {
  const [place] = places
  const isFirstAlone = places.length === 1 && place?.one.join() === '0,1' && place.other.join() === '0,1'
  const [a, b] = [one[0], other[0]]
  if (!isFirstAlone || a === undefined || b === undefined || !hasCapital(a) || !hasCapital(b)) return false
  if (isVariant(a, b, lexicon?.inflects ?? false)) return false
  if ([a, b].some(({ key }) => (lexicon?.common.has(key) ?? false) || notNames.has(key) || adverb.test(key)))
    return false
  const isThing = (token: Token) => thingsOf(token, lexicon).size > 0
  if (isThing(a) || isThing(b)) return false
  const [verb, code] = [one[1]?.key ?? '', lexicon?.code ?? '']
  const [bearers, others] = [bearersOf(a, lexicon), bearersOf(b, lexicon)]
  const areOne = haveCommon(bearers, others)
  // Long and short for one, or its forms: Adam, Adaś.
  if (areOne && lexicon?.inflects === true) return false
  const isKnown = bearers.size + others.size > 0 && !areOne
  if (code !== 'de' && isKnown && !isPlural(a, b)) return true
  if ((lexicon === undefined || isLatin(code)) && isVerb(verb, code)) return true
  if (isPlural(a, b)) return false
  return (code === 'en' && englishVerb.test(verb)) || areTwins(a.key, b.key)
}

/** Whether one of two words that are no known names looks like the plural of a noun. */
const isPlural = (a: Token, b: Token): boolean =>
  [a, b].some((token) => plural.test(token.key) && bearersOf(token, undefined).size === 0)

/** Whether two words are written nearly alike. */
function areTwins(a: string, b: string): boolean {
  const shared = sharedBeginning(a, b)
  const end = sharedBeginning([...a].reverse().join(''), [...b].reverse().join(''))
  const longest = Math.max(a.length, b.length)
  return Math.min(a.length, b.length) >= 4 && longest - shared - end <= 2
}

const hasCapital = ({ raw }: Token): boolean => /^\p{Lu}/u.test(raw)

export function isHeading(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind, isFirst, raw }) => kind === 'word' && !isFirst && raw.length > 3)
  return words.length > 3 && words.filter(hasCapital).length > headingShare * words.length
}

function isName({ raw, key, kind, isFirst }: Token, lexicon: Lexicon | undefined): boolean {
  if (kind !== 'word' || isFirst || !/^\p{Lu}./u.test(raw)) return false
  return !(lexicon?.common.has(key) ?? false)
}

/** In German every noun has a capital. Names have no article before them, but prepositions, titles or other names. */
function areGermanNames(one: readonly Token[], other: readonly Token[], i: number, j: number): boolean {
  const [a, b] = [one[i] as Token, other[j] as Token]
  // A longer compound of the same thing.
  if (a.key.startsWith(b.key) || b.key.startsWith(a.key)) return false
  const [before, after] = [one[i - 1], one[i + 1]]
  if (germanBeforeNames.has(before?.key ?? '')) return true
  const isBesideName = [before, after].some(
    (token) => token !== undefined && !token.isFirst && hasCapital(token),
  )
  return isBesideName && areTwins(a.key, b.key)
}
const germanBeforeNames = new Set(
  'in aus nach von mit an ist heisst heisse bin und hat frau herr herrn dr'.split(' '),
)

/** Endings that names take where they change with their place in a sentence. */
const caseEnding =
  /^(?:[aeiouyąęěůıiuü]{0,2}|(?:ow|ov|iow)?[iey]|em|om|ą|ę|ie|iem|[аеёиіїйоуыьюяє]{0,2}|ом|ем|ём|ой|ей|ою|ею|ові|еві|ам|ах|ами|n|ssa|ssä|sta|stä|lla|llä|ban|ben|ból|ből|nak|nek|[ςου]{0,2})$/u
/** Ends of what is of a country or a town, and of these themselves. */
const derived = /^(?:n|an|ian|ean|ese|ish|i|ic|s|ns|er|is)$/
const bare = /^(?:|a|e|o|y|ia)$/

/** What names of software have behind them, and may leave out. */
const ofSoftware = /^(?:s?ql|db|js)$/
/** Whether two ways of writing stand for one name. */
function isVariant(one: Token, other: Token, inflects: boolean): boolean {
  const [a, b] = [one.key, other.key]
  const shared = sharedBeginning(a, b)
  const [rest, otherRest] = [a.slice(shared), b.slice(shared)].sort((x, y) => x.length - y.length) as [
    string,
    string,
  ]
  if (rest === '' && (/^e?s$/.test(otherRest) || (shared <= 3 && otherRest.length >= 3))) return true
  if (shared >= 4 && bare.test(rest) && derived.test(otherRest)) return true
  if (rest === '' && shared >= leastName && ofSoftware.test(otherRest)) return true
  if (isContraction(a, b) || isContraction(b, a)) return true
  const isAcronym = ({ raw }: Token) => /^\p{Lu}{2,5}$/u.test(raw)
  if (isAcronym(one) !== isAcronym(other) || plainLetters(a) === plainLetters(b)) return true
  return inflects && shared >= 2 && caseEnding.test(rest) && caseEnding.test(otherRest)
}

/** Whether a word without vowels is short for another: St. and Saint, Dr. and Doctor. */
const isContraction = (short: string, long: string): boolean =>
  /^[^aeiouy]{2,3}$/.test(short) && long[0] === short[0] && long.at(-1) === short.at(-1)

/** As one types letters that a keyboard has not. */
const plainLetters = (word: string): string =>
  word.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u')
