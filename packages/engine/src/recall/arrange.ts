import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { foldText } from '../text-form.ts'
import { askedAgainBy } from './asked-again.ts'
import { measureOthers } from './measures.ts'
import { type NameOfQuery, namesOf } from './names-of-query.ts'
import { asksQuestion } from './question.ts'
import {
  asksForPast,
  isShort,
  leaves,
  onlyNow,
  type Said,
  saidBy,
  saysSomething,
  tokensOf,
  wordsOf,
} from './said.ts'
import { timeWords } from './time-words.ts'
import { updatesFirst } from './updates.ts'
import { wantedBy } from './views.ts'
import { hashOf, oneWord, sharedAtMost, sharedCount, spaceless, type WordSet, wordSetOf } from './word-set.ts'

const { nearEqualShare, nearEqualWords } = parameters.recall
const { nearEqualCosine, nearEqualUnnamed, nearEqualNow, tellingCharacters } = parameters.recall
const { nearEqualScore, nearEqualPlaces } = parameters.recall
const { sameKindShare, sameKindCosine, sameKindScore, sameKindWords } = parameters.recall
const { evidenceMin } = parameters.explain

/** A text that may have an older or newer value than others. */
export interface Dated {
  /** Store order. */
  idx: number
  text: string
  /** With the query. */
  cosine: number
  /** Which they are ordered by, in deviations; undefined: they are ordered by the cosine. */
  score?: number
  /** When what it tells of happened, or else when it was stored, in ms since 1970. */
  at: number
  /** Whether that is in the time that the query names. */
  isOfTime?: boolean | undefined
}

/** A text of an answer. */
export interface Arrangeable extends Dated {
  score: number
}

/** Texts in the order of an answer, and how many copies of others were left out. */
export interface Arrangement<One> {
  texts: One[]
  collapsed: number
}

/**
 * Arranges texts by what the order of their scores can't tell:
 * - copies of one text take one place, the best of theirs, and the newest of them stands there, or of the time that is asked for;
 * - of texts that are alike but for a value the newer comes first, or what is of the time that is asked for, unless the query
 *   is nearer to one of them or has a word that only one has: then it asks for that value;
 * - a newer text that says that something has changed comes before what tells how it was, see `updatesFirst`;
 * - texts that have an identifier of the query as a whole word come before those that have only others like it;
 * - what asks nothing but what the query asks answers nothing: a copy comes behind all texts that are near the query, one in other
 *   words behind the first text that asks nothing; neither comes behind a text that is far from the query, which is no answer.
 * @param texts best first
 * @param names what `namesOf` finds in what the query wants
 */
export function arrange<One extends Arrangeable>(
  texts: readonly One[],
  query: string,
  names: readonly NameOfQuery[] = namesOf(wantedBy(query)),
): Arrangement<One> {
  const distinct = withoutCopies(texts)
  const wanted = wantedBy(query)
  const named = namedBy(distinct, names)
  const askedAgain = askedAgainBy(query, distinct.slice(0, nearEqualPlaces))
  const asked = new Map(distinct.map((one) => [one, askedAgain(one)]))
  const rankOf = (one: One): number => named.get(one) ?? 0
  const ranked = newerFirst(distinct, wanted).map((one) => ({ one, rank: rankOf(one) }))
  // The sort is stable.
  const best = ranked.sort((a, b) => b.rank - a.rank).map(({ one }) => one)
  const isNear = (one: One, moved: One): boolean => one.cosine >= nearMin(moved) || rankOf(one) > 0
  return {
    texts: answersFirst(best, (one) => asked.get(one), isNear),
    collapsed: texts.length - distinct.length,
  }
}

/**
 * Least cosine with the query of what a text that asks the same comes behind. Without a question mark it may state something, and
 * only what is at least half as near comes before it.
 */
const nearMin = ({ text, cosine }: Arrangeable): number =>
  asksQuestion(text) ? evidenceMin : Math.max(evidenceMin, cosine / 2)

/**
 * Moves copies of the query behind all texts before the first that is far from it, and what asks the same in other words behind
 * the first text that states something, if that stands among the first and is near.
 * @param texts best first
 */
