import { setImmediate as nextTurn } from 'node:timers/promises'
import { TopK } from '@memory/engine/kernels/top-k'
import { saturation, saturationOnce, termWeight } from '@memory/engine/lexical/bm25'
import { countQueryTerms, countTerms } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import type { MeanDeviation } from '@memory/engine/recall/mean-deviation'
import { hasBit } from './bits.ts'
import type {
  LexicalDocument,
  LexicalFound,
  LexicalIndex,
  LexicalSearcher,
  LexicalTarget,
} from './lexical-index.ts'

/** Characters tokenised before the event loop gets a turn: about 2 ms. */
const charactersPerTurn = 100_000
/** About the bytes that a Map entry takes; the terms' strings are shared between entries. */
const entryBytes = 40

interface Held {
  /** Number of terms, repetitions included. */
  length: number
  frequencies: Map<string, number>
}

/** A BM25 index in JavaScript, for when there is no native addon. It is searched in the thread that made it. */
export class JavascriptLexical implements LexicalIndex, LexicalSearcher {
  readonly #documents = new Map<number, Held>()
  /** The documents that have each term. */
  readonly #postings = new Map<string, Map<number, Held>>()
  /** By idx: the latest `put` call that has yet to add it. An older call under way skips the idx; `remove` cancels it. */
  readonly #waiting = new Map<number, symbol>()
  /** The index whose terms and lengths those of this one are weighted by. */
  readonly #among: JavascriptLexical
  #length = 0
  #entries = 0

  /** @param among see `newLexical` */
  constructor(among?: JavascriptLexical) {
    this.#among = among ?? this
  }

  get size(): number {
    return this.#documents.size
  }

  get bytes(): number {
    // Each entry is in a document's frequencies and in a term's postings.
    return entryBytes * (this.#documents.size + this.#postings.size + 2 * this.#entries)
  }

  get target(): LexicalTarget {
    return { kind: 'local', searcher: this }
  }

  async put(documents: readonly LexicalDocument[]): Promise<void> {
    const call = Symbol('put')
    const last = new Map(documents.map(({ idx, text }) => [idx, text]))
    for (const idx of last.keys()) this.#waiting.set(idx, call)
    let characters = 0
    for (const [idx, text] of last) {
      characters += text.length
      if (characters > charactersPerTurn) {
        await nextTurn()
        characters = text.length
      }
      if (this.#waiting.get(idx) !== call) continue
      this.#waiting.delete(idx)
      this.#remove(idx)
      this.#put(idx, text)
    }
  }

  remove(indexes: readonly number[]): void {
    for (const idx of indexes) {
      this.#waiting.delete(idx)
      this.#remove(idx)
    }
  }

  search(query: string, k: number, allowed: Uint8Array | undefined): LexicalFound {
    const scores = new Map<number, number>()
    for (const [term, weight] of this.#weights(query)) {
      for (const [idx, held] of this.#postings.get(term) ?? []) {
        if (allowed !== undefined && !hasBit(allowed, idx)) continue
        scores.set(idx, (scores.get(idx) ?? 0) + weight * this.#saturation(held, term))
      }
    }
    const documents = allowed === undefined ? this.size : this.#countAllowed(allowed)
    if (documents === 0) return toFound(new TopK(0), 0, { mean: 0, deviation: 0 }, this.#fullScore(query))
    const best = new TopK(k)
    let sum = 0
    for (const [idx, score] of scores) {
      best.offer(score, idx)
      sum += score
    }
    const mean = sum / documents
    let squares = (documents - scores.size) * mean * mean
    for (const score of scores.values()) squares += (score - mean) ** 2
    const spread = { mean, deviation: Math.sqrt(squares / documents) }
    return toFound(best, scores.size, spread, this.#fullScore(query))
  }

  score(query: string, labels: Int32Array): Float64Array {
    const weights = this.#weights(query)
    return Float64Array.from(labels, (idx) => {
      const held = this.#documents.get(idx)
      if (held === undefined) return 0
      let score = 0
      for (const [term, weight] of weights) {
        if (held.frequencies.has(term)) score += weight * this.#saturation(held, term)
      }
      return score
    })
  }

  /**
   * The query's terms with their weights, in order of weight and then term. Adding in a fixed order makes the scores of documents
   * with equal weights equal to the last bit.
   */
  #weights(query: string): [string, number][] {
    const weights: [string, number][] = []
    for (const [term, frequency] of countQueryTerms(query)) {
      if (this.#postings.has(term)) weights.push([term, this.#among.#weightOf(term, frequency)])
    }
    return weights.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  }

  /** The weight of a term that a query has so often. One that no document has is as rare as can be. */
  #weightOf(term: string, frequency: number): number {
    return termWeight(frequency, this.size, this.#postings.get(term)?.size ?? 0)
  }

  /** See `LexicalFound.full`. */
  #fullScore(query: string): number {
    const among = this.#among
    if (among.size === 0) return 0
    let sum = 0
    for (const [term, frequency] of countQueryTerms(query)) sum += among.#weightOf(term, frequency)
    return sum * saturationOnce
  }

  #saturation({ length, frequencies }: Held, term: string): number {
    const frequency = Math.min(frequencies.get(term) ?? 0, parameters.lexical.frequencyMax)
    return saturation(frequency, length, this.#among.#meanLength)
  }

  /** Mean number of terms of a document, repetitions included; 0 without documents. */
  get #meanLength(): number {
    return this.#length / Math.max(1, this.size)
  }

  #countAllowed(allowed: Uint8Array): number {
    let count = 0
    for (const idx of this.#documents.keys()) if (hasBit(allowed, idx)) count++
    return count
  }

  #put(idx: number, text: string): void {
    const frequencies = countTerms(text)
    let length = 0
    for (const frequency of frequencies.values()) length += frequency
    const held = { length, frequencies }
    this.#documents.set(idx, held)
    this.#length += length
    this.#entries += frequencies.size
    for (const term of frequencies.keys()) {
      const postings = this.#postings.get(term)
      if (postings === undefined) this.#postings.set(term, new Map([[idx, held]]))
      else postings.set(idx, held)
    }
  }

  #remove(idx: number): void {
    const held = this.#documents.get(idx)
    if (held === undefined) return
    this.#documents.delete(idx)
    this.#length -= held.length
    this.#entries -= held.frequencies.size
    for (const term of held.frequencies.keys()) {
      const postings = this.#postings.get(term)
      postings?.delete(idx)
      if (postings?.size === 0) this.#postings.delete(term)
    }
  }
}

function toFound(best: TopK, matched: number, spread: MeanDeviation, full: number): LexicalFound {
  return { ...best.sorted(), matched, ...spread, full }
}
