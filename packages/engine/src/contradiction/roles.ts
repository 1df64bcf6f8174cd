import { parameters } from '../parameters.ts'
import { areMutual } from './mutual.ts'
import { isSameFleeting, isSameStem, withoutProclitic } from './stems.ts'
import type { Token } from './tokens.ts'
import { hasForm, isWeekday, keyIn, type Lexicon } from './words.ts'

/** Prepositions of two or three letters, alone or with an article, that are written or left out as what stands around wants. */
const loosePrepositions = new Set(
  'a al ao aos do da dos das no na de di del della dello dei alla allo agli au aux du des в во к ко с со у з зі із'.split(
    ' ',
  ),
)
/** Other such words, of which most are articles. */
export const loose = new Set([
  ...loosePrepositions,
  ...'o dem den der die das le la les el los las il lo gli l d een het se que lui e і'.split(' '),
  ...'ο η το οι τα τον την τη του τησ των τουσ τισ'.split(' '),
])
/** Between two things that are one, either may come first. */
export const copula =
  /^(?:am|is|are|was|were|ist|sind|war|waren|bin|est|sont|etait|suis|es|son|era|soy|e|sono|sou|sao|zijn|ar|er|var)$/
/** Endings of Turkish that stand after an apostrophe. */
const turkishEnding = /^(?:[dt][ae]n?|[yn]?[aeıiuü]|n?[ıiuü]n|l[ae]|yl[ae])$/
/** Forms of pronouns by their place in a sentence. */
const pronouns = new Map(
  'me i him he us we them they mir ich mich ich ihm er ihn er dir du dich du uns wir mij ik hem hij ons wij'
    .split(' ')
    .flatMap((form, i, all) => (i % 2 === 0 ? [[form, all[i + 1] as string] as const] : [])),
)
const subjects = new Set(pronouns.values())
export const isPronoun = (key: string): boolean => pronouns.has(key) || subjects.has(key)
export const areFormsOfOne = (a: string, b: string): boolean =>
  isPronoun(a) || isPronoun(b) ? (pronouns.get(a) ?? a) === (pronouns.get(b) ?? b) : isSameStem(a, b)

/** Words of time, which stand where one likes. */
export const times = new Set(
  'today yesterday tomorrow now heute gestern morgen jetzt abends morgens vandaag gisteren nu idag igar imorgon hoy ayer manana ahora oggi ieri domani ora hoje ontem amanha agora aujourd hui hier demain maintenant сегодня вчера завтра сеичас dzis dzisiaj wczoraj jutro teraz bugun dun yarin'.split(
    ' ',
  ),
)

/** Words between what comes earlier and what comes later. */
const sequences = new Set(
  'then afterwards later zuerst dann danach anschließend abord puis ensuite primero luego despues prima poi depois eerst daarna'.split(
    ' ',
  ),
)

/** A title of German, of which the end tells the role of the name behind it. */
const title = /^herrn?$/
/** Prepositions of Polish and Czech, which have a vowel before some words. */
const vocalised = /^[zskvw]e?$/
/** Whose something is; it changes with the one of whom it is told. */
const possessives =
  /^(?:my|our|your|his|hers?|their|(?:[mds]ein|unser)(?:e[nmrs]?)?|ihr(?:e[nmrs]?)?|mijn|zijn|haar|hun|hans|hennes|hendes|jego|jej|jeho|jeji|его|ее|иого|іі|їі|lui|ei)$/

/** Words of Hindi that tell the role of the word before them. */
const postpositions = new Set('को ने से का की के में पर'.split(' '))
/** Most words of what stands in another's place. */
const blockWords = 3

/** Whether the same words stand in other roles: who owes whom, from where to where. */
export function haveOtherRoles(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  if (one.some(({ kind }) => kind === 'dense')) return areBlocksSwapped(one, other, lexicon)
  if (lexicon?.code === 'es' && namesTwice(one, other)) return false
  const pairs = pairWords(one, other, lexicon)
  const blocks = pairs === undefined ? undefined : findSwap(pairs)
  return (
    pairs !== undefined && blocks !== undefined && isContradicting({ one, other, pairs, lexicon }, blocks)
  )
}

