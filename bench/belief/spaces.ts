import type { BeliefClass } from '../../packages/engine/src/belief/model.ts'
import { randomFrom } from '../support/random.ts'
import type { Corpus, Sentence, SentencePair } from './corpus.ts'
import { joinSentences, joinStatements } from './language.ts'

/** How a query came about. */
export type Kind =
  | 'same text'
  | 'paraphrase'
  | 'paraphrase of two'
  | 'joined'
  | 'two sentences'
  | 'joined paraphrase'
  | 'unrelated'
  | 'same topic'
  | 'two unrelated'

export interface Query {
  text: string
  truth: BeliefClass
  kind: Kind
}

/** A memory with what is asked of it. */
export interface Space {
  stored: string[]
  queries: Query[]
}

/** Patterns a space, queries of each class asked of it, and how many such spaces. */
const plan = [
  { size: 4, queries: 1, spaces: 24 },
  { size: 8, queries: 2, spaces: 12 },
  { size: 20, queries: 4, spaces: 12 },
  { size: 60, queries: 12, spaces: 6 },
  { size: 200, queries: 24, spaces: 3 },
  { size: 600, queries: 36, spaces: 2 },
  { size: 2_000, queries: 60, spaces: 1 },
]

/** People judged such pairs to say the same, in all that matters or completely. */
export const sameFactScore = 4.5
/** Such pairs are on one topic, but say different things. */
export const sameTopicScores = { min: 1, max: 3 }

/** Spaces of 4 to 2,000 sentences; with the same seed, of the same sentences in every language. */
export function buildSpaces(corpus: Corpus, language: string, seed: number): Space[] {
  const random = randomFrom(seed)
  const same = new Deck(
    corpus.pairs.filter(({ score, first, second }) => score >= sameFactScore && first.id !== second.id),
    random,
  )
  const { min, max } = sameTopicScores
  const topic = new Deck(
    corpus.pairs.filter(({ score }) => score >= min && score <= max),
    random,
  )
  const any = new Deck(corpus.sentences, random)
  return plan.flatMap(({ size, queries, spaces }) =>
    Array.from({ length: spaces }, () =>
      new SpaceBuilder(corpus, language, random, { same, topic, any }).build(size, queries),
    ),
  )
}

interface Decks {
  same: Deck<SentencePair>
  topic: Deck<SentencePair>
  any: Deck<Sentence>
}

class SpaceBuilder {
  readonly #corpus: Corpus
  readonly #language: string
  readonly #random: () => number
  readonly #decks: Decks
  readonly #stored: Sentence[] = []
  /** Stored as one pattern with another: neither may be stored by itself. */
  readonly #storedTexts: string[] = []
  /** What must not be stored, with the least score that makes a sentence too similar to it. */
  readonly #absent: { sentence: Sentence; score: number }[] = []
  readonly #queries: Query[] = []

  constructor(corpus: Corpus, language: string, random: () => number, decks: Decks) {
    this.#corpus = corpus
    this.#language = language
    this.#random = random
    this.#decks = decks
  }

