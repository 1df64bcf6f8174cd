import { saysAnother } from '../belief/says-another.ts'
import { kernels } from '../kernels/kernels.ts'
import { parameters } from '../parameters.ts'

const { candidates: candidatesMax, quotesMax, evidenceMin, relevance, sameMin, leadMax } = parameters.explain

/** A stored text that a query found, or the passage of a long one that is nearer to the query than the whole. */
export interface Candidate {
  idx: number
  text: string
  /** Cosine with the query. */
  cosine: number
  vector: Float32Array
  /** The text that `text` is a part of; undefined where it is the whole. */
  whole?: string | undefined
  /** Whether it has an identifier of the query, or every word that says what that is about, see `everyWordOf`. */
  hasWords?: boolean | undefined
}

/**
 * What to quote: the text nearest to the query, then what adds most to it, by maximal marginal relevance (Carbonell
 * and Goldstein, The Use of MMR, Diversity-Based Reranking, SIGIR 1998): greatest
 * r cos(query, text) - (1 - r) max over the chosen of cos(text, chosen).
 *
 * Left out are texts too far from the query to be evidence, those that fall far behind the nearest, and those that say
 * what is quoted already; what contradicts it is no such, however near. A text that has the words of the query is evidence
 * however far it is, and however far behind what does not have them.
 * @param candidates in any order
 * @param knows whether the encoder knows a character
 * @param arranged puts what is near, nearest first, in the order in which it is to be trusted: its first is quoted first
 * @returns at most `quotesMax`, none when nothing is near enough
 */
export function selectEvidence<One extends Candidate>(
  candidates: readonly One[],
  knows: (character: string) => boolean,
  arranged: (near: readonly One[]) => readonly One[] = (near) => near,
): One[] {
  const near = candidates
    .filter(({ cosine, hasWords }) => cosine >= evidenceMin || hasWords)
    .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
    .filter(({ hasWords }, rank) => rank < candidatesMax || hasWords)
  const [nearest] = near
  const [first, ...others] = arranged(near)
  if (nearest === undefined || first === undefined) return []
  const says = (one: Candidate, other: Candidate) => {
    if (kernels.cosine(one.vector, other.vector) < sameMin) return false
    const [short, long] = [one.text, other.text].sort((a, b) => a.length - b.length) as [string, string]
    return !saysAnother(short, long, knows)
  }
  const chosen = [first]
  let left = others.filter(
    ({ cosine, hasWords }) => cosine >= nearest.cosine - leadMax || (hasWords && !nearest.hasWords),
  )
  while (chosen.length < quotesMax) {
    const marginal = left.map((candidate) => {
      const repetition = Math.max(...chosen.map(({ vector }) => kernels.cosine(candidate.vector, vector)))
      return { candidate, repetition, gain: relevance * candidate.cosine - (1 - relevance) * repetition }
    })
    const adding = marginal.filter(({ candidate }) => !chosen.some((one) => says(candidate, one)))
    const [start, ...rest] = adding
    if (start === undefined) break
    const { candidate: best } = rest.reduce((best, each) => (each.gain > best.gain ? each : best), start)
    chosen.push(best)
    left = adding.map(({ candidate }) => candidate).filter((candidate) => candidate !== best)
  }
  return chosen
}
