import { Bm25 } from '../support/bm25.ts'

/** Shares of the semantic and the lexical head, and what a strong pattern lends to those stored 1, 2, 3, 4 from it. */
const semanticWeight = 0.6
const lexicalWeight = 0.4
const lent = [0.6, 0.4, 0.2, 0.1]
/** Patterns after which the mean of a space's keys counts half as its centre. */
const shrinkage = 20

/** Scores of the attention pathway over all texts of a space that nobody has used yet. */
export class Attention {
  readonly #keys: readonly Float32Array[]
  readonly #centre: Float64Array
  readonly #lexical: Bm25

  constructor(keys: readonly Float32Array[], texts: readonly string[]) {
    this.#keys = keys
    this.#centre = Float64Array.from(keys[0] ?? [], (_, i) => {
      const sum = keys.reduce((total, key) => total + (key[i] as number), 0)
      return sum / (keys.length + shrinkage)
    })
    this.#lexical = new Bm25(texts.map(grams))
  }

  /** @param text undefined for a query that is a vector alone */
  scores(query: Float32Array, text: string | undefined): Float64Array {
    const centred = query.map((value, i) => value - (this.#centre[i] as number))
    const semantic = standardised(
      Float64Array.from(this.#keys, (key) => {
        let product = 0
        let squares = 0
        for (let i = 0; i < key.length; i++) {
          const value = (key[i] as number) - (this.#centre[i] as number)
          product += value * (centred[i] as number)
          squares += value * value
        }
        return product / Math.sqrt(squares)
      }),
    )
    if (text === undefined) return withNeighbours(semantic)
    const lexical = standardised(this.#lexical.scores(grams(text)))
    return withNeighbours(
      semantic.map((score, i) => semanticWeight * score + lexicalWeight * (lexical[i] as number)),
    )
  }
}

/** Words of up to four characters and the 4-grams of longer ones, as words. */
function grams(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...folded.matchAll(/[\p{L}\p{N}_]+/gu)]
    .flatMap(([word]) =>
      word.length <= 4 ? [word] : Array.from({ length: word.length - 3 }, (_, i) => word.slice(i, i + 4)),
    )
    .join(' ')
}

function withNeighbours(scores: Float64Array): Float64Array {
  const gained = scores.slice()
  scores.forEach((score, at) => {
    lent.forEach((share, i) => {
      for (const place of [at - i - 1, at + i + 1]) {
        if (place in gained) gained[place] = (gained[place] as number) + share * Math.max(0, score - 1)
      }
    })
  })
  return gained
}

function standardised(scores: Float64Array): Float64Array {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length)
  return scores.map((score) => (deviation === 0 ? 0 : (score - mean) / deviation))
}
