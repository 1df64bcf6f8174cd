import { parameters } from '@memory/engine/parameters'
import { type QueryView, type Wording, wordingOf } from '@memory/engine/recall/views'
import type { Compute, Requester } from '../compute.ts'
import type { LexicalFound } from '../index/lexical-index.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'

const { nearPassages } = parameters.recall

/** Texts that share words with a query. */
export interface WordsFound extends LexicalFound {
  /** The greatest BM25 of a passage of each long text whose passages are among the best, by the text's idx. */
  passages: ReadonlyMap<number, number>
}

/** What the words of one view of a query say about patterns. */
export interface LexicalEvidence {
  /** The result of the lexical search for the view: patterns that share words with it, and the statistics of all scores. */
  found: WordsFound
  /** How the view is worded. */
  wording: Wording
  /** BM25 of each pattern. */
  scoresOf(indexes: readonly number[]): Promise<Float64Array>
}

type Searching = Pick<Compute, 'searchLexical'>

/** The result of a lexical search that nothing is let into. */
export const noWords: WordsFound = {
  labels: new Int32Array(),
  scores: new Float64Array(),
  matched: 0,
  mean: 0,
  deviation: 0,
  full: 0,
  passages: new Map(),
}

/**
 * The k texts with the greatest BM25 score, and the passages of long texts that score as texts of their own: beside short texts BM25
 * marks a long one down by its length, though a sentence of it may have every word of the query.
 * @param allowed bit idx % 8 of byte idx / 8 lets a text in; undefined: all
 */
export async function searchWords(
  compute: Searching,
  requester: Requester,
  { lexical, passages }: SpaceTexts,
  query: string,
  k: number,
  allowed?: Uint8Array,
): Promise<WordsFound> {
  const best = new Map<number, number>()
  const [found, parts] = await Promise.all([
    compute.searchLexical(requester, lexical, query, k, allowed),
    passages.words.size === 0
      ? noWords
      : compute.searchLexical(
          requester,
          passages.words,
          query,
          nearPassages,
          allowed && passages.allow(allowed),
        ),
  ])
  for (const [i, label] of parts.labels.entries()) {
    const place = passages.placeOf(label)
    if (place !== undefined)
      best.set(place.idx, Math.max(best.get(place.idx) ?? 0, parts.scores[i] as number))
  }
  return { ...found, passages: best }
}

/** What the words of one view say, given what its lexical search found. */
export function evidenceOf(
  compute: Pick<Compute, 'scoreLexical'>,
  requester: Requester,
  { lexical }: SpaceTexts,
  { text }: Pick<QueryView, 'text'>,
  found: WordsFound,
): LexicalEvidence {
  return {
    found,
    wording: wordingOf(text),
    async scoresOf(indexes) {
      const scores = new Float64Array(indexes.length)
      const known = new Map(Array.from(found.labels, (idx, i) => [idx, found.scores[i] as number]))
      const others: number[] = []
      indexes.forEach((idx, at) => {
        const score = known.get(idx)
        if (score === undefined) others.push(at)
        else scores[at] = score
      })
      // Unless the search returned every text that shares a word with the query, others may.
      if (found.matched > found.labels.length && others.length > 0) {
        const labels = Int32Array.from(others, (at) => indexes[at] as number)
        const scored = await compute.scoreLexical(requester, lexical, text, labels)
        others.forEach((at, i) => {
          scores[at] = scored[i] as number
        })
      }
      if (found.passages.size === 0) return scores
      return scores.map((score, at) => Math.max(score, found.passages.get(indexes[at] as number) ?? 0))
    },
  }
}
