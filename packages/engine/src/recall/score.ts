import { parameters } from '../parameters.ts'
import { contiguityOf, type Placed } from './contiguity.ts'
import { type HeadName, type HeadWeights, headNames } from './heads.ts'
import type { MeanDeviation } from './mean-deviation.ts'

const { deviationMin, zClip, sparseClip } = parameters.recall

/** What the heads say of a pattern, as measured. */
export interface Candidate {
  /** Store order: contiguity counts its lags in it. */
  idx: number
  /** Of the key with the query. */
  cosine: number
  /** The greatest of a passage of its text; undefined: none is known. */
  passageCosine?: number | undefined
  /** Of the key with the centre that queries are told apart from; anything where there is none. */
  centreCosine: number
  /** BM25. */
  lexical: number
  /** Spreading activation. */
  associative: number
  /** Base-level activation. */
  salience: number
  /** Whether its text asks something (see `asksQuestion`). */
  asks?: boolean | undefined
}

/** What the heads say of the space that the candidates were taken from. */
export interface SpaceHeads {
  /** Length of the centre; 0: cosines count as they are. */
  centreNorm: number
  /** Over all patterns, or a sample that stands for them. A deviation of 0 switches a head off. */
  semantic: MeanDeviation
  lexical: MeanDeviation
  associative: MeanDeviation
  salience: MeanDeviation
  /** How far store order can be trusted, in [0, 1] (see `sequenceCoherence`); 1 unless given. */
  sequenceCoherence?: number | undefined
}

export interface Scored {
  idx: number
  cosine: number
  /** In deviations. */
  score: number
  /** What the heads beside the semantic one add to it, as a cosine: cosine + boost orders as the score does. */
  boost: number
  /** By head, in the order of `headNames`; of contiguity what neighbours pass on. */
  z: number[]
}

/**
 * Orders candidates by what all heads say of them. A head's value is its z-score over the space; what a candidate has
 * in common with the query, s, is the mean by weight of the semantic, lexical and associative ones that have something to
 * say; contiguity passes C on from what was stored next to it (see `contiguityOf`), and the score is
 * (1 - w_c - w_b) s + w_c C + w_b b with b the salience, which no query changes and which says nothing of neighbours.
 *
 * The semantic head is linear, (q - c) k = cos(q, k) - |c| cos(c, k): what the key shares with the centre c is no sign
 * of the query. What a passage of a text is nearer than the whole is added to it, after contiguity: of texts of 9,500
 * characters that are about one topic, which passed it on to each other, the right one was first for 75 % of questions, and
 * is for 95 %.
 * @param weights finite, none negative
 * @returns best first, lower idx first where scores are equal
 */
export function combineHeads(
  candidates: readonly Candidate[],
  space: SpaceHeads,
  weights: HeadWeights,
): Scored[] {
  const isActive = ({ deviation }: MeanDeviation) => deviation > deviationMin
  const weightOf = (head: 'semantic' | 'lexical' | 'associative') =>
    isActive(space[head]) ? weights[head] : 0
  const total = weightOf('semantic') + weightOf('lexical') + weightOf('associative')
  const shareOf = (head: Parameters<typeof weightOf>[0]) => (total > 0 ? weightOf(head) / total : 0)
  const semanticShare = shareOf('semantic')
  const lexicalShare = shareOf('lexical')
  const associativeShare = shareOf('associative')
  const related = 1 - weights.contiguity - weights.salience
  const coherence = Math.min(1, Math.max(0, finite(space.sequenceCoherence ?? 1)))

  const scored: (Scored & Placed)[] = candidates.map((candidate) => {
    const semantic = zScore(semanticOf(candidate, space.centreNorm), space.semantic, zClip)
    const lexical = zScore(candidate.lexical, space.lexical, zClip)
    const associative = zScore(candidate.associative, space.associative, sparseClip)
    const salience = zScore(candidate.salience, space.salience, sparseClip)
    return {
      idx: candidate.idx,
      cosine: candidate.cosine,
      score: semanticShare * semantic + lexicalShare * lexical + associativeShare * associative,
      boost: 0,
      z: inHeadOrder({ semantic, lexical, associative, contiguity: 0, salience }),
      asks: candidate.asks ?? false,
    }
  })
  // From what a text says as a whole: the neighbours of a passage of it are in the text.
  const passed = coherence > 0 ? contiguityOf(scored) : undefined
  const raising = related * semanticShare
  for (const [i, one] of scored.entries()) {
    if (semanticShare > 0) {
      const raised = raiseOf(candidates[i] as Candidate) / space.semantic.deviation
      one.z[semanticAt] = (one.z[semanticAt] as number) + raised
      one.score += semanticShare * raised
    }
    const gained = passed === undefined ? 0 : coherence * (passed[i] as number)
    one.z[contiguityAt] = gained
    one.score =
      related * one.score + weights.contiguity * gained + weights.salience * (one.z[salienceAt] as number)
    if (raising > 0) {
      const others = one.score - raising * (one.z[semanticAt] as number)
      one.boost = finite((space.semantic.deviation * others) / raising)
    }
  }
  return scored
    .map(({ idx, cosine, score, boost, z }) => ({ idx, cosine, score, boost, z }))
    .sort((a, b) => b.score - a.score || a.idx - b.idx)
}

/** What the semantic head says of a pattern. */
const semanticOf = ({ cosine, centreCosine }: Candidate, centreNorm: number): number =>
  finite(cosine) - (centreNorm > 0 ? finite(centreNorm) * finite(centreCosine) : 0)

/** How much nearer the nearest passage of its text is. */
const raiseOf = ({ cosine, passageCosine = cosine }: Candidate): number =>
  Math.max(0, finite(passageCosine) - finite(cosine))

const inHeadOrder = (values: Record<HeadName, number>): number[] => headNames.map((head) => values[head])

const semanticAt = headNames.indexOf('semantic')
const contiguityAt = headNames.indexOf('contiguity')
const salienceAt = headNames.indexOf('salience')

/** 0 where all patterns are alike. */
function zScore(value: number, { mean, deviation }: MeanDeviation, clip: number): number {
  if (!(deviation > deviationMin)) return 0
  const z = finite((value - mean) / deviation)
  return Math.min(clip, Math.max(-clip, z))
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