  build(size: number, perClass: number): Space {
    const paraphrased: SentencePair[] = []
    const count = (part: number) => Math.floor(part * perClass + this.#random())
    const [same, long] = [count(0.2), count(0.1)]
    const pairsOfTwo = Array.from({ length: long }, () => [this.#drawSame(), this.#drawSame()] as const)
    for (let i = same + long; i < perClass; i++) paraphrased.push(this.#askParaphrase())
    for (const [a, b] of pairsOfTwo) this.#askParaphraseOfTwo(a, b)
    const novel = { topic: Math.ceil(perClass / 2), two: count(0.1) }
    for (let i = 0; i < novel.topic; i++) this.#askSameTopic()
    for (let i = novel.topic; i < perClass; i++) this.#askUnrelated(i < novel.topic + novel.two)
    while (this.#stored.length + this.#storedTexts.length < size) {
      this.#stored.push(this.#decks.any.draw((sentence) => this.#mayStore(sentence)))
    }
    const known = new Deck(this.#stored, this.#random)
    for (let i = 0; i < same; i++) this.#ask(known.draw().text, 'exact_match', 'same text')
    for (let i = 0; i < perClass; i++) this.#askComposition(known, paraphrased)
    return { stored: [...this.#stored.map(({ text }) => text), ...this.#storedTexts], queries: this.#queries }
  }

  #askParaphrase(): SentencePair {
    const pair = this.#drawSame()
    this.#stored.push(pair.first)
    this.#ask(pair.second.text, 'exact_match', 'paraphrase')
    return pair
  }

  /** What is stored is long itself: length alone must not make a composition. */
  #askParaphraseOfTwo(a: SentencePair, b: SentencePair): void {
    this.#storedTexts.push(this.#join(a.first.text, b.first.text).text)
    this.#ask(this.#join(a.second.text, b.second.text).text, 'exact_match', 'paraphrase of two')
  }

  #askSameTopic(): void {
    const pair = this.#decks.topic.draw(
      ({ first, second }) => this.#mayStore(first) && this.#isNew(second, sameTopicScores.max + 0.01),
    )
    this.#stored.push(pair.first)
    this.#absent.push({ sentence: pair.second, score: sameTopicScores.max + 0.01 })
    this.#ask(pair.second.text, 'novel', 'same topic')
  }

  #askUnrelated(two: boolean): void {
    const { text } = this.#drawUnrelated()
    if (two) this.#ask(this.#join(text, this.#drawUnrelated().text).text, 'novel', 'two unrelated')
    else this.#ask(text, 'novel', 'unrelated')
  }

  #askComposition(known: Deck<Sentence>, paraphrased: readonly SentencePair[]): void {
    const reworded =
      this.#random() < 0.25 ? paraphrased[Math.floor(this.#random() * paraphrased.length)] : undefined
    const first = reworded?.first ?? known.draw()
    const second = known.draw((sentence) => !this.#corpus.areAlike(first, sentence, 0))
    const { text, kind } = this.#join(reworded?.second.text ?? first.text, second.text)
    this.#ask(text, 'composition', reworded === undefined ? kind : 'joined paraphrase')
  }

  /** A pair that says the same, of which neither is stored yet. */
  #drawSame(): SentencePair {
    const pair = this.#decks.same.draw(
      ({ first, second }) =>
        this.#mayStore(first) && this.#isNew(first, sameFactScore) && this.#isNew(second, sameFactScore),
    )
    this.#absent.push({ sentence: pair.first, score: 5.01 }, { sentence: pair.second, score: 5.01 })
    return pair
  }

  #drawUnrelated(): Sentence {
    const sentence = this.#decks.any.draw((candidate) => this.#isNew(candidate, 0))
    this.#absent.push({ sentence, score: 0 })
    return sentence
  }

  #isNew(sentence: Sentence, score: number): boolean {
    return !this.#stored.some((stored) => this.#corpus.areAlike(stored, sentence, score))
  }

  #mayStore(sentence: Sentence): boolean {
    return !this.#absent.some((absent) => this.#corpus.areAlike(absent.sentence, sentence, absent.score))
  }

  #join(a: string, b: string): { text: string; kind: 'joined' | 'two sentences' } {
    if (this.#random() < 0.5) return { text: joinSentences(this.#language, a, b), kind: 'two sentences' }
    return { text: joinStatements(this.#language, a, b, this.#random()), kind: 'joined' }
  }

  #ask(text: string, truth: BeliefClass, kind: Kind): void {
    this.#queries.push({ text, truth, kind })
  }
}

/** Draws one after the other in random order, and shuffles again when all were drawn. */
class Deck<Card> {
  readonly #cards: readonly Card[]
  readonly #random: () => number
  #left: Card[] = []

  constructor(cards: readonly Card[], random: () => number) {
    this.#cards = cards
    this.#random = random
  }

  /** The next that fits; those that do not are kept for later. */
  draw(fits: (card: Card) => boolean = () => true): Card {
    for (let attempt = 0; attempt < 2; attempt++) {
      const at = this.#left.findLastIndex(fits)
      if (at >= 0) return this.#left.splice(at, 1)[0] as Card
      this.#left = this.#shuffled()
    }
    throw new Error('Too few sentences fit')
  }

  #shuffled(): Card[] {
    return this.#cards
      .map((card) => ({ card, at: this.#random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ card }) => card)
  }
}
