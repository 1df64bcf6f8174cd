import { kernels } from '../kernels/kernels.ts'
import { parameters } from '../parameters.ts'

const { candidates: candidatesMax, quotesMax, evidenceMin, relevance, sameMin, leadMax } = parameters.explain

/** A stored text that a query found. */
export interface Candidate {
  idx: number
  text: string
  /** With the query. */
  cosine: number
  vector: Float32Array
}

/**
 * What to quote: the text nearest to the query, then what adds most to it, by maximal marginal relevance (Carbonell
 * and Goldstein, The Use of MMR, Diversity-Based Reranking, SIGIR 1998): greatest
 * r cos(query, text) - (1 - r) max over the chosen of cos(text, chosen).
 *
 * Left out are texts too far from the query to be evidence, those that fall far behind the nearest, and those that say
 * what is quoted already.
 * @param candidates in any order
 * @returns at most `quotesMax`, none when nothing is near enough
 */
export function selectEvidence(candidates: readonly Candidate[]): Candidate[] {
  const near = candidates
    .filter(({ cosine }) => cosine >= evidenceMin)
    .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
    .slice(0, candidatesMax)
  const [nearest] = near
  if (nearest === undefined) return []
  const chosen = [nearest]
  let left = near.slice(1).filter(({ cosine }) => cosine >= nearest.cosine - leadMax)
  while (chosen.length < quotesMax) {
    const marginal = left.map((candidate) => {
      const repetition = Math.max(...chosen.map(({ vector }) => kernels.cosine(candidate.vector, vector)))
      return { candidate, repetition, gain: relevance * candidate.cosine - (1 - relevance) * repetition }
    })
    const adding = marginal.filter(({ repetition }) => repetition < sameMin)
    const [first, ...others] = adding
    if (first === undefined) break
    const { candidate: best } = others.reduce((best, each) => (each.gain > best.gain ? each : best), first)
    chosen.push(best)
    left = adding.map(({ candidate }) => candidate).filter((candidate) => candidate !== best)
  }
  return chosen
}