/** Pronouns of Spanish for what is named as well where that comes first: "la casa la compró Ana". */
const doubled = new Set('lo la los las'.split(' '))

/** Whether one text names something by a pronoun too, which says that it is what something is done to, wherever it stands. */
function namesTwice(one: readonly Token[], other: readonly Token[]): boolean {
  const [count, otherCount] = [one, other].map(
    (tokens) => tokens.filter(({ key }) => doubled.has(key)).length,
  )
  return count !== otherCount
}

/** Positions of a word in both texts. */
export interface Pair {
  readonly one: number
  readonly other: number
}

/** Two runs of words that have changed places, and whether there are words between them that have not. */
interface Swap {
  readonly first: readonly [from: number, to: number]
  readonly second: readonly [from: number, to: number]
  readonly hasBetween: boolean
}

/** Each word with its like in the other text; undefined when one has a word that the other has in no form. */
function pairWords(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): Pair[] | undefined {
  const isLoose = (token: Token) =>
    loose.has(lexicon === undefined ? token.key : keyIn(lexicon.code, token)) ||
    (lexicon?.code === 'tr' && token.key.length <= 3 && turkishEnding.test(token.key))
  const mayBeLeft = (token: Token) => isLoose(token) || possessives.test(token.key)
  const free = new Set(other.keys())
  const pairs: Pair[] = []
  const left: number[] = []
  const take = (i: number, isLike: (key: string, other: string) => boolean) => {
    for (const j of free) {
      if (!isLike((one[i] as Token).key, (other[j] as Token).key)) continue
      free.delete(j)
      pairs.push({ one: i, other: j })
      return true
    }
    return false
  }
  for (const i of one.keys()) if (!take(i, (a, b) => a === b)) left.push(i)
  // Where so many words are others they are not the same words in other forms.
  if (left.length * free.size > parameters.contradiction.alignedPairs) return undefined
  const areForms = (a: string, b: string) =>
    areFormsOfOne(a, b) ||
    (lexicon?.inflects === true &&
      (isSameFleeting(a, b) || (vocalised.test(a) && vocalised.test(b) && a[0] === b[0])))
  for (const i of left) if (!take(i, areForms) && !mayBeLeft(one[i] as Token)) return undefined
  if ([...free].some((j) => !mayBeLeft(other[j] as Token))) return undefined
  // Words that come and go, or stand in both several times, say nothing of the order.
  return pairs.filter(({ one: i }) => !isLoose(one[i] as Token)).sort((a, b) => a.one - b.one)
}

/** The two runs of words that have changed places, when the order is the same but for them. */
function findSwap(pairs: readonly Pair[]): Swap | undefined {
  const sorted = pairs.map(({ other }) => other).sort((a, b) => a - b)
  const order = pairs.map(({ other }) => sorted.indexOf(other))
  let from = 0
  while (from < order.length && order[from] === from) from++
  let to = order.length
  while (to > from && order[to - 1] === to - 1) to--
  const runs: [number, number][] = []
  for (let i = from; i < to; i++) {
    const last = runs.at(-1)
    if (last !== undefined && order[i] === (order[i - 1] as number) + 1) last[1] = i + 1
    else runs.push([i, i + 1])
  }
  const isReversed = runs.every(
    ([start], i) => i === 0 || (order[start] as number) < (order[runs[i - 1]?.[0] ?? 0] as number),
  )
  const [first, second] = [runs[0], runs.at(-1)]
  if (!isReversed || first === undefined || second === undefined || runs.length < 2 || runs.length > 3)
    return undefined
  if (first[1] - first[0] > blockWords || second[1] - second[0] > blockWords) return undefined
  return { first, second, hasBetween: runs.length === 3 }
}

