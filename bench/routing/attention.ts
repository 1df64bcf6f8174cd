import { startWeights } from '../../packages/engine/src/recall/heads.ts'
import { meanDeviation, noSignal } from '../../packages/engine/src/recall/mean-deviation.ts'
import { queryCentre } from '../../packages/engine/src/recall/query-centre.ts'
import { asksQuestion } from '../../packages/engine/src/recall/question.ts'
import { combineHeads } from '../../packages/engine/src/recall/score.ts'
import { Bm25 } from '../support/bm25.ts'
import { dot } from '../support/dot.ts'

/** Scores of the attention pathway over all texts of a space that nobody has used yet. */
export class Attention {
  readonly #keys: readonly Float32Array[]
  readonly #asks: readonly boolean[]
  readonly #centre: Float32Array
  readonly #centreCosines: Float64Array
  readonly #lexical: Bm25

  constructor(keys: readonly Float32Array[], texts: readonly string[]) {
    this.#keys = keys
    this.#asks = texts.map(asksQuestion)
    const sum = Float64Array.from(keys[0] ?? [], (_, i) =>
      keys.reduce((total, key) => total + (key[i] ?? 0), 0),
    )
    this.#centre = queryCentre({ sum, count: keys.length }, { sum: [], count: 0 })
    const norm = Math.hypot(...this.#centre)
    this.#centreCosines = Float64Array.from(keys, (key) => dot(key, this.#centre) / norm)
    this.#lexical = new Bm25(texts.map(grams))
  }

  /** @param text undefined for a query that is a vector alone */
  scores(query: Float32Array, text: string | undefined): Float64Array {
    const words = text === undefined ? new Float64Array(this.#keys.length) : this.#lexical.scores(grams(text))
    const seen = this.#keys.map((key, idx) => ({
      cosine: dot(key, query),
      centreCosine: this.#centreCosines[idx] as number,
      lexical: words[idx] as number,
    }))
    const candidates = seen.map((one, idx) => ({
      idx,
      seen: [one],
      associative: 0,
      salience: 0,
      asks: this.#asks[idx],
    }))
    const centreNorm = Math.hypot(...this.#centre)
    const semantic = seen.map(({ cosine, centreCosine }) => cosine - centreNorm * centreCosine)
    const view = {
      share: 1,
      centreNorm,
      semantic: meanDeviation(semantic),
      lexical: meanDeviation([...words]),
      // Their words count in full, as this has no measure of the whole query.
      fullScore: 0,
    }
    const space = { views: [view], coherence: 1, turns: 1, associative: noSignal, salience: noSignal }
    const scores = new Float64Array(this.#keys.length)
    for (const { idx, score } of combineHeads(candidates, space, startWeights)) scores[idx] = score
    return scores
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