function answersFirst<One extends Arrangeable>(
  texts: readonly One[],
  askedOf: (one: One) => ReturnType<ReturnType<typeof askedAgainBy>>,
  isNear: (one: One, moved: One) => boolean,
): One[] {
  const ordered = [...texts]
  const move = (one: One, end: number): void => {
    const at = ordered.indexOf(one)
    if (end > at) ordered.splice(end - 1, 0, ...ordered.splice(at, 1))
  }
  for (const copy of texts.filter((one) => askedOf(one) === 'copy')) {
    const far = ordered.findIndex((one) => askedOf(one) !== 'copy' && !isNear(one, copy))
    move(copy, far < 0 ? ordered.length : far)
  }
  const states = (one: One) => askedOf(one) === undefined && !asksQuestion(one.text)
  for (const reworded of texts.filter((one) => askedOf(one) === 'reworded').toReversed()) {
    const first = ordered.slice(0, nearEqualPlaces).findIndex(states)
    if (first >= 0 && isNear(ordered[first] as One, reworded)) move(reworded, first + 1)
  }
  return ordered
}

function withoutCopies<One extends Arrangeable>(texts: readonly One[]): One[] {
  const places = new Map<string, One>()
  for (const one of texts) {
    const text = foldText(one.text)
    const before = places.get(text)
    if (before === undefined || byTime(one, before) < 0) places.set(text, one)
  }
  return [...places.values()]
}

/** The newest first, after what is of the time that the query names. */
const byTime = (a: Dated, b: Dated): number =>
  Number(b.isOfTime ?? false) - Number(a.isOfTime ?? false) || b.at - a.at || b.idx - a.idx

/** What a query says of the values that texts have. */
interface Asking {
  words: WordSet
  /** Those that are not too short to say what it asks for. */
  telling: WordSet
  /** Those of one letter, which name a thing where texts have different ones in its place: plan A, platform b. */
  letters: WordSet
  /** What stands before and after each word for "or", by which it asks which of several values holds. */
  choices: readonly (readonly [before: WordSet, after: WordSet])[]
}

const askingOf = (query: string): Asking => ({
  words: wordSetOf(query.replaceAll(smallWord, ' ').replaceAll(politeEnd, ' ')),
  telling: wordSetOf(query, tellingCharacters),
  letters: wordSetOf((query.match(oneLetter) ?? []).join(' ')),
  choices: choicesOf(query),
})

/**
 * Puts the newer of texts that differ in a value into the place of the older, and what says that something has changed before
 * what tells how it was, among the first results.
 * @param texts best first
 */
function newerFirst<One extends Dated>(texts: readonly One[], query: string): One[] {
  const asking = askingOf(query)
  const isOfPast = asksForPast(query)
  const said = texts.map(({ text }) => saidBy(text))
  const arranged = [...texts]
  const placed = new Set<number>()
  for (const [first, one] of texts.entries()) {
    if (placed.has(first)) continue
    const alike = [first]
    const a = said[first] as Said
    for (let other = first + 1; other < Math.min(texts.length, first + nearEqualPlaces); other++) {
      const b = said[other] as Said
      const another = texts[other] as One
      // Best first, but for those that were looked for by name.
      const behind = (one.score ?? 0) - (another.score ?? 0)
      const apart = Math.abs(one.cosine - another.cosine)
      if (behind > sameKindScore || apart > nearEqualNow || placed.has(other)) continue
      const [later, earlier] = byTime(one, another) < 0 ? [a, b] : [b, a]
      const isNow = later.isNow && !earlier.isNow
      if (areValues(a, b, asking, { apart, behind, isNow }) && !leaves(later, earlier, isOfPast))
        alike.push(other)
    }
    for (const place of alike) placed.add(place)
    if (alike.length === 1) continue
    const newest = alike.map((place) => texts[place] as One).sort(byTime)
    for (const [i, place] of alike.sort((a, b) => a - b).entries()) arranged[place] = newest[i] as One
  }
  const first = arranged.slice(0, nearEqualPlaces)
  return [
    ...updatesFirst(first, query, {
      withoutNow: ({ text }) => text.replaceAll(onlyNow, ' '),
      isLater: (one, other) => byTime(one, other) < 0,
    }),
    ...arranged.slice(nearEqualPlaces),
  ]
}

/** How two texts of an answer stand to each other. */
interface Distance {
  /** Of their cosines with the query. */
  apart: number
  /** By which score the second is behind the first. */
  behind: number
  /** Whether the newer alone says that what it tells has come to be. */
  isNow: boolean
}

