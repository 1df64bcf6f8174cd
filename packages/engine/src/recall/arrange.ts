import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { wantedBy } from './focus.ts'
import { sizeOf } from './passages.ts'
import { asksQuestion } from './question.ts'

const { nearEqualShare, nearEqualWords, nearEqualCharacters } = parameters.recall
const { nearEqualCosine, nearEqualUnnamed, tellingCharacters } = parameters.recall

/** A text of an answer. */
export interface Arrangeable {
  /** Store order. */
  idx: number
  text: string
  /** With the query. */
  cosine: number
  /** When what it tells of happened, or else when it was stored, in ms since 1970. */
  at: number
  /** Whether that is in the time that the query names. */
  isOfTime?: boolean | undefined
}

/** Texts in the order of an answer, and how many copies of others were left out. */
export interface Arrangement<One> {
  texts: One[]
  collapsed: number
}

/**
 * Arranges texts by what the order of their scores can't tell:
 * - copies of one text take one place, the best of theirs, and the newest of them stands there, or of the time that is asked for;
 * - of texts that are alike but for a value the newer comes first, or what is of the time that is asked for, unless the query is nearer to one of them or has a word that
 *   only one has: then it asks for that value;
 * - texts that have an identifier of the query as a whole word come before those that have only others like it;
 * - a copy of the query that asks something answers nothing, so it comes last.
 * @param texts best first
 */
export function arrange<One extends Arrangeable>(texts: readonly One[], query: string): Arrangement<One> {
  const distinct = withoutCopies(texts)
  const wanted = wantedBy(query)
  const named = namedBy(distinct, wanted)
  const asked = comparable(query)
  const rankOf = (one: One): number => (isAskedAgain(one.text, { query, asked }) ? -1 : (named.get(one) ?? 0))
  const ranked = newerFirst(distinct, wanted).map((one) => ({ one, rank: rankOf(one) }))
  return {
    // The sort is stable.
    texts: ranked.sort((a, b) => b.rank - a.rank).map(({ one }) => one),
    collapsed: texts.length - distinct.length,
  }
}

function withoutCopies<One extends Arrangeable>(texts: readonly One[]): One[] {
  const places = new Map<string, One>()
  for (const one of texts) {
    const before = places.get(one.text)
    if (before === undefined || byTime(one, before) < 0) places.set(one.text, one)
  }
  return [...places.values()]
}

/** The newest first, after what is of the time that the query names. */
const byTime = (a: Arrangeable, b: Arrangeable): number =>
  Number(b.isOfTime ?? false) - Number(a.isOfTime ?? false) || b.at - a.at || b.idx - a.idx

/** Whether a text is the query itself, which asks something; a speaker's name may stand before it. */
function isAskedAgain(text: string, { query, asked }: { query: string; asked: string }): boolean {
  // What is longer than the query by more than a name and its punctuation is no copy of it.
  if (text.length > 2 * query.length + speakerMax || !asksQuestion(text)) return false
  return asked !== '' && (comparable(text) === asked || comparable(text.replace(speaker, '')) === asked)
}

const speakerMax = 40
const speaker = /^[^\n:：]{1,30}[:：]\s*/u

/** A text without case, accents, white space and punctuation. */
const comparable = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')

/** Puts the newer of texts that differ in a value into the place of the older. */
function newerFirst<One extends Arrangeable>(texts: readonly One[], query: string): One[] {
  const asked = new Set(wordsOf(query))
  // A long text says more than a value.
  const words = texts.map(({ text }) => new Set(text.length > nearEqualCharacters ? [] : wordsOf(text)))
  const sharedWith = sharedCounts(words)
  const arranged = [...texts]
  const placed = new Set<number>()
  for (const [first, one] of texts.entries()) {
    if (placed.has(first)) continue
    const alike = [first]
    const shared = sharedWith(first)
    const a = words[first] as Set<string>
    for (let other = first + 1; other < texts.length; other++) {
      const b = words[other] as Set<string>
      if (!((2 * (shared[other] as number)) / (a.size + b.size) >= nearEqualShare) || placed.has(other))
        continue
      const apart = Math.abs(one.cosine - (texts[other] as One).cosine)
      if (apart <= nearness(a, b, asked) && differInValue(a, b, asked)) alike.push(other)
    }
    for (const place of alike) placed.add(place)
    if (alike.length === 1) continue
    const newest = alike.map((place) => texts[place] as One).sort(byTime)
    for (const [i, place] of alike.sort((a, b) => a - b).entries()) arranged[place] = newest[i] as One
  }
  return arranged
}