interface Texts {
  readonly one: readonly Token[]
  readonly other: readonly Token[]
  readonly pairs: readonly Pair[]
  readonly lexicon: Lexicon | undefined
}

function isContradicting(texts: Texts, { first, second, hasBetween }: Swap): boolean {
  const { one, other, pairs, lexicon } = texts
  const pairAt = (i: number) => pairs[i] as Pair
  const [head, otherHead] = [pairAt(first[0]), pairAt(second[0])]
  const [from, to] = [pairAt(first[1] - 1).one + 1, otherHead.one]
  // Will and Dan are names where a capital says so; in German the polite pronouns have one too.
  const isCapital = (token: Token | undefined) =>
    lexicon?.code !== 'de' && token?.isFirst === false && /^\p{Lu}\p{Ll}/u.test(token.raw)
  // What goes with a word of its own, such as a preposition, has the same role elsewhere.
  const isFunction = (i: number) => {
    const { key } = one[pairAt(i).one] as Token
    if (isCapital(one[pairAt(i).one]) || isCapital(other[pairAt(i).other])) return false
    if (times.has(key) || (lexicon !== undefined && isWeekday(key, lexicon))) return true
    const isKept = !isPronoun(key) || key === (other[pairAt(i).other] as Token).key
    return isKept && (isPronoun(key) || (lexicon?.common.has(key) ?? false))
  }
  const blocks = [first, second].map((block) => withoutDeterminers(block, texts))
  for (const [start, end] of blocks) for (let i = start; i < end; i++) if (isFunction(i)) return false
  if (blocks.filter(([i]) => goesWithItsMark(pairAt(i), texts)).length === 1) return false
  const between = one.slice(from, to)
  if (areMutual(one, [from, to, pairAt(second[1] - 1).one + 1], lexicon)) return false
  if (between.some(({ key }) => sequences.has(key))) return true
  if (isList(one.slice(from, to + 1), lexicon)) return false
  if (blocks.some(([i], n) => i !== [first, second][n]?.[0]) && between.every(({ key }) => copula.test(key)))
    return false
  const isBlockChanged = ([start, end]: readonly [number, number]) =>
    pairs.slice(start, end).some((pair) => isChanged(pair, one, other, lexicon))
  const changed = [first, second].filter(isBlockChanged).length
  const isTold = marksAfter.has(lexicon?.code ?? '') || one.some(({ key }) => title.test(key))
  if (changed === 2 || (changed === 1 && (hasBetween || isTold))) return true
  // Prepositions that stay while the words change places: from and to.
  const isStaying = (token: Token | undefined, there: Token | undefined) =>
    token !== undefined &&
    there !== undefined &&
    token.key.length <= 3 &&
    there.key.length <= 3 &&
    token.key[0] === there.key[0] &&
    // Two of these articles of Greek say that one is the other.
    !/^[οη]$/u.test(token.key)
  const areApart = !isSamePreposition(one[head.one - 1], one[to - 1])
  const isLed =
    to > from &&
    areApart &&
    isStaying(one[head.one - 1], other[otherHead.other - 1]) &&
    isStaying(one[to - 1], other[head.other - 1])
  // Where ends of words tell the roles, the same forms in another order say the same; so do neighbours.
  if (isLed) return true
  // Of blocks of other lengths only names, and nouns with an article, are sure to be in each other's role.
  const isUneven = first[1] - first[0] !== second[1] - second[0]
  const areNamed = [first, second].every((block) => isNamed(block, texts))
  return hasBetween && !(lexicon?.inflects ?? false) && (!isUneven || areNamed)
}

/**
 * Whether a comma or a word such as "and" stands right beside one of two blocks, of what is between them and the word that begins
 * the second: then they are named one after the other. Elsewhere it parts something else, as in "lent, last week, ten euros to".
 */