/** Whether two texts are alike but for a value that the query does not tell them apart by. */
function areValues(a: Said, b: Said, asking: Asking, distance: Distance): boolean {
  if (!(shareOf(sharedAtMost(a.words, b.words), a, b) >= sameKindShare)) return false
  const shared = sharedCount(a.words, b.words)
  const share = shareOf(shared, a, b)
  if (!(share >= sameKindShare)) return false
  const { apart, behind, isNow } = distance
  const most = Math.max(a.words.words.length, b.words.words.length) - shared
  if (most === 0) return a.isNow !== b.isNow && areInOrder(a, b)
  const isAlike = share >= nearEqualShare && behind <= nearEqualScore && most <= nearEqualWords
  const isNear = isAlike && apart <= nearness(a, b, asking.telling, isNow)
  return (
    (isNear || areOfOneKind(a, b, asking, { ...distance, most })) &&
    areNotNamed(a.words, b.words, asking) &&
    areInOrder(a, b) &&
    !areOtherMeasures(a, b)
  )
}

/** Between values of which one is asked for. */
const choice = new RegExp(
  `${wordsOf('or|ou|oder|o|of|eller|lub|albo|czy|или|чи|або|nebo|veya|yoksa|أو|أم|או|या')}|还是|還是|或|それとも|아니면`,
  'iu',
)

/** So many words before and after it may be of the values. */
const choiceWords = 4

function choicesOf(query: string): Asking['choices'] {
  const parts = query.split(choice).map((part) => part.match(oneWord) ?? [])
  return parts.slice(1).map((after, i) => {
    const before = parts[i] ?? []
    return [before.slice(-choiceWords), after.slice(0, choiceWords)].map((part) =>
      wordSetOf(part.join(' ')),
    ) as [WordSet, WordSet]
  })
}

/** "Is", "my" and "in" ask for no value, so a text that has "was" in that place is no other one. */
const smallWord = /(?<![\p{L}\p{N}\p{M}])\p{Ll}{1,2}(?![\p{L}\p{N}\p{M}])/gu
/** Of Japanese verbs, whatever they say. */
const politeEnd = /です|でし[たょ]|ます|まし[たょ]|ません/gu
const oneLetter = /(?<![\p{L}\p{N}\p{M}])[a-z](?![\p{L}\p{N}\p{M}])/gu
const letterHashes: ReadonlySet<number> = new Set(Array.from('abcdefghijklmnopqrstuvwxyz', hashOf))

/** Which share of the words of two texts so many in common are (Dice). */
const shareOf = (shared: number, a: Said, b: Said): number =>
  (2 * shared) / (a.words.words.length + b.words.words.length)

/**
 * Most that the cosines of two texts with the query may differ by, where it asks for none of their values. Where it has a
 * word of what both say they are about what it asks for, and where numbers or names alone differ they are values of one thing,
 * unless one alone is a date: "born in May", "born in Leeds"; else both may only begin alike ("A man is …"). Texts that differ in
 * several places may be about different things, each with its value: "The flight to Rome leaves at gate 12". They are if each
 * begins with another's name: "Juri is 8 and likes bees" is no newer word of "Tess is 9 and likes snow". What has come to be is
 * of another there as well: "Ada works at IBM" and "Ada's husband now works at SAP".
 * @param telling the query's words that are not too short to say that
 */
function nearness(a: Said, b: Said, telling: WordSet, isNow: boolean): number {
  const differences = [differenceOf(a, b), differenceOf(b, a)]
  if (differences.includes('places')) return areOfOthers(a, b) ? notNear : nearEqualUnnamed
  if (isNow) return nearEqualNow
  if (differences.every((each) => each === 'value')) return areOtherValues(a, b) ? notNear : nearEqualCosine
  for (const word of telling.words)
    if (a.words.words.includes(word) && b.words.words.includes(word)) return nearEqualCosine
  return nearEqualUnnamed
}

/** Whether texts differ in one place, where one has a date or a nationality and the other has none. */
function areOtherValues(a: Said, b: Said): boolean {
  const [ofA, ofB] = [kindOf(a, b), kindOf(b, a)]
  if (ofA === undefined || ofB === undefined || ofA === ofB) return false
  return [ofA, ofB].some((kind) => kind === 'date' || kind === 'nationality')
}

const notNear = Number.NEGATIVE_INFINITY
const firstWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/u

/** Whether texts begin with different words that may be names. */
function areOfOthers(a: Said, b: Said): boolean {
  const [ofA, ofB] = [a, b].map(({ text }) => firstWord.exec(text)?.[0] ?? '') as [string, string]
  return /^\p{Lu}/u.test(ofA) && /^\p{Lu}/u.test(ofB) && fold(ofA) !== fold(ofB)
}

