import { onlyAsks } from '../explain/asking.ts'
import { fold } from '../lexical/tokenise.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { foldedRuns, foldLetters, isDense, textNgrams } from './text-ngrams.ts'

/** Some consecutive sentences of a text, as many as a statement has. */
export interface Said {
  text: string
  /** Whether they are the statement, but for case, accents, white space and punctuation. */
  isSame: boolean
  /** Share of n-grams that they have in common with the statement, in [0, 1] (Dice coefficient). */
  shared: number
}

/**
 * With less in common sentences hardly say the same. Of the sentence pairs of stsb-multi-mt (dev, eleven languages) that people
 * call the same, 74 % have so much in common, of those on one topic 15 %, of others 1 %. With 0.5 these are 86, 26 and 3 %: more
 * that say something else would be embedded in place of those that say the same.
 */
const sharedMin = 0.6

/**
 * Sentences whose Dice coefficient is `sharedMin` have at least this share of the statement's n-grams: so many if they have
 * no others.
 */
const pieceShareMin = sharedMin / (2 - sharedMin)

/**
 * Finds in texts of several sentences those most like a statement, whatever stands around them. Sentences that only ask are
 * passed over, since they state nothing.
 * @returns a function that looks through a text, in a time that grows with the text and not with the statement; it gives undefined
 *   for a text that has no more sentences than the statement, or none like it
 */
export function saidWithin(statement: string): (text: string) => Said | undefined {
  const { sentences: own, comparable: stated } = readSentences(statement)
  const mayState = mayHave(own.flatMap(({ text }) => foldedRuns(text)))
  const ngrams = countNgrams(own)
  return (text) => {
    if (own.length === 0 || !mayState(text)) return undefined
    const { sentences, comparable } = readSentences(text)
    if (sentences.length <= own.length) return undefined
    const areQuestions: boolean[] = []
    const asks = (at: number): boolean => (areQuestions[at] ??= onlyAsks((sentences[at] as Sentence).text))
    let best: Said | undefined
    for (const [at, dice] of sharesOf(sentences, own.length, ngrams)) {
      const [first, last] = [sentences[at] as Sentence, sentences[at + own.length - 1] as Sentence]
      const isSame = last.to - first.from === stated.length && comparable.startsWith(stated, first.from)
      const shared = isSame ? 1 : dice
      if (shared < sharedMin || (!isSame && shared <= (best?.shared ?? 0))) continue
      if (own.every((_, i) => asks(at + i))) continue
      best = { text: text.slice(first.start, last.end), isSame, shared }
      if (isSame) break
    }
    return best
  }
}

/**
 * A quick test of whether a text may have sentences like a statement: whether it has enough of the statement's words, and of its
 * pairs of characters where words are not set apart.
 */
function mayHave(runs: readonly string[]): (text: string) => boolean {
  const [words, pairs] = [new Set<string>(), new Set<string>()]
  for (const run of runs) {
    if (!isDense(run) || run.length <= 2) words.add(run)
    else for (let i = 0; i + 2 <= run.length; i++) pairs.add(run.slice(i, i + 2))
  }
  const enough = pieceShareMin * (words.size + pairs.size)
  return (text) => {
    const folded = foldLetters(text)
    const found = new Set<string>()
    for (const word of words) if (folded.includes(word)) found.add(word)
    // To look up each pair of the text takes the same time however many pairs the statement has.
    for (let i = 0; pairs.size > 0 && i + 2 <= folded.length; i++) {
      const pair = folded.slice(i, i + 2)
      if (pairs.has(pair)) found.add(pair)
    }
    return found.size >= enough
  }
}

/** How many of some sentences have each of their n-grams. */
function countNgrams(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of sentences) {
    for (const ngram of textNgrams(text)) counts.set(ngram, (counts.get(ngram) ?? 0) + 1)
  }
  return counts
}

/**
 * The Dice coefficient of `count` consecutive sentences and n-grams, for each place where so many begin. From one place to
 * the next only the sentence that comes in and the one that goes out are counted.
 */
function sharesOf(
  sentences: readonly Sentence[],
  count: number,
  ngrams: ReadonlyMap<string, number>,
): [at: number, shared: number][] {
  const within = sentences.map(({ text }) => textNgrams(text))
  const total = [...ngrams.values()].reduce((sum, each) => sum + each, 0)
  const held = new Map<string, number>()
  let [size, common] = [0, 0]
  const change = (some: ReadonlySet<string>, by: 1 | -1) => {
    size += by * some.size
    for (const ngram of some) {
      const wanted = ngrams.get(ngram)
      if (wanted === undefined) continue
      const before = held.get(ngram) ?? 0
      held.set(ngram, before + by)
      common += Math.min(wanted, before + by) - Math.min(wanted, before)
    }
  }
  return within.flatMap((added, i): [number, number][] => {
    const removed = within[i - count]
    if (removed !== undefined) change(removed, -1)
    change(added, 1)
    return i + 1 < count ? [] : [[i + 1 - count, total + size === 0 ? 0 : (2 * common) / (total + size)]]
  })
}

/** A sentence without the white space around it. */
interface Sentence {
  text: string
  /** Where it stands in its text. */
  start: number
  end: number
  /** Where it stands in what is comparable of its text. */
  from: number
  to: number
}

/** The sentences of a text, and the text without case, accents, white space and punctuation. */
function readSentences(text: string): { sentences: Sentence[]; comparable: string } {
  const sentences: Sentence[] = []
  let comparable = ''
  for (const { segment, index } of sentenceSegmenter.segment(text)) {
    const from = comparable.length
    // Signs stay, as they tell apart: emoji, currencies.
    comparable += fold(segment).replaceAll(/[\s\p{P}]/gu, '')
    if (!/[\p{L}\p{N}]/u.test(segment)) continue
    const start = index + segment.length - segment.trimStart().length
    const trimmed = segment.trim()
    sentences.push({ text: trimmed, start, end: start + trimmed.length, from, to: comparable.length })
  }
  return { sentences, comparable }
}