function isList(between: readonly Token[], lexicon: Lexicon | undefined): boolean {
  const isJoin = (token: Token | undefined) => token !== undefined && (lexicon?.joins.has(token.key) ?? false)
  const [next, last] = [between[0], between.at(-1)]
  // "Weiß-braun" is "braun-weiß".
  if (between.length === 1 && next?.isJoined === true) return true
  const lead = between.slice(0, -1).findLast(({ key }) => !loose.has(key))
  return [next, last].some((token) => token?.isSetOff === true) || isJoin(next) || isJoin(lead)
}

/** Languages in which what is done to something may come first, and an article seldom tells that. */
const objectsFirst: ReadonlySet<string> = new Set(['de', 'nl'])

/** Whether a block is a name, or a noun whose article says all of its role, in both texts: a word may begin one of them. */
function isNamed([start, end]: readonly [number, number], { one, other, pairs, lexicon }: Texts): boolean {
  const block = pairs.slice(start, end)
  const sides = [
    { tokens: one, places: block.map((pair) => pair.one) },
    { tokens: other, places: block.map((pair) => pair.other) },
  ]
  return sides.every(
    ({ tokens, places: [head = 0, ...rest] }) =>
      (!objectsFirst.has(lexicon?.code ?? '') &&
        [0, 1].some((back) => isDeterminer(tokens[head - back], lexicon))) ||
      [head, ...rest].every((at) => !/^\p{Ll}|^\d/u.test(tokens[at]?.raw ?? '')),
  )
}

/** Whether two words are one preposition, alone or with an article: what stands behind each may come first. */
function isSamePreposition(one: Token | undefined, other: Token | undefined): boolean {
  if (one === undefined || other === undefined || one.key[0] !== other.key[0]) return false
  return [one, other].every(({ key }) => loosePrepositions.has(key))
}

/** The positions of a block without the articles and possessives at its beginning, unless it has nothing else. */
function withoutDeterminers(
  [start, end]: readonly [number, number],
  { one, pairs, lexicon }: Texts,
): readonly [number, number] {
  let from = start
  while (from < end && isDeterminer(one[(pairs[from] as Pair).one], lexicon)) from++
  return from === end ? [start, end] : [from, end]
}

export const isDeterminer = (token: Token | undefined, lexicon: Lexicon | undefined): boolean =>
  token !== undefined && !isPronoun(token.key) && hasForm(` ${token.key} `, lexicon?.determiners ?? [])

/** The first word before a noun that is no article or possessive of its. */
export function leaderOf(
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon | undefined,
): Token | undefined {
  let before = at - 1
  while (isDeterminer(tokens[before], lexicon)) before--
  return tokens[before]
}

/** Whether the same preposition, or an article of German that tells the case, stands before a word in both texts. */
function goesWithItsMark({ one: i, other: j }: Pair, { one, other, lexicon }: Texts): boolean {
  if (lexicon?.code === 'de') {
    if (one[i]?.key === 'herrn' && other[j]?.key === 'herrn') return true
    const [article = '', otherArticle = ''] = [one[i - 1]?.key, other[j - 1]?.key]
    return (
      /^(?:de[rmn]|(?:[mds]?ein|ihr|unser|euer|eur)(?:e[mn])?)$/.test(article) && article === otherArticle
    )
  }
  const [lead, there] = [leaderOf(one, i, lexicon)?.key, leaderOf(other, j, lexicon)?.key]
  return lead !== undefined && lead === there && loosePrepositions.has(lead) && lexicon?.code !== 'en'
}

/** Whether a word has another form in the other text, as cases have. */
export function isChanged(
  { one: i, other: j }: Pair,
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  const [a, b] = [one[i] as Token, other[j] as Token]
  if (marksAfter.has(lexicon?.code ?? ''))
    return a.key + endingAfter(one, i) !== b.key + endingAfter(other, j)
  if (lexicon?.code === 'el' && greekMark(one[i - 1]) !== greekMark(other[j - 1])) return true
  if (a.key === b.key) return false
  // "And" is written together with the word in Arabic and Hebrew.
  const hasAnd = [a.key, b.key].some((key) => /^[וو]/u.test(key))
  return !(hasAnd && withoutProclitic(a.key) === withoutProclitic(b.key))
}