/**
 * Whether names and numbers that both texts have stand in the same order: "Ben used to live in Rome and now lives in Oslo" and
 * "Ada used to live in Oslo and now lives in Rome" tell of two people.
 */
function areInOrder(a: Said, b: Said): boolean {
  const [ofA, ofB] = [sharedNames(a, b), sharedNames(b, a)]
  return ofA.length !== ofB.length || ofA.every((name, i) => name === ofB[i])
}

const sharedNames = (said: Said, other: Said): string[] =>
  tokensOf(said)
    .filter(({ isName, hash }) => isName && other.words.words.includes(hash))
    .map(({ folded }) => folded)

/** So many characters of scripts without white space may stand between what is one place: 木曜日の三時, 金曜日の四時. */
const gapMax = 3
const isCharacter = new RegExp(`^[${spaceless}]$`, 'v')

/**
 * Whether texts differ in one place, by values of one kind, and the query has all other words of theirs, so that it asks for what
 * stands there: "Mummo asuu Oulussa" and "Mummo asuu Turussa" for "Missä mummo asuu?". Of short texts that is most.
 */
function areOfOneKind(
  a: Said,
  b: Said,
  { words }: Asking,
  { apart, behind, most }: { apart: number; behind: number; most: number },
): boolean {
  // Most texts are told apart by this, which takes least.
  if (most > sameKindWords || apart > sameKindCosine || !asksAbout(a, b, words)) return false
  const kindOfA = kindOf(a, b)
  if (kindOfA === undefined || kindOfA !== kindOf(b, a)) return false
  // As many words or characters are no sign of one kind: 'is tall' and 'is here'. A word has several characters.
  const isDoubtful = /^(?:words|characters)/u.test(kindOfA)
  if (kindOfA.startsWith('words') && most > nearEqualWords) return false
  return isDoubtful
    ? apart <= nearEqualCosine && behind <= nearEqualScore
    : apart <= sameKindCosine && behind <= sameKindScore
}

/** Whether a query has all words that texts share and that say something, and there is one. */
function asksAbout(a: Said, b: Said, { words }: WordSet): boolean {
  let isAbout = false
  for (const token of tokensOf(a)) {
    const isShared = b.words.words.includes(token.hash) && saysSomething(token) && !particle.test(token.word)
    if (isShared && !words.includes(token.hash)) return false
    isAbout ||= isShared
  }
  return isAbout
}

/** Of Chinese and Japanese. */
const particle = /^[在是的了はがをにでもとのすまし]$/u

/** What a text has and another has not, where it stands in one place. */
interface Place {
  words: string[]
  /** With the signs around them. */
  value: string
  /** The word before them. */
  before: string
}

function placeOf(said: Said, other: Said): Place | undefined {
  const all = tokensOf(said)
  const isOwn = all.map(({ hash }) => !other.words.words.includes(hash))
  const [first, last] = [isOwn.indexOf(true), isOwn.lastIndexOf(true)]
  // A text begins with what it is about.
  const previous = all[first - 1]
  if (previous === undefined || isOwn.slice(first, last).includes(false)) return undefined
  const before = previous.word
  const words = all.slice(first, last + 1).map(({ word }) => word)
  return { words, value: said.text.slice(previous.index + before.length, all[last + 1]?.index), before }
}

/** Whether texts differ in one place, where they surely measure different things. */
function areOtherMeasures(a: Said, b: Said): boolean {
  const [ofA, ofB] = [placeOf(a, b), placeOf(b, a)]
  if (ofA === undefined || ofB === undefined || !measureOthers(ofA.value, ofB.value)) return false
  // A number behind a word that tells what it is of, and one in a date, are left to the other comparisons.
  return !(isLabelled(ofA) || isLabelled(ofB) || [kindOf(a, b), kindOf(b, a)].includes('date'))
}

/** Whether a word that says something stands before the number of a place. */
function isLabelled({ words, before }: Place): boolean {
  const at = words.findIndex((word) => /\p{N}/u.test(word))
  return at >= 0 && ![before, ...words.slice(0, at)].every((word) => isShort(fold(word)))
}