/** How many words a text has in common with each one after it, by place; valid until the next call. */
function sharedCounts(words: readonly ReadonlySet<string>[]): (at: number) => Uint32Array {
  const holders = new Map<string, number[]>()
  const heldBy = words.map((own, at) =>
    Array.from(own, (word) => {
      let places = holders.get(word)
      if (places === undefined) {
        places = []
        holders.set(word, places)
      }
      places.push(at)
      return places
    }),
  )
  const shared = new Uint32Array(words.length)
  return (at) => {
    shared.fill(0)
    for (const places of heldBy[at] ?? []) {
      for (const other of places) if (other > at) shared[other] = (shared[other] as number) + 1
    }
    return shared
  }
}

/**
 * Most that the cosines of two texts with the query may differ by, where it asks for none of their values. Where it has a
 * word of what both say they are about what it asks for; else both may only begin alike ("A man is …").
 */
function nearness(a: ReadonlySet<string>, b: ReadonlySet<string>, asked: ReadonlySet<string>): number {
  for (const word of a) {
    if (b.has(word) && asked.has(word) && sizeOf(word) >= tellingCharacters) return nearEqualCosine
  }
  return nearEqualUnnamed
}

/** Whether few words are in only one of two texts that have most in common, and none of those is asked for. */
function differInValue(a: ReadonlySet<string>, b: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  const most = Math.max(countOnly(a, b, asked), countOnly(b, a, asked))
  return most > 0 && most <= nearEqualWords
}

/** How many words one text has and the other not; more than any where one of them is asked for. */
function countOnly(
  own: ReadonlySet<string>,
  others: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): number {
  let count = 0
  for (const word of own) {
    if (others.has(word)) continue
    if (asked.has(word)) return Number.POSITIVE_INFINITY
    count++
  }
  return count
}

/** Scripts without white space between words, for a class of a regular expression. */
export const spaceless = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const oneWord = new RegExp(String.raw`[${spaceless}]|[\p{L}\p{N}\p{M}]+`, 'gu')

/** Words, and of scripts without white space between them single characters. */
function wordsOf(text: string): string[] {
  const folded = fold(text)
  // The same words, in half the time.
  return folded.match(isAscii.test(folded) ? asciiWord : oneWord) ?? []
}

const isAscii = /^\p{ASCII}*$/u
const asciiWord = /[a-z\d]+/g

/** Of the other scripts. */
const wordCharacter = String.raw`[[\p{L}\p{N}_]--[${spaceless}]]`
/** Words, also joined ones, among which are names of one thing: hashes, numbers of orders and calls, UUIDs, error codes. */
const identifier = new RegExp(
  String.raw`${wordCharacter}(?:${wordCharacter}|[\-.\/:#](?=${wordCharacter}))*`,
  'gv',
)
const dateOrTime = /^(?:\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:t[\d:.]+z?)?|\d{1,2}[:h]\d{2}(?:am|pm)?)$/u
/** With a unit or without; years are none of these names either. */
const quantity = /^(?:\d{1,3}|1[89]\d\d|20\d\d)(?:[.,]\d+)?\p{L}{0,3}$/u
/** What programs name things by: words joined by low lines, or by capitals within. */
const programName = /^(?:\p{L}+(?:_\p{L}+)+|\p{Ll}+(?:\p{Lu}\p{Ll}+)+)$/u

/** Texts that hold a name up to which it tells them from others; "COVID-19" tells nothing where most have it. */
export const namedMax = { texts: 3, share: 0.25 }
/** A query may be a whole log: the first names are looked for. */
const namesMax = 16

/** Tells a text, as `fold` gives it, that holds a name as a whole word. */
export interface NameOfQuery {
  name: string
  isIn(folded: string): boolean
}

/** The identifiers in what a query wants (see `wantedBy`), each once: what stands around a question names other things. */
export function namesOf(wanted: string): NameOfQuery[] {
  const names = (wanted.match(identifier) ?? []).filter(
    (word) => programName.test(word) || isNumberedName(word.toLowerCase()),
  )
  return [...new Set(names.map(fold))].slice(0, namesMax).map((name) => {
    const whole = new RegExp(`(?<!${wordCharacter})${escaped(name)}(?!${wordCharacter})`, 'v')
    return { name, isIn: (folded) => whole.test(folded) }
  })
}

/** How many identifiers of a query each text holds as whole words, of those that few texts hold. */
function namedBy<One extends Arrangeable>(texts: readonly One[], wanted: string): Map<One, number> {
  const names = namesOf(wanted)
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

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

/** Fewer digits are in names of things that many texts are about, such as SARS-CoV-2. */
const isNumberedName = (word: string): boolean =>
  (word.match(/\p{N}/gu)?.length ?? 0) >= 3 && !dateOrTime.test(word) && !quantity.test(word)
