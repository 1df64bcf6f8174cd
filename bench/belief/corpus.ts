import type { Pair } from './pairs.ts'

/** A statement in one language. The same statement has the same id in every language. */
export interface Sentence {
  id: string
  text: string
}

export interface SentencePair {
  first: Sentence
  second: Sentence
  score: number
}

/** What is known of the sentences of a file: which pairs were judged, and so what must not be stored beside what. */
export class Corpus {
  readonly pairs: SentencePair[]
  readonly sentences: Sentence[]
  readonly #judged = new Map<string, Map<string, number>>()

  /** @param english the same pairs in English, which tell whether two texts are one statement */
  constructor(pairs: readonly Pair[], english: readonly Pair[]) {
    this.pairs = pairs.map(({ first, second, score }, row) => {
      const original = english[row] as Pair
      return {
        first: { id: identity(original.first), text: first },
        second: { id: identity(original.second), text: second },
        score,
      }
    })
    const byId = new Map<string, Sentence>()
    for (const { first, second, score } of this.pairs) {
      byId.set(first.id, first)
      byId.set(second.id, second)
      this.#judge(first.id, second.id, score)
      this.#judge(second.id, first.id, score)
    }
    this.sentences = [...byId.values()]
  }

  /** One statement, or a pair that people judged at `score` or more. */
  areAlike(a: Sentence, b: Sentence, score: number): boolean {
    return a.id === b.id || a.text === b.text || (this.#judged.get(a.id)?.get(b.id) ?? -1) >= score
  }

  #judge(a: string, b: string, score: number): void {
    const known = this.#judged.get(a) ?? new Map<string, number>()
    known.set(b, Math.max(score, known.get(b) ?? 0))
    this.#judged.set(a, known)
  }
}

function identity(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