/** An article of Greek, alone or with its preposition, which tells the role of the name behind it; its last n comes and goes. */
function greekMark(token: Token | undefined): string | undefined {
  const { groups } = /^(?<article>ο|η|το|(?:στ|τ)[οη])ν?$/u.exec(token?.key ?? '') ?? {}
  return groups?.article
}

/** Languages in which what stands after a name tells its role. */
const marksAfter: ReadonlySet<string> = new Set(['tr', 'hi'])

/** The ending that is set apart from a Turkish name, whatever its vowels, or a postposition. */
function endingAfter(tokens: readonly Token[], at: number): string {
  const next = tokens[at + 1]?.key ?? ''
  if (postpositions.has(next)) return next
  if (!turkishEnding.test(next)) return ''
  return next
    .replaceAll(/[ae]/g, 'a')
    .replaceAll(/[ıiuü]/g, 'i')
    .replace(/^[yn](?=.)/, '')
    .replace(/^t/, 'd')
}

/**
 * Whether two blocks of characters have changed places around something that stays. Where words are not set apart,
 * particles go with the words: blocks with nothing between them are the same in another order.
 */
function areBlocksSwapped(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  if (one.length !== other.length) return false
  const [a, b] = [one.map(({ key }) => key), other.map(({ key }) => key)]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = a.length
  while (end > start && a[end - 1] === b[end - 1]) end--
  const length = end - start
  // As for the alignment of words: what differs for so long is no name.
  if (length ** 2 > parameters.contradiction.alignedPairs) return false
  const swapped = swappedBlocks(a.slice(start, end), b.slice(start, end))
  if (swapped === undefined) return false
  const [from, to] = [start + swapped.first, end - swapped.last]
  const between = a.slice(from, to).join('')
  return !(lexicon?.joins.has(between) ?? false) && ![one[from], one[to]].some((token) => token?.isSetOff)
}

/**
 * Lengths of the first and the last block of `a` where `b` has them the other way round with the same between; the
 * shortest first one, then the shortest last. Takes the square of the length, in keys, at most.
 */
function swappedBlocks(
  a: readonly string[],
  b: readonly string[],
): { first: number; last: number } | undefined {
  const { length } = a
  const [firsts, lasts] = [borders(a, b), borders(b, a)]
  if (firsts.length === 0 || lasts.length === 0) return undefined
  // How many keys are the same from a place of `a` on and one of `b`, by how far the one is behind the other.
  const runs = new Map<number, Int16Array>()
  const runAt = (x: number, y: number): number => {
    const run = runs.get(y - x) ?? runsOf(a, b, y - x)
    runs.set(y - x, run)
    return run[x] as number
  }
  for (const first of firsts) {
    const last = lasts.find((y) => first + y < length && runAt(first, y) >= length - first - y)
    if (last !== undefined) return { first, last }
  }
  return undefined
}

/** Lengths of beginnings of `a` that are ends of `b`, shorter than the whole. */
const borders = (a: readonly string[], b: readonly string[]): number[] =>
  a.flatMap((_, size) =>
    size > 0 && a.slice(0, size).every((key, i) => key === b[b.length - size + i]) ? [size] : [],
  )

/** For each place of `a`, how many keys from there on are those of `b` so many places behind. */
function runsOf(a: readonly string[], b: readonly string[], behind: number): Int16Array {
  const runs = new Int16Array(a.length + 1)
  for (let x = a.length - 1; x >= 0; x--) {
    const isSame = x + behind >= 0 && x + behind < b.length && a[x] === b[x + behind]
    runs[x] = isSame ? (runs[x + 1] as number) + 1 : 0
  }
  return runs
}
