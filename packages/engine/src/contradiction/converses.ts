import { than } from './former.ts'
import { areFormsOfOne, isChanged, isDeterminer, isPronoun, leaderOf, type Pair, times } from './roles.ts'
import type { Token } from './tokens.ts'
import {
  excludeEachOther,
  type Forms,
  hasForm,
  isLatin,
  type Lexicon,
  type Worded,
  wordsOf,
} from './words.ts'

/** Shorter words, but for names and pronouns, say nothing of who does something. */
const leastContent = 3

/** Whether two texts say the same of two from both sides: Leo lent Hana the tent, and Hana borrowed it from Leo. */
export function areConverses(one: Worded, other: Worded): boolean {
  const { lexicon } = one
  if (lexicon !== other.lexicon) return false
  const [words, otherWords] = [wordsOf(one.reading, lexicon), wordsOf(other.reading, lexicon)]
  const group = lexicon.converses.find((each) => excludeEachOther(words, otherWords, each))
  if (group === undefined) return false
  const verbs = group.flat()
  if (lexicon.isDense) {
    const [sides, otherSides] = [sidesOf(words, verbs), sidesOf(otherWords, verbs)]
    return passBothWays(sides, otherSides) || areTopicsSwapped(words, otherWords)
  }
  const texts = { one: one.reading.tokens, other: other.reading.tokens, lexicon, verbs }
  const pairs = pairContents(texts)
  return pairs !== undefined && areSidesSwapped(pairs, texts)
}

interface Texts {
  readonly one: readonly Token[]
  readonly other: readonly Token[]
  readonly lexicon: Lexicon
  /** The words that exclude each other, such as the verbs for buying and selling. */
  readonly verbs: Forms
}

/** The words of one that something is said of, each with its like in the other; undefined when one has no like. */
function pairContents({ one, other, lexicon, verbs }: Texts): Pair[] | undefined {
  const contentsOf = (tokens: readonly Token[]) =>
    [...tokens.keys()].filter((at) => isContent(tokens[at] as Token, lexicon, verbs))
  const left = contentsOf(other)
  const pairs: Pair[] = []
  for (const at of contentsOf(one)) {
    const found = left.findIndex((i) => areFormsOfOne((one[at] as Token).key, (other[i] as Token).key))
    const [there] = found < 0 ? [] : left.splice(found, 1)
    if (there === undefined) return undefined
    pairs.push({ one: at, other: there })
  }
  return left.length === 0 ? pairs : undefined
}

/**
 * Whether each text tells of another one first, and each of these two has another role in the other text: behind a preposition
 * or the verb, or in another case. What goes with its preposition in both, as "in Oslo" does, says nothing by standing first.
 * In "last summer Hana bought" and "Hana sold … last summer" the first differ, too, but neither has another role.
 */
function areSidesSwapped(pairs: readonly Pair[], texts: Texts): boolean {
  const { one, other, lexicon, verbs } = texts
  const leadIn = (tokens: readonly Token[], at: number) => leaderOf(tokens, at, lexicon)
  const isVerb = (token: Token | undefined) => token !== undefined && isOfVerbs(token, verbs)
  const isMark = (token: Token | undefined) =>
    token !== undefined && (isVerb(token) || !isContent(token, lexicon, verbs))
  // "Before lunch" against "after lunch": there the word goes with the noun, as a preposition does.
  const isFronted = [one, other].some(([first]) => isVerb(first))
  const moving = pairs.filter((pair) => {
    const [lead, there] = [leadIn(one, pair.one), leadIn(other, pair.other)]
    return !(isMark(lead) && (lead?.key === there?.key || (isFronted && isVerb(lead) && isVerb(there))))
  })
  const hasCases = lexicon.inflects || !isLatin(lexicon.code)
  const isInCase = (pair: Pair) =>
    (hasCases || isPronoun((one[pair.one] as Token).key)) && isChanged(pair, one, other, lexicon)
  // A bare adverbial, such as "last week", has no role.
  const playing = moving.filter(
    (pair) => isMark(leadIn(one, pair.one)) || isMark(leadIn(other, pair.other)) || isInCase(pair),
  )
  const [first] = playing
  const [otherFirst] = playing.toSorted((a, b) => a.other - b.other)
  if (first === undefined || otherFirst === undefined || first === otherFirst) return false
  return (
    (isMark(leadIn(other, first.other)) || isInCase(first)) &&
    (isMark(leadIn(one, otherFirst.one)) || isInCase(otherFirst))
  )
}

/** Whether a word is one of some verbs, or of a phrase such as "let me borrow" that is, but for its pronoun. */
const isOfVerbs = ({ key }: Token, verbs: Forms): boolean =>
  hasForm(` ${key} `, verbs) || (!isPronoun(key) && verbs.some(({ text }) => text.split(' ').includes(key)))

/** Whether a word is one of those that something is said of. */
function isContent(token: Token, lexicon: Lexicon, verbs: Forms): boolean {
  const { key, raw, kind, isFirst } = token
  if (isOfVerbs(token, verbs) || times.has(key) || than.test(key)) return false
  if (kind === 'number' || isPronoun(key) || (!isFirst && /^\p{Lu}/u.test(raw))) return true
  if (lexicon.common.has(key) || isDeterminer(token, lexicon)) return false
  return isFirst || key.length >= leastContent
}

type Sides = readonly [before: string, behind: string]

/** What stands before and behind the first of some words. */
function sidesOf(words: string, verbs: Forms): Sides {
  const [found] = verbs
    .map(({ text }) => ({ text, at: words.indexOf(text) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at || b.text.length - a.text.length)
  const { text, at } = found ?? { text: '', at: words.length }
  return [words.slice(0, at), words.slice(at + text.length)]
}

/** Whether a character stands before the verb in one text and behind it in the other, and another the other way round. */
function passBothWays([before, behind]: Sides, [otherBefore, otherBehind]: Sides): boolean {
  const isOnly = (character: string, here: string, elsewhere: string) =>
    here.includes(character) && !elsewhere.includes(character)
  return (
    Array.from(before).some((each) => !behind.includes(each) && isOnly(each, otherBehind, otherBefore)) &&
    Array.from(behind).some((each) => !before.includes(each) && isOnly(each, otherBefore, otherBehind))
  )
}

/** What a sentence of Japanese tells of, or of Chinese places in time: all before the first of these words. */
const topic = /^(?<topic>.+?)[はが在比]/u

/** Whether each text tells of what is something else in the other, where the verb is the last word of both. */
function areTopicsSwapped(words: string, otherWords: string): boolean {
  const [told, otherTold] = [words, otherWords].map((each) => topic.exec(each)?.groups?.topic)
  if (told === undefined || otherTold === undefined || told === otherTold) return false
  return words.includes(otherTold) && otherWords.includes(told)
}
