/**
 * Okapi BM25 (Robertson and Zaragoza, 2009) with k1 = 1.2, b = 0.75 and the smoothed inverse document
 * frequency that is never negative. Words are runs of letters, digits and underscores in lower case;
 * a word counts once however often the query repeats it.
 */
export class Bm25 {
  readonly #documents: Map<string, number>[]
  readonly #lengths: number[]
  readonly #meanLength: number
  readonly #documentFrequency = new Map<string, number>()

  constructor(texts: readonly string[]) {
    this.#documents = texts.map(countWords)
    this.#lengths = this.#documents.map((counts) => [...counts.values()].reduce((sum, n) => sum + n, 0))
    this.#meanLength = this.#lengths.reduce((sum, n) => sum + n, 0) / texts.length
    for (const word of this.#documents.flatMap((counts) => [...counts.keys()])) {
      this.#documentFrequency.set(word, (this.#documentFrequency.get(word) ?? 0) + 1)
    }
  }

  /** One score a document, in the order of the documents; greater is nearer. */
  scores(query: string, k1 = 1.2, b = 0.75): Float64Array {
    const scores = new Float64Array(this.#documents.length)
    for (const word of countWords(query).keys()) {
      const frequency = this.#documentFrequency.get(word) ?? 0
      if (frequency === 0) continue
      const inverse = Math.log(1 + (this.#documents.length - frequency + 0.5) / (frequency + 0.5))
      this.#documents.forEach((counts, index) => {
        const count = counts.get(word) ?? 0
        const norm = k1 * (1 - b + (b * (this.#lengths[index] as number)) / this.#meanLength)
        scores[index] = (scores[index] as number) + (inverse * count * (k1 + 1)) / (count + norm)
      })
    }
    return scores
  }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