/** Of which kind the words are that a text has and another has not, where they stand in one place; of other words also how many. */
function kindOf(text: Said, other: Said): string | undefined {
  const own = placeOf(text, other)?.words
  if (own === undefined) return undefined
  const isNumber = (word: string) => hanNumber.test(word) || /^\p{N}/u.test(word)
  if (own.every(isNumber)) return 'number'
  const telling = own.filter((word) => !isNumber(word) && !isShort(fold(word)))
  const are = (kind: RegExp) => telling.length > 0 && telling.every((word) => kind.test(word))
  if (are(date) || hanWeekday.test(own.join(''))) return 'date'
  if (are(nationality)) return 'nationality'
  if (own.every((word) => /^\p{Lu}/u.test(word))) return 'name'
  return `${own.every((word) => isCharacter.test(word)) ? 'characters' : 'words'} ${own.length}`
}

const hanNumber = /^[一二三四五六七八九十百千万]$/u
const hanWeekday = /^(?:(?:星期|礼拜|[周週])[一二三四五六日天]|[月火水木金土日](?:曜日?)?)$/u
/** Months and weekdays, but for those that are names of many people. */
const date = new RegExp(
  `^(?!(?:jan|jun|mar)$)(?:${timeWords.flatMap(({ spaceless, months, weekdays }) => (spaceless ? [] : [...months, ...weekdays])).join('|')})$`,
  'iu',
)
/** Written with a capital as names are in English. */
const nationality =
  /^(?:African|American|Arab|Asian|Australian|Austrian|Belgian|Brazilian|British|Bulgarian|Canadian|Chinese|Croatian|Cuban|Czech|Danish|Dutch|Egyptian|English|European|Finnish|French|German|Greek|Hungarian|Indian|Iranian|Irish|Israeli|Italian|Jamaican|Japanese|Kenyan|Korean|Mexican|Moroccan|Nigerian|Norwegian|Persian|Peruvian|Polish|Portuguese|Romanian|Russian|Scottish|Serbian|Siamese|Spanish|Swedish|Swiss|Syrian|Thai|Turkish|Ukrainian|Vietnamese|Welsh)$/u

/** Whether what one text has and another has not stands in several places, or in one, and is a number or a name there. */
function differenceOf(said: Said, other: Said): 'places' | 'place' | 'value' {
  let difference: 'place' | 'value' = 'value'
  let isFirst = true
  let gap = 0
  for (const token of tokensOf(said)) {
    const { word, isName } = token
    if (other.words.words.includes(token.hash)) gap += isCharacter.test(word) ? 1 : gapMax + 1
    else if (saysSomething(token)) {
      if (!isFirst && gap > gapMax) return 'places'
      if (!isName) difference = 'place'
      isFirst = false
      gap = 0
    }
  }
  return difference
}

/** Whether the query asks for no word that is in only one of two texts. */
function areNotNamed(a: WordSet, b: WordSet, { words, letters, choices }: Asking): boolean {
  const [ofA, ofB] = [countOfOne(words, a, b), countOfOne(words, b, a)]
  if (ofA + ofB > 0) return choices.some((choice) => isBetween(choice, a, b) || isBetween(choice, b, a))
  if (countOfOne(letters, a, b) + countOfOne(letters, b, a) === 0) return true
  return !(hasOwnLetter(a, b) && hasOwnLetter(b, a))
}

/** Whether a word that one text alone has stands before an "or", and one that the other alone has after it. */
const isBetween = ([before, after]: readonly [WordSet, WordSet], one: WordSet, other: WordSet): boolean =>
  countOfOne(before, one, other) > 0 && countOfOne(after, other, one) > 0

/** How many words of a query are in the one text and not in the other. */
const countOfOne = ({ words }: WordSet, one: WordSet, other: WordSet): number =>
  words.filter((word) => one.words.includes(word) && !other.words.includes(word)).length

/** Whether a text has a letter as a word that another has not. */
const hasOwnLetter = (one: WordSet, other: WordSet): boolean =>
  one.words.some((word) => letterHashes.has(word) && !other.words.includes(word))

/** Texts that hold a name up to which it tells them from others; "COVID-19" tells nothing where most have it. */
export const namedMax = { texts: 3, share: 0.25 }

/** How many identifiers of a query each text holds as whole words, of those that few texts hold. */
function namedBy<One extends Arrangeable>(
  texts: readonly One[],
  names: readonly NameOfQuery[],
): Map<One, number> {
  const counts = new Map<One, number>()
  if (names.length === 0) return counts
  const folded = texts.map((one) => ({ one, text: fold(one.text) }))
  for (const { isIn } of names) {
    const holding = folded.filter(({ text }) => isIn(text)).map(({ one }) => one)
    if (holding.length > Math.max(namedMax.texts, namedMax.share * texts.length)) continue
    for (const one of holding) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  return counts
}
